//! Folding: the letters and digits of a text without case, width, spaces and punctuation, each with its
//! position in the text.

use std::ops::Range;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Emits the folded characters of `c`: compatibility decomposition (Unicode NFKD, so that both normal forms
/// of a text fold alike), lower case, and only letters, digits and marks.
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

/// The folded characters of a text as one string.
pub fn fold_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| fold_char(c, |folded| out.push(folded)));
    out
}

/// As [`fold_text`], without accents.
pub fn fold_without_accents(text: &str) -> String {
    fold_text(text).chars().filter(|c| !is_combining_mark(*c)).collect()
}

/// Whether a character is part of a word.
pub fn is_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() || is_combining_mark(c) }
}

/// Whether a character is of a script without spaces between words, or with attached particles.
pub fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x31F0..=0x31FF
        | 0x3400..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x2_0000..=0x3_FFFF)
}

/// Whether a word may end at byte offset `at`, which is a character boundary, and another one begin.
pub fn is_boundary(text: &str, at: usize) -> bool {
    let (Some(left), Some(right)) = (text.get(..at), text.get(at..)) else { return false };
    match (left.chars().next_back(), right.chars().next()) {
        (Some(a), Some(b)) => {
            !is_word(a) || !is_word(b) || ((is_unspaced(a) || is_unspaced(b)) && !is_combining_mark(b))
        }
        _ => true,
    }
}

/// A folded part of a text. For each byte of `folded`, `origin` has the byte offset of its character in the
/// text.
#[derive(Debug, Default)]
pub struct FoldedText {
    /// The folded characters.
    pub folded: String,
    /// For each byte of `folded`, the byte offset of its character in the text.
    pub origin: Vec<u32>,
}

impl FoldedText {
    /// Folds `range` of `text`. Text beyond 4 GiB is skipped.
    pub fn new(text: &str, range: Range<usize>) -> Self {
        let mut out = Self::default();
        let Some(part) = text.get(range.clone()) else { return out };
        for (offset, c) in part.char_indices() {
            let Ok(at) = u32::try_from(range.start + offset) else { break };
            fold_char(c, |folded| {
                out.folded.push(folded);
                out.origin.resize(out.folded.len(), at);
            });
        }
        out
    }

    /// The range in `text` of `start..end` of the folded string; `None` unless it begins and ends at word
    /// boundaries.
    pub fn words(&self, text: &str, start: usize, end: usize) -> Option<Range<usize>> {
        let first = *self.origin.get(start)?;
        let last = *self.origin.get(end.checked_sub(1)?)?;
        let cut = |at: usize| at > 0 && at < self.origin.len() && self.origin[at - 1] == self.origin[at];
        if cut(start) || cut(end) {
            return None;
        }
        let (first, last) = (first as usize, last as usize);
        let last_end = last + text.get(last..)?.chars().next()?.len_utf8();
        (is_boundary(text, first) && is_boundary(text, last_end)).then_some(first..last_end)
    }
}

/// The words of `text` with their byte ranges, folded.
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
    fn folding_ignores_case_width_and_normal_form() {
        assert_eq!(fold_text("Ｃafé — GmbH"), fold_text("CAFE\u{301}gmbh"));
        assert_eq!(fold_text("Straße"), "strasse");
        assert_eq!(fold_text("ﬁne №5"), "fineno5");
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
