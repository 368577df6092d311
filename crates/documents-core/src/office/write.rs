//! Writes the intermediate model as a document.

use document::{BlockKind, Document, Format, Link, ParseError};

use super::flow::{FlowBlock, FlowCell, Inline, flattened};
use crate::Limits;
use crate::builder::Builder;
use crate::new_cell::NewCell;

/// Writes blocks one after the other.
#[derive(Debug)]
pub(super) struct Writer {
    builder: Builder,
    limits: Limits,
    /// Indentation of the previous block, if it was a list item.
    item: Option<usize>,
}

impl Writer {
    pub(super) fn new(format: Format, limits: &Limits) -> Self {
        Self { builder: Builder::new(format, limits), limits: *limits, item: None }
    }

    pub(super) fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    pub(super) fn is_full(&self) -> bool {
        self.builder.is_full()
    }

    pub(super) fn write(&mut self, blocks: &[FlowBlock]) {
        for block in blocks {
            if self.is_full() {
                break;
            }
            self.block(block);
        }
    }

    /// Writes the blocks of a page; `size` is its width and height in points.
    pub(super) fn page(&mut self, number: u32, size: (f32, f32), blocks: &[FlowBlock]) {
        self.builder.separate();
        self.item = None;
        let start = self.builder.offset();
        let before = self.builder.document_mut().blocks.len();
        self.write(blocks);
        for block in self.builder.document_mut().blocks.iter_mut().skip(before) {
            block.page = Some(number);
        }
        self.builder.add_page(number, size, start);
    }

    /// The finished document.
    ///
    /// # Errors
    /// [`ParseError::NoText`] when nothing was written.
    pub(super) fn finish(self) -> Result<Document, ParseError> {
        let document = self.builder.finish();
        if document.text.trim().is_empty() && !document.metadata.truncated {
            return Err(ParseError::NoText);
        }
        Ok(document)
    }

    fn block(&mut self, block: &FlowBlock) {
        let item = self.item.take();
        match block {
            FlowBlock::Heading { level, text } => {
                let mark = format!("{} ", "#".repeat(usize::from((*level).clamp(1, 6))));
                self.one_line(BlockKind::Heading { level: (*level).clamp(1, 6) }, &mark, text);
            }
            FlowBlock::Paragraph(text) => self.text(BlockKind::Paragraph, "", text, ""),
            FlowBlock::Quote(text) => self.text(BlockKind::Quote, "> ", text, ""),
            FlowBlock::Figure(text) => self.figure(text),
            FlowBlock::Footnote { label, text } => {
                self.one_line(BlockKind::Footnote, &format!("[^{label}]: "), text);
            }
            FlowBlock::Code(text) => self.code(text),
            FlowBlock::Item { depth, ordered, label, text } => {
                self.list_item(item, (*depth, *ordered), label, text);
            }
            FlowBlock::Table(rows) => self.table(rows),
        }
    }

    /// Writes a text block and records its links.
    fn text(&mut self, kind: BlockKind, mark: &str, text: &Inline, label: &str) {
        let (shown, links) = text.to_visible_text();
        if shown.is_empty() {
            return;
        }
        let before = label.chars().count();
        self.builder.block(kind, mark, &format!("{label}{shown}"));
        let begin = self.builder.offset().saturating_sub(shown.chars().count() + before) + before;
        let end = self.builder.offset();
        let links = links.into_iter().map(|link| Link {
            start: begin + link.start,
            end: begin + link.end,
            url: link.url,
        });
        self.builder.document_mut().links.extend(links.filter(|link| link.end <= end));
    }

    fn one_line(&mut self, kind: BlockKind, mark: &str, text: &Inline) {
        let mut line = text.clone();
        line.replace_line_breaks();
        self.text(kind, mark, &line, "");
    }

    fn figure(&mut self, text: &Inline) {
        let mut line = text.clone();
        line.replace_line_breaks();
        if !line.is_blank() {
            self.text(BlockKind::Figure, "![", &line, "");
            self.builder.push("]()");
        }
    }

    fn code(&mut self, text: &Inline) {
        let code = text.text().trim_end();
        if code.trim().is_empty() {
            return;
        }
        let mut fence = "```".to_owned();
        while code.contains(&fence) {
            fence.push('`');
        }
        self.builder.block(BlockKind::Code, &format!("{fence}\n"), code);
        self.builder.push(&format!("\n{fence}"));
    }

    fn list_item(&mut self, before: Option<usize>, (depth, ordered): (u8, bool), label: &str, text: &Inline) {
        // An item indented by more than one step would be preformatted text in Markdown.
        // Markdown nests one level at a time. More than 20 levels are not indented further. Protects memory.
        let indent = usize::from(depth).min(before.map_or(0, |before| before + 1)).min(20);
        let numbered = ordered && is_plain_number(label);
        let full_stop = if label.ends_with(['.', ')']) { "" } else { "." };
        let mark = if numbered { format!("{label}{full_stop}") } else { "-".to_owned() };
        let label = if numbered || label.is_empty() { String::new() } else { format!("{label} ") };
        let mut line = text.clone();
        line.replace_line_breaks();
        if line.is_blank() {
            self.item = before;
            return;
        }
        let kind = BlockKind::ListItem { depth, ordered };
        self.text(kind, &format!("{}{mark} ", "    ".repeat(indent)), &line, &label);
        self.item = Some(indent);
    }

    fn table(&mut self, rows: &[Vec<FlowCell>]) {
        // A table of one cell is a frame around text.
        if let [row] = rows
            && let [cell] = row.as_slice()
        {
            return self.write(&cell.content);
        }
        let rows: Vec<Vec<FlowCell>> =
            rows.iter().filter(|row| row.iter().any(|cell| !cell.content.is_empty())).cloned().collect();
        let mut links = Vec::new();
        let cells: Vec<Vec<NewCell>> =
            rows.iter().map(|row| row.iter().map(|cell| new_cell(cell, &mut links)).collect()).collect();
        let from = self.builder.position();
        self.builder.table(&cells, &self.limits);
        self.builder.record_links(from, &links);
    }
}

/// A cell to be written, and its links as text and URL.
fn new_cell(cell: &FlowCell, links: &mut Vec<(String, String)>) -> NewCell {
    let text = flattened(&cell.content);
    let (shown, found) = text.to_visible_text();
    links.extend(
        found
            .into_iter()
            .map(|link| (shown.chars().skip(link.start).take(link.end - link.start).collect(), link.url)),
    );
    NewCell {
        text: shown,
        row_span: cell.row_span.max(1),
        column_span: cell.column_span.max(1),
        header: cell.header,
    }
}

/// Whether the label is a list number in Markdown.
fn is_plain_number(label: &str) -> bool {
    let digits = label.trim_end_matches(['.', ')']);
    label.len() <= digits.len() + 1
        && (1..=9).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
}
