//! Parses the groups of a run from a request. A body of ten thousand groups is large, so it has a limit of
//! its own and is parsed without an intermediate JSON tree.

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use bytes::Bytes;
use delta_core::DocumentRef;
use document::PageRanges;
use futures_util::future::LocalBoxFuture;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::http::ApiError;
use crate::http::body::{json_bytes_up_to, parsed, syntax, type_violation};
use crate::http::request::{Input, app_state};
use crate::settings::LimitSettings;

/// A body with groups, not yet parsed.
pub(super) struct Groups {
    pub(super) sent: Bytes,
}

impl Input for Groups {
    fn read<'a>(
        request: &'a HttpRequest,
        payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(async move {
            let state = app_state(request)?;
            let limits = &state.limits;
            let sent = json_bytes_up_to(limits.groups_body_bytes, request, payload, limits).await?;
            Ok(Self { sent })
        })
    }
}

impl Groups {
    /// Parses the groups and gives their JSON pointer in the body. Beyond the limits of a run, one further
    /// group or document is returned; the rest is only checked to be JSON.
    pub(super) fn parse(
        self,
        limits: &LimitSettings,
    ) -> Result<(Vec<Vec<DocumentRef>>, &'static str), ApiError> {
        let mut reader = serde_json::Deserializer::from_slice(&self.sent);
        let mut track = serde_path_to_error::Track::new();
        let tracked = serde_path_to_error::Deserializer::new(&mut reader, &mut track);
        let most = BodyLimits { groups: limits.groups_per_run, documents: limits.documents_per_group };
        let read = BodySeed(most).deserialize(tracked);
        match read {
            Ok(read) => reader.end().map(|()| read).map_err(|error| syntax(&error)),
            // A body with a JSON syntax error further on gets that error.
            Err(error) if error.is_data() => {
                Err(self.broken(limits).unwrap_or_else(|| type_violation(&track.path(), &error.to_string())))
            }
            Err(error) => Err(syntax(&error)),
        }
    }

    /// The syntax error of the body, if it is not JSON. A body within the usual size limit is parsed into a
    /// tree, which bounds its depth. A larger body is only scanned, because a tree would take many times its
    /// size.
    fn broken(&self, limits: &LimitSettings) -> Option<ApiError> {
        match self.sent.len() <= limits.json_body_bytes {
            true => parsed(&self.sent).err(),
            false => serde_json::from_slice::<IgnoredAny>(&self.sent).err().map(|error| syntax(&error)),
        }
    }
}

/// Maximum numbers to parse, before the one that is too many.
#[derive(Clone, Copy)]
struct BodyLimits {
    groups: usize,
    documents: usize,
}

/// The array of groups, or an object with it under `files`.
struct BodySeed(BodyLimits);

/// The array of groups.
struct GroupsSeed(BodyLimits);

/// The array of a group's documents.
struct GroupSeed(BodyLimits);

impl<'de> DeserializeSeed<'de> for BodySeed {
    type Value = (Vec<Vec<DocumentRef>>, &'static str);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BodySeed {
    type Value = (Vec<Vec<DocumentRef>>, &'static str);

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array of groups, or an object with 'files'")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        Ok((GroupsSeed(self.0).visit_seq(items)?, ""))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut groups = None;
        while let Some(name) = members.next_key::<String>()? {
            if name == "files" {
                groups = Some(members.next_value_seed(GroupsSeed(self.0))?);
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        groups.map(|groups| (groups, "/files")).ok_or_else(|| A::Error::missing_field("files"))
    }
}

impl<'de> DeserializeSeed<'de> for GroupsSeed {
    type Value = Vec<Vec<DocumentRef>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for GroupsSeed {
    type Value = Vec<Vec<DocumentRef>>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut groups = Vec::new();
        while groups.len() <= self.0.groups {
            let Some(group) = items.next_element_seed(GroupSeed(self.0))? else { return Ok(groups) };
            groups.push(group);
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(groups)
    }
}

impl<'de> DeserializeSeed<'de> for GroupSeed {
    type Value = Vec<DocumentRef>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for GroupSeed {
    type Value = Vec<DocumentRef>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of documents, as in [[{\"url\": \"17\"}]]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut documents = Vec::new();
        while documents.len() <= self.0.documents {
            let Some(DocumentInput(document)) = items.next_element()? else { return Ok(documents) };
            documents.push(document);
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(documents)
    }
}

/// A document. It must be an object: derived deserialisers accept an array for one, with its items as the
/// fields in order.
struct DocumentInput(DocumentRef);

#[derive(Deserialize)]
struct Fields {
    #[serde(default)]
    description: Option<String>,
    #[serde(deserialize_with = "reference")]
    url: String,
    #[serde(default)]
    pages: Option<PageRanges>,
}

impl<'de> Deserialize<'de> for DocumentInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DocumentVisitor)
    }
}

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = DocumentInput;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object with 'url', 'description' and 'pages'")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        let Fields { description, url, pages } = Fields::deserialize(MapAccessDeserializer::new(members))?;
        let description = description.unwrap_or_default();
        Ok(DocumentInput(DocumentRef { description, pages, ..DocumentRef::new(url) }))
    }
}

/// A URL, or a file id as a string or number.
fn reference<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        Value::Number(id) if id.is_u64() => Ok(id.to_string()),
        _ => Err(D::Error::custom("'url' must be a string, or a file id")),
    }
}
