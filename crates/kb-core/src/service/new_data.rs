//! Data to be added to a base.

use files_core::FileId;
use serde_json::{Map, Value};

/// Data to be added to a base. It becomes items in this order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewData {
    /// Ids of stored files.
    pub files: Vec<FileId>,
    /// Ids or own URLs of files, or web URLs.
    pub urls: Vec<String>,
    /// Documents.
    pub texts: Vec<NewText>,
    /// Ready-made chunks. Those with equal title and meta become one item, in order.
    pub chunks: Vec<NewPassage>,
}

/// A document as text, plain or Markdown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewText {
    /// Title of the item.
    pub title: String,
    /// The text.
    pub content: String,
    /// The user's metadata.
    pub meta: Map<String, Value>,
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
    /// The user's metadata.
    pub meta: Map<String, Value>,
}
