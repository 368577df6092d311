//! Documents within a document: the whole is divided into what contains them and what they are.

use std::ops::Range;

use crate::model::{Block, BlockKind, Document, Link, Page, Span};

/// A part of a document as a document of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentPart {
    /// The name of the attachment; `None` for what contains the attachments.
    pub name: Option<String>,
    /// The part. Its offsets count its own characters.
    pub document: Document,
    /// Its characters in the whole document, in order.
    pub ranges: Vec<Range<usize>>,
}

impl DocumentPart {
    /// The offset in the whole document of an offset in this part.
    #[must_use]
    pub fn offset_in_whole(ranges: &[Range<usize>], offset: usize) -> usize {
        let mut left = offset;
        for range in ranges {
            if left < range.len() {
                return range.start + left;
            }
            left -= range.len();
        }
        ranges.last().map_or(offset, |range| range.end + left)
    }

    /// The characters in the whole document of ranges in this part, which has the characters `own`.
    #[must_use]
    pub fn ranges_in_whole(own: &[Range<usize>], inner: &[Range<usize>]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for wanted in inner {
            let mut before = 0_usize;
            for range in own {
                let after = before.saturating_add(range.len());
                let (start, end) = (wanted.start.max(before), wanted.end.min(after));
                if start < end {
                    found.push(range.start + start - before..range.start + end - before);
                }
                before = after;
            }
        }
        found
    }
}

impl Document {
    /// The document without its attachments, then each attachment. Empty when there are no attachments.
    #[must_use]
    pub fn parts(&self) -> Vec<DocumentPart> {
        let mut at = 0;
        let (mut host, mut inner) = (Vec::new(), Vec::new());
        for attachment in &self.attachments {
            // Attachments are in order; one that overlaps another is damaged.
            if attachment.start < at || attachment.end <= attachment.start {
                continue;
            }
            host.push(at..attachment.start);
            inner.push((attachment.name.clone(), attachment.start..attachment.end));
            at = attachment.end;
        }
        if inner.is_empty() {
            return Vec::new();
        }
        host.push(at..usize::MAX);
        let whole = DocumentPart { name: None, document: self.excerpt(&host), ranges: host };
        let attached = inner.into_iter().map(|(name, range)| {
            let ranges = vec![range];
            let document = Self { pages: Vec::new(), fields: Vec::new(), ..self.excerpt(&ranges) };
            DocumentPart { name: Some(name), document, ranges }
        });
        std::iter::once(whole).chain(attached).collect()
    }

    /// The characters of some ranges, which ascend, with what lies within one of them. Of a block that runs over the
    /// end of a range, and of a page, the part within the range remains.
    pub(crate) fn excerpt(&self, ranges: &[Range<usize>]) -> Self {
        let mut text = String::new();
        let mut characters = self.text.chars();
        let mut at = 0;
        for range in ranges {
            characters.by_ref().take(range.start - at).for_each(drop);
            text.extend(characters.by_ref().take(range.len()));
            at = range.end;
        }
        let moved = |start: usize, end: usize| moved(ranges, start, end);
        let block = |block: &Block| {
            let (start, end) = clipped(ranges, block.start, block.end)?;
            let mut block = Block { start, end, ..block.clone() };
            if let BlockKind::Table { cells } = &mut block.kind {
                cells.retain_mut(|cell| match moved(cell.start, cell.end) {
                    Some(place) => {
                        (cell.start, cell.end) = place;
                        true
                    }
                    None => false,
                });
                // Rows of a table that begins before the range.
                let first = cells.iter().map(|cell| cell.row).min().unwrap_or_default();
                cells.iter_mut().for_each(|cell| cell.row -= first);
            }
            Some(block)
        };
        let span = |span: &Span| moved(span.start, span.end).map(|(start, end)| Span { start, end, ..*span });
        let link = |link: &Link| {
            moved(link.start, link.end).map(|(start, end)| Link { start, end, url: link.url.clone() })
        };
        let page = |page: &Page| moved(page.start, page.end).map(|(start, end)| Page { start, end, ..*page });
        Self {
            format: self.format,
            metadata: self.metadata.clone(),
            text: text.trim_end().to_owned(),
            pages: self.pages.iter().filter_map(page).collect(),
            blocks: self.blocks.iter().filter_map(block).collect(),
            spans: self.spans.iter().filter_map(span).collect(),
            fields: self.fields.clone(),
            links: self.links.iter().filter_map(link).collect(),
            attachments: Vec::new(),
        }
    }
}

/// The offsets in an excerpt of what the first of its ranges has of a range; `None` when none has any of it.
fn clipped(ranges: &[Range<usize>], start: usize, end: usize) -> Option<(usize, usize)> {
    let overlaps = |range: &&Range<usize>| range.start < end && start < range.end;
    let Some(range) = ranges.iter().find(overlaps) else { return moved(ranges, start, end) };
    moved(ranges, start.max(range.start), end.min(range.end))
}

/// The offsets in an excerpt of a range that lies within one of the excerpt's.
pub(crate) fn moved(ranges: &[Range<usize>], start: usize, end: usize) -> Option<(usize, usize)> {
    let mut before = 0;
    for range in ranges {
        if range.start <= start && end <= range.end {
            return Some((before + start - range.start, before + end - range.start));
        }
        before = range.len().saturating_add(before);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Attachment, Rect};

    fn block(start: usize, end: usize) -> Block {
        Block { kind: BlockKind::Paragraph, start, end, page: None, rect: None }
    }

    #[test]
    fn parts_have_their_own_offsets_which_lead_back_to_the_whole() {
        let text = "äbc\n\n# x\n\nDEF\n\nghi";
        let rect = Rect { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 };
        let document = Document {
            text: text.into(),
            pages: vec![Page { number: 1, end: 3, needs_ocr: true, ..Page::default() }],
            blocks: vec![block(0, 3), block(10, 13), block(15, 18)],
            spans: vec![Span { start: 0, end: 3, page: 1, rect }],
            attachments: vec![Attachment { name: "x".into(), start: 5, end: 15 }],
            ..Document::default()
        };
        let parts = document.parts();
        let texts: Vec<&str> = parts.iter().map(|part| part.document.text.as_str()).collect();
        assert_eq!(texts, ["äbc\n\nghi", "# x\n\nDEF"]);
        let names: Vec<_> = parts.iter().map(|part| part.name.as_deref()).collect();
        assert_eq!(names, [None, Some("x")]);
        let whole: Vec<char> = text.chars().collect();
        for part in &parts {
            for block in &part.document.blocks {
                let own: String = part.document.text.chars().skip(block.start).take(3).collect();
                let start = DocumentPart::offset_in_whole(&part.ranges, block.start);
                assert_eq!(own, whole[start..start + 3].iter().collect::<String>());
            }
        }
        assert_eq!(parts[0].document.pages_needing_ocr(), [1]);
        assert_eq!(parts[0].document.blocks.len(), 2);
        assert!(parts[1].document.pages.is_empty() && parts[1].document.spans.is_empty());
    }

    #[test]
    fn a_document_without_attachments_has_no_parts() {
        assert!(Document { text: "x".into(), ..Document::default() }.parts().is_empty());
        let damaged = Attachment { name: "x".into(), start: 3, end: 1 };
        let document = Document { text: "abcd".into(), attachments: vec![damaged], ..Document::default() };
        assert!(document.parts().is_empty());
    }
}
