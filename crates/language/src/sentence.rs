//! Where sentences end: not at abbreviations, initials, decimals, ordinals or within quotes.

use std::sync::LazyLock;

use crate::date::month_or_beginning;
use crate::fold::{fold_word, is_unspaced};
use crate::vocabulary::{Everywhere, is_abbreviation};

/// Bytes of a sentence; longer ones are cut at a pause or space.
const MAX_SENTENCE: usize = 900;
/// Bytes before a full stop that are looked at.
const LOOK_BACK: usize = 24;

/// What an ordinal number before a capital goes on with, beside months: "im 3. Quartal".
static AFTER_ORDINALS: LazyLock<Everywhere> =
    LazyLock::new(|| Everywhere::of(|locale| locale.after_ordinals));

/// The sentences of a paragraph, as ranges of bytes without blanks around; none is empty.
#[must_use]
pub fn sentences(text: &str) -> Vec<(usize, usize)> {
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

/// Whether a sentence ends with the stop at `at`, whose closing marks end at `end`.
fn ends(text: &str, start: usize, at: usize, end: usize, stop: char) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let Some(next) = rest.chars().next() else { return true };
    if !next.is_whitespace() {
        return is_unspaced(next) && stop != '.';
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
        let folded = fold_word(&word);
        let goes_on = AFTER_ORDINALS.has(&folded);
        let ordinal = last.len() <= 2 && (goes_on || month_or_beginning(&word).is_some());
        return !ordinal && text.get(start..at).is_some_and(|sentence| sentence.trim_start() != last);
    }
    let initial = last.chars().count() == 1 && last.chars().all(char::is_uppercase);
    !initial && !is_abbreviation(&fold_word(last)) && !last.contains('.')
}

/// Adds a sentence, cut where it is too long.
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

/// Where to cut a piece that is too long.
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
            ("Spotkanie jest 3. Maja. Potem obiad.", vec!["Spotkanie jest 3. Maja.", "Potem obiad."]),
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
