//! Limits of the headings and table headers that are repeated over chunks.

/// Maximum characters of a heading, or of a table header, that is repeated over a chunk.
/// Chosen by hand; no measurement recorded.
pub(super) const MAX_HEADING: usize = 200;
/// Maximum headings repeated over a chunk; the lowest are kept. Markdown has as many levels.
pub(super) const MAX_DEPTH: usize = 6;

/// One line of at most [`MAX_HEADING`] characters.
pub(super) fn line_of(text: &str) -> String {
    let mut line = String::new();
    let mut room = MAX_HEADING;
    // A heading may be as long as the document.
    for word in text.split_whitespace() {
        let length = word.chars().take(room).count();
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(room));
        room = room.saturating_sub(length + 1);
        if room == 0 {
            break;
        }
    }
    line
}
