//! What this crate asks of its surroundings: a parser that cannot take the server down with it,
//! and a cache of what was parsed.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use shared_core::{DomainError, ErrorKind, Scope, StoreError};

use crate::{Document, PageNumbers, ReadError, RecognisedPage, RenderSize, Thumbnail, ThumbnailOptions};

/// The bytes of a file, part by part.
pub type ContentStream = BoxStream<'static, Result<bytes::Bytes, shared_core::BoxError>>;

/// Where a document comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its id there: for files, the file's.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of its bytes, lower-case hex.
    pub sha256: String,
    /// What was found, where it might be another when it is looked for again.
    pub handle: OriginHandle,
}

/// What an origin found and holds until it is opened. It means something to that origin alone, and all are equal.
#[derive(Clone, Default)]
pub struct OriginHandle(Option<Arc<dyn Any + Send + Sync>>);

impl OriginHandle {
    /// Holds a thing.
    #[must_use]
    pub fn new<T: Any + Send + Sync>(thing: Arc<T>) -> Self {
        Self(Some(thing))
    }

    /// What is held, if it is of this type.
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

/// Finds documents by the references that requests use.
#[async_trait]
pub trait DocumentOrigin: fmt::Debug + Send + Sync + 'static {
    /// What the reference (a file id, own file URL or web URL) names, if `scope` may read it.
    async fn find(&self, scope: &Scope, reference: &str) -> Result<Origin, ReadError>;
    /// Its bytes.
    async fn open(&self, scope: &Scope, origin: &Origin) -> Result<ContentStream, ReadError>;
}

/// The bytes of one file on their way to a parser.
pub struct Source {
    /// Name as the user gave it; a hint only.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The content. An error ends the parse with [`ParseError::Source`].
    pub content: ContentStream,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("name", &self.name).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// Why a document could not be read. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The file has no content.
    #[error("the file is empty")]
    Empty,
    /// None of the formats that can be read.
    #[error("the file is not of a kind that can be read ({0})")]
    Unsupported(String),
    /// It needs a password.
    #[error("the document is encrypted and needs a password")]
    Encrypted,
    /// It breaks its own format beyond repair.
    #[error("the document is damaged: {0}")]
    Damaged(String),
    /// It has no page of that number.
    #[error("the document has no such page; its last page is {pages}")]
    NoPage {
        /// Pages that it has.
        pages: u32,
    },
    /// It holds no text.
    #[error("the document has no text that can be read")]
    NoText,
    /// It holds no text but what OCR can read, and there is none.
    #[error(
        "{0} {verb} OCR, which is not available: install tesseract, or name it by the setting ocr.program",
        verb = .0.need()
    )]
    NeedsOcr(PageNumbers),
    /// The same, and OCR did not read them.
    #[error("{pages} {verb} OCR, which failed: {source}", verb = .pages.need())]
    OcrFailed {
        /// The pages that have no text for it.
        pages: PageNumbers,
        /// Why the first of them was not read.
        source: shared_core::BoxError,
    },
    /// Reading it takes more memory, time or depth than one document may have.
    #[error("the document needs more {0} than one document may use")]
    Limit(&'static str),
    /// The content could not be read to its end.
    #[error("the file's content could not be read")]
    Source(#[source] shared_core::BoxError),
    /// No parser could take it; trying again later may help.
    #[error("the document parser is not available")]
    Unavailable(#[source] shared_core::BoxError),
}

impl ParseError {
    /// Whether the content itself is to blame, so that trying again gives the same.
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

/// Parses files somewhere they can do no harm.
#[async_trait]
pub trait DocumentParser: fmt::Debug + Send + Sync + 'static {
    /// Reads `source` to the end. Dropping the future stops the work.
    async fn parse(&self, source: Source) -> Result<Document, ParseError>;
}

/// Draws pages somewhere they can do no harm.
#[async_trait]
pub trait PageRenderer: fmt::Debug + Send + Sync + 'static {
    /// Page `number` (from 1) of a PDF, a picture or a drawing as a PNG in shades of gray; errors as
    /// [`crate::render::page`]. Dropping the future stops the work.
    async fn page(&self, source: Source, number: u32, size: RenderSize) -> Result<Vec<u8>, ParseError>;
    /// A picture of any file. Whatever the file does, there is one; only a source that cannot be read and a
    /// renderer that cannot be started are errors.
    async fn thumbnail(&self, source: Source, options: ThumbnailOptions) -> Result<Thumbnail, ParseError>;
}

/// Parses files with what OCR read on their pages, somewhere they can do no harm.
#[async_trait]
pub trait RecognisedParser: fmt::Debug + Send + Sync + 'static {
    /// Reads `source` to the end as [`crate::parse_recognised`] does. Dropping the future stops the work.
    async fn parse_recognised(
        &self,
        source: Source,
        pages: Vec<RecognisedPage>,
    ) -> Result<Document, ParseError>;
}

/// Keeps parsed documents by content and parser version, within a workspace.
#[async_trait]
pub trait ParsedDocuments: fmt::Debug + Send + Sync + 'static {
    /// What was stored under the hash (SHA-256, lower-case hex) by parser `version`.
    async fn find(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
    ) -> Result<Option<Arc<Document>>, StoreError>;
    /// Stores a document; storing the same key again is no error and keeps the first.
    async fn store(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
        document: &Document,
    ) -> Result<(), StoreError>;
}
