//! What a multipart body says about its files in a knowledge base: the fields `meta`, `externalId` and
//! `expires`. They are read once it is known that the files go into one.

use kb_core::EntryAttributes;
use kb_core::rules::{MAX_EXTERNAL_ID, MAX_META};
use serde_json::{Map, Value, json};
use shared_core::Timestamp;

use super::ApiError;
use super::knowledge::entries::Expiry;

const META: &str = "meta";
const EXTERNAL_ID: &str = "externalId";
const EXPIRES: &str = "expires";

/// The fields as they came; empty ones are absent.
#[derive(Debug, Default)]
pub(super) struct UploadAttributes {
    meta: Option<String>,
    external_id: Option<String>,
    expires: Option<String>,
}

/// The schemas of the fields.
pub(super) fn fields() -> Map<String, Value> {
    let field = |schema: Value, description: &str| {
        let mut field = schema;
        field["description"] = description.into();
        field
    };
    let text = || json!({"type": "string"});
    let meta = "Meta of the files in the knowledge base: a JSON object as text, at most 16 KiB.";
    let id = "Your own identifier of the file in the knowledge base. Needs an upload of one file.";
    let expires = "From when on searches of the knowledge base no longer find the files (RFC 3339).";
    Map::from_iter([
        (META.to_owned(), field(text(), meta)),
        (EXTERNAL_ID.to_owned(), field(json!({"type": "string", "maxLength": MAX_EXTERNAL_ID}), id)),
        (EXPIRES.to_owned(), field(text(), expires)),
    ])
}

impl UploadAttributes {
    /// Whether a field belongs to them.
    pub(super) fn has(name: &str) -> bool {
        [META, EXTERNAL_ID, EXPIRES].contains(&name)
    }

    /// Maximum bytes of a field as it is sent. A meta may be written with spaces and escapes, which do not count
    /// later.
    pub(super) fn most_bytes(name: &str) -> usize {
        if name == META { 4 * MAX_META } else { 4 * MAX_EXTERNAL_ID }
    }

    pub(super) fn set(&mut self, name: &str, value: String) {
        let field = match name {
            META => &mut self.meta,
            EXTERNAL_ID => &mut self.external_id,
            _ => &mut self.expires,
        };
        *field = Some(value).filter(|value| !value.is_empty());
    }

    /// What identifies them for idempotency.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let named = [(META, &self.meta), (EXTERNAL_ID, &self.external_id), (EXPIRES, &self.expires)];
        let given =
            named.into_iter().filter_map(|(name, value)| Some([name.as_bytes(), value.as_ref()?.as_bytes()]));
        given.flatten()
    }

    /// The attributes of each file.
    ///
    /// # Errors
    /// 400 when the meta is no JSON object, or the expiry no time.
    pub(super) fn read(self) -> Result<EntryAttributes, ApiError> {
        let meta = match self.meta.as_deref().map(serde_json::from_str::<Value>) {
            None => Map::new(),
            Some(Ok(Value::Object(meta))) => meta,
            Some(_) => return Err(ApiError::invalid("/meta", "'meta' must be a JSON object")),
        };
        let moment = |text: String| {
            let invalid = || ApiError::invalid("/expires", Expiry::RULE);
            Timestamp::of_rfc3339(&text).ok_or_else(invalid)
        };
        let expires = self.expires.map(moment).transpose()?;
        Ok(EntryAttributes { meta, external_id: self.external_id, expires })
    }
}
