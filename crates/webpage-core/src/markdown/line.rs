//! The text of one block while it is being written.

use crate::text::is_invisible;

/// Inline text with collapsed white space and Markdown marks.
#[derive(Debug, Default)]
pub(super) struct Line {
    text: String,
}

impl Line {
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Appends text with collapsed white space. What Markdown would read as HTML or as a link is escaped.
    pub(super) fn push(&mut self, text: &str, in_code: bool) {
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            if character.is_whitespace() || character.is_control() {
                self.space();
                continue;
            }
            if is_invisible(character) {
                continue;
            }
            let next = characters.peek().copied().unwrap_or(' ');
            let is_markup =
                character == '<' && (next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'));
            let is_link = character == '(' && self.text.ends_with(']');
            if !in_code && (is_markup || is_link) {
                self.text.push('\\');
            }
            self.text.push(character);
        }
    }

    /// Appends a space, unless the line ends with one.
    pub(super) fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    /// Appends Markdown without escaping.
    pub(super) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn break_line(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Wraps the text since an offset in marks; white space at its ends stays outside.
    pub(super) fn wrap(&mut self, since: usize, before: &str, after: &str) {
        let Some(inner) = self.text.get(since..) else { return };
        let trimmed = inner.trim();
        if trimmed.is_empty() || (before.starts_with(['*', '`']) && trimmed.contains('\n')) {
            return;
        }
        let lead = &inner[..inner.len() - inner.trim_start().len()];
        let trail = &inner[inner.trim_end().len()..];
        let wrapped = format!("{lead}{before}{trimmed}{after}{trail}");
        self.text.truncate(since);
        self.text.push_str(&wrapped);
    }

    /// The trimmed text since an offset.
    pub(super) fn since(&self, since: usize) -> &str {
        self.text.get(since..).unwrap_or_default().trim()
    }

    pub(super) fn take(&mut self) -> String {
        let text = std::mem::take(&mut self.text);
        text.trim().to_owned()
    }
}
