//! A passage of an item, the unit of retrieval.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// Identifies a chunk over all workspaces, for indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkKey {
    /// The item's number.
    pub item: i64,
    /// Its position in the item, from 0.
    pub position: u32,
}

/// A passage of an item. The concatenated texts of a document's chunks are the document's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its position in the item, from 0.
    pub position: u32,
    /// The page it begins on, from 1; `None` for formats without pages.
    pub page: Option<u32>,
    /// First character in the item's text, in Unicode characters.
    pub start: u64,
    /// After the last character.
    pub end: u64,
    /// The headings above it, from highest to lowest, and the header of a split table; one per line. Not part
    /// of `text`.
    pub heading: String,
    /// The text, without `heading`.
    pub text: String,
}

impl Chunk {
    /// Maximum chunks of an item.
    pub const MAX: usize = 1 << 20;

    /// The text that is embedded: the trimmed text under its headings.
    #[must_use]
    pub fn embedded_text(&self) -> String {
        match (self.heading.as_str(), self.text.trim()) {
            ("", text) => text.to_owned(),
            (heading, text) => format!("{heading}\n\n{text}"),
        }
    }

    /// Hash of the embedded text.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(&self.embedded_text())
    }
}

/// Identifies an embedded text: the first 16 bytes of its SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 16]);

impl ContentHash {
    /// The hash of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let mut first = [0; 16];
        first.copy_from_slice(&digest[..16]);
        Self(first)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shared_core::hex(&self.0))
    }
}
