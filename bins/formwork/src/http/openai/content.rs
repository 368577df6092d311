//! The content of a message: a text, or parts.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use gen_core::HistoryMessage;
use serde_json::Value;

use super::super::ApiError;

/// A part of a content.
pub(in crate::http) enum ContentPart {
    Text(String),
    /// A URL, a data URL, or a file id.
    Picture(String),
    File(AttachedFile),
}

/// A file of a message.
#[derive(Debug)]
pub(in crate::http) enum AttachedFile {
    /// A file id or a URL.
    Reference(String),
    /// Its name and content.
    Inline(String, Bytes),
}

impl AttachedFile {
    /// The file of a part: its fields `file_id`, `file_url`, or `filename` and `file_data`, a data URL or Base64.
    pub(in crate::http) fn read(part: &Value) -> Option<Self> {
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
pub(in crate::http) type PartReader = (fn(Value) -> Option<ContentPart>, &'static str);

/// Reads the text and the pictures of a content into its message, and its files into the documents of the request. `at`: the index of the message in the body.
pub(in crate::http) fn read_content(
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
        let added = read_part(part).ok_or(rule).and_then(|part| part.add(message, &mut texts, files, at));
        added.map_err(|rule| ApiError::invalid(format!("{path}/{number}"), rule))?;
    }
    message.content = texts.join("\n");
    Ok(())
}

impl ContentPart {
    /// Adds the part to its message, its text to the message's texts, and its file to those of the request.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub(in crate::http) fn add(
        self,
        message: &mut HistoryMessage,
        texts: &mut Vec<String>,
        files: &mut Vec<(usize, AttachedFile)>,
        at: usize,
    ) -> Result<(), &'static str> {
        match self {
            Self::Text(text) => texts.push(text),
            Self::Picture(url) if message.role == "user" => message.pictures.push(url),
            Self::Picture(_) => return Err("only messages of the user have pictures"),
            Self::File(file) => files.push((at, file)),
        }
        Ok(())
    }
}

/// The id of a file, which clients of this interface expect to begin with `file-`.
pub(in crate::http) fn file_id(id: &str) -> &str {
    id.strip_prefix("file-").unwrap_or(id)
}
