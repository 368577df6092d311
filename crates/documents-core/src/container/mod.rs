//! ZIP containers with limits: office documents, books and archives of documents.
//!
//! Names are only keys into the container and never become file paths. Inflated bytes are counted and
//! bounded, by entry and in total, whatever the directory declares. The parser is our own over `flate2`: it
//! has to bound the directory before it is stored, to accept what office programs accept, and to write
//! nothing.
//! Source: PKWARE APPNOTE.TXT 6.3.10.

mod directory;
mod inflate;
mod kind;

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;

use document::ParseError;

use crate::Limits;
use directory::{Entry, entries};

#[cfg(feature = "pdf")]
pub(crate) use inflate::inflate;
pub(crate) use kind::kind_of_container;

/// An open container.
pub(crate) struct Container<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
    /// Indices in `entries` by exact name and by lower-case name; of duplicates, the first counts.
    by_name: HashMap<String, usize>,
    limits: Limits,
    left: Cell<usize>,
    spent: Cell<usize>,
}

impl fmt::Debug for Container<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Container").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

impl<'a> Container<'a> {
    /// Reads the directory of a ZIP file, or the local headers when the directory is lost.
    ///
    /// # Errors
    /// [`ParseError::Damaged`] when it is not a ZIP file, [`ParseError::Limit`] when it has too many entries.
    pub(crate) fn open(bytes: &'a [u8], limits: &Limits) -> Result<Self, ParseError> {
        let entries = entries(bytes, limits.entries)?;
        let mut by_name = HashMap::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            by_name.entry(entry.name.clone()).or_insert(index);
        }
        for (index, entry) in entries.iter().enumerate() {
            by_name.entry(entry.name.to_ascii_lowercase()).or_insert(index);
        }
        Ok(Self {
            bytes,
            entries,
            by_name,
            limits: *limits,
            left: Cell::new(limits.inflated_bytes),
            spent: Cell::new(0),
        })
    }

    /// The names of its files in directory order, with `/` as separator; without folders.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str()).filter(|name| !name.ends_with('/'))
    }

    /// Whether it contains a file with this name.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// The content of a file; `None` when there is none with this name. Case is ignored, unless two names
    /// differ only in case.
    ///
    /// # Errors
    /// [`ParseError::Encrypted`], [`ParseError::Damaged`], and [`ParseError::Limit`] when this file, or all
    /// that was read from the container, inflates beyond the limits.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, ParseError> {
        let Some(entry) = self.entry(name) else { return Ok(None) };
        let content = inflate::content(self.bytes, entry, &self.limits, self.left.get());
        let spent = match &content {
            Ok(content) => content.len(),
            // It was inflated up to the limit.
            Err(ParseError::Limit(_)) => self.limits.entry_bytes.min(self.left.get()),
            Err(_) => 0,
        };
        self.spent.set(self.spent.get().saturating_add(spent));
        let content = content?;
        self.left.set(self.left.get().saturating_sub(content.len()));
        Ok(Some(content))
    }

    /// Bytes inflated so far.
    pub(crate) fn spent(&self) -> usize {
        self.spent.get()
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        let name = name.trim_start_matches('/');
        let index = self.by_name.get(name).or_else(|| self.by_name.get(&name.to_ascii_lowercase()))?;
        self.entries.get(*index)
    }
}

#[cfg(test)]
mod tests;
