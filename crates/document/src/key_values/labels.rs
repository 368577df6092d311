//! Heuristics that recognise labels and their ends.

use language::fold::{fold_phrase, fold_word};
use language::layout::LayoutPhrase;

/// Maximum words and characters of a label. Chosen by hand.
const MAX_WORDS: usize = 7;
const MAX_CHARS: usize = 60;
/// The same of a label without a colon; and its maximum digits and minimum letters. Chosen by hand.
const MAX_BARE_WORDS: usize = 5;
const MAX_BARE_DIGITS: usize = 1;
const MIN_BARE_LETTERS: usize = 2;
/// Minimum words of a sentence with punctuation at its end, and of one without. Chosen by hand.
const SENTENCE_WORDS: usize = 9;
const LONG_WORDS: usize = 22;
/// Maximum words of a number, date or code. Chosen by hand.
const MAX_CODE_WORDS: usize = 4;
/// What links and references begin with; it is no label.
const SCHEMES: [&str; 5] = ["http", "https", "ftp", "mailto", "nb"];

/// Where a label ends in a text, and where its value begins (bytes): the first colon that separates words.
pub(super) fn separator(text: &str) -> Option<(usize, usize)> {
    text.char_indices().find_map(|(at, c)| {
        let after = at + c.len_utf8();
        let parts = match c {
            ':' => separates_words(text.get(..at)?, text.get(after..)?),
            '\u{ff1a}' => true,
            _ => false,
        };
        parts.then_some((at, after))
    })
}

/// Whether a colon between these separates words, and is not part of a time, a ratio, a URL or a drive.
fn separates_words(before: &str, after: &str) -> bool {
    let (last, next) = (before.chars().next_back(), after.chars().next());
    let digits = last.is_some_and(|c| c.is_ascii_digit()) && next.is_some_and(|c| c.is_ascii_digit());
    let joined = last.is_some_and(char::is_lowercase) && next.is_some_and(char::is_lowercase);
    let address = after.starts_with("//") || after.starts_with('\\') || after.starts_with(':');
    !digits && !joined && !address && last.is_some_and(|c| c != ':')
}

/// Whether a text can be a label before a colon.
pub(super) fn is_label(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let short = (1..=MAX_WORDS).contains(&words) && text.chars().nth(MAX_CHARS).is_none();
    let lettered = text.chars().any(char::is_alphabetic);
    let begins = text.chars().next().is_some_and(|c| c.is_alphanumeric() || "(#*\"'$€£%".contains(c));
    // Fewer than five words with a full stop are abbreviations. Chosen by hand.
    let sentence = text.contains(['!', '?', ';', '=', '@']) || text.contains(". ") && words > 4;
    let sentence = sentence || text.contains("//");
    short && lettered && begins && !sentence && !is_remark(text)
}

/// Whether a text can be a label without a colon: short, of letters, with the capitals of labels.
pub(super) fn is_bare_label(text: &str) -> bool {
    let text = without_rate(text);
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let ends = text.ends_with(['.', ',', ';', '!', '-', ':'])
        && !(text.ends_with('.') && ends_in(text, LayoutPhrase::LabelAbbreviation));
    let upper = text.chars().find(|c| c.is_alphabetic()).is_some_and(|c| !c.is_lowercase());
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    is_label(text)
        && text.split_whitespace().count() <= MAX_BARE_WORDS
        && digits <= MAX_BARE_DIGITS
        && !ends
        && upper
        && letters >= MIN_BARE_LETTERS
        && !text.contains(['$', '€', '£', '/', '|'])
}

/// A label without the rate at its end, as in "VAT 20%" and "Discount (2.5 %)".
fn without_rate(text: &str) -> &str {
    let inner = text.trim_end().trim_end_matches(')').trim_end();
    let Some(rest) = inner.strip_suffix('%') else { return text };
    let rest = rest.trim_end();
    let label = rest.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    match label.trim_end_matches([' ', '(', '\u{a0}']) {
        name if label.len() < rest.len() && !name.is_empty() => name,
        _ => text,
    }
}

fn is_remark(text: &str) -> bool {
    let first = fold_word(text.split_whitespace().next().unwrap_or_default());
    let plain = fold_phrase(text);
    let has_scheme = |text: &str| SCHEMES.contains(&text);
    LayoutPhrase::Remark.has(&plain)
        || has_scheme(&plain)
        || LayoutPhrase::RemarkStart.has(&first)
        || first.starts_with("http") && has_scheme(&first)
}

/// Whether a text looks like a sentence rather than a filled-in value.
pub(super) fn is_sentence(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let small = |word: &&str| word.chars().next().is_some_and(char::is_lowercase);
    let smalls = text.split_whitespace().filter(small).count();
    words >= SENTENCE_WORDS && smalls * 2 >= words && text.trim_end().ends_with(['.', '!', '?', ','])
        || words >= LONG_WORDS && smalls * 2 >= words
}

/// Whether a text contains a number, or is an e-mail or web address.
pub(super) fn is_figure(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit()) || text.contains('@') || text.starts_with("www.")
}

/// Whether a label has a typical last word, as in "Invoice number" and "Due date".
pub(super) fn is_usual(label: &str) -> bool {
    ends_in(label, LayoutPhrase::LabelEnd)
}

fn ends_in(text: &str, phrase: LayoutPhrase) -> bool {
    text.split_whitespace().next_back().is_some_and(|last| phrase.has(&fold_word(last)))
}

/// Whether a text is mostly a number, a date or a code. At least 40 % of its characters are digits.
/// Chosen by hand.
pub(super) fn is_code(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    digits * 10 >= text.chars().filter(|c| !c.is_whitespace()).count() * 4
        && text.split_whitespace().count() <= MAX_CODE_WORDS
}

/// Whether a text is only blank space to write in.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '_' | '.' | '\u{2026}' | '-' | ' ' | '\u{a0}' | '\u{2014}'))
}

/// A label without its marks.
pub(super) fn cleaned(label: &str) -> String {
    let marks: &[char] =
        &[':', '\u{ff1a}', '*', '_', '`', '#', '\u{2022}', '\u{b7}', '-', ' ', '\u{a0}', '.'];
    let trimmed = label.trim_start_matches(['*', '_', '`', '\u{2022}', '\u{b7}', '-', ' ', '\u{a0}']);
    let trimmed = numbered(trimmed).trim_end_matches(marks);
    // "No." keeps its full stop.
    let dotted = ends_in(trimmed, LayoutPhrase::LabelAbbreviation);
    let all = label.trim_end_matches([':', '\u{ff1a}', ' ', '*', '_']);
    let key = if dotted && all.ends_with('.') { format!("{trimmed}.") } else { trimmed.to_owned() };
    key.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text after the number of a form's box, as in "3. Name" or "4a) Date".
fn numbered(text: &str) -> &str {
    let rest = text.trim_start_matches('(');
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = rest.get(digits..).unwrap_or_default();
    let after = after
        .strip_prefix(|c: char| c.is_ascii_lowercase())
        .filter(|rest| rest.starts_with(['.', ')']))
        .unwrap_or(after);
    let named = after.strip_prefix(['.', ')']).map(str::trim_start).filter(|rest| !rest.is_empty());
    named.filter(|_| (1..=2).contains(&digits)).unwrap_or(text)
}

/// Start (byte) of the label at the end of a text, after a value: its last words with capitals.
pub(super) fn last_label(text: &str) -> Option<usize> {
    let words: Vec<(usize, &str)> =
        text.split_whitespace().map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word)).collect();
    let (mut at, last) = words.last().copied()?;
    let is_end = |word: &str| LayoutPhrase::LabelEnd.has(&fold_word(word));
    let capital =
        |word: &str| word.chars().next().is_some_and(char::is_uppercase) && !word.ends_with([',', ';']);
    if !capital(last) && !is_end(last) {
        return None;
    }
    let before = words.iter().rev().skip(1);
    for (place, word) in before.take(if is_end(last) { 2 } else { 0 }) {
        let lettered = word.chars().all(|c| c.is_alphabetic() || "-/&'".contains(c));
        if !(lettered && capital(word)) || *place == 0 {
            break;
        }
        at = *place;
    }
    (at > 0).then_some(at)
}
