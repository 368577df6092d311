//! The content of a message: a text, or parts.

use gen_core::HistoryMessage;
use serde_json::Value;

use super::super::ApiError;

/// A part of a content.
pub(super) enum ContentPart {
    Text(String),
    /// A URL, a data URL, or a file id.
    Picture(String),
    /// A file id.
    File(String),
}

/// Reads a part of one of the interfaces, and the rule for what is none.
pub(super) type PartReader = (fn(Value) -> Option<ContentPart>, &'static str);

/// Reads the text and the pictures of a content into its message, and its files into the documents of the request. `at`: the index of the message in the body.
pub(super) fn read_content(
    content: Value,
    message: &mut HistoryMessage,
    files: &mut Vec<(usize, String)>,
    (at, path): (usize, &str),
    (read_part, rule): PartReader,
) -> Result<(), ApiError> {
    let parts = match content {
        Value::String(text) => {
            message.content = text;
            return Ok(());
        }
        Value::Array(parts) => parts,
        _ => return Err(ApiError::invalid(path, "'content' must be a text or a list of parts")),
    };
    let mut texts = Vec::new();
    for (number, part) in parts.into_iter().enumerate() {
        match read_part(part) {
            Some(ContentPart::Text(text)) => texts.push(text),
            Some(ContentPart::Picture(url)) if message.role == "user" => message.pictures.push(url),
            Some(ContentPart::File(id)) => files.push((at, id)),
            Some(ContentPart::Picture(_)) => {
                let rule = "only messages of the user have pictures";
                return Err(ApiError::invalid(format!("{path}/{number}"), rule));
            }
            None => return Err(ApiError::invalid(format!("{path}/{number}"), rule)),
        }
    }
    message.content = texts.join("\n");
    Ok(())
}

/// The id of a file, which clients of this interface expect to begin with `file-`.
pub(super) fn file_id(id: &str) -> &str {
    id.strip_prefix("file-").unwrap_or(id)
}
