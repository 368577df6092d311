//! The members of a model's object, by the names of the form's fields.

use std::collections::HashSet;

use language::fold::fold_letters;
use serde_json::{Map, Value};

use crate::Field;

// They bound the time: each is compared with each field.
/// Members with unknown names that are compared with the fields.
const MAX_STRANGERS: usize = 64;
/// Bytes of such a name.
const MAX_STRANGER: usize = 256;

/// The members of an object by field.
#[derive(Debug)]
pub(super) struct ObjectMembers<'o> {
    object: &'o Map<String, Value>,
    /// Members whose names are no field's, with their folded names.
    unknown: Vec<(&'o str, &'o Value, String)>,
}

impl<'o> ObjectMembers<'o> {
    pub(super) fn new(fields: &[Field], object: &'o Map<String, Value>) -> Self {
        let known: HashSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let unknown = object
            .iter()
            .filter(|(key, _)| key.len() <= MAX_STRANGER && !known.contains(key.as_str()))
            .take(MAX_STRANGERS)
            .map(|(key, value)| (key.as_str(), value, fold_letters(key)))
            .collect();
        Self { object, unknown }
    }

    /// Members whose names are no field's: name, value, folded name.
    pub(super) fn unknown_members(&self) -> impl Iterator<Item = (&'o str, &'o Value, &String)> {
        self.unknown.iter().map(|(key, value, folded)| (*key, *value, folded))
    }

    /// The member with the field's name, or with a name that differs only in case and punctuation.
    pub(super) fn get(&self, name: &str) -> Option<(&'o str, &'o Value)> {
        if let Some((key, value)) = self.object.get_key_value(name) {
            return Some((key.as_str(), value));
        }
        if self.unknown.is_empty() {
            return None;
        }
        let wanted = fold_letters(name);
        let mut alike = self.unknown.iter().filter(|(.., folded)| *folded == wanted && !wanted.is_empty());
        match (alike.next(), alike.next()) {
            (Some((key, value, _)), None) => Some((key, value)),
            _ => None,
        }
    }
}
