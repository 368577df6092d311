//! The content of a message: a text, or parts.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use gen_core::HistoryMessage;
use serde_json::Value;

use super::super::ApiError;

/// A part of a content.
pub(super) enum ContentPart {
    Text(String),
    /// A URL, a data URL, or a file id.
    Picture(String),
    File(AttachedFile),
}

/// A file of a message.
#[derive(Debug)]
pub(super) enum AttachedFile {
    /// A file id or a URL.
    Reference(String),
    /// Its name and content.
    Inline(String, Bytes),
}

impl AttachedFile {
    /// The file of a part: its fields `file_id`, `file_url`, or `filename` and `file_data`, a data URL or Base64.
    pub(super) fn read(part: &Value) -> Option<Self> {
        let text = |name: &str| part[name].as_str();
        if let Some(id) = text("file_id") {
            return Some(Self::Reference(file_id(id).to_owned()));
        }
        if let Some(url) = text("file_url") {
            return Some(Self::Reference(url.to_owned()));
        }
        let data = text("file_data")?;
        let encoded = match data.strip_prefix("data:") {
            Some(rest) => rest.split_once(";base64,")?.1,
            None => data,
        };
        let content = BASE64_STANDARD.decode(encoded.trim()).ok()?;
        let name = text("filename").filter(|name| !name.trim().is_empty()).unwrap_or("document");
        Some(Self::Inline(name.to_owned(), content.into()))
    }
}

/// Reads a part of one of the interfaces, and the rule for what is none.
pub(super) type PartReader = (fn(Value) -> Option<ContentPart>, &'static str);

/// Reads the text and the pictures of a content into its message, and its files into the documents of the request. `at`: the index of the message in the body.
pub(super) fn read_content(
    content: Value,
    message: &mut HistoryMessage,
    files: &mut Vec<(usize, AttachedFile)>,
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
            Some(ContentPart::File(file)) => files.push((at, file)),
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
