//! Generates the index forms of words, numbers and identifiers.

use std::ops::Range;

use language::fold::is_mark;

use super::scan::{Token, pieces};

/// Maximum bytes of an identifier that is indexed as a whole. Protects memory.
const MAX_WHOLE: usize = 64;

/// How a form becomes a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is stemmed.
    Word,
    /// It is used unchanged.
    Exact,
}

/// One form of a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordForm<'a> {
    /// In lower case.
    pub(super) text: &'a str,
    /// How it becomes a term.
    pub(super) kind: Kind,
    /// Whether it is an alternative to the plain form of the same token.
    pub(super) beside: bool,
}

/// Collects the forms of a text.
struct FormSink<'a> {
    text: &'a str,
    each: &'a mut dyn FnMut(WordForm<'_>),
}

/// Emits the forms of a text in Unicode form KC, in order. In indexed texts single Chinese and Korean
/// characters are emitted too, so that words of one character are found inside longer runs.
pub(super) fn forms(text: &str, indexed: bool, each: &mut dyn FnMut(WordForm<'_>)) {
    pieces(text, &mut |piece| match piece {
        Token::Unspaced(run) => pairs(run, indexed, each),
        Token::Chain(runs) => FormSink { text, each }.chain(runs),
    });
}

/// Overlapping character bigrams; combining marks belong to the character before them.
fn pairs(run: &str, indexed: bool, each: &mut dyn FnMut(WordForm<'_>)) {
    let exact = |text| WordForm { text, kind: Kind::Exact, beside: false };
    let starts: Vec<usize> =
        run.char_indices().filter(|(at, c)| *at == 0 || !is_mark(*c)).map(|(at, _)| at).collect();
    let end = |index: usize| starts.get(index).copied().unwrap_or(run.len());
    for (index, start) in starts.iter().enumerate() {
        let alone = starts.len() == 1;
        let stands_alone = || run[*start..].chars().next().is_some_and(|c| is_han(c) || is_korean(c));
        if alone || (indexed && stands_alone()) {
            each(exact(&run[*start..end(index + 1)]));
        }
        if index + 1 < starts.len() {
            each(exact(&run[*start..end(index + 2)]));
        }
    }
}

fn is_han(c: char) -> bool {
    matches!(c as u32, 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

fn is_korean(c: char) -> bool {
    matches!(c as u32, 0xac00..=0xd7ff)
}

fn is_apostrophe(sign: &str) -> bool {
    matches!(sign, "'" | "\u{2019}")
}

fn is_number(run: &str) -> bool {
    run.bytes().all(|b| b.is_ascii_digit())
}

impl FormSink<'_> {
    fn tell(&mut self, text: &str, kind: Kind, beside: bool) {
        (self.each)(WordForm { text: &text.to_lowercase(), kind, beside });
    }

    fn sign(&self, runs: &[Range<usize>], index: usize) -> &str {
        &self.text[runs[index].end..runs[index + 1].start]
    }

    fn chain(&mut self, runs: &[Range<usize>]) {
        let text = self.text;
        if let [run] = runs {
            self.run(&text[run.clone()]);
            return self.sharp(run);
        }
        if let Some(cut) = (0..runs.len() - 1).find(|index| is_apostrophe(self.sign(runs, *index))) {
            return self.elided(runs, cut);
        }
        if runs.iter().all(|run| is_number(&text[run.clone()])) {
            return self.number(runs);
        }
        for run in runs {
            self.run(&text[run.clone()]);
        }
        self.whole(runs);
    }

    /// Names such as `C++` and `F#`, which only the sign distinguishes from a letter.
    fn sharp(&mut self, run: &Range<usize>) {
        let (name, after) = (&self.text[run.clone()], &self.text[run.end..]);
        let sign = ["++", "#"].into_iter().find(|sign| after.starts_with(sign));
        if let Some(sign) = sign.filter(|_| name.len() <= 2 && name.bytes().all(|b| b.is_ascii_alphabetic()))
        {
            self.tell(&format!("{name}{sign}"), Kind::Exact, false);
        }
    }

    /// Tokens with an apostrophe: `l'avion` is `avion`, `driver's` is `driver`, `don't` is one word.
    fn elided(&mut self, runs: &[Range<usize>], cut: usize) {
        let text = self.text;
        let (head, tail) = (&text[runs[cut].clone()], &text[runs[cut + 1].clone()]);
        let (before, after) = (&runs[..cut], &runs[cut + 2..]);
        if !before.is_empty() {
            self.chain(before);
        }
        if tail.eq_ignore_ascii_case("s") {
            self.run(head);
        } else if tail.chars().count() <= 2 {
            self.tell(&format!("{head}{tail}"), Kind::Word, false);
        } else if head.chars().count() > 2 {
            self.run(head);
            self.run(tail);
        } else {
            self.run(tail);
            if head.chars().next().is_some_and(char::is_uppercase) {
                self.tell(&format!("{head}{tail}"), Kind::Word, true);
            }
        }
        if !after.is_empty() {
            self.chain(after);
        }
    }

    /// A run of letters and digits. If it has both or consists of several words, its parts are alternatives.
    fn run(&mut self, run: &str) {
        let digits = run.bytes().any(|b| b.is_ascii_digit());
        let kind = if digits { Kind::Exact } else { Kind::Word };
        self.tell(run, kind, false);
        let parts = parts(run);
        for part in parts {
            let kind = if is_number(part) { Kind::Exact } else { Kind::Word };
            self.tell(part, kind, true);
        }
    }

    /// Numbers with signs between them: amounts, dates, versions, IP addresses.
    fn number(&mut self, runs: &[Range<usize>]) {
        let text = self.text;
        let group = |index: usize| &text[runs[index].clone()];
        let last = runs.len() - 1;
        // Thousands have groups of three digits.
        let thousands = |from: usize, to: usize| {
            group(from).len() <= 3 && (from + 1..=to).all(|index| group(index).len() == 3)
        };
        let joined = |to: usize| (0..=to).map(group).collect::<String>();
        let dotted = || (0..=last).map(group).collect::<Vec<_>>().join(".");
        let same = |to: usize| (0..to).all(|index| self.sign(runs, index) == self.sign(runs, 0));
        let amount = (0..last).all(|index| matches!(self.sign(runs, index), "." | ","));
        if amount && same(last) && thousands(0, last) {
            let (joined, dotted) = (joined(last), dotted());
            self.tell(&joined, Kind::Exact, false);
            self.tell(&dotted, Kind::Exact, true);
        } else if amount && (last == 1 || (same(last - 1) && !same(last) && thousands(0, last - 1))) {
            let whole = joined(last - 1);
            self.tell(&format!("{whole}.{}", group(last)), Kind::Exact, false);
            if whole.len() >= 3 {
                self.tell(&whole, Kind::Exact, true);
            }
        } else {
            let dotted = dotted();
            self.tell(&dotted, Kind::Exact, false);
            for run in runs.iter().filter(|run| run.len() >= 2) {
                self.tell(&text[(*run).clone()], Kind::Exact, true);
            }
        }
    }

    /// The whole chain without its signs, so that `AB-12`, `AB 12` and `AB12` share a form; a dot separates
    /// its numbers. Alternatives such as `and/or` get no such form.
    fn whole(&mut self, runs: &[Range<usize>]) {
        let text = self.text;
        let digits = runs.iter().any(|run| text[run.clone()].bytes().any(|b| b.is_ascii_digit()));
        let signs = || (0..runs.len() - 1).map(|index| self.sign(runs, index));
        let hyphens = runs.len() <= 3 && signs().all(|sign| matches!(sign, "-" | "\u{2010}"));
        let named = signs().all(|sign| matches!(sign, "." | "_" | "@" | "&"));
        if !(digits || hyphens || named || signs().any(|sign| matches!(sign, "@" | "://"))) {
            return;
        }
        let kind = if digits { Kind::Exact } else { Kind::Word };
        self.joined(runs, kind);
        // `AB-1234.5` also contains `AB-1234` and `1234.5`.
        for pair in runs.windows(2).filter(|_| runs.len() > 2) {
            if pair.iter().any(|run| is_number(&text[run.clone()])) {
                self.joined(pair, Kind::Exact);
            }
        }
    }

    /// Emits runs as one form, unless it is too long for an identifier.
    fn joined(&mut self, runs: &[Range<usize>], kind: Kind) {
        let mut whole = String::new();
        for run in runs {
            let part = &self.text[run.clone()];
            let number = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
            if number(whole.chars().next_back()) && number(part.chars().next()) {
                whole.push('.');
            }
            whole.push_str(part);
        }
        if whole.len() <= MAX_WHOLE {
            self.tell(&whole, kind, true);
        }
    }
}

/// The parts of `getUserName` and `AB1234`, where each has two characters or more.
fn parts(run: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    for pair in 1..chars.len() {
        let ((_, before), (at, c)) = (chars[pair - 1], chars[pair]);
        let after = chars.get(pair + 1).map(|(_, c)| *c);
        let hump = c.is_uppercase()
            && (before.is_lowercase() || (before.is_uppercase() && after.is_some_and(char::is_lowercase)));
        let changes = !is_mark(c) && before.is_ascii_digit() != c.is_ascii_digit();
        if hump || changes {
            cuts.push(at);
        }
    }
    if cuts.len() == 1 {
        return Vec::new();
    }
    cuts.push(run.len());
    let all = cuts.windows(2).map(|cut| &run[cut[0]..cut[1]]);
    all.filter(|part| part.chars().nth(1).is_some()).collect()
}
