//! Plain text and Markdown: the text stays unchanged; only its structure is detected.

use std::ops::Range;

use document::{Block, BlockKind, Cell, Document, Format};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::Limits;
use crate::builder::Builder;

/// Plain text: blank lines separate paragraphs.
pub(crate) fn parse_text(text: &str, limits: &Limits) -> Document {
    let mut builder = Builder::new(Format::Text, limits);
    let mut start = None;
    for line in text.split_inclusive('\n') {
        if builder.is_full() {
            break;
        }
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
    document.blocks = markdown_blocks(&document.text, limits.blocks);
    document.metadata.truncated |= document.blocks.len() >= limits.blocks;
    document
}

/// Converts ascending byte offsets to character offsets.
struct CharacterOffsets<'a> {
    text: &'a str,
    byte: usize,
    chars: usize,
}

impl CharacterOffsets<'_> {
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

/// The blocks of a Markdown text. The range of a block excludes its marks, and blocks are not nested.
fn markdown_blocks(text: &str, most: usize) -> Vec<Block> {
    let mut reader = BlockReader {
        text,
        characters: CharacterOffsets { text, byte: 0, chars: 0 },
        blocks: Vec::new(),
        lists: Vec::new(),
        quotes: 0,
        open: None,
        table: None,
    };
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        if reader.blocks.len() >= most {
            break;
        }
        match event {
            Event::Start(tag) => reader.start(&tag, range),
            Event::End(tag) => reader.end(tag),
            Event::Html(_) => {}
            _ => reader.extend(range),
        }
    }
    reader.close();
    reader.blocks
}

/// Handles the parser events of a Markdown text.
struct BlockReader<'a> {
    text: &'a str,
    characters: CharacterOffsets<'a>,
    blocks: Vec<Block>,
    /// Whether each open list is numbered.
    lists: Vec<bool>,
    quotes: usize,
    /// The open block, and its range so far.
    open: Option<(BlockKind, Option<Range<usize>>)>,
    table: Option<TableCursor>,
}

impl BlockReader<'_> {
    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::List(first) => {
                self.close();
                self.lists.push(first.is_some());
            }
            Tag::Item => self.begin(BlockKind::ListItem {
                depth: u8::try_from(self.lists.len().saturating_sub(1)).unwrap_or(u8::MAX),
                ordered: self.lists.last().copied().unwrap_or(false),
            }),
            Tag::Heading { level, .. } => self.begin(BlockKind::Heading { level: level_of(*level) }),
            Tag::CodeBlock(_) => self.begin(BlockKind::Code),
            // The first paragraph of an item is the item's own text.
            Tag::Paragraph if matches!(self.open, Some((BlockKind::ListItem { .. }, None))) => {}
            Tag::Paragraph if self.quotes > 0 => self.begin(BlockKind::Quote),
            Tag::Paragraph => self.begin(BlockKind::Paragraph),
            Tag::BlockQuote(_) => {
                self.close();
                self.quotes += 1;
            }
            Tag::HtmlBlock => self.close(),
            Tag::Table(_) => {
                self.close();
                self.table = Some(TableCursor { block: self.blocks.len(), ..TableCursor::default() });
                let (start, end) = (self.characters.at(range.start), self.characters.at(range.end));
                let kind = BlockKind::Table { cells: Vec::new() };
                self.blocks.push(Block { kind, start, end, page: None, rect: None });
            }
            Tag::TableCell => {
                let range = trimmed(self.text, range);
                let cell = (self.characters.at(range.start), self.characters.at(range.end));
                if let Some(table) = &mut self.table {
                    table.add(&mut self.blocks, cell);
                }
            }
            Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.row += 1;
                    table.column = 0;
                }
            }
            _ => self.extend(range),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Table => self.table = None,
            TagEnd::List(_) => {
                self.close();
                self.lists.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::CodeBlock | TagEnd::Item => self.close(),
            _ => {}
        }
    }

    fn begin(&mut self, kind: BlockKind) {
        self.close();
        self.open = Some((kind, None));
    }

    /// Extends the open block.
    fn extend(&mut self, range: Range<usize>) {
        if let Some((_, said)) = &mut self.open {
            *said = Some(match said.take() {
                Some(said) => said.start.min(range.start)..said.end.max(range.end),
                None => range,
            });
        }
    }

    /// Closes the open block; an empty one is dropped.
    fn close(&mut self) {
        let Some((kind, Some(said))) = self.open.take() else { return };
        let said = trimmed(self.text, said);
        if !said.is_empty() {
            let (start, end) = (self.characters.at(said.start), self.characters.at(said.end));
            self.blocks.push(Block { kind, start, end, page: None, rect: None });
        }
    }
}

/// The range without white space at its ends.
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

/// Counts rows and columns of a table.
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
