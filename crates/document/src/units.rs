//! Parts of a document that can give a record each: the rows of its main table, and its sections.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::attachments::{DocumentPart, moved};
use crate::error::ParseError;
use crate::model::{Block, BlockKind, Document, Page};
use crate::page_ranges::PageRanges;
use crate::slices::TextSlices;

/// A part of a document by its number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentUnit {
    /// A row of the main table, with the head of the table: that with the most rows, and tables with the same head.
    Row(u32),
    /// A heading with its text, or what is before the first heading.
    Section(u32),
}

impl Document {
    /// The rows of the main table, without its head and empty ones.
    #[must_use]
    pub fn rows(&self) -> Vec<DocumentUnit> {
        (1..).zip(self.row_ranges()).map(|(number, _)| DocumentUnit::Row(number)).collect()
    }

    /// The sections; one where there are no headings.
    #[must_use]
    pub fn sections(&self) -> Vec<DocumentUnit> {
        (1..).zip(self.section_ranges()).map(|(number, _)| DocumentUnit::Section(number)).collect()
    }

    /// Some pages of the document, or a unit of them; `None` for the whole document.
    ///
    /// # Errors
    /// As [`Document::pages_part`], and [`ParseError::NoUnit`].
    pub fn selection(
        &self,
        pages: Option<&PageRanges>,
        unit: Option<DocumentUnit>,
    ) -> Result<Option<DocumentPart>, ParseError> {
        let part = pages.map(|pages| self.pages_part(pages)).transpose()?.flatten();
        let Some(unit) = unit else { return Ok(part) };
        let Some(part) = part else { return self.unit_part(unit).map(Some) };
        let inner = part.document.unit_part(unit)?;
        let ranges = DocumentPart::ranges_in_whole(&part.ranges, &inner.ranges);
        Ok(Some(DocumentPart { ranges, ..inner }))
    }

    fn unit_part(&self, unit: DocumentUnit) -> Result<DocumentPart, ParseError> {
        let place = |number: u32| number.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        let ranges = match unit {
            DocumentUnit::Row(number) => {
                place(number).and_then(|place| self.row_ranges().into_iter().nth(place)).map(Vec::from)
            }
            DocumentUnit::Section(number) => place(number)
                .and_then(|place| self.section_ranges().into_iter().nth(place))
                .map(|section| vec![section]),
        };
        let ranges = ranges.ok_or(ParseError::NoUnit)?;
        let mut document = self.excerpt(&ranges);
        document.pages = self.pages.iter().filter_map(|page| clipped_page(&ranges, page)).collect();
        document.fields = Vec::new();
        if matches!(unit, DocumentUnit::Row(_)) {
            let end = document.text.chars().count();
            document.blocks.iter_mut().for_each(|block| close_table(block, end));
        }
        Ok(DocumentPart { name: None, document, ranges })
    }

    /// For each row the head of its table and the row.
    fn row_ranges(&self) -> Vec<[Range<usize>; 2]> {
        let slices = TextSlices::new(&self.text);
        let tables: Vec<TableRows> =
            self.blocks.iter().filter_map(|block| TableRows::of(block, &slices)).collect();
        let Some(main) = tables.iter().rev().max_by_key(|table| table.rows.len()) else { return Vec::new() };
        let same = tables.iter().filter(|table| table.names == main.names);
        same.flat_map(|table| table.rows.iter().map(|row| [table.head.clone(), row.clone()])).collect()
    }

    fn section_ranges(&self) -> Vec<Range<usize>> {
        let slices = TextSlices::new(&self.text);
        // The marks of a heading stand before its block.
        let lines = self.text.split_inclusive('\n').scan(0, |at, line| {
            let start = *at;
            *at += line.chars().count();
            Some(start)
        });
        let lines: Vec<usize> = lines.collect();
        let line_start = |offset: usize| {
            let after = lines.partition_point(|start| *start <= offset);
            after.checked_sub(1).and_then(|place| lines.get(place).copied()).unwrap_or_default()
        };
        let mut starts = vec![0];
        let mut is_heading = false;
        for block in &self.blocks {
            // Headings without text between them, such as a title and a subtitle, head one section.
            let before = std::mem::replace(&mut is_heading, matches!(block.kind, BlockKind::Heading { .. }));
            let start = line_start(block.start);
            if is_heading && !before && starts.last().is_some_and(|last| *last < start) {
                starts.push(start);
            }
        }
        let end = self.text.chars().count();
        let ends = starts.iter().copied().skip(1).chain([end]);
        let ranges = starts.iter().copied().zip(ends).map(|(start, end)| start..end);
        ranges.filter(|range| !slices.get(range.start, range.end).trim().is_empty()).collect()
    }
}

/// A table with rows below its head.
struct TableRows<'a> {
    /// The texts of the head.
    names: Vec<&'a str>,
    /// The head, up to the first row.
    head: Range<usize>,
    rows: Vec<Range<usize>>,
}

impl<'a> TableRows<'a> {
    fn of(block: &Block, slices: &TextSlices<'a>) -> Option<Self> {
        let BlockKind::Table { cells } = &block.kind else { return None };
        // The first row is the head even where the format marks none.
        let first = cells.iter().filter(|cell| !cell.header && cell.row > 0).map(|cell| cell.row).min()?;
        let lines = lines(block, slices);
        let line = |offset: usize| {
            let after = lines.partition_point(|line| line.start <= offset);
            lines.get(after.checked_sub(1)?).cloned()
        };
        let mut rows: BTreeMap<u32, Range<usize>> = BTreeMap::new();
        let mut begin = block.end;
        for cell in cells.iter().filter(|cell| cell.row >= first) {
            let (from, to) = (line(cell.start)?.start, line(cell.end)?.end);
            begin = begin.min(from);
            if slices.get(cell.start, cell.end).trim().is_empty() {
                continue;
            }
            let row = rows.entry(cell.row).or_insert(from..to);
            *row = row.start.min(from)..row.end.max(to);
        }
        let head = cells.iter().filter(|cell| cell.row < first);
        let names = head.map(|cell| slices.get(cell.start, cell.end).trim()).collect();
        Some(Self { names, head: block.start..begin, rows: rows.into_values().collect() })
    }
}

/// The lines of a block with their ends.
fn lines(block: &Block, slices: &TextSlices<'_>) -> Vec<Range<usize>> {
    let mut at = block.start;
    let text = slices.get(block.start, block.end);
    let line = |line: &str| {
        let start = at;
        at += line.chars().count();
        start..at
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The part of a page within the ranges, by their offsets in the excerpt.
fn clipped_page(ranges: &[Range<usize>], page: &Page) -> Option<Page> {
    let clipped = ranges.iter().filter_map(|range| {
        let (start, end) = (page.start.max(range.start), page.end.min(range.end));
        (start < end).then(|| moved(ranges, start, end)).flatten()
    });
    let (start, end) = clipped.reduce(|whole, part| (whole.0.min(part.0), whole.1.max(part.1)))?;
    Some(Page { start, end, ..*page })
}

/// Makes a table of a head and a row that were apart.
fn close_table(block: &mut Block, end: usize) {
    let BlockKind::Table { cells } = &mut block.kind else { return };
    block.end = end;
    let rows: Vec<u32> = cells.iter().map(|cell| cell.row).collect();
    let mut before = None;
    let mut number = 0;
    for (cell, row) in cells.iter_mut().zip(rows) {
        if before.is_some_and(|before| before != row) {
            number += 1;
        }
        before = Some(row);
        cell.row = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Cell;

    /// A document of lines; those with `|` are tables, those with `#` headings.
    fn document(text: &str) -> Document {
        let mut blocks: Vec<Block> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let (start, end) = (at, at + line.trim_end().chars().count());
            at += line.chars().count();
            let kind = match line.chars().next() {
                Some('#') => BlockKind::Heading { level: 1 },
                Some('|') => {
                    let before = blocks.last_mut().filter(|block| block.end + 1 == start);
                    if let Some(Block { kind: BlockKind::Table { cells }, end: last, .. }) = before {
                        *last = end;
                        let row = cells.last().map_or(0, |cell| cell.row + 1);
                        if !line.contains('-') {
                            cells.extend(row_cells(line, start, row));
                        }
                        continue;
                    }
                    BlockKind::Table { cells: row_cells(line, start, 0) }
                }
                Some('\n') | None => continue,
                _ => BlockKind::Paragraph,
            };
            blocks.push(Block { kind, start, end, page: None, rect: None });
        }
        Document { text: text.trim_end().into(), blocks, ..Document::default() }
    }

    fn row_cells(line: &str, start: usize, row: u32) -> Vec<Cell> {
        let mut at = start;
        let mut cells = Vec::new();
        for (column, text) in line.trim().trim_matches('|').split('|').enumerate() {
            at += 1;
            let from = at + text.chars().take_while(|c| *c == ' ').count().min(text.trim_end().len());
            let end = from + text.trim().chars().count();
            let column = u32::try_from(column).unwrap();
            cells.push(Cell { row, column, row_span: 1, column_span: 1, header: row == 0, start: from, end });
            at += text.chars().count();
        }
        cells
    }

    fn texts(document: &Document, units: &[DocumentUnit]) -> Vec<String> {
        let part = |unit: &DocumentUnit| document.selection(None, Some(*unit)).unwrap().unwrap();
        units.iter().map(|unit| part(unit).document.text).collect()
    }

    const TABLES: &str = "Ä list\n\n| x |\n|---|\n| 1 |\n\n| Fish | Kilos |\n|---|---|\n| Cod | 4 |\n|  |  |\n| Eel | 5 |\n\nPage 2\n\n\
        | Fish | Kilos |\n|---|---|\n| Ray | 6 |\n";

    #[test]
    fn rows_of_the_main_table_have_its_head_and_the_offsets_of_the_whole() {
        let document = document(TABLES);
        let rows = document.rows();
        let head = "| Fish | Kilos |\n|---|---|\n";
        let expected = ["| Cod | 4 |", "| Eel | 5 |", "| Ray | 6 |"].map(|row| format!("{head}{row}"));
        assert_eq!(texts(&document, &rows), expected);
        let whole: Vec<char> = document.text.chars().collect();
        for unit in rows {
            let part = document.selection(None, Some(unit)).unwrap().unwrap();
            for (at, own) in part.document.text.chars().enumerate() {
                assert_eq!(whole[DocumentPart::offset_in_whole(&part.ranges, at)], own);
            }
            let BlockKind::Table { cells } = &part.document.blocks[0].kind else { panic!() };
            assert_eq!(cells.iter().map(|cell| cell.row).collect::<Vec<_>>(), [0, 0, 1, 1]);
            assert_eq!(part.document.blocks[0].end, part.document.text.chars().count());
        }
        let missing = document.selection(None, Some(DocumentUnit::Row(4))).unwrap_err();
        assert!(matches!(missing, ParseError::NoUnit), "{missing}");
        assert!(Document::default().rows().is_empty());
    }

    #[test]
    fn a_section_is_a_heading_with_its_text_and_has_its_pages() {
        let mut document = document("Vorwört\n\n# One\n## And\n\ntext a\n\n# Two\n\ntext b\n");
        let page = |number, start, end| Page { number, start, end, ..Page::default() };
        document.pages = vec![page(1, 0, 20), page(2, 20, 60)];
        let sections = document.sections();
        let found: Vec<String> =
            texts(&document, &sections).iter().map(|text| text.replace('\n', "/")).collect();
        assert_eq!(found, ["Vorwört", "# One/## And//text a", "# Two//text b"]);
        let part = document.selection(None, Some(sections[1])).unwrap().unwrap().document;
        assert_eq!(
            part.pages.iter().map(|page| (page.number, page.start)).collect::<Vec<_>>(),
            [(1, 0), (2, 11)]
        );
        let second = PageRanges::of(2, 2).unwrap();
        let part = document.selection(Some(&second), Some(DocumentUnit::Section(2))).unwrap().unwrap();
        assert_eq!(part.document.text, "# Two\n\ntext b");
        assert_eq!((part.ranges.len(), part.ranges[0].clone()), (1, 31..44));
        assert_eq!(Document { text: "a\n".into(), ..Document::default() }.sections().len(), 1);
    }
}
