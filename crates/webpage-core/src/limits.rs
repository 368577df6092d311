//! Limits of parsing a page.

/// Limits of one page. What exceeds them is truncated, and [`WebPage::truncated`](crate::WebPage::truncated)
/// is set.
#[derive(Clone, Copy, Debug)]
pub struct PageLimits {
    /// Maximum bytes of HTML.
    pub html_bytes: usize,
    /// Maximum elements and texts.
    pub nodes: usize,
    /// Maximum bytes of Markdown.
    pub body_bytes: usize,
    /// Maximum related links.
    pub links: usize,
    /// Maximum characters of a title.
    pub title_chars: usize,
    /// Maximum characters of a description.
    pub description_chars: usize,
}

impl Default for PageLimits {
    fn default() -> Self {
        Self {
            // The sizes are chosen by hand; no measurement recorded. All protect memory, nodes time too.
            html_bytes: 16 << 20,
            nodes: 400_000,
            body_bytes: 2 << 20,
            links: 50,
            title_chars: 300,
            description_chars: 600,
        }
    }
}
