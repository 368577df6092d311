//! What a page may cost.

/// Limits of one page. What is over them is cut, and the page says so.
#[derive(Clone, Copy, Debug)]
pub struct PageLimits {
    /// Bytes of HTML that are read.
    pub html_bytes: usize,
    /// Elements and texts that are read.
    pub nodes: usize,
    /// Bytes of Markdown.
    pub body_bytes: usize,
    /// Related links.
    pub links: usize,
    /// Characters of a title.
    pub title_chars: usize,
    /// Characters of a description.
    pub description_chars: usize,
}

impl Default for PageLimits {
    fn default() -> Self {
        Self {
            html_bytes: 16 << 20,
            nodes: 400_000,
            body_bytes: 2 << 20,
            links: 50,
            title_chars: 300,
            description_chars: 600,
        }
    }
}
