//! The violations of a schema, with their JSON pointers.

use serde_json::{Map, Value};
use shared_core::Violation;

use super::{MAX_NAME, MAX_VIOLATIONS};

/// Collects violations.
#[derive(Debug, Default)]
pub(crate) struct Violations(Vec<Violation>);

impl Violations {
    /// Adds a violation at `path`, up to [`MAX_VIOLATIONS`].
    pub(crate) fn report(&mut self, path: &str, message: impl Into<String>) {
        if self.0.len() < MAX_VIOLATIONS {
            self.0.push(Violation::new(path, message));
        }
    }

    /// The violations in the order of their report.
    pub(crate) fn into_vec(self) -> Vec<Violation> {
        self.0
    }
}

/// The unescaped tokens of a JSON pointer (RFC 6901).
pub fn pointer_tokens(pointer: &str) -> impl Iterator<Item = String> + '_ {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"))
}

/// The value of a record at a JSON pointer.
#[must_use]
pub fn value_at<'r>(record: &'r Map<String, Value>, pointer: &str) -> Option<&'r Value> {
    let mut tokens = pointer_tokens(pointer);
    let mut value = record.get(&tokens.next()?)?;
    for token in tokens {
        value = match value {
            Value::Object(object) => object.get(&token)?,
            Value::Array(items) => items.get(token.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}

/// A token of a JSON pointer (RFC 6901), truncated to [`MAX_NAME`] characters.
pub(crate) fn pointer_token(name: &str) -> String {
    let cut: String = name.chars().take(MAX_NAME).collect();
    let dots = if cut.len() < name.len() { "…" } else { "" };
    format!("{}{dots}", cut.replace('~', "~0").replace('/', "~1"))
}
