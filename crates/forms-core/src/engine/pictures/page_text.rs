//! The text of a page in its document.

use document::Page;

use super::super::segment::Source;

/// The text of a page.
pub(super) fn page_text<'a>(source: &Source<'a>, page: &Page) -> &'a str {
    source.slice(&page_bytes(source, page))
}

/// The bytes of a page in the text of its document.
pub(super) fn page_bytes(source: &Source<'_>, page: &Page) -> std::ops::Range<usize> {
    let text = source.text();
    let byte = |at| source.characters.byte(text, at).unwrap_or(text.len());
    let (start, end) = (byte(page.start), byte(page.end));
    start..end.max(start)
}
