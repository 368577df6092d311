//! Builds blocks from RTF paragraphs, in the text or in a cell.

use std::collections::HashMap;

use super::super::flow::{FlowBlock, Inline};
use super::super::role::{Role, by_name, by_outline};
use super::state::Paragraph;
use super::table::Table;

/// An open text: the main one, a note or a text box.
#[derive(Debug, Default)]
pub(super) struct OpenText {
    pub(super) text: Inline,
    /// Properties of the paragraph's last text.
    pub(super) properties: Paragraph,
    pub(super) label: String,
    pub(super) boxes: Vec<FlowBlock>,
    pub(super) blocks: Vec<FlowBlock>,
    pub(super) table: Table,
}

impl OpenText {
    /// Ends a paragraph. `in_table` says that it belongs to a cell, whatever its own properties.
    pub(super) fn end_paragraph(&mut self, in_table: bool, styles: &HashMap<i32, String>) {
        let text = std::mem::take(&mut self.text);
        let label = std::mem::take(&mut self.label);
        let mut boxes = std::mem::take(&mut self.boxes);
        let in_table = in_table || self.properties.in_table;
        if !in_table {
            self.blocks.extend(self.table.take());
        }
        let target = if in_table { self.table.content() } else { &mut self.blocks };
        if !text.is_blank() {
            target.push(block(self.properties, label.trim(), text, styles));
        }
        target.append(&mut boxes);
        self.properties = Paragraph::default();
    }

    /// The finished blocks.
    pub(super) fn finish(mut self, styles: &HashMap<i32, String>) -> Vec<FlowBlock> {
        if !self.text.is_blank() || !self.boxes.is_empty() {
            self.end_paragraph(false, styles);
        }
        self.blocks.extend(self.table.take());
        self.blocks
    }
}

fn block(properties: Paragraph, label: &str, text: Inline, styles: &HashMap<i32, String>) -> FlowBlock {
    let by_style = || {
        let name = properties.style.and_then(|style| styles.get(&style))?;
        by_name(name.trim_end_matches(';'))
    };
    let role = match properties.outline {
        Some(level) => by_outline(level),
        None => by_style().unwrap_or_default(),
    };
    let ordered = label.chars().any(char::is_alphanumeric);
    let printed = if ordered { label } else { "" };
    match role {
        Role::Heading(level) => {
            let mut heading = Inline::plain(printed);
            heading.join(" ", &text);
            FlowBlock::Heading { level, text: heading }
        }
        _ if !label.is_empty() || properties.list > 0 => {
            FlowBlock::Item { depth: properties.level, ordered, label: printed.to_owned(), text }
        }
        Role::Quote => FlowBlock::Quote(text),
        Role::Code => FlowBlock::Code(text),
        Role::Text => FlowBlock::Paragraph(text),
    }
}
