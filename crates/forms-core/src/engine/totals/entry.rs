//! A list entry, with what decides whether it is a summary.

use super::super::node::Node;
use super::super::rows::{Row, RowPosition, leaf_values, line_of};
use super::super::segment::Source;
use super::super::text::PrintConventions;
use super::super::text::summary_lines::SumLabel;
use super::columns::{amounts_of, is_number};

/// Characters of a name in a message. Bounds the message. Chosen by hand; no measurement is recorded.
const MAX_NAME: usize = 60;

#[derive(Debug)]
pub(super) struct ListEntry<'a> {
    pub(super) node: &'a Node,
    /// Its position, and its line.
    pub(super) place: Option<RowPosition>,
    pub(super) line: &'a str,
    /// Its texts that are not numbers, in the order of its cells.
    pub(super) text: String,
    /// Its numbers.
    pub(super) amounts: Vec<f64>,
    /// The number of filled cells.
    pub(super) filled: usize,
    /// The label of its texts or of its line, if they mark a summary.
    pub(super) label: Option<SumLabel>,
}

impl<'a> ListEntry<'a> {
    pub(super) fn new(node: &'a Node, sources: &[Source<'a>], printing: &PrintConventions<'_>) -> Self {
        let place = Row::new(node.clone(), sources).place;
        let source = place.and_then(|place| Some((sources.get(place.document)?, place.at)));
        let line = source.map(|(source, at)| line_of(source.text(), at)).unwrap_or_default();
        let leaves = leaf_values(node);
        let texts = leaves.iter().filter_map(|leaf| leaf.value.as_str()).filter(|text| !is_number(text));
        let text = texts.collect::<Vec<_>>().join(" ");
        let label = SumLabel::of(&text).or_else(|| SumLabel::of(line));
        let amounts = amounts_of(node, printing).into_iter().map(|(_, amount)| amount).collect();
        Self { node, place, line: line.trim(), text, amounts, filled: leaves.len(), label }
    }

    /// The name of the entry in a message.
    pub(super) fn name(&self) -> String {
        let name = if self.text.is_empty() { self.line } else { &self.text };
        name.chars().take(MAX_NAME).collect()
    }
}
