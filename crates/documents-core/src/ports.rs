//! The ports of this crate: a parser that cannot crash the server, and a cache of parsed documents.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use shared_core::{DomainError, ErrorKind, Scope, StoreError};

use crate::{Document, PageNumbers, ReadError, RecognisedPage, RenderSize, Thumbnail, ThumbnailOptions};

/// The bytes of a file, in chunks.
pub type ContentStream = BoxStream<'static, Result<bytes::Bytes, shared_core::BoxError>>;

/// The source of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its id at the source: for files, the file's id.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// Handle of the resolved document, for sources whose content may change between two accesses.
    pub handle: OriginHandle,
}

/// Data that an origin keeps between resolving and opening. Only that origin interprets it; all handles
/// compare equal.
#[derive(Clone, Default)]
pub struct OriginHandle(Option<Arc<dyn Any + Send + Sync>>);

impl OriginHandle {
    /// Wraps a value.
    #[must_use]
    pub fn new<T: Any + Send + Sync>(thing: Arc<T>) -> Self {
        Self(Some(thing))
    }

    /// The value, if it has this type.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(self.0.as_ref()?).downcast().ok()
    }
}

impl PartialEq for OriginHandle {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for OriginHandle {}

impl fmt::Debug for OriginHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Held" } else { "Nothing" })
    }
}

/// Resolves the document references of requests.
#[async_trait]
pub trait DocumentOrigin: fmt::Debug + Send + Sync + 'static {
    /// Resolves a reference (a file id, own file URL or web URL), if `scope` may read it.
    async fn find(&self, scope: &Scope, reference: &str) -> Result<Origin, ReadError>;
    /// Opens its bytes.
    async fn open(&self, scope: &Scope, origin: &Origin) -> Result<ContentStream, ReadError>;
}

/// The bytes of one file for a parser.
pub struct Source {
    /// Name as the user gave it; a hint only.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The content. An error stops the parse with [`ParseError::Source`].
    pub content: ContentStream,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("name", &self.name).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// Why a document could not be parsed. `Display` is the user's message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The file has no content.
    #[error("the file is empty")]
    Empty,
    /// The format is not supported.
    #[error("the file is not of a kind that can be read ({0})")]
    Unsupported(String),
    /// It is protected by a password.
    #[error("the document is encrypted and needs a password")]
    Encrypted,
    /// It violates its format beyond repair.
    #[error("the document is damaged: {0}")]
    Damaged(String),
    /// It has no page with this number.
    #[error("the document has no such page; its last page is {pages}")]
    NoPage {
        /// Number of its pages.
        pages: u32,
    },
    /// It contains no text.
    #[error("the document has no text that can be read")]
    NoText,
    /// Only OCR can read its text, and no OCR program is configured.
    #[error(
        "{0} {verb} OCR, which is not available: install tesseract, or name it by the setting ocr.program",
        verb = .0.need()
    )]
    NeedsOcr(PageNumbers),
    /// Only OCR can read its text, and OCR failed.
    #[error("{pages} {verb} OCR, which failed: {source}", verb = .pages.need())]
    OcrFailed {
        /// The pages without text.
        pages: PageNumbers,
        /// Why the first of them failed.
        source: shared_core::BoxError,
    },
    /// It exceeds a resource limit.
    #[error("the document needs more {0} than one document may use")]
    Limit(&'static str),
    /// The content could not be read to its end.
    #[error("the file's content could not be read")]
    Source(#[source] shared_core::BoxError),
    /// No parser was available; retryable.
    #[error("the document parser is not available")]
    Unavailable(#[source] shared_core::BoxError),
}

impl ParseError {
    /// Whether the content itself is the cause, so that a retry fails the same way.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::Empty
            | Self::Unsupported(_)
            | Self::Encrypted
            | Self::Damaged(_)
            | Self::NoText
            | Self::NeedsOcr(_)
            | Self::NoPage { .. }
            | Self::Limit(_) => true,
            Self::Source(_) | Self::Unavailable(_) | Self::OcrFailed { .. } => false,
        }
    }
}

impl DomainError for ParseError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Unavailable(_) => ErrorKind::Saturated,
            Self::Source(_) => ErrorKind::Internal,
            Self::NoPage { .. } => ErrorKind::Invalid,
            _ => ErrorKind::Unreadable,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Empty => "document_empty",
            Self::Unsupported(_) => "document_unsupported",
            Self::Encrypted => "document_encrypted",
            Self::Damaged(_) => "document_damaged",
            Self::NoText => "document_without_text",
            Self::NeedsOcr(_) => "document_needs_ocr",
            Self::OcrFailed { .. } => "document_ocr_failed",
            Self::NoPage { .. } => "document_page_missing",
            Self::Limit(_) => "document_too_demanding",
            Self::Source(_) => "document_source_failed",
            Self::Unavailable(_) => "parser_unavailable",
        }
    }
}

/// Parses files in isolation.
#[async_trait]
pub trait DocumentParser: fmt::Debug + Send + Sync + 'static {
    /// Reads `source` to the end. Dropping the future cancels the work.
    async fn parse(&self, source: Source) -> Result<Document, ParseError>;
}

/// Renders pages in isolation.
#[async_trait]
pub trait PageRenderer: fmt::Debug + Send + Sync + 'static {
    /// Page `number` (from 1) of a PDF, an image or a drawing as a grayscale PNG; errors as
    /// [`crate::render::page`]. Dropping the future cancels the work.
    async fn page(&self, source: Source, number: u32, size: RenderSize) -> Result<Vec<u8>, ParseError>;
    /// A thumbnail of any file. A file that cannot be rendered has one too; the only errors are an unreadable
    /// source and an unavailable renderer.
    async fn thumbnail(&self, source: Source, options: ThumbnailOptions) -> Result<Thumbnail, ParseError>;
}

/// Parses files with the OCR results of their pages, in isolation.
#[async_trait]
pub trait RecognisedParser: fmt::Debug + Send + Sync + 'static {
    /// Reads `source` to the end as [`crate::parse_recognised`] does. Dropping the future cancels the work.
    async fn parse_recognised(
        &self,
        source: Source,
        pages: Vec<RecognisedPage>,
    ) -> Result<Document, ParseError>;
}

/// Caches parsed documents by content and parser version, within a workspace.
#[async_trait]
pub trait ParsedDocuments: fmt::Debug + Send + Sync + 'static {
    /// The document stored for the hash (SHA-256, lower-case hex) by parser `version`.
    async fn find(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
    ) -> Result<Option<Arc<Document>>, StoreError>;
    /// Stores a document. An existing entry with the same key stays, without an error.
    async fn store(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
        document: &Document,
    ) -> Result<(), StoreError>;
}
