//! Nested data as a nested list: `- name: value`, two spaces deeper for each level.

use crate::Limits;
use crate::builder::Builder;
use crate::model::{BlockKind, Document, Format};

/// Maximum indentation levels. Protects memory: each line has its indentation.
const INDENTS: usize = 20;

/// A nested list under construction.
#[derive(Debug)]
pub(crate) struct Outline(Builder);

impl Outline {
    pub(crate) fn new(format: Format, limits: &Limits) -> Self {
        Self(Builder::new(format, limits))
    }

    pub(crate) fn is_full(&self) -> bool {
        self.0.is_full()
    }

    pub(crate) fn truncate(&mut self) {
        self.0.truncate();
    }

    /// Adds an item as one line; nothing without name and value.
    pub(crate) fn item(&mut self, depth: usize, name: &str, value: &str) {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = match (name.is_empty(), value.is_empty()) {
            (true, true) => return,
            (true, false) => value,
            (false, true) => format!("{name}:"),
            (false, false) => format!("{name}: {value}"),
        };
        if self.0.offset() > 0 {
            self.0.push("\n");
        }
        self.0.push(&"  ".repeat(depth.min(INDENTS)));
        self.0.push("- ");
        let start = self.0.offset();
        self.0.push(&text);
        let depth = u8::try_from(depth).unwrap_or(u8::MAX);
        self.0.add_block(BlockKind::ListItem { depth, ordered: false }, start, None, None);
    }

    /// Adds a paragraph as one line.
    pub(crate) fn paragraph(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.0.block(BlockKind::Paragraph, "", &text);
        }
    }

    /// Sets the document's title, unless it has one.
    pub(crate) fn entitle(&mut self, title: &str) {
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let known = &mut self.0.document_mut().metadata.title;
        if known.is_none() && !title.is_empty() {
            *known = Some(title);
        }
    }

    pub(crate) fn finish(self) -> Document {
        self.0.finish()
    }
}
