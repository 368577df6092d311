//! What a turn changed in the values of a form, and the places of documents that state them.

use std::collections::BTreeMap;

use forms_core::Extraction;
use serde_json::{Map, Value};

use super::pointer::{self, child};
use crate::chat::{FieldStatus, FormState, ValueChange};

/// Most changes that are told of a turn. Bounds what is stored. Chosen by hand; no measurement is recorded.
const MAX_CHANGES: usize = 500;

/// Keeps the places of documents that state values which were filled from them, and drops those of values that come
/// from elsewhere now.
pub fn keep_evidence(state: &mut FormState, found: Option<(&Extraction, &[String])>) {
    if let Some((found, filled)) = found {
        let is_within = |path: &str, filled: &str| {
            path.strip_prefix(filled).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        state.evidence.retain(|path, _| !filled.iter().any(|filled| is_within(path, filled)));
        for (path, evidence) in &found.evidence {
            if filled.iter().any(|filled| is_within(path, filled)) {
                state.evidence.insert(path.clone(), evidence.clone());
            }
        }
    }
    let FormState { values, marks, evidence, .. } = state;
    evidence.retain(|path, _| {
        let is_from_document = matches!(source(marks, path), Some(FieldStatus::Document | FieldStatus::Weak));
        is_from_document && pointer::get(values, path).is_some()
    });
}

/// The values that differ from those before a turn: new ones in their order, then removed ones.
#[must_use]
pub fn changes(before: &Map<String, Value>, state: &FormState) -> Vec<ValueChange> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    leaves_of_map("", before, &mut old);
    leaves_of_map("", &state.values, &mut new);
    let known: BTreeMap<&str, &Value> = old.iter().map(|(path, value)| (path.as_str(), *value)).collect();
    let now: BTreeMap<&str, &Value> = new.iter().map(|(path, value)| (path.as_str(), *value)).collect();
    let set =
        new.iter().filter(|(path, value)| known.get(path.as_str()) != Some(value)).map(|(path, value)| {
            ValueChange {
                path: path.clone(),
                value: (*value).clone(),
                source: source(&state.marks, path).cloned(),
                evidence: state.evidence.get(path).cloned(),
            }
        });
    let gone = old.iter().filter(|(path, _)| !now.contains_key(path.as_str())).map(|(path, _)| ValueChange {
        path: path.clone(),
        value: Value::Null,
        source: None,
        evidence: None,
    });
    set.chain(gone).take(MAX_CHANGES).collect()
}

/// Where a value comes from: its own mark, or that of what it is part of.
#[must_use]
pub fn source<'a>(marks: &'a BTreeMap<String, FieldStatus>, path: &str) -> Option<&'a FieldStatus> {
    let mut place = path;
    loop {
        if let Some(mark) = marks.get(place) {
            return Some(mark);
        }
        place = place.rsplit_once('/')?.0;
    }
}

fn leaves_of_map<'a>(path: &str, values: &'a Map<String, Value>, found: &mut Vec<(String, &'a Value)>) {
    for (name, value) in values {
        leaves(child(path, name), value, found);
    }
}

/// The single values within a value, with their pointers.
fn leaves<'a>(path: String, value: &'a Value, found: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Null => {}
        Value::Object(parts) => leaves_of_map(&path, parts, found),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(child(&path, &index.to_string()), item, found);
            }
        }
        _ => found.push((path, value)),
    }
}
