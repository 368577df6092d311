//! Plain text and Markdown: the text stays as it is; only its structure is told.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::Limits;
use crate::builder::Builder;
use crate::model::{Block, BlockKind, Cell, Document, Format};

/// Plain text: paragraphs are what blank lines part.
pub(crate) fn parse_text(text: &str, limits: &Limits) -> Document {
    let mut builder = Builder::new(Format::Text, limits);
    let mut start = None;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            if let Some(start) = start.take() {
                builder.add_block(BlockKind::Paragraph, start, None, None);
            }
        } else if start.is_none() {
            start = Some(builder.offset());
        }
        builder.push(line);
    }
    if let Some(start) = start {
        builder.add_block(BlockKind::Paragraph, start, None, None);
    }
    builder.finish()
}

/// Markdown: blocks by CommonMark with tables.
pub(crate) fn parse_markdown(text: &str, limits: &Limits) -> Document {
    let mut builder = Builder::new(Format::Markdown, limits);
    builder.push(text);
    let mut document = builder.finish();
    document.blocks = markdown_blocks(&document.text);
    document
}

/// Turns byte offsets, asked for in rising order, into character offsets.
struct Characters<'a> {
    text: &'a str,
    byte: usize,
    chars: usize,
}

impl Characters<'_> {
    fn at(&mut self, byte: usize) -> usize {
        if byte >= self.byte {
            self.chars += self.text.get(self.byte..byte).map_or(0, |part| part.chars().count());
        } else {
            self.chars = self.text.get(..byte).map_or(0, |part| part.chars().count());
        }
        self.byte = byte;
        self.chars
    }
}

fn markdown_blocks(text: &str) -> Vec<Block> {
    let mut characters = Characters { text, byte: 0, chars: 0 };
    let mut blocks: Vec<Block> = Vec::new();
    let mut lists: Vec<bool> = Vec::new();
    let mut table: Option<TableCursor> = None;
    let mut heading: Option<Range<usize>> = None;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        // A heading is what it says, without its marks.
        if let (Some(said), false) = (&mut heading, matches!(event, Event::End(TagEnd::Heading(_)))) {
            *said = said.start.min(range.start)..said.end.max(range.end);
        }
        let kind = match event {
            Event::Start(Tag::List(first)) => {
                lists.push(first.is_some());
                continue;
            }
            Event::End(TagEnd::List(_)) => {
                lists.pop();
                continue;
            }
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some(range.end..range.start);
                BlockKind::Heading { level: level_of(level) }
            }
            Event::End(TagEnd::Heading(_)) => {
                let said = heading.take().filter(|said| !said.is_empty());
                if let (Some(said), Some(block)) = (said, blocks.last_mut()) {
                    (block.start, block.end) = (characters.at(said.start), characters.at(said.end));
                }
                continue;
            }
            Event::Start(Tag::Item) => BlockKind::ListItem {
                depth: u8::try_from(lists.len().saturating_sub(1)).unwrap_or(u8::MAX),
                ordered: lists.last().copied().unwrap_or(false),
            },
            Event::Start(Tag::Paragraph) if lists.is_empty() => BlockKind::Paragraph,
            Event::Start(Tag::CodeBlock(_)) => BlockKind::Code,
            Event::Start(Tag::BlockQuote(_)) => BlockKind::Quote,
            Event::Start(Tag::Table(_)) => {
                table = Some(TableCursor { block: blocks.len(), ..TableCursor::default() });
                BlockKind::Table { cells: Vec::new() }
            }
            Event::End(TagEnd::Table) => {
                table = None;
                continue;
            }
            Event::Start(Tag::TableCell) => {
                let range = trimmed(text, range);
                let cell = (characters.at(range.start), characters.at(range.end));
                if let Some(table) = &mut table {
                    table.add(&mut blocks, cell);
                }
                continue;
            }
            Event::Start(Tag::TableRow) => {
                if let Some(table) = &mut table {
                    table.row += 1;
                    table.column = 0;
                }
                continue;
            }
            _ => continue,
        };
        let (start, end) = (characters.at(range.start), characters.at(range.end));
        blocks.push(Block { kind, start, end, page: None, rect: None });
    }
    blocks
}

/// The range without the white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inside.len() - inside.trim_start().len());
    start..start + inside.trim().len()
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Counts rows and columns while a table is read.
#[derive(Debug, Default)]
struct TableCursor {
    block: usize,
    row: u32,
    column: u32,
}

impl TableCursor {
    fn add(&mut self, blocks: &mut [Block], (start, end): (usize, usize)) {
        if let Some(BlockKind::Table { cells }) = blocks.get_mut(self.block).map(|block| &mut block.kind) {
            let (row, column) = (self.row, self.column);
            cells.push(Cell { row, column, row_span: 1, column_span: 1, header: row == 0, start, end });
            self.column += 1;
        }
    }
}
