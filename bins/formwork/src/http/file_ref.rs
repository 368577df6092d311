//! References to files in requests.

use std::borrow::Cow;

use files_core::FileId;
use gen_core::MAX_REFERENCE;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};
use shared_core::MAX_ID;

use super::rules::{NOT_BLANK, decimals_up_to};

/// A file id as a string or number, or a URL.
#[derive(Debug)]
pub(super) struct FileRef(pub(super) String);

/// A picture: a file id as a string or number, a URL, or a data URL.
#[derive(Debug)]
pub(super) struct PictureRef(pub(super) String);

impl PictureRef {
    /// Whether the picture itself is in the reference.
    pub(super) fn is_inline(&self) -> bool {
        self.0.starts_with("data:")
    }
}

impl<'de> Deserialize<'de> for PictureRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        FileRef::deserialize(deserializer).map(|reference| Self(reference.0))
    }
}

impl JsonSchema for PictureRef {
    fn schema_name() -> Cow<'static, str> {
        "PictureReference".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "integer"], "pattern": NOT_BLANK, "minimum": 0})
    }
}

/// A file id as a string or number.
#[derive(Debug)]
pub(super) struct FileIdRef(pub(super) FileId);

impl<'de> Deserialize<'de> for FileRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let reference = match Value::deserialize(deserializer)? {
            Value::String(text) => Some(text),
            Value::Number(id) => whole(&id),
            _ => None,
        };
        let rule = "a file is named by its id, a string or a whole number, or by a URL";
        reference.map(Self).ok_or_else(|| serde::de::Error::custom(rule))
    }
}

impl<'de> Deserialize<'de> for FileIdRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = match Value::deserialize(deserializer)? {
            Value::String(text) => FileId::parse(&text),
            Value::Number(id) => whole(&id).and_then(|text| FileId::parse(&text)),
            _ => None,
        };
        id.map(Self).ok_or_else(|| serde::de::Error::custom("a file id is a positive whole number"))
    }
}

/// The digits of an integer. JSON Schema counts 5.0 as an integer, too.
fn whole(number: &Number) -> Option<String> {
    number.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0)?;
    let text = number.to_string();
    Some(text.strip_suffix(".0").map(str::to_owned).unwrap_or(text))
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

impl JsonSchema for FileIdRef {
    fn schema_name() -> Cow<'static, str> {
        "FileId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "integer"], "pattern": decimals_up_to(MAX_ID), "minimum": 1, "maximum": MAX_ID
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_id_is_what_its_schema_describes() {
        let rule = FileIdRef::json_schema(&mut SchemaGenerator::default());
        let rule = jsonschema::draft202012::new(rule.as_value()).unwrap();
        let numbers = [0, 1, 7, 10, 99, 1 << 40, MAX_ID - 1, MAX_ID, MAX_ID + 1, 9_999_999_999_999_999, -1];
        let texts =
            ["", "0", "01", "+1", " 1", "1 ", "1\n", "1.0", "1e3", "x", "١", "https://example.com/", "72"];
        let written = numbers.iter().map(|number| json!(number.to_string()));
        let others = [json!(5.0), json!(5.5), json!(true), json!(null), json!([1]), json!(1e300)];
        let texts = texts.iter().map(|text| json!(text));
        for value in numbers.iter().map(|number| json!(number)).chain(written).chain(texts).chain(others) {
            let taken = FileIdRef::deserialize(value.clone()).is_ok();
            assert_eq!(rule.is_valid(&value), taken, "{value}");
        }
        let FileIdRef(last) = FileIdRef::deserialize(json!(MAX_ID.to_string())).unwrap();
        assert_eq!(last, FileId(MAX_ID));
    }
}
