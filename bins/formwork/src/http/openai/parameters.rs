//! Parameters of requests that are not passed on.

use gen_core::Effort;
use serde_json::{Map, Value};

use super::super::ApiError;

/// One sentence for each of these parameters that was given and has no effect.
pub(in crate::http) fn without_effect(names: &[&str], others: &Map<String, Value>) -> Vec<String> {
    let given = |name: &&&str| others.get(**name).is_some_and(|value| !value.is_null());
    names.iter().filter(given).map(|name| format!("'{name}' has no effect here")).collect()
}

/// The effort with this name; other degrees than ours have no effect.
pub(in crate::http) fn effort_of(name: Option<&Value>) -> Option<Effort> {
    Effort::of_name(name?.as_str()?)
}

/// Refuses these parameters, without which an answer would be another one.
pub(in crate::http) fn refuse(names: &[&str], others: &Map<String, Value>) -> Result<(), ApiError> {
    let given = names.iter().find(|name| match others.get(**name) {
        Some(Value::Array(entries)) => !entries.is_empty(),
        given => given.is_some_and(|value| !value.is_null() && *value != false),
    });
    match given {
        Some(name) => Err(ApiError::invalid(format!("/{name}"), format!("'{name}' is not supported"))),
        None => Ok(()),
    }
}
