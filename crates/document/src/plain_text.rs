//! A document's text without the marks of Markdown.

use crate::model::{Block, BlockKind, Cell, Document};
use crate::slices::TextSlices;

impl Document {
    /// The text of all blocks, one per line; tabs separate the cells of a table's row.
    #[must_use]
    pub fn plain_text(&self) -> String {
        let slices = TextSlices::new(&self.text);
        let mut text = String::new();
        for block in &self.blocks {
            match &block.kind {
                BlockKind::Table { cells } => push_table(&mut text, cells, &slices),
                _ => push_block(&mut text, block, &slices),
            }
        }
        if self.blocks.is_empty() { self.text.clone() } else { text }
    }
}

fn push_block(text: &mut String, block: &Block, slices: &TextSlices<'_>) {
    text.push_str(slices.get(block.start, block.end));
    text.push('\n');
}

fn push_table(text: &mut String, cells: &[Cell], slices: &TextSlices<'_>) {
    let mut row = None;
    for cell in cells {
        match row {
            None => {}
            Some(row) if row == cell.row => text.push('\t'),
            Some(_) => text.push('\n'),
        }
        row = Some(cell.row);
        text.push_str(&slices.get(cell.start, cell.end).replace("\\|", "|"));
    }
    text.push('\n');
}
