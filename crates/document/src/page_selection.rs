//! A document of some pages of another one.

use std::ops::Range;

use crate::attachments::DocumentPart;
use crate::error::ParseError;
use crate::model::{Document, Page};
use crate::page_numbers::PageNumbers;
use crate::page_ranges::PageRanges;
use crate::slices::TextSlices;

impl Document {
    /// The part that consists of these pages; `None` when it is the whole document. Page numbers stay those of
    /// the whole. Attachments belong to the whole file and are left out.
    ///
    /// # Errors
    /// [`ParseError::WithoutPages`]; [`ParseError::NoPage`] where a page is beyond the last one; [`ParseError::NoText`] or
    /// [`ParseError::NeedsOcr`] where none of the pages has text.
    pub fn pages_part(&self, pages: &PageRanges) -> Result<Option<DocumentPart>, ParseError> {
        let last = self.pages.iter().map(|page| page.number).max().ok_or(ParseError::WithoutPages)?;
        if pages.last() > last {
            return Err(ParseError::NoPage { pages: last });
        }
        if self.pages.iter().all(|page| pages.contains(page.number)) {
            return Ok(None);
        }
        let ranges = self.ranges_of(pages);
        let mut document = self.excerpt(&ranges);
        // A page without text may lie where another one begins or ends.
        document.pages.retain(|page| pages.contains(page.number));
        if document.text.is_empty() {
            return Err(match document.pages_needing_ocr() {
                unread if unread.is_empty() => ParseError::NoText,
                unread => ParseError::NeedsOcr(PageNumbers(unread)),
            });
        }
        document.fields.retain(|field| field.page.is_none_or(|page| pages.contains(page)));
        document.metadata.page_count = u32::try_from(document.pages.len()).ok();
        Ok(Some(DocumentPart { name: None, document, ranges }))
    }

    /// The characters of some pages. Pages that follow each other are one range, so that what runs over from
    /// one to the next stays whole.
    fn ranges_of(&self, pages: &PageRanges) -> Vec<Range<usize>> {
        let text = TextSlices::new(&self.text);
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut before: Option<&Page> = None;
        for page in self.pages.iter().filter(|page| pages.contains(page.number)) {
            let follows = before.is_some_and(|before| before.number.checked_add(1) == Some(page.number));
            // Pages are in order; one that overlaps another is damaged.
            let end = ranges.last().map_or(0, |range| range.end);
            let start = page.start.max(end);
            match ranges.last_mut() {
                Some(range) if follows => range.end = page.end.max(end),
                last => {
                    let is_first = last.is_none();
                    ranges.extend(separator(&text, end..start).filter(|_| !is_first));
                    ranges.push(start..page.end.max(start));
                }
            }
            before = Some(page);
        }
        ranges
    }
}

/// White space within the text that is left out between two ranges. It keeps them apart, so that the end of one
/// and the beginning of the next are not read as one word.
fn separator(text: &TextSlices<'_>, gap: Range<usize>) -> Option<Range<usize>> {
    let left_out = text.get(gap.start, gap.end);
    let breaks = ["\n\n", "\n"].into_iter().find_map(|line| Some((left_out.find(line)?, line.len())));
    let (at, length) = breaks.or_else(|| Some((left_out.find(' ')?, 1)))?;
    let start = gap.start + left_out.get(..at)?.chars().count();
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Block, BlockKind, Cell, FieldKind, FormField};

    /// Four pages `p1` to `p4`, a table over the last three, and a field on each page.
    fn document() -> Document {
        let text = "äp1\n\nbp2\n\ncp3\n\ndp4".to_owned();
        let page = |number: u32| {
            let start = 5 * (number as usize - 1);
            Page { number, start, end: start + 3, ..Page::default() }
        };
        let field = |number: u32| FormField {
            name: format!("f{number}"),
            label: None,
            value: None,
            kind: FieldKind::Text,
            page: Some(number),
            rect: None,
        };
        let cell = |row: u32| {
            let start = 5 * (row as usize + 1);
            Cell { row, column: 0, row_span: 1, column_span: 1, header: row == 0, start, end: start + 3 }
        };
        let kind = BlockKind::Table { cells: (0..3).map(cell).collect() };
        Document {
            text,
            pages: (1..=4).map(page).collect(),
            blocks: vec![
                Block { kind: BlockKind::Paragraph, start: 0, end: 3, page: Some(1), rect: None },
                Block { kind, start: 5, end: 18, page: Some(2), rect: None },
            ],
            fields: (1..=4).map(field).collect(),
            ..Document::default()
        }
    }

    fn part(pages: &str) -> DocumentPart {
        document().pages_part(&pages.parse().unwrap()).unwrap().unwrap()
    }

    #[test]
    fn a_part_has_the_text_of_its_pages_under_their_numbers() {
        let part = part("1,3-4");
        assert_eq!(part.document.text, "äp1\n\ncp3\n\ndp4");
        let numbers: Vec<u32> = part.document.pages.iter().map(|page| page.number).collect();
        assert_eq!((numbers, part.document.page_at(5)), (vec![1, 3, 4], Some(3)));
        let names: Vec<&str> = part.document.fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!((names, part.document.metadata.page_count), (vec!["f1", "f3", "f4"], Some(3)));
        let whole: Vec<char> = document().text.chars().collect();
        for (offset, letter) in part.document.text.chars().enumerate() {
            assert_eq!(whole[DocumentPart::offset_in_whole(&part.ranges, offset)], letter, "{offset}");
        }
    }

    #[test]
    fn a_table_that_runs_over_from_other_pages_keeps_the_rows_of_the_part() {
        let part = part("3-4");
        let [Block { kind: BlockKind::Table { cells }, start: 0, end: 8, .. }] =
            part.document.blocks.as_slice()
        else {
            panic!("{:?}", part.document.blocks)
        };
        let rows: Vec<(u32, usize)> = cells.iter().map(|cell| (cell.row, cell.start)).collect();
        assert_eq!(rows, [(0, 0), (1, 5)]);
    }

    #[test]
    fn pages_without_text_are_no_document() {
        let page = |number, needs_ocr| Page { number, start: 3, end: 3, needs_ocr, ..Page::default() };
        let first = Page { number: 1, end: 3, ..Page::default() };
        let document = Document {
            text: "abc".into(),
            pages: vec![first, page(2, false), page(3, true)],
            ..Document::default()
        };
        let read = |pages: &str| document.pages_part(&pages.parse().unwrap());
        assert!(matches!(read("2"), Err(ParseError::NoText)));
        assert!(matches!(read("2-3"), Err(ParseError::NeedsOcr(PageNumbers(pages))) if pages == [3]));
        assert_eq!(read("1,3").unwrap().unwrap().document.pages_needing_ocr(), [3]);
    }

    #[test]
    fn all_pages_are_the_whole_document_and_others_must_exist() {
        let read = |document: &Document, pages: &str| document.pages_part(&pages.parse().unwrap());
        assert_eq!(read(&document(), "1-4").unwrap(), None);
        assert!(matches!(read(&document(), "4-5"), Err(ParseError::NoPage { pages: 4 })));
        let text = Document { text: "x".into(), ..Document::default() };
        assert!(matches!(read(&text, "1"), Err(ParseError::WithoutPages)));
    }
}
