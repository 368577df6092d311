//! Data to be added to a base.

use files_core::FileId;
use serde_json::{Map, Value};
use shared_core::Timestamp;

/// Data to be added to a base. It becomes items in this order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewData {
    /// Stored files.
    pub files: Vec<FileEntry>,
    /// Files or pages of the web by their URLs.
    pub urls: Vec<UrlEntry>,
    /// Documents.
    pub texts: Vec<NewText>,
    /// Ready-made chunks. Those with equal title and attributes become one item, in order.
    pub chunks: Vec<NewPassage>,
    /// Meta and expiry of every entry. Of equal fields of the meta, and of two expiries, that of the entry counts.
    /// An external id is never shared.
    pub shared: EntryAttributes,
}

/// What the user says about an entry besides its title and content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryAttributes {
    /// The user's metadata.
    pub meta: Map<String, Value>,
    /// The user's identifier, unique in the base. An entry replaces the item that has it.
    pub external_id: Option<String>,
    /// From when on nothing finds it.
    pub expires: Option<Timestamp>,
}

impl EntryAttributes {
    /// Takes over what is shared and not its own.
    fn inherit(&mut self, shared: &Self) {
        self.expires = self.expires.or(shared.expires);
        if !shared.meta.is_empty() {
            let own = std::mem::replace(&mut self.meta, shared.meta.clone());
            self.meta.extend(own);
        }
    }
}

impl NewData {
    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.files.len() + self.urls.len() + self.texts.len() + self.chunks.len()
    }

    /// Gives each entry what is shared.
    pub(super) fn spread(mut self) -> Self {
        let files = self.files.iter_mut().map(|entry| &mut entry.attributes);
        let urls = self.urls.iter_mut().map(|entry| &mut entry.attributes);
        let texts = self.texts.iter_mut().map(|entry| &mut entry.attributes);
        let chunks = self.chunks.iter_mut().map(|entry| &mut entry.attributes);
        files.chain(urls).chain(texts).chain(chunks).for_each(|own| own.inherit(&self.shared));
        self
    }
}

/// A stored file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileEntry {
    /// As its upload gave it.
    pub id: FileId,
    /// What the user says about it.
    pub attributes: EntryAttributes,
}

impl From<FileId> for FileEntry {
    fn from(id: FileId) -> Self {
        Self { id, attributes: EntryAttributes::default() }
    }
}

/// A file or a page of the web.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UrlEntry {
    /// The id or own URL of a file, or a web URL.
    pub url: String,
    /// What the user says about it.
    pub attributes: EntryAttributes,
}

impl From<String> for UrlEntry {
    fn from(url: String) -> Self {
        Self { url, attributes: EntryAttributes::default() }
    }
}

/// A document as text, plain or Markdown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewText {
    /// Title of the item.
    pub title: String,
    /// The text.
    pub content: String,
    /// What the user says about it.
    pub attributes: EntryAttributes,
}

/// A ready-made chunk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewPassage {
    /// The title of the item that it is a part of.
    pub title: String,
    /// The text.
    pub content: String,
    /// The page that it begins on, from 1.
    pub page: Option<u32>,
    /// What the user says about the item.
    pub attributes: EntryAttributes,
}
