//! Right-to-left scripts.

/// Whether a text is of a right-to-left script.
pub(super) fn is_rtl(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
            && !('\u{660}'..='\u{669}').contains(&c)
    })
}

/// The letters in visual order: right-to-left scripts are reversed, except for numbers and Latin letters
/// within.
pub(super) fn visual_order(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    if is_rtl(text) {
        letters.reverse();
        letters
            .chunk_by_mut(|a, b| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric())
            .for_each(<[char]>::reverse);
    }
    letters
}
