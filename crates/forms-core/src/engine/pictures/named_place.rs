//! A place that the model names for a value, as it stands in an answer.

use serde_json::{Map, Value};

/// Places of an answer at most. Bounds the time. Chosen by hand; no measurement is recorded.
const MAX_PLACES: usize = 1_000;

/// A place that the model names. It is not checked.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct NamedPlace {
    /// JSON pointer of the value in the answer.
    pub(super) pointer: String,
    /// Number of the picture, from 1.
    pub(super) picture: usize,
    /// Left, top, right and bottom, of 1,000.
    pub(super) edges: [f64; 4],
}

/// Removes the places from an answer. Entries of another shape are dropped.
pub(in super::super) fn take_places(answer: &mut Map<String, Value>, key: &str) -> Vec<NamedPlace> {
    let Some(Value::Array(entries)) = answer.shift_remove(key) else { return Vec::new() };
    entries.iter().take(MAX_PLACES).filter_map(named_place).collect()
}

impl NamedPlace {
    /// Whether it is in the picture at a position, from 0.
    pub(in super::super) fn is_in(&self, position: usize) -> bool {
        self.picture == position + 1
    }
}

fn named_place(entry: &Value) -> Option<NamedPlace> {
    let pointer = entry.get("field")?.as_str()?.trim();
    let pointer = if pointer.starts_with('/') { pointer.to_owned() } else { format!("/{pointer}") };
    let picture = usize::try_from(entry.get("picture")?.as_u64()?).ok()?;
    let edges: Vec<f64> = entry.get("box")?.as_array()?.iter().filter_map(Value::as_f64).collect();
    Some(NamedPlace { pointer, picture, edges: edges.try_into().ok()? })
}
