//! The labels beside and above a place of a document, which may state the unit or currency of a number.

use crate::engine::node::TextSpan;
use crate::engine::segment::Source;
use crate::labels::{TextLines, above_label, left_label};

/// Labels of the documents, parsed where one is asked for.
#[derive(Debug)]
pub(super) struct Headings<'a> {
    sources: &'a [Source<'a>],
    lines: Vec<Option<TextLines>>,
}

impl<'a> Headings<'a> {
    pub(super) fn new(sources: &'a [Source<'a>]) -> Self {
        Self { sources, lines: sources.iter().map(|_| None).collect() }
    }

    /// What `read` finds in the label left of a place, else in that above it.
    pub(super) fn find<T>(&mut self, span: TextSpan, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let source = self.sources.get(span.document)?;
        let slot = self.lines.get_mut(span.document)?;
        let text = slot.get_or_insert_with(|| TextLines::read(source.text(), source.text().len()));
        let character = source.characters.count(source.text(), span.start);
        let at = text.lines.partition_point(|line| line.start <= character).checked_sub(1)?;
        let line = text.lines.get(at)?;
        let byte = line.text.char_indices().nth(character - line.start).map_or(line.text.len(), |(at, _)| at);
        left_label(line, byte).and_then(&read).or_else(|| above_label(text, at, byte).and_then(&read))
    }
}
