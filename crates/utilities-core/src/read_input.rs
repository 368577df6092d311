//! One input after reading, and what is derived from it. All of this is CPU-bound work.

use std::sync::Arc;

use document::{Document, KeyValue, Origin, ReadDocument, TableContent, key_values, tables};
use language::Language;
use language::detect::detect_reliably;

use crate::ItemError;

/// An input of a call and its result.
#[derive(Debug)]
pub struct ReadInput {
    /// The reference of the request, or the upload's name.
    pub url: String,
    /// The document, or its error.
    pub read: Result<ReadDocument, ItemError>,
}

/// A document with its metadata.
#[derive(Clone, Debug)]
pub struct ParsedInput {
    /// Its title; the file's name when it has none.
    pub title: String,
    /// Its language (ISO 639-1): declared by the file, else detected from the text; `None` when neither is
    /// known.
    pub language: Option<String>,
    /// The parsed content.
    pub document: Arc<Document>,
    /// Where it came from.
    pub origin: Origin,
    /// Its tables, if requested.
    pub tables: Option<Vec<TableContent>>,
}

impl ReadInput {
    /// The document's text with its metadata.
    ///
    /// # Errors
    /// The error of this input.
    pub fn parsed(self, with_tables: bool) -> (String, Result<ParsedInput, ItemError>) {
        let parsed = self.read.map(|read| ParsedInput {
            title: title(&read),
            language: language(&read.document),
            tables: with_tables.then(|| tables(&read.document)),
            document: read.document,
            origin: read.origin,
        });
        (self.url, parsed)
    }

    /// The document's tables.
    ///
    /// # Errors
    /// The error of this input.
    pub fn tables(self) -> (String, Result<Vec<TableContent>, ItemError>) {
        (self.url, self.read.map(|read| tables(&read.document)))
    }

    /// The document's keys and values.
    ///
    /// # Errors
    /// The error of this input.
    pub fn key_values(self) -> (String, Result<Vec<KeyValue>, ItemError>) {
        (self.url, self.read.map(|read| key_values(&read.document)))
    }
}

pub(crate) fn title(read: &ReadDocument) -> String {
    let own = read.document.metadata.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    page_title(&read.origin).unwrap_or_else(|| own.unwrap_or(&read.origin.name).to_owned())
}

#[cfg(feature = "web")]
fn page_title(origin: &Origin) -> Option<String> {
    origin.handle.get::<crate::web::WebDocument>().and_then(|found| found.title.clone())
}

#[cfg(not(feature = "web"))]
fn page_title(_: &Origin) -> Option<String> {
    None
}

pub(crate) fn language(document: &Document) -> Option<String> {
    let declared = document.metadata.language.as_deref().map(str::trim).filter(|tag| !tag.is_empty());
    declared.or_else(|| detect_reliably(&document.text).and_then(Language::code)).map(str::to_owned)
}
