//! Files as requests name them.

use std::borrow::Cow;

use gen_core::MAX_REFERENCE;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::rules::NOT_BLANK;

/// A file id as text or number, or a URL.
#[derive(Debug)]
pub(super) struct FileRef(pub(super) String);

impl<'de> Deserialize<'de> for FileRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self(text)),
            // JSON Schema takes 5.0 for an integer too.
            Value::Number(id) if id.as_f64().is_some_and(|id| id >= 0.0 && id.fract() == 0.0) => {
                let text = id.to_string();
                Ok(Self(text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)))
            }
            _ => Err(serde::de::Error::custom(
                "a file is named by its id, a string or a whole number, or by a URL",
            )),
        }
    }
}

impl JsonSchema for FileRef {
    fn schema_name() -> Cow<'static, str> {
        "FileReference".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "integer"], "pattern": NOT_BLANK, "maxLength": MAX_REFERENCE, "minimum": 0
        })
    }
}
