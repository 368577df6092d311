//! Reads references to parsed documents; each content is parsed once.

use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use shared_core::{Capacity, Clock, DomainError as _, KeyedLocks, Scope, StoreError, TtlCache};

use crate::error::{ParseError, ReadError};
use crate::model::{Document, Page};
use crate::page_numbers::PageNumbers;
use crate::ports::{DocumentOrigin, DocumentParser, Origin, PageRenderer, ParsedDocuments, Source};
use crate::recognition::Recognition;
use crate::rendering::{PageColours, RenderSize};

/// Reads documents by reference. Clones share the parses in flight.
#[derive(Clone, Debug)]
pub struct DocumentReader {
    origin: Arc<dyn DocumentOrigin>,
    parser: Arc<dyn DocumentParser>,
    parsed: Arc<dyn ParsedDocuments>,
    recognition: Option<Recognition>,
    renderer: Option<Arc<dyn PageRenderer>>,
    /// One lock for each content that is being parsed: many requests for one document parse it once.
    parsing: Arc<KeyedLocks<String>>,
    /// Contents that cannot be parsed, so that they are not parsed again for each request.
    unreadable: Arc<TtlCache<String, Unreadable>>,
    /// Whether what is parsed is stored.
    stores: bool,
}

/// A content that cannot be parsed.
#[derive(Clone, Debug)]
struct Unreadable {
    code: &'static str,
    message: String,
    /// The pages that only OCR can read, if that is the cause.
    pages: Option<PageNumbers>,
}

/// Why a document was not parsed.
enum ReadFailure {
    Error(ReadError),
    /// The content itself is the cause.
    Content(Unreadable),
}

impl From<ReadError> for ReadFailure {
    fn from(error: ReadError) -> Self {
        Self::Error(error)
    }
}

impl From<StoreError> for ReadFailure {
    fn from(error: StoreError) -> Self {
        Self::Error(error.into())
    }
}

impl From<ReadFailure> for ReadError {
    fn from(failure: ReadFailure) -> Self {
        match failure {
            ReadFailure::Error(error) => error,
            ReadFailure::Content(Unreadable { code, message, .. }) => Self::Unusable { code, message },
        }
    }
}

/// Contents found unreadable that are remembered.
const UNREADABLE: Capacity = Capacity { entries: 1_024, bytes: usize::MAX };
/// Seconds after which such a content is parsed again: a limit may have been met under heavy load.
const UNREADABLE_SECONDS: u32 = 600;

/// A document and where it came from.
#[derive(Clone, Debug)]
pub struct ReadDocument {
    /// Its source.
    pub origin: Origin,
    /// The parsed document.
    pub document: Arc<Document>,
    /// The version under which [`DocumentReader::parsed`] finds it again: [`DocumentReader::parser_version`], or
    /// that of the recognition of its pages.
    pub version: u32,
}

/// A document with text, or one of which only pictures of its pages can be shown.
#[derive(Debug)]
pub struct ReadPages {
    /// The document. Without text, its pages need OCR and have no size.
    pub read: ReadDocument,
    /// Why the document has no text, if it has none: what [`DocumentReader::read`] fails with.
    pub textless: Option<ReadError>,
}

impl DocumentReader {
    /// Builds the reader on its ports.
    #[must_use]
    pub fn new(
        origin: Arc<dyn DocumentOrigin>,
        parser: Arc<dyn DocumentParser>,
        parsed: Arc<dyn ParsedDocuments>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let unreadable = Arc::new(TtlCache::new(clock, UNREADABLE));
        Self {
            origin,
            parser,
            parsed,
            recognition: None,
            renderer: None,
            parsing: Arc::default(),
            unreadable,
            stores: true,
        }
    }

    /// Adds the renderer of [`Self::page_picture`].
    #[must_use]
    pub fn with_renderer(self, renderer: Arc<dyn PageRenderer>) -> Self {
        Self { renderer: Some(renderer), ..self }
    }

    /// Adds OCR for the pages that need it.
    #[must_use]
    pub fn with_recognition(self, recognition: Recognition) -> Self {
        Self { recognition: Some(recognition), ..self }
    }

    /// A reader for another origin, which shares the parser, the cache, and the parses in flight.
    #[must_use]
    pub fn with_origin(&self, origin: Arc<dyn DocumentOrigin>) -> Self {
        Self { origin, ..self.clone() }
    }

    /// A reader for another origin that stores nothing: it uses cached documents but adds none.
    #[must_use]
    pub fn without_storing(&self, origin: Arc<dyn DocumentOrigin>) -> Self {
        Self { stores: false, ..self.with_origin(origin) }
    }

    /// Reads the document of a file id, own file URL or web URL.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn read(&self, scope: &Scope, reference: &str) -> Result<ReadDocument, ReadError> {
        let origin = self.find(scope, reference).await?;
        self.read_found(scope, origin).await
    }

    /// Resolves a reference without reading the document.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn find(&self, scope: &Scope, reference: &str) -> Result<Origin, ReadError> {
        self.origin.find(scope, reference).await
    }

    /// Reads the document that [`Self::find`] resolved.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn read_found(&self, scope: &Scope, origin: Origin) -> Result<ReadDocument, ReadError> {
        let (document, version) = self.parse(scope, &origin).await?;
        Ok(ReadDocument { origin, document, version })
    }

    /// Reads a document as [`Self::read_found`] does. One that only OCR can read, and that OCR did not read, becomes a
    /// document without text whose pages need OCR, if its pages can be drawn.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn read_pages(&self, scope: &Scope, origin: Origin) -> Result<ReadPages, ReadError> {
        match self.parse(scope, &origin).await {
            Ok((document, version)) => {
                Ok(ReadPages { read: ReadDocument { origin, document, version }, textless: None })
            }
            Err(ReadFailure::Content(Unreadable { code, message, pages: Some(pages) }))
                if self.renderer.is_some() =>
            {
                let document = Arc::new(textless(&pages));
                let read = ReadDocument { origin, document, version: self.parser_version() };
                Ok(ReadPages { read, textless: Some(ReadError::Unusable { code, message }) })
            }
            Err(failure) => Err(failure.into()),
        }
    }

    /// Page `number` (from 1) of a document as an image file.
    ///
    /// # Errors
    /// As [`PageRenderer::page`]; [`ParseError::Unavailable`] without a renderer.
    pub async fn page_picture(
        &self,
        scope: &Scope,
        origin: &Origin,
        number: u32,
        size: RenderSize,
        colours: PageColours,
    ) -> Result<Vec<u8>, ParseError> {
        let renderer = self
            .renderer
            .as_ref()
            .ok_or_else(|| ParseError::Unavailable("the reader has no renderer".into()))?;
        let source = self.open(scope, origin).await.map_err(|error| ParseError::Source(error.into()))?;
        renderer.page(source, number, size, colours).await
    }

    /// Version of the parser's output, which cached documents are stored under.
    #[must_use]
    pub fn parser_version(&self) -> u32 {
        self.parser.parser_version()
    }

    /// A cached document, by the hash of its content and the parser version.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn parsed(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
    ) -> Result<Option<Arc<Document>>, StoreError> {
        self.parsed.find(scope, sha256, version).await
    }

    /// The bytes of a reference, unparsed; `None` when there are more than `most`.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn content(
        &self,
        scope: &Scope,
        reference: &str,
        most: u64,
    ) -> Result<Option<Vec<u8>>, ReadError> {
        let origin = self.find(scope, reference).await?;
        if origin.bytes > most {
            return Ok(None);
        }
        let mut content = self.origin.open(scope, &origin).await?;
        let mut bytes = Vec::new();
        while let Some(part) = content.next().await {
            let part = part.map_err(|error| ReadError::Store(StoreError::Failed(error)))?;
            if (bytes.len() + part.len()) as u64 > most {
                return Ok(None);
            }
            bytes.extend_from_slice(&part);
        }
        Ok(Some(bytes))
    }

    async fn parse(&self, scope: &Scope, origin: &Origin) -> Result<(Arc<Document>, u32), ReadFailure> {
        let key = format!("{}/{}", scope.workspace, origin.sha256);
        let _guard = self.parsing.lock(&key).await;
        let parser_version = self.parser_version();
        let known = self.parsed.find(scope, &origin.sha256, parser_version).await?;
        if let Some(document) = &known
            && (self.recognition.is_none() || !needs_ocr(document))
        {
            return Ok((Arc::clone(document), parser_version));
        }
        let recognition = self.recognition.as_ref();
        if let Some(version) = recognition.map(Recognition::version)
            && let Some(document) = self.parsed.find(scope, &origin.sha256, version).await?
        {
            return Ok((document, version));
        }
        if let Some(unreadable) = self.unreadable.get(&key) {
            return Err(ReadFailure::Content(unreadable));
        }
        let parsed = match known {
            Some(document) => Ok(Document::clone(&document)),
            None => self.parser.parse(self.open(scope, origin).await?).await,
        };
        let needs_ocr = match &parsed {
            Ok(document) => needs_ocr(document),
            Err(error) => matches!(error, ParseError::NeedsOcr(_)),
        };
        if let Some(recognition) = recognition.filter(|_| needs_ocr) {
            return self.recognise(recognition, scope, origin, parsed, key).await;
        }
        let document = parsed.map_err(|error| self.parse_failure(key, &error, None))?;
        if self.stores {
            self.parsed.store(scope, &origin.sha256, parser_version, &document).await?;
        }
        Ok((Arc::new(document), parser_version))
    }

    async fn recognise(
        &self,
        recognition: &Recognition,
        scope: &Scope,
        origin: &Origin,
        parsed: Result<Document, ParseError>,
        key: String,
    ) -> Result<(Arc<Document>, u32), ReadFailure> {
        let open = || -> BoxFuture<'_, Result<Source, ParseError>> {
            Box::pin(async {
                self.open(scope, origin).await.map_err(|error| ParseError::Source(error.into()))
            })
        };
        let scanned = match &parsed {
            Err(ParseError::NeedsOcr(pages)) => Some(pages.clone()),
            _ => None,
        };
        let recognised = recognition
            .recognise_pages(parsed, &open)
            .await
            .map_err(|error| self.parse_failure(key, &error, scanned))?;
        let version = recognition.version();
        // A failed recognition may succeed on a retry. It is not stored, since a stored document stays.
        if self.stores && !recognised.failed {
            self.parsed.store(scope, &origin.sha256, version, &recognised.document).await?;
        }
        Ok((Arc::new(recognised.document), version))
    }

    async fn open(&self, scope: &Scope, origin: &Origin) -> Result<Source, ReadError> {
        let content = self.origin.open(scope, origin).await?;
        Ok(Source { name: origin.name.clone(), bytes: origin.bytes, content })
    }

    /// Remembers permanent errors of the content; retryable ones are not remembered. `scanned`: the pages in which
    /// OCR searched for text.
    fn parse_failure(&self, key: String, error: &ParseError, scanned: Option<PageNumbers>) -> ReadFailure {
        let pages = match error {
            ParseError::NeedsOcr(pages) | ParseError::OcrFailed { pages, .. } => Some(pages.clone()),
            ParseError::NoText => scanned,
            _ => None,
        };
        let unreadable = Unreadable { code: error.code(), message: error.to_string(), pages };
        if error.is_permanent() {
            self.unreadable.insert(key, unreadable.clone(), 0, UNREADABLE_SECONDS);
        }
        ReadFailure::Content(unreadable)
    }
}

/// A document of these pages without text.
fn textless(pages: &PageNumbers) -> Document {
    let page = |number: &u32| Page { number: *number, needs_ocr: true, ..Page::default() };
    Document { pages: pages.0.iter().map(page).collect(), ..Document::default() }
}

/// Whether pages of a document still need OCR.
fn needs_ocr(document: &Document) -> bool {
    document.pages.iter().any(|page| page.needs_ocr)
}
