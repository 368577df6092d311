//! Conflicts within a file that contains several documents, such as two invoices in one PDF: a later document
//! gives a field another value under the same label. A file contains several documents if its first label is
//! repeated. After a cover letter, most fields of the form must be repeated, including a date or an amount. A
//! buyer's block shares some labels with a seller's, but not the first of the document, and has no dates or
//! amounts.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::slice;

use serde_json::Value;

use super::align;
use super::coerce;
use super::equality::is_same_value;
use super::node::{Leaf, NestedFields, Node, TextSpan, pointer_token};
use super::segment::{Segment, Source};
use super::text::PrintConventions;
use crate::labels::{LabelledValue, labelled_values};
use crate::{Conflict, ConflictValue, Field, FieldType, Support};

/// Further values of one field that are reported. With the value itself as many as `merge::MAX_SIDES`.
const MAX_RIVALS: usize = 15;
/// Repeated fields at least, if the first label is not repeated: two may be a coincidence. Chosen by hand; no
/// measurement is recorded.
const MIN_AGAIN: usize = 3;

/// Adds the conflicts between single values and those of other documents in the same file. The nodes must
/// have evidence.
pub(super) fn find_conflicts(
    fields: &[Field],
    nodes: &[Node],
    sources: &[Source<'_>],
    printing: &PrintConventions<'_>,
    conflicts: &mut Vec<Conflict>,
) {
    let mut files = ConflictFinder { sources, printing, read: HashMap::new(), labelled: Vec::new() };
    files.parts(fields, nodes, "");
    let labelled = std::mem::take(&mut files.labelled);
    let several: Vec<bool> = (0..sources.len()).map(|index| files.is_several(index, &labelled)).collect();
    for LabelledField { path, document, values, .. } in labelled {
        let is_told = values.len() > 1 && several.get(document) == Some(&true);
        if is_told && conflicts.iter().all(|conflict| conflict.path != path) {
            conflicts.push(Conflict { path, values });
        }
    }
}

struct ConflictFinder<'a> {
    sources: &'a [Source<'a>],
    printing: &'a PrintConventions<'a>,
    /// The labelled values by file.
    read: HashMap<usize, Vec<LabelledValue>>,
    /// The fields whose values have labels.
    labelled: Vec<LabelledField>,
}

/// A field whose value has a label, with its value and the others under that label.
struct LabelledField {
    path: String,
    document: usize,
    /// Whether it is a date or a number, which the address blocks of parties do not have.
    is_measured: bool,
    values: Vec<ConflictValue>,
}

impl ConflictFinder<'_> {
    /// Whether a file contains several documents.
    fn is_several(&self, document: usize, labelled: &[LabelledField]) -> bool {
        if self.read.get(&document).is_some_and(|labels| begins_again(labels)) {
            return true;
        }
        let own = || labelled.iter().filter(|field| field.document == document);
        let again = || own().filter(|field| field.values.len() > 1);
        // More than half of the labelled fields. Chosen by hand; no measurement is recorded.
        again().count() >= MIN_AGAIN.max(own().count() / 2 + 1) && again().any(|field| field.is_measured)
    }

    fn parts(&mut self, fields: &[Field], nodes: &[Node], path: &str) {
        for (field, node) in fields.iter().zip(nodes) {
            let path = format!("{path}/{}", pointer_token(&field.name));
            match (node, NestedFields::of(field)) {
                (Node::Group(nodes), NestedFields::Parts(fields)) => self.parts(fields, nodes, &path),
                (Node::Leaf(leaf), _) => {
                    let Some(document) = leaf.span.map(|spot| spot.document) else { continue };
                    let values = self.competing_values(field, leaf);
                    if !values.is_empty() {
                        let is_measured =
                            matches!(field.kind, FieldType::Date | FieldType::Number | FieldType::Integer);
                        self.labelled.push(LabelledField { path, document, is_measured, values });
                    }
                }
                _ => {}
            }
        }
    }

    /// The value and its rivals with their evidence; empty when the value has no label.
    fn competing_values(&mut self, field: &Field, leaf: &Leaf) -> Vec<ConflictValue> {
        let is_sure = |leaf: &Leaf| {
            leaf.evidence.as_ref().is_some_and(|e| matches!(e.support, Support::Exact | Support::Normalised))
        };
        let Some(spot) = leaf.span.filter(|_| is_sure(leaf) && !matches!(field.kind, FieldType::Boolean))
        else {
            return Vec::new();
        };
        let Some(source) = self.sources.get(spot.document) else { return Vec::new() };
        let labelled = self.read.entry(spot.document).or_insert_with(|| labelled_values(source.text()));
        let holds = |other: &&LabelledValue| other.value.contains(&spot.start);
        let Some(own) = labelled.iter().find(holds) else { return Vec::new() };
        let others = labelled.iter().filter(|other| other.label == own.label && other.value != own.value);
        let others: Vec<Range<usize>> = others.map(|other| other.value.clone()).collect();
        let mut rivals: Vec<Leaf> = vec![leaf.clone()];
        // Equal texts are read once: a line repeated a thousand times is one value.
        let mut texts: HashSet<&str> = HashSet::new();
        for value in others {
            if rivals.len() > MAX_RIVALS {
                break;
            }
            if !texts.insert(source.slice(&value)) {
                continue;
            }
            let Some(rival) = self.read_value(field, spot, value).filter(is_sure) else { continue };
            let is_known = |known: &Leaf| is_same_value(self.printing, &known.value, &rival.value);
            if !rivals.iter().any(is_known) {
                rivals.push(rival);
            }
        }
        let told = |leaf: Leaf| Some(ConflictValue { value: leaf.value, evidence: leaf.evidence? });
        rivals.into_iter().filter_map(told).collect()
    }

    /// Reads a range of a file as a value of a field.
    fn read_value(&self, field: &Field, spot: TextSpan, value: Range<usize>) -> Option<Leaf> {
        let said = self.sources.get(spot.document)?.slice(&value);
        let read = coerce::read_leaf(field, &Value::from(said), self.printing).ok()??;
        if !coerce::satisfies_rules(field, &read.value) {
            return None;
        }
        let mut nodes = [Node::Leaf(Box::new(read))];
        let pieces = vec![value];
        let document = spot.document;
        let shown = [Segment { document, pieces, context: String::new(), part: None, pictures: Vec::new() }];
        align::attach_evidence(slice::from_ref(field), &mut nodes, self.sources, &shown);
        match nodes {
            [Node::Leaf(leaf)] => Some(*leaf),
            _ => None,
        }
    }
}

/// Whether the first label of a text is repeated.
fn begins_again(labels: &[LabelledValue]) -> bool {
    let first = labels.first().map(|first| &first.label);
    labels.iter().filter(|other| Some(&other.label) == first).count() > 1
}
