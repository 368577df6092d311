//! Builds a document and counts its characters, so that every offset is right by construction.

use std::borrow::Cow;

use document::{Attachment, Block, BlockKind, Cell, Document, Format, Link, Page, Rect, Span};

use crate::Limits;
use crate::cell_coverage::CellCoverage;
use crate::new_cell::NewCell;
use crate::same_invoice::{NestedPart, same_invoices};

/// A document under construction.
#[derive(Debug)]
pub(crate) struct Builder {
    document: Document,
    chars: usize,
    room: usize,
    /// Blocks that may still be added.
    blocks: usize,
    /// The documents within it.
    parts: Vec<NestedPart>,
}

impl Builder {
    pub(crate) fn new(format: Format, limits: &Limits) -> Self {
        let document = Document { format, ..Document::default() };
        Self { document, chars: 0, room: limits.text_bytes, blocks: limits.blocks, parts: Vec::new() }
    }

    /// Number of characters so far.
    pub(crate) fn offset(&self) -> usize {
        self.chars
    }

    /// Whether a limit truncated the text.
    pub(crate) fn is_full(&self) -> bool {
        self.document.metadata.truncated
    }

    /// Whether more text may be added.
    pub(crate) fn has_room(&self) -> bool {
        self.room > 0
    }

    /// Bytes of text that may still be added.
    pub(crate) fn room(&self) -> usize {
        self.room
    }

    /// Marks the text as truncated by a limit.
    pub(crate) fn truncate(&mut self) {
        self.document.metadata.truncated = true;
    }

    pub(crate) fn document_mut(&mut self) -> &mut Document {
        &mut self.document
    }

    /// Appends text unchanged, except for NUL, which databases reject, and carriage returns: lines end with
    /// line feeds.
    pub(crate) fn push(&mut self, text: &str) {
        let harmless = without_nul(text);
        let harmless = if harmless.contains('\r') { harmless.replace('\r', " ").into() } else { harmless };
        let mut text = harmless.as_ref();
        if text.len() > self.room {
            let cut = (0..=self.room).rev().find(|&index| text.is_char_boundary(index)).unwrap_or(0);
            text = text.get(..cut).unwrap_or_default();
            self.truncate();
        }
        self.room -= text.len();
        self.chars += text.chars().count();
        self.document.text.push_str(text);
    }

    /// Appends a blank line, unless the text is empty.
    pub(crate) fn separate(&mut self) {
        if !self.document.text.is_empty() {
            let newlines = self.document.text.bytes().rev().take_while(|byte| *byte == b'\n').count();
            self.push(["\n\n", "\n", ""].get(newlines).copied().unwrap_or_default());
        }
    }

    /// Appends a block: a mark such as `# `, and the text, which is the block's range.
    pub(crate) fn block(&mut self, kind: BlockKind, mark: &str, text: &str) {
        self.separate();
        self.push(mark);
        let start = self.chars;
        self.push(text);
        self.add_block(kind, start, None, None);
    }

    /// Adds a block from `start` to the present offset.
    pub(crate) fn add_block(&mut self, kind: BlockKind, start: usize, page: Option<u32>, rect: Option<Rect>) {
        if self.chars <= start {
            return;
        }
        if self.blocks == 0 {
            self.truncate();
            return;
        }
        self.blocks -= 1;
        self.document.blocks.push(Block { kind, start, end: self.chars, page, rect });
    }

    /// Extends the last block to the present offset.
    pub(crate) fn extend_block(&mut self) {
        if let Some(block) = self.document.blocks.last_mut() {
            block.end = self.chars;
        }
    }

    /// Adds a page from `start` to the present offset. An invalid size, as files may declare, becomes 0.
    pub(crate) fn add_page(&mut self, number: u32, (width, height): (f32, f32), start: usize) {
        let sound = |length: f32| if length.is_finite() { length.max(0.0) } else { 0.0 };
        let (width, height) = (sound(width), sound(height));
        let page = Page { number, width, height, start, end: self.chars, ..Page::default() };
        self.document.pages.push(page);
    }

    /// Appends a table as Markdown. Cells covered by a span stay empty.
    pub(crate) fn table(&mut self, rows: &[Vec<NewCell>], limits: &Limits) {
        let Some(width) = rows.iter().map(Vec::len).max().filter(|width| *width > 0) else { return };
        self.separate();
        let start = self.chars;
        let mut cells = Vec::new();
        let mut covered = CellCoverage::of(rows, width);
        for (row, line) in rows.iter().enumerate() {
            if self.is_full() || row.saturating_mul(width) >= limits.cells {
                self.truncate();
                break;
            }
            self.push("|");
            for column in 0..width {
                self.push(" ");
                let cell = line.get(column);
                let begin = self.chars;
                if let Some(cell) = cell {
                    self.push(&one_line(&cell.text));
                }
                if let Some(cell) = cell.filter(|_| self.chars > begin) {
                    let (row_span, column_span) = covered.claim_span(cell, row, column);
                    cells.push(Cell {
                        row: u32::try_from(row).unwrap_or(u32::MAX),
                        column: u32::try_from(column).unwrap_or(u32::MAX),
                        row_span,
                        column_span,
                        header: cell.header,
                        start: begin,
                        end: self.chars,
                    });
                }
                self.push(" |");
            }
            self.push("\n");
            if row == 0 {
                self.push(&format!("|{}\n", " --- |".repeat(width)));
            }
        }
        self.add_block(BlockKind::Table { cells }, start, None, None);
    }

    /// The present offset, in characters and in bytes.
    pub(crate) fn position(&self) -> (usize, usize) {
        (self.chars, self.document.text.len())
    }

    /// Adds links by their text and URL. Their texts are searched in order from an offset on, as `table`
    /// writes them.
    pub(crate) fn record_links(&mut self, from: (usize, usize), links: &[(String, String)]) {
        if links.is_empty() {
            return;
        }
        let document = &mut self.document;
        let (mut chars, mut at) = from;
        for (text, url) in links {
            let text = one_line(text);
            let rest = document.text.get(at..).unwrap_or_default();
            let Some(found) = rest.find(&text).filter(|_| !text.is_empty()) else { break };
            let start = chars + rest.get(..found).map_or(0, |before| before.chars().count());
            let end = start + text.chars().count();
            document.links.push(Link { start, end, url: url.clone() });
            at += found + text.len();
            chars = end;
        }
    }

    /// Appends an embedded document under its name as heading, and lists it among the attachments.
    pub(crate) fn attach(&mut self, name: &str, part: Document) {
        self.separate();
        let start = self.chars;
        let name = one_line(&without_nul(name));
        self.block(BlockKind::Heading { level: 1 }, "# ", if name.is_empty() { "unnamed" } else { &name });
        self.append(part);
        self.document.attachments.push(Attachment { name, start, end: self.chars });
    }

    /// Separates what follows; returns its first character.
    pub(crate) fn begin_part(&mut self) -> usize {
        self.separate();
        self.chars
    }

    /// Records a nested document that was written.
    pub(crate) fn add_part(&mut self, part: NestedPart) {
        self.parts.push(part);
    }

    /// Appends the text of another document, with its blocks, spans, fields and links shifted. The caller
    /// handles its pages and metadata.
    pub(crate) fn append(&mut self, part: Document) {
        self.separate();
        let start = self.chars;
        self.push(&part.text);
        let (end, move_by) = (self.chars, |at: usize| at.saturating_add(start));
        for mut block in part.blocks.into_iter().filter(|block| move_by(block.end) <= end) {
            (block.start, block.end) = (move_by(block.start), move_by(block.end));
            if let BlockKind::Table { cells } = &mut block.kind {
                for cell in cells {
                    (cell.start, cell.end) = (move_by(cell.start), move_by(cell.end));
                }
            }
            self.document.blocks.push(block);
        }
        let links = part.links.into_iter().map(|link| Link {
            start: move_by(link.start),
            end: move_by(link.end),
            url: link.url,
        });
        self.document.links.extend(links.filter(|link| link.end <= end));
        let spans = part.spans.into_iter().map(|span| Span {
            start: move_by(span.start),
            end: move_by(span.end),
            ..span
        });
        self.document.spans.extend(spans.filter(|span| span.end <= end));
        self.document.fields.extend(part.fields);
        let attachments = part.attachments.into_iter().map(|attachment| Attachment {
            start: move_by(attachment.start),
            end: move_by(attachment.end),
            ..attachment
        });
        self.document.attachments.extend(attachments.filter(|attachment| attachment.end <= end));
        self.document.metadata.truncated |= part.metadata.truncated;
    }

    /// The finished document.
    pub(crate) fn finish(mut self) -> Document {
        for NestedPart { name, start, end, .. } in same_invoices(&self.parts, &self.document.text) {
            let attachment = Attachment { name: name.clone(), start: *start, end: *end };
            self.document.attachments.push(attachment);
        }
        self.document.attachments.sort_by_key(|attachment| attachment.start);
        let kept = self.document.text.trim_end().chars().count();
        self.document.text.truncate(self.document.text.trim_end().len());
        let document = &mut self.document;
        for block in &mut document.blocks {
            block.end = block.end.min(kept);
        }
        document.blocks.retain(|block| block.start < block.end);
        for span in &mut document.spans {
            span.end = span.end.min(kept);
        }
        document.spans.retain(|span| span.start < span.end);
        for link in &mut document.links {
            link.end = link.end.min(kept);
        }
        document.links.retain(|link| link.start < link.end);
        for attachment in &mut document.attachments {
            attachment.end = attachment.end.min(kept);
        }
        document.attachments.retain(|attachment| attachment.start < attachment.end);
        for page in &mut document.pages {
            page.start = page.start.min(kept);
            page.end = page.end.min(kept);
        }
        self.document
    }
}

/// The text with NUL replaced.
pub(crate) fn without_nul(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// A cell's text in one line, with escaped bars.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_are_none_are_zero_since_no_json_holds_them() {
        let mut builder = Builder::new(Format::Pdf, &Limits::default());
        builder.push("text");
        builder.add_page(1, (f32::INFINITY, f32::NAN), 0);
        builder.add_page(2, (-5.0, 612.0), 4);
        let sizes: Vec<_> = builder.finish().pages.iter().map(|page| (page.width, page.height)).collect();
        assert_eq!(sizes, [(0.0, 0.0), (0.0, 612.0)]);
    }
}
