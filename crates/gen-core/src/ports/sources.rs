//! Where context comes from, and where made pictures and sounds go.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::Value;
use shared_core::{Scope, StoreError, Violation};

use super::{CallerContext, Media};
use crate::GenError;

/// A document that a request names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDocument {
    /// Its id among the files, where it is one.
    pub id: String,
    /// Its title or name.
    pub title: String,
    /// Its Markdown.
    pub text: Arc<str>,
    /// Where each page begins in `text`, in bytes, ascending from 0; empty where there are no pages.
    pub pages: Vec<usize>,
    /// What of it was not read, as a sentence.
    pub unread: Option<String>,
    /// SHA-256 of its bytes, lower-case hex, by which copies of it are known; none where it has no bytes.
    pub sha256: Option<String>,
    /// Where its characters are printed, where that is known.
    pub layout: Option<Arc<dyn PageLayout>>,
}

impl SourceDocument {
    /// A document without pages.
    pub fn new(id: impl Into<String>, title: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        let (id, title, text) = (id.into(), title.into(), text.into());
        Self { id, title, text, pages: Vec::new(), unread: None, sha256: None, layout: None }
    }
}

/// Where the characters of a document are printed.
pub trait PageLayout: fmt::Debug + Send + Sync {
    /// The place of the characters from `start` to before `end` of the document's text, where `quote` stands; `None`
    /// where it does not stand there.
    fn place(&self, start: u64, end: u64, quote: &str) -> Option<PrintedPlace>;
}

impl PartialEq for dyn PageLayout {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl Eq for dyn PageLayout {}

/// Where a quote is printed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PrintedPlace {
    /// The page that it begins on, from 1, where there are pages.
    pub page: Option<u32>,
    /// The page that it ends on.
    pub last_page: Option<u32>,
    /// Left, top, right and bottom of its part on the first page, in points from the page's top left.
    pub rect: Option<[f64; 4]>,
}

/// A part of a passage as it stands in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceSpan {
    /// First byte in the passage's text.
    pub at: usize,
    /// Bytes.
    pub length: usize,
    /// First character in the document's text, in Unicode characters.
    pub start: u64,
    /// The page that it begins on, from 1, where there are pages.
    pub page: Option<u32>,
}

/// Why a source gave nothing. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It is not there or cannot be fetched: a stable code and a sentence.
    #[error("{message}")]
    Unusable {
        /// Such as `file_not_found` or `fetch_unavailable`.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// It is there and cannot be read: a stable code and a sentence.
    #[error("{message}")]
    Unreadable {
        /// Such as `document_encrypted`.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// It cannot be read yet; the same request may go through in a moment.
    #[error("{message}")]
    NotReady {
        /// Such as `index_not_ready`.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// The model that makes the question's vector failed, and words alone were not allowed.
    #[error(transparent)]
    Model(GenError),
    /// The store failed.
    #[error("the source could not be read")]
    Store(#[from] StoreError),
}

/// Reads documents by the references that requests use.
#[async_trait]
pub trait DocumentSource: fmt::Debug + Send + Sync + 'static {
    /// The document of a file id, own file URL, or web URL.
    async fn read(&self, scope: &Scope, reference: &str) -> Result<SourceDocument, SourceError>;
}

/// A knowledge base of a request, and how it is searched there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BaseQuery {
    /// Its id.
    pub id: String,
    /// Only items whose meta fits, in the grammar of the knowledge bases.
    pub filter: Option<Value>,
    /// Findings at the most.
    pub limit: Option<usize>,
    /// Only findings that reach this score, 0 to 1.
    pub min_score: Option<f32>,
    /// `lexical`, `semantic` or `hybrid`.
    pub mode: Option<String>,
}

impl<T: Into<String>> From<T> for BaseQuery {
    fn from(id: T) -> Self {
        Self { id: id.into(), ..Self::default() }
    }
}

/// A question to knowledge bases.
#[derive(Clone, Debug)]
pub struct KnowledgeQuery<'a> {
    /// On whose account vectors of the question are made.
    pub payer: &'a CallerContext,
    /// The bases, each once.
    pub bases: &'a [BaseQuery],
    /// The question; may be blank where they are wanted as a whole.
    pub query: &'a str,
    /// Whether they are wanted as a whole, as for a summary, and not for an answer alone.
    pub whole: bool,
    /// Characters of all passages together, at most.
    pub max_chars: usize,
}

/// A passage that may answer a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The knowledge base; none for a document of the request.
    pub knowledge_id: Option<String>,
    /// The item's or file's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// SHA-256 of the document's bytes, lower-case hex; none where there are none.
    pub sha256: Option<String>,
    /// The page that what was found in it begins on, from 1, where there are pages.
    pub page: Option<u32>,
    /// How well it fits, 0 to 1, higher is better; comparable within one answer.
    pub score: f64,
    /// The text.
    pub text: String,
    /// Which parts of the text stand where in the document, ascending. What is in none, such as headings that are
    /// repeated, was added.
    pub stretches: Vec<SourceSpan>,
}

/// What knowledge bases answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passages {
    /// Best first.
    pub passages: Vec<Passage>,
    /// What was left out of the search, as sentences for the user.
    pub warnings: Vec<String>,
}

/// Finds passages in knowledge bases.
#[async_trait]
pub trait KnowledgeSource: fmt::Debug + Send + Sync + 'static {
    /// What is wrong with how a base is to be searched, as far as that can be told without looking at it; `path` is
    /// the place of the base in the request.
    fn check(&self, _base: &BaseQuery, _path: &str) -> Vec<Violation> {
        Vec::new()
    }
    /// Passages for a question; an unknown base is [`SourceError::Unusable`].
    async fn passages(&self, scope: &Scope, question: KnowledgeQuery<'_>) -> Result<Passages, SourceError>;

    /// Where the characters of an item are printed, by the id that its passages have; `None` where that is not known.
    async fn layout(&self, scope: &Scope, id: &str) -> Option<Arc<dyn PageLayout>>;
}

/// Keeps made pictures and sounds.
#[async_trait]
pub trait MediaStore: fmt::Debug + Send + Sync + 'static {
    /// Stores it as a file of this name and gives the URL to read it from.
    async fn store(&self, scope: &Scope, name: &str, media: Media) -> Result<String, StoreError>;
}
