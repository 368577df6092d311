//! Digits and the plain decimal text that is made of them.

/// Plain decimal text of digits before and after the point: no leading or trailing zeros.
#[must_use]
pub fn plain_decimal(whole: &str, fraction: &str) -> String {
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// Whether a character is a space within a line.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

/// The value of a decimal digit, as an ASCII character.
pub(super) fn digit(c: char) -> Option<char> {
    let zero = match u32::from(c) {
        0x30..=0x39 => return Some(c),
        0x0660..=0x0669 => 0x0660,
        0x06F0..=0x06F9 => 0x06F0,
        0x0966..=0x096F => 0x0966,
        0xFF10..=0xFF19 => 0xFF10,
        _ => return None,
    };
    char::from_digit(u32::from(c) - zero, 10)
}
