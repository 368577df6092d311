//! Splits text into sentences, not at abbreviations, initials, decimals, ordinals or within quotes.

use super::words::{fold, is_cjk};

/// Maximum bytes of a sentence; longer ones are split at a pause or space.
const MAX_SENTENCE: usize = 900;
/// Bytes before a full stop that are examined.
const LOOK_BACK: usize = 24;

/// Abbreviations that a capital may follow, folded and without their stop.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "no", "nos", "vs", "etc", "inc", "ltd", "co", "corp",
    "dept", "est", "fig", "approx", "art", "para", "sec", "cf", "al", "gen", "col", "rev", "hon", "gov",
    "ca", "bzw", "usw", "nr", "str", "tel", "hr", "fr", "abs", "bspw", "evtl", "ggf", "inkl", "exkl", "zzgl",
    "max", "min", "mind", "ing", "dipl", "mme", "mlle", "m", "env", "av", "bd", "sra", "srta", "ud", "uds",
    "num", "pag", "sig", "dott", "avv", "geom", "spett", "pt", "ul", "al", "os", "godz", "tj", "tzn", "np",
    "m.in", "mgr", "inz", "dhr", "mevr", "blz", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "sept", "oct", "okt", "nov", "dec", "dez", "p", "pp", "vol", "ed", "eds", "ref", "tab", "bl", "u", "z",
    "b", "d", "h", "e", "i", "v", "s", "ph", "lt", "rs", "mio", "mrd",
];

/// Words that continue an ordinal, such as months; folded prefixes.
const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "mai", "may", "jun", "jul", "aug", "sep", "okt", "oct", "nov", "dez", "dec",
    "mrz", "stycz", "lut", "kwi", "maj", "czerw", "lip", "sier", "wrze", "paz", "list", "grud", "quartal",
    "etage", "stock",
];

/// The sentences of a paragraph as byte ranges without blanks around them; none is empty.
pub(crate) fn sentences(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let end = at + c.len_utf8();
        let full = matches!(c, '。' | '！' | '？' | '｡');
        let stop = full || matches!(c, '.' | '!' | '?' | '…');
        if stop {
            let mut end = end;
            while let Some((at, c)) = characters.peek().copied() {
                let closes =
                    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）' | '*' | '_')
                        || matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？');
                if !closes {
                    break;
                }
                end = at + c.len_utf8();
                characters.next();
            }
            if full || ends(text, start, at, end, c) {
                push(text, start, end, &mut found);
                start = end;
            }
        }
    }
    push(text, start, text.len(), &mut found);
    found
}

/// Whether the stop at `at` ends a sentence; its closing marks end at `end`.
fn ends(text: &str, start: usize, at: usize, end: usize, stop: char) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let Some(next) = rest.chars().next() else { return true };
    if !next.is_whitespace() {
        return is_cjk(next) && stop != '.';
    }
    let following = rest.trim_start();
    let Some(first) = following.chars().next() else { return true };
    if first.is_lowercase() {
        return false;
    }
    if stop != '.' {
        return true;
    }
    let mut from = at.saturating_sub(LOOK_BACK).max(start);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = text.get(from..at).unwrap_or_default();
    let last = before.rsplit([' ', '\n', '\t', '\u{a0}', '(', '„', '“']).next().unwrap_or_default();
    if last.chars().all(|c| c.is_ascii_digit()) && !last.is_empty() {
        let word: String = following.chars().take_while(|c| c.is_alphabetic()).take(12).collect();
        let word = fold(&word);
        let ordinal = last.len() <= 2 && MONTHS.iter().any(|month| word.starts_with(month));
        return !ordinal && text.get(start..at).is_some_and(|sentence| sentence.trim_start() != last);
    }
    let initial = last.chars().count() == 1 && last.chars().all(char::is_uppercase);
    !initial && !ABBREVIATIONS.contains(&fold(last).trim_matches('.')) && !last.contains('.')
}

/// Adds a sentence, split if it is too long.
fn push(text: &str, start: usize, end: usize, found: &mut Vec<(usize, usize)>) {
    let mut start = start;
    loop {
        let Some(piece) = text.get(start..end) else { return };
        start += piece.len() - piece.trim_start().len();
        let piece = piece.trim();
        if !piece.chars().any(char::is_alphanumeric) {
            return;
        }
        if piece.len() <= MAX_SENTENCE {
            found.push((start, start + piece.len()));
            return;
        }
        let cut = cut(piece);
        found.push((start, start + cut));
        start += cut;
    }
}

/// Where to split a part that is too long.
fn cut(piece: &str) -> usize {
    let mut limit = MAX_SENTENCE;
    while !piece.is_char_boundary(limit) {
        limit -= 1;
    }
    let head = piece.get(..limit).unwrap_or(piece);
    let pause = head
        .rfind(['.', ';', '。', '、', '，'])
        .map(|at| at + head.get(at..).and_then(|h| h.chars().next()).map_or(1, char::len_utf8));
    let space = head.rfind(char::is_whitespace);
    pause.filter(|at| *at * 2 > limit).or(space).filter(|at| *at > 0).unwrap_or(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|(start, end)| &text[start..end]).collect()
    }

    #[test]
    fn sentences_end_where_a_reader_would_end_them() {
        for (text, expected) in [
            ("Dr. Lee pays 3.50 per day. It is due.", vec!["Dr. Lee pays 3.50 per day.", "It is due."]),
            (
                "Der Vertrag endet am 3. März 2027. Danach gilt § 5 Abs. 2 BGB.",
                vec!["Der Vertrag endet am 3. März 2027.", "Danach gilt § 5 Abs. 2 BGB."],
            ),
            ("Das gilt z. B. Montags. Sonst nicht.", vec!["Das gilt z. B. Montags.", "Sonst nicht."]),
            ("He said \"Stop.\" Then he left!", vec!["He said \"Stop.\"", "Then he left!"]),
            ("契約は終わります。次の日です。", vec!["契約は終わります。", "次の日です。"]),
            ("M. Dupont est né en 1980. Il vit à Lyon.", vec!["M. Dupont est né en 1980.", "Il vit à Lyon."]),
            (
                "J. R. Smith wrote it... and left. Why? No idea",
                vec!["J. R. Smith wrote it... and left.", "Why?", "No idea"],
            ),
            ("", vec![]),
            (" . ! ", vec![]),
        ] {
            assert_eq!(split(text), expected);
        }
    }

    #[test]
    fn a_sentence_without_end_is_cut() {
        let long = "word ".repeat(1_000);
        assert!(split(&long).iter().all(|piece| piece.len() <= MAX_SENTENCE));
        assert_eq!(split(&long).concat().matches("word").count(), 1_000);
    }
}
