//! Key-value pairs: of form fields, and of labels by layout heuristics.
//!
//! Fields have priority. Labels are recognised by colons, by wide gaps, by their position above values, and
//! by the columns of tables. Prose is skipped.
//!
//! `generated_forms_are_read_nearly_whole_with_hardly_anything_made_up` checks all thresholds of this folder
//! together. No measurement of a single one is recorded: all that are said to be chosen by hand.

mod checkboxes;
mod fields;
mod labels;
mod labels_above;
mod labels_beside;
mod lines;
mod table_pairs;

use serde::{Deserialize, Serialize};

use crate::model::{BlockKind, Document, Rect};
use crate::slices::TextSlices;
use lines::Line;

/// Maximum pairs of one document. Protects memory.
const MAX_PAIRS: usize = 20_000;
/// Maximum characters of a value. Protects memory.
const MAX_VALUE: usize = 4_000;

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyValue {
    /// The label as printed, without its colon; the field's name when a field has no label.
    pub key: String,
    /// The value, with lines separated by `\n`; empty when nothing is filled in. For a check box: `true` or
    /// `false`.
    pub value: String,
    /// Page number, from 1; `None` for formats without pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Position of the value, if known; the key's position when the value is empty.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// How the pair was found.
    pub kind: KeyValueKind,
}

/// How a key and its value were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyValueKind {
    /// A form field.
    Field,
    /// A printed label with a value beside or below it.
    Label,
}

/// The key-value pairs of a document: first its fields, then its labels in reading order.
#[must_use]
pub fn key_values(document: &Document) -> Vec<KeyValue> {
    let slices = TextSlices::new(&document.text);
    let lines = lines::document_lines(document, &slices);
    let mut pairs = fields::pairs(document, &lines);
    let filled = pairs.len();
    let mut from = 0;
    for block in &document.blocks {
        if pairs.len() >= MAX_PAIRS {
            break;
        }
        let BlockKind::Table { cells } = &block.kind else { continue };
        // Lines before the table precede its pairs.
        let until = lines.partition_point(|line| line.start < block.start);
        push_line_pairs(lines.get(from..until).unwrap_or_default(), &mut pairs);
        from = until;
        table_pairs::pairs(document, block, cells, &slices, &mut pairs);
    }
    push_line_pairs(lines.get(from..).unwrap_or_default(), &mut pairs);
    deduplicate(pairs, filled)
}

/// Adds the pairs of lines without a table between them.
fn push_line_pairs(lines: &[Line<'_>], pairs: &mut Vec<KeyValue>) {
    let mut taken = vec![0_u64; lines.len()];
    for index in 0..lines.len() {
        if pairs.len() >= MAX_PAIRS {
            break;
        }
        if lines[index].is_prose {
            continue;
        }
        checkboxes::pairs(lines, index, &mut taken, pairs);
        labels_beside::pairs(lines, index, &mut taken, pairs);
        labels_above::pairs(lines, index, &mut taken, pairs);
    }
}

/// Removes labels that repeat fields, and truncates values to their maximum.
fn deduplicate(mut pairs: Vec<KeyValue>, filled: usize) -> Vec<KeyValue> {
    pairs.truncate(MAX_PAIRS);
    let labels = pairs.split_off(filled.min(pairs.len()));
    let told = |pair: &KeyValue| {
        pairs.iter().any(|field| {
            field.page == pair.page
                && (field.key == pair.key || (!field.value.is_empty() && field.value == pair.value))
        })
    };
    let kept: Vec<KeyValue> = match pairs.is_empty() {
        true => labels,
        false => labels.into_iter().filter(|pair| !told(pair)).collect(),
    };
    pairs.extend(kept);
    for pair in &mut pairs {
        if let Some((cut, _)) = pair.value.char_indices().nth(MAX_VALUE) {
            pair.value.truncate(cut);
        }
    }
    pairs
}

/// The bounding box of two rectangles.
fn union(a: Rect, b: Rect) -> Rect {
    Rect { x0: a.x0.min(b.x0), y0: a.y0.min(b.y0), x1: a.x1.max(b.x1), y1: a.y1.max(b.y1) }
}
