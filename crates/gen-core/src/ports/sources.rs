//! Sources of context, and the store of generated media.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::Serialize;
use serde_json::Value;
use shared_core::{Scope, StoreError, Violation};

use super::{CallerContext, Media};
use crate::GenError;

/// A document that a request references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDocument {
    /// The file id, where the document is a file.
    pub id: String,
    /// Its title or name.
    pub title: String,
    /// Its Markdown.
    pub text: Arc<str>,
    /// The start of each page in `text`, in bytes, ascending from 0; empty without pages.
    pub pages: Vec<usize>,
    /// One sentence on what could not be read of it.
    pub unread: Option<String>,
    /// SHA-256 of its bytes in lower-case hex, which identifies copies; `None` without bytes.
    pub sha256: Option<String>,
    /// The positions of its characters on the pages, where they are known.
    pub layout: Option<Arc<dyn PageLayout>>,
}

impl SourceDocument {
    /// A document without pages, hash and layout.
    pub fn new(id: impl Into<String>, title: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        let (id, title, text) = (id.into(), title.into(), text.into());
        Self { id, title, text, pages: Vec::new(), unread: None, sha256: None, layout: None }
    }
}

/// The positions of a document's characters on its pages.
pub trait PageLayout: fmt::Debug + Send + Sync {
    /// The position of the characters `start..end` of the document's text; `None` unless `quote` is there.
    fn place(&self, start: u64, end: u64, quote: &str) -> Option<PrintedPlace>;
}

impl PartialEq for dyn PageLayout {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl Eq for dyn PageLayout {}

/// The position of a quote on the pages.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PrintedPlace {
    /// The page of its start, from 1; `None` without pages.
    pub page: Option<u32>,
    /// The page of its end, from 1.
    pub last_page: Option<u32>,
    /// Left, top, right and bottom of its part on the first page, in points from the top left corner.
    pub rect: Option<[f64; 4]>,
}

/// A part of a passage with its position in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceSpan {
    /// Start in the passage's text, in bytes.
    pub at: usize,
    /// Length in bytes.
    pub length: usize,
    /// Start in the document's text, in Unicode characters.
    pub start: u64,
    /// The page of its start, from 1; `None` without pages.
    pub page: Option<u32>,
}

/// Why a source could not be read. `Display` is a message for the user.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It does not exist or cannot be fetched.
    #[error("{message}")]
    Unusable {
        /// A stable code, such as `file_not_found` or `fetch_unavailable`.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// It exists and cannot be read.
    #[error("{message}")]
    Unreadable {
        /// A stable code, such as `document_encrypted`.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// It cannot be read yet; retryable.
    #[error("{message}")]
    NotReady {
        /// A stable code, such as `index_not_ready`.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// The embedding model of the query failed, and lexical search alone was not allowed.
    #[error(transparent)]
    Model(GenError),
    /// The store failed.
    #[error("the source could not be read")]
    Store(#[from] StoreError),
}

/// Reads documents by the references in requests.
#[async_trait]
pub trait DocumentSource: fmt::Debug + Send + Sync + 'static {
    /// The document of a file id, a file URL of this server, or a web URL.
    async fn read(&self, scope: &Scope, reference: &str) -> Result<SourceDocument, SourceError>;

    /// The picture of a file id, a file URL of this server, a web URL or a data URL, of at most so many bytes and of a
    /// type in [`super::PICTURE_TYPES`].
    async fn picture(&self, scope: &Scope, reference: &str, most: u64) -> Result<Media, SourceError> {
        let _ = (scope, reference, most);
        Err(SourceError::Unusable {
            code: "unsupported_picture",
            message: "pictures cannot be read here".to_owned(),
        })
    }
}

/// A knowledge base of a request, with its search options.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BaseQuery {
    /// The id.
    pub id: String,
    /// Only items whose metadata match, in the filter grammar of knowledge bases.
    pub filter: Option<Value>,
    /// Maximum number of results.
    pub limit: Option<usize>,
    /// Only results of at least this score, 0 to 1.
    pub min_score: Option<f32>,
    /// The search mode: `lexical`, `semantic` or `hybrid`.
    pub mode: Option<String>,
    /// How its results are reranked; as the knowledge base says when absent.
    pub rerank: Option<RerankOptions>,
}

/// How the results of a search are reranked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RerankOptions {
    /// The reranking model, as `model@provider`; that of the knowledge base when absent.
    pub model: Option<String>,
    /// Number of the best results that are reranked, 0 for none; that of the knowledge base when absent.
    pub depth: Option<usize>,
}

impl<T: Into<String>> From<T> for BaseQuery {
    fn from(id: T) -> Self {
        Self { id: id.into(), ..Self::default() }
    }
}

/// The changes of knowledge bases that a search waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// The change with this number, and all before it.
    Position(i64),
    /// Everything that was stored when the search began.
    Everything,
}

/// How a search waits for the index. When the time ends, it searches what the index has, and warns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexWait {
    /// What the index must contain.
    pub until: WaitFor,
    /// Maximum time of the wait.
    pub at_most: Duration,
}

/// A query against knowledge bases.
#[derive(Clone, Debug)]
pub struct KnowledgeQuery<'a> {
    /// The account that pays for the query's embedding and for reranking.
    pub payer: &'a CallerContext,
    /// The bases, without duplicates.
    pub bases: &'a [BaseQuery],
    /// The query; may be blank with `whole`.
    pub query: &'a str,
    /// Whether the whole content is needed, as for a summary, instead of the best results for a query.
    pub whole: bool,
    /// Maximum characters of all passages together.
    pub max_chars: usize,
    /// The changes that the search waits for; `None`: all that concern the bases.
    pub wait: Option<IndexWait>,
}

/// A passage that may answer a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The knowledge base; `None` for a document of the request.
    pub knowledge_id: Option<String>,
    /// The id of the item or file.
    pub id: String,
    /// Its title.
    pub title: String,
    /// SHA-256 of the document's bytes in lower-case hex; `None` without bytes.
    pub sha256: Option<String>,
    /// The page where the match in it begins, from 1; `None` without pages.
    pub page: Option<u32>,
    /// Relevance, 0 to 1; higher is better. Comparable within one answer.
    pub score: f64,
    /// The text.
    pub text: String,
    /// Which parts of the text are from where in the document, ascending. Text in none of them was added,
    /// such as repeated headings.
    pub stretches: Vec<SourceSpan>,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passages {
    /// Best first.
    pub passages: Vec<Passage>,
    /// Sentences for the user on what was left out of the search.
    pub warnings: Vec<String>,
}

/// Searches knowledge bases.
#[async_trait]
pub trait KnowledgeSource: fmt::Debug + Send + Sync + 'static {
    /// Validates the search options of a base, without reading the base. `path` is the JSON pointer of the
    /// base in the request.
    fn check(&self, _base: &BaseQuery, _path: &str) -> Vec<Violation> {
        Vec::new()
    }
    /// The passages for a query. An unknown base is [`SourceError::Unusable`].
    async fn passages(&self, scope: &Scope, question: KnowledgeQuery<'_>) -> Result<Passages, SourceError>;

    /// The positions of the characters of an item, by the id of its passages; `None` where they are unknown.
    async fn layout(&self, scope: &Scope, id: &str) -> Option<Arc<dyn PageLayout>>;
}

/// Stores generated images and speech.
#[async_trait]
pub trait MediaStore: fmt::Debug + Send + Sync + 'static {
    /// Stores a file under this name, and returns its URL.
    async fn store(&self, scope: &Scope, name: &str, media: Media) -> Result<String, StoreError>;
}
