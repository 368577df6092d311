//! The entries of a request that adds data, and what is said about them.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use kb_core::rules::{MAX_CHUNK, MAX_EXTERNAL_ID, MAX_PAGE, MAX_TITLE};
use kb_core::{EntryAttributes, FileEntry, NewPassage, NewText, UrlEntry};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use shared_core::Timestamp;

use crate::http::file_ref::{FileIdRef, FileRef};
use crate::http::lists::AnyObject;
use crate::http::rules::NOT_BLANK;

/// A file as its id, or as an object.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "KnowledgeFileEntry")]
pub(super) struct FileObject {
    /// Id of the file.
    id: FileIdRef,
    /// Meta for search filters; at most 16 KiB as JSON.
    meta: Option<AnyObject>,
    /// Your own identifier. An item of the knowledge base that has it is replaced.
    #[serde(rename = "externalId")]
    #[schemars(length(max = MAX_EXTERNAL_ID), extend("pattern" = NOT_BLANK))]
    external_id: Option<String>,
    /// From when on searches no longer find it.
    expires: Option<Expiry>,
}

/// A file or an address of the web, or an object with it.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "KnowledgeUrlEntry")]
pub(super) struct UrlObject {
    /// Id or own URL of a file, or an address of the web.
    url: FileRef,
    /// Meta for search filters; at most 16 KiB as JSON.
    meta: Option<AnyObject>,
    /// Your own identifier. An item of the knowledge base that has it is replaced.
    #[serde(rename = "externalId")]
    #[schemars(length(max = MAX_EXTERNAL_ID), extend("pattern" = NOT_BLANK))]
    external_id: Option<String>,
    /// From when on searches no longer find it.
    expires: Option<Expiry>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct TextInput {
    #[schemars(length(max = MAX_TITLE), extend("pattern" = NOT_BLANK))]
    title: String,
    content: String,
    /// Meta for search filters; at most 16 KiB as JSON.
    #[serde(default, deserialize_with = "some_meta")]
    #[schemars(with = "Option<AnyObject>")]
    meta: Option<AnyObject>,
    /// Your own identifier. An item of the knowledge base that has it is replaced.
    #[serde(rename = "externalId")]
    #[schemars(length(max = MAX_EXTERNAL_ID), extend("pattern" = NOT_BLANK))]
    external_id: Option<String>,
    /// From when on searches no longer find it.
    expires: Option<Expiry>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct ChunkInput {
    /// Title of the item that it belongs to.
    #[schemars(length(max = MAX_TITLE), extend("pattern" = NOT_BLANK))]
    title: String,
    #[schemars(length(max = MAX_CHUNK))]
    content: String,
    /// The page on which it begins.
    #[schemars(range(min = 1, max = MAX_PAGE))]
    page: Option<u32>,
    /// Meta for search filters; at most 16 KiB as JSON.
    #[serde(default, deserialize_with = "some_meta")]
    #[schemars(with = "Option<AnyObject>")]
    meta: Option<AnyObject>,
    /// Your own identifier of the item. An item of the knowledge base that has it is replaced.
    #[serde(rename = "externalId")]
    #[schemars(length(max = MAX_EXTERNAL_ID), extend("pattern" = NOT_BLANK))]
    external_id: Option<String>,
    /// From when on searches no longer find the item.
    expires: Option<Expiry>,
}

/// Reads a meta: an object, or null for none.
pub(super) fn some_meta<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AnyObject>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        Value::Object(meta) => Ok(Some(meta)),
        _ => Err(Error::custom("'meta' must be an object")),
    }
}

/// A moment as text of RFC 3339.
#[derive(Clone, Copy, Debug)]
pub(in crate::http) struct Expiry(pub(in crate::http) Timestamp);

impl Expiry {
    /// The rule of the text.
    pub(in crate::http) const RULE: &'static str =
        "'expires' must be a time of RFC 3339, such as 2030-01-31T12:00:00Z";
}

impl<'de> Deserialize<'de> for Expiry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let moment = value.as_str().and_then(Timestamp::of_rfc3339);
        moment.map(Self).ok_or_else(|| Error::custom(Self::RULE))
    }
}

impl JsonSchema for Expiry {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Expiry".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "format": "date-time"})
    }
}

/// A reference alone, or an object with it.
pub(super) enum Entry<R, O> {
    Reference(R),
    Object(O),
}

impl<'de, R: Deserialize<'de>, O: Deserialize<'de>> Deserialize<'de> for Entry<R, O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor(PhantomData))
    }
}

/// Reads an object by its own rules, so that an error names the place in it, and all else as a reference.
struct EntryVisitor<R, O>(PhantomData<(R, O)>);

impl<'de, R: Deserialize<'de>, O: Deserialize<'de>> Visitor<'de> for EntryVisitor<R, O> {
    type Value = Entry<R, O>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reference to a file")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        R::deserialize(value.into_deserializer()).map(Entry::Reference)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        R::deserialize(value.into_deserializer()).map(Entry::Reference)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        R::deserialize(value.into_deserializer()).map(Entry::Reference)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        R::deserialize(value.into_deserializer()).map(Entry::Reference)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        R::deserialize(value.into_deserializer()).map(Entry::Reference)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        R::deserialize(().into_deserializer()).map(Entry::Reference)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        R::deserialize(SeqAccessDeserializer::new(items)).map(Entry::Reference)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        O::deserialize(MapAccessDeserializer::new(fields)).map(Entry::Object)
    }
}

impl<R: JsonSchema, O: JsonSchema> JsonSchema for Entry<R, O> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}Or{}", R::schema_name(), O::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [generator.subschema_for::<R>(), generator.subschema_for::<O>()]})
    }
}

/// The attributes of an entry.
pub(super) fn attributes(
    meta: Option<AnyObject>,
    external_id: Option<String>,
    expires: Option<Expiry>,
) -> EntryAttributes {
    let expires = expires.map(|Expiry(moment)| moment);
    EntryAttributes { meta: meta.unwrap_or_default(), external_id, expires }
}

impl From<Entry<FileIdRef, FileObject>> for FileEntry {
    fn from(entry: Entry<FileIdRef, FileObject>) -> Self {
        match entry {
            Entry::Reference(FileIdRef(id)) => id.into(),
            Entry::Object(FileObject { id: FileIdRef(id), meta, external_id, expires }) => {
                Self { id, attributes: attributes(meta, external_id, expires) }
            }
        }
    }
}

impl From<Entry<FileRef, UrlObject>> for UrlEntry {
    fn from(entry: Entry<FileRef, UrlObject>) -> Self {
        match entry {
            Entry::Reference(FileRef(url)) => url.into(),
            Entry::Object(UrlObject { url: FileRef(url), meta, external_id, expires }) => {
                Self { url, attributes: attributes(meta, external_id, expires) }
            }
        }
    }
}

impl From<TextInput> for NewText {
    fn from(TextInput { title, content, meta, external_id, expires }: TextInput) -> Self {
        Self { title, content, attributes: attributes(meta, external_id, expires) }
    }
}

impl From<ChunkInput> for NewPassage {
    fn from(ChunkInput { title, content, page, meta, external_id, expires }: ChunkInput) -> Self {
        Self { title, content, page, attributes: attributes(meta, external_id, expires) }
    }
}
