//! The JSON of a list of models, as OpenAI and own servers give it.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::lenient::{Count, Flag, Names, Scalar, first};

/// Maximum number of models. Bounds the memory.
pub(super) const MOST: usize = 10_000;

/// Answer of `GET /models`: OpenAI's `data`; some servers give `models` beside or instead of it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ModelPage {
    #[serde(default, deserialize_with = "entries")]
    pub(super) data: Option<Vec<ModelEntry>>,
    #[serde(default, deserialize_with = "entries")]
    pub(super) models: Option<Vec<ModelEntry>>,
    #[serde(default)]
    pub(super) has_more: Flag,
    #[serde(default)]
    pub(super) last_id: Scalar,
}

/// One model, with what various servers say of it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ModelEntry {
    #[serde(default)]
    pub(super) id: Scalar,
    #[serde(default)]
    pub(super) name: Scalar,
    #[serde(default)]
    pub(super) model: Scalar,
    /// LM Studio's kind of the model.
    #[serde(default)]
    pub(super) r#type: Scalar,
    /// OpenAI's shutdown time: seconds since 1970 or a date.
    #[serde(default)]
    pub(super) shutdown_date: Scalar,
    #[serde(default)]
    pub(super) capabilities: Names,
    /// Context length under the names of Mistral, vLLM and LM Studio.
    #[serde(default, alias = "max_model_len", alias = "context_length", alias = "context_window")]
    pub(super) max_context_length: Count,
    #[serde(default)]
    pub(super) meta: Option<ModelMeta>,
}

/// llama.cpp's data on a model.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct ModelMeta {
    #[serde(default)]
    pub(super) n_ctx: Count,
    #[serde(default)]
    pub(super) n_ctx_train: Count,
}

/// A list of models in one of two forms: an object with the list, or the bare list.
#[derive(Debug, Default)]
pub(super) struct ModelListPage(pub(super) ModelPage);

impl<'de> Deserialize<'de> for ModelListPage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ListedVisitor)
    }
}

struct ListedVisitor;

impl<'de> Visitor<'de> for ListedVisitor {
    type Value = ModelListPage;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of models")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ModelListPage, A::Error> {
        ModelPage::deserialize(MapAccessDeserializer::new(map)).map(ModelListPage)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<ModelListPage, A::Error> {
        let mut data = Vec::new();
        while data.len() < MOST {
            match list.next_element()? {
                Some(entry) => data.push(entry),
                None => break,
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(ModelListPage(ModelPage { data: Some(data), ..ModelPage::default() }))
    }
}

/// The entries of a page; `null` is an empty list, as from Ollama.
pub(super) fn entries<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<ModelEntry>>, D::Error> {
    first::<MOST, _, _>(deserializer).map(Some)
}
