//! Numbers in messages: in digits and in words, with ordinal numbers, ranges and alternatives. Each of the given
//! languages is read on its own, and the longest reading wins.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{NumberMention, pick_by_separator, scan};
use crate::fold::fold_word;
use crate::language::{Language, Languages};
use crate::locale::{Locale, Section, Words};
use crate::per_locale::PerLocale;
use crate::phrase::PhraseTable;
use crate::token::Tokens;

/// Bytes that a number in digits, with the word that multiplies it, takes at most.
const MAX_BYTES: usize = 64;
/// Tokens of a number in words at most.
const MAX_TOKENS: usize = 14;
/// Bytes of a number that is written as one word.
const COMPOUND: std::ops::RangeInclusive<usize> = 6..=60;

/// A number in a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpokenNumber {
    /// How many tokens it takes.
    pub tokens: usize,
    /// What it is.
    pub value: f64,
    /// Whether it was written in digits.
    pub in_digits: bool,
}

/// The words of numbers of one language.
struct Vocabulary {
    numbers: PhraseTable<i64>,
    multiples: PhraseTable<i64>,
    ordinals: PhraseTable<i64>,
    joints: Set,
    minus: Set,
    suffixes: Set,
    or: Set,
    and: Set,
    range: PhraseTable<()>,
    between: Set,
    range_from: Set,
}

type Set = FxHashSet<String>;

fn set(words: Words) -> Set {
    words.iter().map(fold_word).collect()
}

fn table(sections: &[Section]) -> PhraseTable<i64> {
    let mut table = PhraseTable::default();
    for (number, words) in sections.iter().flat_map(|section| section.numbered()) {
        table.extend(words, number);
    }
    table
}

impl Vocabulary {
    fn new(locale: &'static Locale) -> Self {
        let mut range = PhraseTable::default();
        range.extend(locale.range, ());
        Self {
            numbers: table(&[locale.number_words]),
            multiples: table(&[locale.multiples, locale.spoken_multiples]),
            ordinals: table(&[locale.ordinals]),
            joints: set(locale.number_joints),
            minus: set(locale.minus),
            suffixes: set(locale.ordinal_suffixes),
            or: set(locale.or),
            and: set(locale.and),
            range,
            between: set(locale.between),
            range_from: set(locale.range_from),
        }
    }
}

fn vocabularies(languages: Languages) -> impl Iterator<Item = &'static Vocabulary> {
    static VOCABULARIES: PerLocale<Vocabulary> = PerLocale::new();
    let made = languages.iter().filter_map(|language| VOCABULARIES.get(language, Vocabulary::new));
    made.filter(|vocabulary| !vocabulary.numbers.is_empty())
}

/// The languages in which a number or a minus may begin with a token, by what it begins with, so that most tokens of
/// a text are no number at a glance.
struct Beginnings {
    /// By the token.
    words: FxHashMap<String, Languages>,
    /// By the first letter of numbers that may be a part of the token.
    letters: FxHashMap<[u8; 2], Languages>,
}

impl Beginnings {
    fn new() -> Self {
        let mut beginnings = Self { words: FxHashMap::default(), letters: FxHashMap::default() };
        for language in Language::all() {
            for vocabulary in vocabularies(language.into()) {
                for word in
                    vocabulary.numbers.first_words().chain(vocabulary.minus.iter().map(String::as_str))
                {
                    let known = beginnings.words.entry(word.to_owned()).or_default();
                    *known = known.with(language);
                    let known = beginnings.letters.entry(first_bytes(word)).or_default();
                    *known = known.with(language);
                }
            }
        }
        beginnings
    }

    fn languages(&self, folded: &str) -> Languages {
        let named = self.words.get(folded).copied().unwrap_or_default();
        if !COMPOUND.contains(&folded.len()) {
            return named;
        }
        let [first, second] = first_bytes(folded);
        let parts = [[first, second], [first, 0]].into_iter().filter_map(|bytes| self.letters.get(&bytes));
        parts.fold(named, |languages, more| languages.or(*more))
    }
}

/// The first two bytes of a word; 0 for one that it does not have.
fn first_bytes(word: &str) -> [u8; 2] {
    let mut bytes = word.bytes();
    [bytes.next().unwrap_or(0), bytes.next().unwrap_or(0)]
}

/// The number at a token: `1,470`, `2.5 million`, `-3`, `twenty-five`, `a couple of`, `minus two`.
#[must_use]
pub fn number_at(text: &Tokens<'_>, at: usize, languages: Languages) -> Option<SpokenNumber> {
    if text.is_digits(at) {
        return in_digits(text, at, languages);
    }
    static BEGINNINGS: LazyLock<Beginnings> = LazyLock::new(Beginnings::new);
    let likely = languages.and(BEGINNINGS.languages(text.folded(at)));
    if likely.is_empty() {
        return None;
    }
    if vocabularies(languages).any(|words| words.minus.contains(text.folded(at))) {
        let number =
            number_at(text, at + 1, languages).filter(|number| number.value > 0.0 && text.gap(at) == " ")?;
        return Some(SpokenNumber { tokens: number.tokens + 1, value: -number.value, ..number });
    }
    // Of readings of the same length that of the first language.
    let readings = vocabularies(likely).filter_map(|words| in_words(words, text, at));
    readings.reduce(|best, next| if next.tokens > best.tokens { next } else { best })
}

fn in_digits(text: &Tokens<'_>, at: usize, languages: Languages) -> Option<SpokenNumber> {
    let token = text.tokens.get(at)?;
    let end = text.raw.floor_char_boundary((token.start + MAX_BYTES).min(text.raw.len()));
    let mut found: Option<NumberMention> = None;
    scan(text.raw, token.start..end, |mention| {
        let begins = mention.range.start <= token.start && token.start < mention.range.end;
        // What spaces alone join, as in "rooms 3 200", is more than one number unless it is a sum.
        let is_better = found.as_ref().is_none_or(|known| mention.is_set_apart && !known.money);
        if begins && !mention.is_unscaled && is_better {
            found = Some(mention);
        }
    });
    let mention = found?;
    let decimal_text = &pick_by_separator(&mention.readings, None)?.decimal_text;
    let value = decimal_text.parse::<f64>().ok().filter(|value| value.is_finite())?;
    let mut value = if mention.negative == Some(true) { -value } else { value };
    let mut used = text.tokens_in(&(token.start..mention.range.end)).len();
    let is_multiplied = !text.is_digits(at + used - 1);
    let multiple = || vocabularies(languages).find_map(|words| words.multiples.longest(text, at + used));
    if !is_multiplied
        && let Some(found) = multiple()
        && text.gap(at + used - 1).trim().is_empty()
    {
        value *= found.value as f64;
        used += found.tokens;
    }
    Some(SpokenNumber { tokens: used, value, in_digits: true })
}

/// A part of a number in words.
#[derive(Clone, Copy, Debug)]
enum Atom {
    Number(i64),
    Multiple(i64),
    Joint,
}

/// Adds up the parts of a number.
struct Sum {
    total: i64,
    part: i64,
    last: i64,
}

impl Sum {
    const fn new() -> Self {
        Self { total: 0, part: 0, last: i64::MAX }
    }

    /// Whether a number may follow: "two one" are two numbers, "twenty one" is one.
    const fn takes(&self, value: i64) -> bool {
        value < self.last && !(self.last < 20 && self.last > 0)
    }

    fn add(&mut self, value: i64) {
        // `mille deux cents`: the hundreds that follow multiply no thousand.
        let kept = if value < 1_000 { &mut self.part } else { &mut self.total };
        *kept = kept.saturating_add(value);
        self.last = value;
    }

    fn multiply(&mut self, value: i64) {
        if value < 1_000 {
            self.part = self.part.max(1).saturating_mul(value);
        } else {
            self.total = self.total.saturating_add(self.part.max(1).saturating_mul(value));
            self.part = 0;
        }
        self.last = value;
    }

    fn value(&self) -> f64 {
        self.total.saturating_add(self.part) as f64
    }
}

fn in_words(words: &Vocabulary, text: &Tokens<'_>, at: usize) -> Option<SpokenNumber> {
    let mut sum = Sum::new();
    let mut used = 0;
    while used < MAX_TOKENS {
        let here = at + used;
        let multiple =
            words.multiples.longest(text, here).filter(|found| used > 0 && found.value != sum.last);
        if let Some(found) = multiple {
            sum.multiply(found.value);
            used += found.tokens;
        } else if let Some(found) = words.numbers.longest(text, here) {
            if !sum.takes(found.value) {
                break;
            }
            sum.add(found.value);
            used += found.tokens;
        } else if let Some(value) = compound(words, text.folded(here)) {
            if !sum.takes(value) {
                break;
            }
            sum.add(value);
            used += 1;
        } else if used > 0
            && sum.last >= 20
            && words.joints.contains(text.folded(here))
            && (words.numbers.length_at(text, here + 1) > 0
                || compound(words, text.folded(here + 1)).is_some())
        {
            used += 1;
        } else {
            break;
        }
    }
    (used > 0).then(|| SpokenNumber { tokens: used, value: sum.value(), in_digits: false })
}

/// A number that is written as one word: `fünfundzwanzig`, `tweehonderd`, `duecentocinquanta`.
fn compound(words: &Vocabulary, folded: &str) -> Option<i64> {
    if !COMPOUND.contains(&folded.len()) {
        return None;
    }
    let mut atoms = Vec::new();
    split(words, folded, &mut atoms).then(|| value_of(&atoms)).flatten()
}

/// Cuts a word into parts of numbers, the longest first.
fn split(words: &Vocabulary, folded: &str, atoms: &mut Vec<Atom>) -> bool {
    if folded.is_empty() {
        return true;
    }
    let ends = (1..=folded.len()).rev().filter(|end| folded.is_char_boundary(*end));
    for end in ends {
        let (head, rest) = folded.split_at(end);
        let number = words.numbers.of_word(head).next().map(Atom::Number);
        let Some(before) = atoms.last().copied() else {
            if let Some(number) = number {
                atoms.push(number);
                if split(words, rest, atoms) {
                    return true;
                }
                atoms.pop();
            }
            continue;
        };
        let multiple = words.multiples.of_word(head).next().map(Atom::Multiple);
        let joint = || words.joints.contains(head).then_some(Atom::Joint);
        // What multiplies does so behind a smaller number: `hundert` of `zweihundert`, but not of `hundertzwei`.
        let atom = match (before, multiple) {
            (Atom::Number(less) | Atom::Multiple(less), Some(Atom::Multiple(more))) if less < more => {
                multiple
            }
            _ => number.or_else(joint),
        };
        if let Some(atom) = atom {
            atoms.push(atom);
            if split(words, rest, atoms) {
                return true;
            }
            atoms.pop();
        }
    }
    false
}

fn value_of(atoms: &[Atom]) -> Option<i64> {
    let mut sum = Sum::new();
    let mut rest = atoms;
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        match (*first, tail) {
            // The unit before the ten: `fünfundzwanzig`.
            (Atom::Number(unit @ 1..=9), [Atom::Joint, Atom::Number(ten @ 20..=90), ..])
                if sum.takes(unit + ten) =>
            {
                sum.add(unit + ten);
                rest = tail.get(2..)?;
            }
            (Atom::Number(value), _) if sum.takes(value) => sum.add(value),
            (Atom::Multiple(value), _) => sum.multiply(value),
            (Atom::Joint, [Atom::Number(_), ..]) => {}
            _ => return None,
        }
    }
    Some(sum.total.saturating_add(sum.part))
}

/// How many tokens a range or alternatives take that begin with a number: "3 or 4", "between 3 and 5", "3-5". It
/// says no number.
#[must_use]
pub fn spread_at(text: &Tokens<'_>, at: usize, languages: Languages) -> Option<usize> {
    let first = number_at(text, at, languages)?;
    let joint = at + first.tokens;
    let gap = text.gap(joint - 1);
    let before = at.checked_sub(1).map_or("", |before| text.folded(before));
    if first.in_digits && text.is_digits(joint) && matches!(gap.trim(), "-" | "–" | "—") {
        return Some(first.tokens + number_at(text, joint, languages)?.tokens)
            .filter(|_| !gap.contains("- "));
    }
    let joined = vocabularies(languages).find_map(|words| {
        let word = text.folded(joint);
        if words.or.contains(word) || words.and.contains(word) && words.between.contains(before) {
            return Some(1);
        }
        // "from 3 to 5" tells a change where something is changed.
        let is_change = words.range_from.contains(before);
        words.range.longest(text, joint).map(|found| found.tokens).filter(|_| !is_change)
    })?;
    let is_spaced = gap == " " && text.gap(joint + joined - 1) == " ";
    let second = number_at(text, joint + joined, languages).filter(|_| is_spaced)?;
    Some(first.tokens + joined + second.tokens)
}

/// The ordinal number at a token, and how many tokens it takes: `second`, `2nd`, `last` (-1).
#[must_use]
pub fn ordinal_at(text: &Tokens<'_>, at: usize, languages: Languages) -> Option<(usize, i64)> {
    let named = vocabularies(languages)
        .filter_map(|words| words.ordinals.longest(text, at))
        .max_by_key(|found| found.tokens);
    if let Some(found) = named {
        return Some((found.tokens, found.value));
    }
    let has_suffix = text.gap(at).is_empty() && is_ordinal_suffix(text.folded(at + 1), languages);
    let number = text.digits(at).filter(|_| has_suffix)?;
    Some((2, i64::from(number)))
}

/// Whether a folded token is what follows the digits of an ordinal number.
#[must_use]
pub fn is_ordinal_suffix(folded: &str, languages: Languages) -> bool {
    !folded.is_empty() && vocabularies(languages).any(|words| words.suffixes.contains(folded))
}

#[cfg(test)]
mod tests;
