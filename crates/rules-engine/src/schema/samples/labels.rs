//! The labels of sample documents, with the values beside them.

use std::collections::{HashMap, HashSet};

use document::KeyValue;
use forms_core::labels::words;
use language::fold::fold_phrase;

use super::super::draft::FieldDraft;
use super::proposed_field::{ProposedField, examples};
use super::value_type::{ValueType, infer_type};

/// Characters and words of a label. Longer ones are sentences.
const MAX_LABEL: usize = 80;
const MAX_WORDS: usize = 8;
/// Labels of one document that are compared. Bounds the time.
const MAX_LABELS: usize = 2_000;

/// One label in all documents.
#[derive(Clone, Debug)]
pub(super) struct LabelGroup {
    /// What its spellings have in common.
    pub(super) key: String,
    /// The most frequent spelling.
    pub(super) label: String,
    pub(super) documents: usize,
    /// Its place in the documents that have it: 0 for the first label of each, 1 for the last.
    place: f64,
    pub(super) values: Vec<String>,
    pub(super) kind: ValueType,
}

/// What two spellings of a label share: its concepts, else its folded words. `Invoice No.` is `Invoice number`.
pub(super) fn label_key(label: &str) -> String {
    let concepts = words(label);
    if concepts.is_empty() { fold_phrase(label) } else { concepts.join(" ") }
}

/// Whether a text may be a label.
pub(super) fn is_label(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    letters > digits
        && letters > 1
        && text.chars().nth(MAX_LABEL).is_none()
        && text.split_whitespace().count() <= MAX_WORDS
}

/// The labels of the documents by key, in reading order. A label counts once for each document.
pub(super) fn group_labels(documents: &[Vec<KeyValue>]) -> Vec<LabelGroup> {
    let mut groups: Vec<(LabelGroup, HashMap<String, usize>)> = Vec::new();
    let mut by_key: HashMap<String, usize> = HashMap::new();
    for pairs in documents {
        let pairs: Vec<&KeyValue> =
            pairs.iter().filter(|pair| is_label(&pair.key)).take(MAX_LABELS).collect();
        let mut seen: HashSet<String> = HashSet::new();
        for (at, pair) in pairs.iter().enumerate() {
            let label = pair.key.split_whitespace().collect::<Vec<_>>().join(" ");
            let key = label_key(&label);
            let group = *by_key.entry(key.clone()).or_insert_with(|| {
                let (label, kind) = (label.clone(), ValueType::default());
                groups.push((
                    LabelGroup {
                        key: key.clone(),
                        label,
                        documents: 0,
                        place: 0.0,
                        values: Vec::new(),
                        kind,
                    },
                    HashMap::new(),
                ));
                groups.len() - 1
            });
            let Some((group, spellings)) = groups.get_mut(group) else { continue };
            if seen.insert(key) {
                group.documents += 1;
                group.place += at as f64 / pairs.len() as f64;
                *spellings.entry(label).or_default() += 1;
                let value = pair.value.trim();
                group.values.extend((!value.is_empty()).then(|| value.to_owned()));
            }
        }
    }
    let mut found: Vec<LabelGroup> =
        groups.into_iter().map(|(group, spellings)| finished(group, &spellings)).collect();
    found.sort_by(|a, b| a.place.total_cmp(&b.place));
    found
}

fn finished(group: LabelGroup, spellings: &HashMap<String, usize>) -> LabelGroup {
    // Of equally frequent spellings the first in the alphabet, so that the answer is always the same.
    let best = spellings.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
    let label = best.map_or(group.label, |(label, _)| label.clone());
    let values: Vec<&str> = group.values.iter().map(String::as_str).collect();
    let kind = infer_type(&label, &values);
    LabelGroup { place: group.place / group.documents.max(1) as f64, label, kind, ..group }
}

impl LabelGroup {
    pub(super) fn draft(&self) -> FieldDraft {
        let ValueType { kind, format } = self.kind;
        FieldDraft {
            name: self.label.clone(),
            description: self.label.clone(),
            kind,
            format,
            ..FieldDraft::default()
        }
    }

    pub(super) fn proposed(&self, path: &str) -> ProposedField {
        ProposedField {
            path: path.to_owned(),
            label: self.label.clone(),
            documents: self.documents,
            examples: examples(self.values.iter().map(String::as_str)),
        }
    }
}
