//! Rough estimates of tokens, as no vendor's tokeniser is included.

use language::fold::is_unspaced;

/// Quarter tokens of a character: one for ASCII, four for a script without spaces, two for other scripts.
/// [`estimate`](crate::estimate_tokens) adds them up.
#[must_use]
pub fn quarters(c: char) -> usize {
    // Four ASCII characters a token are the vendors' rule of thumb; the others are by hand, on the safe side.
    if is_unspaced(c) {
        4
    } else if c.is_ascii() {
        1
    } else {
        2
    }
}

/// Estimated tokens of a text, rounded up: a quarter per ASCII character, one per character of a script
/// without spaces, a half per other character.
#[must_use]
pub fn estimate(text: &str) -> usize {
    text.chars().map(quarters).sum::<usize>().div_ceil(4)
}

/// The longest prefix of at most `tokens` tokens, as [`estimate`] counts them.
#[must_use]
pub fn prefix_of_tokens(text: &str, tokens: usize) -> &str {
    let mut room = tokens.saturating_mul(4);
    for (at, c) in text.char_indices() {
        let cost = quarters(c);
        if cost > room {
            return text.get(..at).unwrap_or_default();
        }
        room -= cost;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_without_spaces_count_whole() {
        assert_eq!(estimate("abcdefgh"), 2);
        assert_eq!(estimate("東京都庁"), 4);
        assert_eq!(estimate(""), 0);
        assert_eq!(prefix_of_tokens("東京都庁", 3), "東京都");
        assert_eq!(prefix_of_tokens("abcdefghi", 2), "abcdefgh");
    }
}
