//! The text of a feed's field.

/// Maximum size of a field in bytes. Bounds the memory of hostile feeds.
const MOST_FIELD: usize = 32 << 10;

/// Appends text up to the maximum size of a field.
pub(super) fn push(field: &mut String, text: &str) {
    let room = MOST_FIELD.saturating_sub(field.len());
    if text.len() <= room {
        field.push_str(text);
        return;
    }
    let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    field.push_str(text.get(..end).unwrap_or_default());
}

/// Plain text as HTML. All fields of a feed are HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
