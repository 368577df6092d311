//! Validation of a note's values. Paths are those of the request body, or `{name}` for a segment of the URL.

use serde_json::{Map, Value};
use shared_core::Violation;

use crate::{ResourceKind, Role};

/// Levels of nesting of a meta: well within what every JSON parser reads.
const MAX_DEPTH: usize = 100;

/// The limits of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteLimits {
    /// Bytes of the content, and of the meta as JSON.
    pub bytes: usize,
}

impl Default for NoteLimits {
    fn default() -> Self {
        Self { bytes: 1 << 20 }
    }
}

/// Collects every rule that the values break.
#[derive(Debug, Default)]
pub(crate) struct NoteValidator(pub(crate) Vec<Violation>);

impl NoteValidator {
    fn fail(&mut self, path: &str, message: impl Into<String>) {
        self.0.push(Violation::new(path, message));
    }

    pub(crate) fn role(&mut self, name: &str) -> Option<Role> {
        let role = Role::from_name(name);
        if role.is_none() {
            self.fail("/role", format!("'role' must be one of {}", Role::ALL.map(Role::name).join(", ")));
        }
        role
    }

    pub(crate) fn kind(&mut self, path: &str, name: &str) -> Option<ResourceKind> {
        let kind = ResourceKind::from_name(name);
        if kind.is_none() {
            let names = ResourceKind::ALL.map(ResourceKind::name).join(", ");
            self.fail(path, format!("'resource' must be one of {names}"));
        }
        kind
    }

    pub(crate) fn content(&mut self, content: &str, limits: NoteLimits) {
        if content.len() > limits.bytes {
            self.fail("/content", format!("'content' may have at most {} bytes", limits.bytes));
        }
    }

    /// The meta as an object, from an object or JSON text.
    pub(crate) fn meta(&mut self, sent: Value, limits: NoteLimits) -> Option<Map<String, Value>> {
        let meta = match sent {
            Value::Object(meta) => meta,
            Value::String(text) => match serde_json::from_str(&text) {
                Ok(Value::Object(meta)) => meta,
                Ok(other) => Map::from_iter([("value".to_owned(), other)]),
                Err(error) => {
                    self.fail("/meta", format!("'meta' must be JSON text or an object: {error}"));
                    return None;
                }
            },
            _ => {
                self.fail("/meta", "'meta' must be JSON text or an object");
                return None;
            }
        };
        if meta.values().any(|value| is_deeper(value, MAX_DEPTH - 1)) {
            self.fail("/meta", format!("'meta' may be nested at most {MAX_DEPTH} levels deep"));
            return None;
        }
        let meta = Value::Object(meta);
        if meta.to_string().len() > limits.bytes {
            self.fail("/meta", format!("'meta' may have at most {} bytes as JSON", limits.bytes));
        }
        match meta {
            Value::Object(meta) => Some(meta),
            _ => None,
        }
    }
}

/// Whether `value` has arrays and objects nested more than `levels` deep. It recurses no deeper than the
/// parser that built the value.
fn is_deeper(value: &Value, levels: usize) -> bool {
    let below = |inner: &Value| is_deeper(inner, levels - 1);
    match value {
        Value::Array(items) => levels == 0 || items.iter().any(below),
        Value::Object(parts) => levels == 0 || parts.values().any(below),
        _ => false,
    }
}
