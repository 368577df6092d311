//! Page positions of the characters of parsed documents, behind the port of generation.

use std::ops::Range;
use std::sync::Arc;

use document::Document;
use gen_core::{PageLayout, PrintedPlace};

/// A parsed document as a layout.
#[derive(Clone, Debug)]
pub struct DocumentLayout(pub Arc<Document>);

impl PageLayout for DocumentLayout {
    fn place(&self, start: u64, end: u64, quote: &str) -> Option<PrintedPlace> {
        let document = self.0.as_ref();
        let Range { start, end } = self.find_at(start, end, quote).or_else(|| self.find_unique(quote))?;
        let rect = document.bounding_box(start, end).map(|rect| [rect.x0, rect.y0, rect.x1, rect.y1]);
        Some(PrintedPlace {
            page: document.page_at(start),
            last_page: document.page_at(end.saturating_sub(1)),
            rect,
        })
    }
}

impl DocumentLayout {
    /// The characters of the range, if the quote is there.
    fn find_at(&self, start: u64, end: u64, quote: &str) -> Option<Range<usize>> {
        let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
        let there = self.0.text.chars().skip(range.start).take(range.len());
        let same = !range.is_empty()
            && there.filter(|c| !c.is_whitespace()).eq(quote.chars().filter(|c| !c.is_whitespace()));
        same.then_some(range)
    }

    /// The only occurrence of a quote: the document may have been parsed again since it was chunked.
    fn find_unique(&self, quote: &str) -> Option<Range<usize>> {
        let text = self.0.text.as_str();
        let mut found = text.match_indices(quote).filter(|_| !quote.is_empty());
        let (Some((at, _)), None) = (found.next(), found.next()) else { return None };
        let start = text.get(..at)?.chars().count();
        Some(start..start + quote.chars().count())
    }
}

#[cfg(test)]
mod tests {
    use document::{Page, Rect, Span};

    use super::*;

    #[test]
    fn a_quote_is_found_where_it_stands_and_elsewhere_only_when_it_is_the_only_one() {
        let page = |number, start, end| Page { number, start, end, ..Page::default() };
        let rect = Rect { x0: 1.0, y0: 2.0, x1: 3.0, y1: 4.0 };
        let document = Document {
            text: "Öl ist rot. Heu ist rot. Heu ist rot.".to_owned(),
            pages: vec![page(1, 0, 12), page(2, 12, 40)],
            spans: vec![Span { start: 12, end: 24, page: 2, rect }],
            ..Document::default()
        };
        let layout = DocumentLayout(Arc::new(document));
        let place = layout.place(12, 24, "Heu ist rot.").unwrap();
        assert_eq!((place.page, place.last_page, place.rect), (Some(2), Some(2), Some([1.0, 2.0, 3.0, 4.0])));
        assert_eq!(layout.place(3, 9, "Heu ist rot."), None);
        assert_eq!(layout.place(7, 9, "Öl ist rot.").and_then(|place| place.page), Some(1));
    }
}
