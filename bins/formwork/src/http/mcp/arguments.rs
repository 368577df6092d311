//! Distributes the arguments of a tool over path, query and body of its operation.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use shared_core::ErrorKind;

use crate::http::ApiError;
use crate::http::operation::{Operation, ParameterLocation};

/// Maximum length in bytes of path and query.
const MAX_URI: usize = 32 << 10;

/// Where a request is sent.
#[derive(Debug)]
pub(super) struct Target {
    /// Path and query.
    pub(super) uri: String,
    /// The parameters of the path, encoded.
    pub(super) segments: Vec<(&'static str, String)>,
}

/// Takes the parameters of path and query from the arguments. Returns the others, too.
///
/// # Errors
/// When a required one is missing, or one is neither text, number nor flag.
pub(super) fn target(
    operation: &Operation,
    mut arguments: Map<String, Value>,
) -> Result<(Target, Map<String, Value>), ApiError> {
    let (mut uri, mut segments) = (operation.path.to_owned(), Vec::new());
    let mut query = form_urlencoded::Serializer::new(String::new());
    for parameter in &operation.parameters {
        let name = parameter.name;
        if parameter.place == ParameterLocation::Header {
            continue;
        }
        let Some(value) = arguments.remove(name).filter(|value| !value.is_null()) else {
            if parameter.needed {
                return Err(ApiError::invalid(pointer(name), format!("'{name}' is a required property")));
            }
            continue;
        };
        let Some(text) = text(&value) else {
            if parameter.place == ParameterLocation::Query && operation.body.is_some() {
                // The body has it, too, and takes lists.
                arguments.insert(name.to_owned(), value);
                continue;
            }
            return Err(ApiError::invalid(pointer(name), format!("'{name}' must be a single value")));
        };
        if parameter.place == ParameterLocation::Path {
            let text = encoded(&text);
            uri = uri.replace(&format!("{{{name}}}"), &text);
            segments.push((name, text));
        } else {
            query.append_pair(name, &text);
        }
    }
    let query = query.finish();
    if !query.is_empty() {
        uri = format!("{uri}?{query}");
    }
    if uri.len() > MAX_URI {
        return Err(ApiError::new(ErrorKind::TooLarge, "arguments_too_large", "the arguments are too large"));
    }
    Ok((Target { uri, segments }, arguments))
}

/// The JSON pointer of an argument.
pub(super) fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Encodes every byte that a path does not have as such.
pub(super) fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            write!(encoded, "%{byte:02X}").unwrap_or_default();
        }
    }
    encoded
}
