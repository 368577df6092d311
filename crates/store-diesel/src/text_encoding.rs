//! Encodes text for both databases: PostgreSQL does not accept the NUL character.
//!
//! U+10FFFF, a noncharacter, is the escape: followed by `0` it means NUL, by `1` itself. All other text is
//! stored as it is.

use std::borrow::Cow;

const ESCAPE: char = '\u{10FFFF}';

/// The stored form of `text`.
pub(crate) fn encode(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', ESCAPE]) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(ESCAPE, "\u{10FFFF}1").replace('\0', "\u{10FFFF}0"))
}

/// The text of a stored form.
pub(crate) fn decode(stored: String) -> String {
    if !stored.contains(ESCAPE) {
        return stored;
    }
    stored.replace("\u{10FFFF}0", "\0").replace("\u{10FFFF}1", "\u{10FFFF}")
}

/// A `LIKE` pattern (escape character `\`) for "contains `text`".
pub(crate) fn contains_pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for character in encode(text).chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_reads_back_and_is_stored_without_nul() {
        for text in ["", "plain", "\0", "a\0b\u{10FFFF}0\u{10FFFF}\0", "\u{10FFFF}1"] {
            let stored = encode(text).into_owned();
            assert!(!stored.contains('\0'));
            assert_eq!(decode(stored), text);
        }
    }
}
