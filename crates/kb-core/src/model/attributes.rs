//! What filters and facets compare.

use serde_json::{Map, Value};
use shared_core::Timestamp;

use super::{Item, ItemId, Source};

/// The meta of a findable item, and what the server itself knows of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemAttributes {
    /// The item's number.
    pub number: i64,
    /// Identifier.
    pub id: ItemId,
    /// Title.
    pub name: String,
    /// The user's metadata.
    pub meta: Map<String, Value>,
    /// Where it came from.
    pub source: Source,
    /// Its language (ISO 639-1), if detected.
    pub language: Option<String>,
    /// When it was added.
    pub created: Timestamp,
    /// When it was changed last.
    pub updated: Timestamp,
}

impl From<&Item> for ItemAttributes {
    fn from(item: &Item) -> Self {
        Self {
            number: item.number,
            id: item.id.clone(),
            name: item.name.clone(),
            meta: item.meta.clone(),
            source: item.source.clone(),
            language: item.language.clone(),
            created: item.created,
            updated: item.updated,
        }
    }
}
