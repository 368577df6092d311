//! Items to be added to a base.

use std::mem;

use files_core::BlobKey;
use serde_json::{Map, Value};
use shared_core::{Scope, Timestamp};

use crate::{BaseId, Chunk, Content, Item, ItemError, ItemId, ItemStatus, Progress, Source};

/// A ready-made chunk. Its offsets count the characters of all texts of the item, joined by blank lines.
pub type NewChunk = Chunk;

/// What an item consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// A document to be parsed.
    Document {
        /// Its original. When the workspace has the same content already, the item refers to that blob.
        content: Content,
        /// Whether the bytes were written for this item. Otherwise they must exist already (`Missing("file")`
        /// when they do not).
        fresh: bool,
    },
    /// A remote document, which the job fetches; the item's source has the URL.
    Remote,
    /// Chunks in order.
    Chunks {
        /// In the order of their positions.
        chunks: Vec<NewChunk>,
        /// Their language, if detected.
        language: Option<String>,
    },
    /// It cannot be used.
    Unusable(ItemError),
}

/// An item to be added.
#[derive(Clone, Debug, PartialEq)]
pub struct NewItem {
    /// Identifier.
    pub id: ItemId,
    /// The API key that is charged for its vectors.
    pub key: Option<String>,
    /// Where it came from.
    pub source: Source,
    /// Its title.
    pub name: String,
    /// The user's metadata.
    pub meta: Map<String, Value>,
    /// The user's identifier of it. In a base, one item has it.
    pub external_id: Option<String>,
    /// From when on nothing finds it.
    pub expires: Option<Timestamp>,
    /// Size of the original, in bytes.
    pub bytes: u64,
    /// Identifies its content: items of a base with equal fingerprints are deduplicated.
    pub fingerprint: String,
    /// What it consists of.
    pub matter: Contents,
}

impl NewItem {
    /// The item as it is queued, before its contents are set.
    #[must_use]
    pub fn queued(&self, scope: &Scope, base: &BaseId, (number, place): (i64, u32), now: Timestamp) -> Item {
        Item {
            id: self.id.clone(),
            number,
            place,
            workspace: scope.workspace.clone(),
            base: base.clone(),
            author: scope.user.clone(),
            key: self.key.clone(),
            source: self.source.clone(),
            name: self.name.clone(),
            meta: self.meta.clone(),
            external_id: self.external_id.clone(),
            expires: self.expires,
            status: ItemStatus::Queued,
            error: None,
            bytes: self.bytes,
            content: None,
            chunks: 0,
            progress: Progress::default(),
            language: None,
            embedded: None,
            sequence: 0,
            position: 0,
            created: now,
            updated: now,
        }
    }
}

/// In what an entry differs from the item that has its external id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// In nothing that can be stored.
    Nothing,
    /// In its title, meta, expiry or source.
    Labels,
    /// In its content, and perhaps in its labels.
    Content,
}

impl NewItem {
    /// In what it differs from the item with its external id. `same_print`: whether the fingerprints are equal.
    #[must_use]
    pub fn difference(&self, item: &Item, same_print: bool) -> Difference {
        let same_content = same_print
            || match &self.matter {
                Contents::Document { content, .. } => {
                    let same_kind = mem::discriminant(&self.source) == mem::discriminant(&item.source);
                    let has = |old: &Content| (&old.sha256, old.bytes) == (&content.sha256, content.bytes);
                    same_kind && item.content.as_ref().is_some_and(has)
                }
                Contents::Remote => self.source == item.source,
                Contents::Chunks { .. } => false,
                // Nothing replaces nothing.
                Contents::Unusable(_) => return Difference::Nothing,
            };
        let named = self.keeps_name(item) || self.name == item.name;
        match same_content {
            false => Difference::Content,
            true if named && self.meta == item.meta && self.expires == item.expires => Difference::Nothing,
            true => Difference::Labels,
        }
    }

    /// Gives an item the title, meta, expiry and source of the entry.
    pub fn label(&self, item: &mut Item) {
        if !self.keeps_name(item) {
            item.name.clone_from(&self.name);
        }
        item.meta.clone_from(&self.meta);
        item.expires = self.expires;
        item.source.clone_from(&self.source);
    }

    /// Whether the title stays: a page of the web has the one that was found there.
    fn keeps_name(&self, item: &Item) -> bool {
        matches!(self.source, Source::Web { .. }) && self.source == item.source
    }
}

/// An item after [`ItemRepository::add`](super::ItemRepository::add).
#[derive(Clone, Debug, PartialEq)]
pub struct AddedItem {
    /// The item, or the existing one with the same content or external id.
    pub item: Item,
    /// Whether it is new.
    pub new: bool,
    /// Whether it is an existing one with other content than before.
    pub replaced: bool,
    /// Its former content, when nothing refers to that any more; the caller removes the bytes.
    pub orphan: Option<BlobKey>,
}

impl AddedItem {
    /// An item that was there before, with the content that it had.
    #[must_use]
    pub fn existing(item: Item) -> Self {
        Self { item, new: false, replaced: false, orphan: None }
    }
}
