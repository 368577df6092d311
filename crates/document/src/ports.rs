//! The ports: where documents come from, a parser and a renderer that cannot crash the server, and a cache of
//! parsed documents. The port of OCR is [`crate::TextRecogniser`].

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use shared_core::{Scope, StoreError};

use crate::error::{ParseError, ReadError};
use crate::model::Document;
use crate::ocr::RecognisedPage;
use crate::rendering::{PageColours, RenderSize, Thumbnail, ThumbnailOptions};

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

/// Parses files in isolation.
#[async_trait]
pub trait DocumentParser: fmt::Debug + Send + Sync + 'static {
    /// Version of its output. It grows with every change that alters a document's text, so that cached
    /// documents of older versions are parsed again.
    fn parser_version(&self) -> u32;
    /// Reads `source` to the end. Dropping the future cancels the work.
    async fn parse(&self, source: Source) -> Result<Document, ParseError>;
}

/// Renders pages in isolation.
#[async_trait]
pub trait PageRenderer: fmt::Debug + Send + Sync + 'static {
    /// Version of its output. It grows with every change that alters thumbnails, so that they are rendered
    /// again.
    fn renderer_version(&self) -> u32;
    /// Page `number` (from 1) of a PDF, an image or a drawing as an image file. [`ParseError::NoPage`] past
    /// the end, [`ParseError::Unsupported`] for formats without pages that can be drawn. Dropping the future
    /// cancels the work.
    async fn page(
        &self,
        source: Source,
        number: u32,
        size: RenderSize,
        colours: PageColours,
    ) -> Result<Vec<u8>, ParseError>;
    /// A thumbnail of any file. A file that cannot be rendered has one too; the only errors are an unreadable
    /// source and an unavailable renderer.
    async fn thumbnail(&self, source: Source, options: ThumbnailOptions) -> Result<Thumbnail, ParseError>;
}

/// Parses files with the OCR results of their pages, in isolation.
#[async_trait]
pub trait RecognisedParser: DocumentParser {
    /// Reads `source` to the end, with the OCR results of `pages`, which replace the text of those pages.
    /// Dropping the future cancels the work.
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
