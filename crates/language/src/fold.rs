//! Folding: writing a text so that what means the same is the same.
//!
//! Four forms, because the uses differ:
//! - [`fold`] for comparing words and phrases: no case, no accents, no ligatures; spaces and punctuation stay.
//! - [`fold_word`] the same of letters and digits alone.
//! - [`fold_letters`] and [`FoldedText`] for finding a value in its document: accents stay, since a value that differs in
//!   one is another, and each character knows its place.
//! - [`normalise`] and [`strip_accents`] for an index, before and after the stemmer, which wants accents.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Lower case without accents and ligatures; all else stays.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase) {
        base(c, &mut out);
    }
    out
}

/// A phrase: its words as [`fold_word`] writes them, with one space between them.
#[must_use]
pub fn fold_phrase(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric() && !is_mark(c)).filter(|word| !word.is_empty());
    words.map(fold_word).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The same of the letters and digits alone.
#[must_use]
pub fn fold_word(text: &str) -> String {
    if text.is_ascii() {
        return text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase) {
        if is_word(c) && !is_accent(c) {
            base(c, &mut out);
        }
    }
    out
}

/// Writes a letter without what is joined to it or crosses it; `c` is decomposed and in lower case.
fn base(c: char, out: &mut String) {
    match c {
        'ß' => out.push_str("ss"),
        'æ' => out.push_str("ae"),
        'œ' => out.push_str("oe"),
        'þ' => out.push_str("th"),
        'ø' => out.push('o'),
        'ł' => out.push('l'),
        'đ' | 'ð' => out.push('d'),
        'ı' => out.push('i'),
        'ς' => out.push('σ'),
        // The dot that lower case leaves of a Turkish `İ`.
        '\u{307}' => {}
        c => out.push(c),
    }
}

/// Whether a mark is an accent; in Indic scripts marks are vowels.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{5b0}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{670}')
}

/// Writes a word in lower case without its accents, as [`fold`] does, and Arabic letters that are variants of
/// others as those.
pub fn strip_accents(word: &str, out: &mut String) {
    for c in word.nfd().filter(|c| !is_accent(*c)) {
        match c {
            'ٱ' => out.push('ا'),
            'ى' => out.push('ي'),
            'ة' => out.push('ه'),
            c => base(c, out),
        }
    }
}

/// First digits of the decimal digits of scripts other than Latin that are in common use.
const ZEROS: [char; 8] =
    ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{ae6}', '\u{be6}', '\u{e50}', '\u{1040}'];

/// The text in Unicode form KC, with Latin digits and without characters that are not seen. Case stays.
#[must_use]
pub fn normalise(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let parted = text.chars().filter(|c| !is_unseen(*c)).flat_map(|c| {
        // Form KC makes '6½' of it '61⁄2'.
        let apart = matches!(c, '\u{bc}'..='\u{be}' | '\u{2150}'..='\u{215f}' | '\u{2189}');
        apart.then_some(' ').into_iter().chain(Some(c))
    });
    Cow::Owned(parted.nfkc().map(latin_digit).collect())
}

/// Soft hyphens, joiners, marks of direction and the like: they part no word.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{640}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Latin digits for others, and the Russian letter that is mostly written without its dots: the stemmer does not
/// know it.
fn latin_digit(c: char) -> char {
    match c {
        c if c.is_ascii() => return c,
        'ё' => return 'е',
        'Ё' => return 'Е',
        _ => {}
    }
    ZEROS
        .iter()
        .find_map(|zero| (c as u32).checked_sub(*zero as u32).filter(|value| *value < 10))
        .and_then(|value| char::from_digit(value, 10))
        .unwrap_or(c)
}

/// Passes on the characters of `c` in lower case and Unicode form KD: letters, digits and marks only.
pub fn fold_char(c: char, mut emit: impl FnMut(char)) {
    if c.is_ascii() {
        if c.is_ascii_alphanumeric() {
            emit(c.to_ascii_lowercase());
        }
        return;
    }
    decompose_compatible(c, |part| {
        for lower in part.to_lowercase() {
            match lower {
                'ß' => {
                    emit('s');
                    emit('s');
                }
                _ if is_word(lower) => emit(lower),
                _ => {}
            }
        }
    });
}

/// The letters, digits and marks of a text in lower case and Unicode form KD, in one string.
#[must_use]
pub fn fold_letters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| fold_char(c, |letter| out.push(letter)));
    out
}

/// Whether a character belongs to a word.
#[must_use]
pub fn is_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() || is_combining_mark(c) }
}

/// Whether a character belongs to the one before it.
#[must_use]
pub fn is_mark(c: char) -> bool {
    !c.is_ascii() && is_combining_mark(c)
}

/// Whether a character is of a script that puts no spaces between words, or attaches particles to them: Thai,
/// Lao, Burmese, Khmer, Kana, Bopomofo, Han, Hangul.
#[must_use]
pub fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F | 0x1780..=0x17FF
        | 0x3040..=0x312F | 0x31F0..=0x31FF | 0xFF66..=0xFF9F
        | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF
        | 0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7FF)
}

/// Whether a word may end at `at` (a byte offset on a character boundary) and another begin.
#[must_use]
pub fn is_boundary(text: &str, at: usize) -> bool {
    let (Some(left), Some(right)) = (text.get(..at), text.get(at..)) else { return false };
    match (left.chars().next_back(), right.chars().next()) {
        (Some(a), Some(b)) => {
            !is_word(a) || !is_word(b) || ((is_unspaced(a) || is_unspaced(b)) && !is_combining_mark(b))
        }
        _ => true,
    }
}

/// A folded stretch of text; `origin` holds, for each byte of `folded`, the byte offset in the text of the
/// character it came from.
#[derive(Debug, Default)]
pub struct FoldedText {
    /// Its [`fold_letters`].
    pub folded: String,
    /// For each byte of them, where its character stands in the text.
    pub origin: Vec<u32>,
}

impl FoldedText {
    /// Folds `range` of `text`. Text beyond 4 GiB is left out.
    #[must_use]
    pub fn new(text: &str, range: Range<usize>) -> Self {
        let mut out = Self::default();
        let Some(part) = text.get(range.clone()) else { return out };
        for (offset, c) in part.char_indices() {
            let Ok(at) = u32::try_from(range.start + offset) else { break };
            fold_char(c, |letter| {
                out.folded.push(letter);
                out.origin.resize(out.folded.len(), at);
            });
        }
        out
    }

    /// The place in `text` of `start..end` of the folded string, if it begins and ends with whole characters and
    /// at the edges of words.
    #[must_use]
    pub fn words(&self, text: &str, start: usize, end: usize) -> Option<Range<usize>> {
        let first = *self.origin.get(start)?;
        let last = *self.origin.get(end.checked_sub(1)?)?;
        let cut = |at: usize| {
            at.checked_sub(1)
                .and_then(|before| self.origin.get(before))
                .is_some_and(|before| Some(before) == self.origin.get(at))
        };
        if cut(start) || cut(end) {
            return None;
        }
        let (first, last) = (first as usize, last as usize);
        let last_end = last + text.get(last..)?.chars().next()?.len_utf8();
        (is_boundary(text, first) && is_boundary(text, last_end)).then_some(first..last_end)
    }
}

/// The words of `text` with their places, as [`fold_letters`].
pub fn words(text: &str) -> impl Iterator<Item = (Range<usize>, String)> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((start, first)) = chars.next() {
            if !is_word(first) {
                continue;
            }
            let mut word = String::new();
            fold_char(first, |c| word.push(c));
            let mut end = start + first.len_utf8();
            while let Some(&(at, c)) = chars.peek() {
                if is_boundary(text, at) {
                    break;
                }
                fold_char(c, |c| word.push(c));
                end = at + c.len_utf8();
                chars.next();
            }
            if !word.is_empty() {
                return Some((start..end, word));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_takes_case_accents_and_ligatures_away() {
        for (text, folded) in [
            ("Größe-É", "grosse-e"),
            ("Zażółć gęślą jaźń", "zazolc gesla jazn"),
            ("Smørrebrød Æon Œuvre", "smorrebrod aeon oeuvre"),
            ("ISPARTA", "isparta"),
            ("ışık İzmir", "isik izmir"),
            ("Þór Đuro", "thor duro"),
            ("l’été", "l’ete"),
            ("ﬁne №5", "fine no5"),
            ("ΛΟΓΟΣ", "λογοσ"),
            ("नाम", "नाम"),
        ] {
            assert_eq!(fold(text), folded);
        }
        assert_eq!(fold_word("O’Clock 3"), "oclock3");
        assert_eq!(fold_word("Straße, 5"), "strasse5");
    }

    #[test]
    fn letters_ignore_case_width_and_normal_form_and_keep_accents() {
        assert_eq!(fold_letters("Ｃafé — GmbH"), fold_letters("CAFE\u{301}gmbh"));
        assert_eq!(fold_letters("Straße"), "strasse");
        assert_ne!(fold_letters("côte"), fold_letters("cote"));
    }

    #[test]
    fn an_index_gets_one_unicode_form_and_latin_digits() {
        assert_eq!(normalise("Ｅ６½ co\u{ad}op ٣"), "E6 1⁄2 coop 3");
        let mut out = String::new();
        strip_accents("ёлка łódź", &mut out);
        assert_eq!(out, "елка lodz");
    }

    #[test]
    fn words_know_their_places() {
        let text = "A1, Müller  日本\u{1F600}";
        let found: Vec<_> = words(text).map(|(range, word)| (&text[range], word)).collect();
        let found: Vec<_> = found.iter().map(|(slice, word)| (*slice, word.as_str())).collect();
        assert_eq!(found, [("A1", "a1"), ("Müller", "mu\u{308}ller"), ("日", "日"), ("本", "本")]);
    }

    #[test]
    fn a_stretch_is_words_only_at_word_edges() {
        let text = "in 2012, ﬁne";
        let folded = FoldedText::new(text, 0..text.len());
        let at = |needle: &str| {
            let start = folded.folded.find(needle).unwrap();
            folded.words(text, start, start + needle.len()).map(|range| &text[range])
        };
        assert_eq!(at("2012"), Some("2012"));
        assert_eq!(at("12"), None);
        assert_eq!(at("fine"), Some("ﬁne"));
        assert_eq!(at("ine"), None);
    }
}
