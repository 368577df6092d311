//! Combines parser, renderer and recogniser: pages that need OCR are rendered, recognised, and laid out with
//! the rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, stream};
use shared_core::{Clock, LiveCount, Timestamp};

use crate::error::ParseError;
use crate::model::Document;
use crate::ocr::{OcrError, RecognisedPage, TextRecogniser};
use crate::page_numbers::PageNumbers;
use crate::ports::{PageRenderer, RecognisedParser, Source};
use crate::rendering::{PageColours, RenderSize};

/// Opens the document, each time from its beginning.
pub type OpenSource<'a> = dyn Fn() -> BoxFuture<'a, Result<Source, ParseError>> + Send + Sync + 'a;

/// Resolution and limits of recognition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OcrLimits {
    /// Resolution of the rendered images, in pixels per inch.
    pub dpi: u32,
    /// Maximum pages of a document that are recognised; further ones still need OCR.
    pub pages: usize,
    /// Maximum pages of all documents that are recognised at the same time.
    pub at_once: usize,
    /// Seconds after which no further page of a document is started.
    pub document_seconds: u64,
}

impl Default for OcrLimits {
    fn default() -> Self {
        // Protects time: pages and seconds. `docs/benchmarks/documents.md` (OCR) measures 150 to 300 dots per
        // inch; more than 200 gain nothing.
        Self { dpi: 200, pages: 200, at_once: 1, document_seconds: 900 }
    }
}

/// Recognises pages. Clones share the permits of concurrent pages.
#[derive(Clone, Debug)]
pub struct Recognition {
    renderer: Arc<dyn PageRenderer>,
    parser: Arc<dyn RecognisedParser>,
    recogniser: Arc<dyn TextRecogniser>,
    clock: Arc<dyn Clock>,
    places: Arc<async_lock::Semaphore>,
    /// Pages that are in work, and pages that wait for a permit.
    running: LiveCount,
    waiting: LiveCount,
    limits: OcrLimits,
}

/// What a [`Recognition`] does at the moment, in pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecognitionLoad {
    /// Pages that are rendered or recognised.
    pub running: usize,
    /// Pages that wait.
    pub waiting: usize,
}

/// A document with the recognised pages.
#[derive(Clone, Debug, PartialEq)]
pub struct RecognisedDocument {
    /// The document. Pages that were not recognised still need OCR.
    pub document: Document,
    /// Whether the recognition of a page failed with a retryable error.
    pub failed: bool,
}

/// Why a page was not recognised.
enum PageFailure {
    Render(ParseError),
    Recognise(OcrError),
    /// Not started: the recogniser is unavailable, or the document took too long.
    NotStarted,
}

impl Recognition {
    /// Builds it on its ports.
    #[must_use]
    pub fn new(
        renderer: Arc<dyn PageRenderer>,
        parser: Arc<dyn RecognisedParser>,
        recogniser: Arc<dyn TextRecogniser>,
        clock: Arc<dyn Clock>,
        limits: OcrLimits,
    ) -> Self {
        let places = Arc::new(async_lock::Semaphore::new(limits.at_once.max(1)));
        let (running, waiting) = (LiveCount::default(), LiveCount::default());
        Self { renderer, parser, recogniser, clock, places, running, waiting, limits }
    }

    /// What it does at the moment.
    #[must_use]
    pub fn load(&self) -> RecognitionLoad {
        RecognitionLoad { running: self.running.get(), waiting: self.waiting.get() }
    }

    /// The version of documents with recognised pages: that of the parser in the lower 16 bits, and above it
    /// 15 bits, never zero, of a digest of everything that recognition depends on.
    #[must_use]
    pub fn version(&self) -> u32 {
        let OcrLimits { dpi, pages, .. } = self.limits;
        let digest = fnv1a(&format!("{}\n{dpi}\n{pages}", self.recogniser.identity()));
        ((digest % 0x7fff) + 1) << 16 | (self.parser.parser_version() & 0xffff)
    }

    /// Recognises the pages that need OCR according to `outcome`, the parsed document. A failed page does not
    /// affect the others.
    ///
    /// # Errors
    /// The error of `outcome`; [`ParseError::OcrFailed`] when only failed pages would have text.
    pub async fn recognise_pages(
        &self,
        outcome: Result<Document, ParseError>,
        open: &OpenSource<'_>,
    ) -> Result<RecognisedDocument, ParseError> {
        let wanted = match &outcome {
            Ok(document) => document.pages_needing_ocr(),
            Err(ParseError::NeedsOcr(pages)) => pages.0.clone(),
            Err(_) => Vec::new(),
        };
        if wanted.is_empty() {
            return outcome.map(|document| RecognisedDocument { document, failed: false });
        }
        let (pages, unread) = self.recognise_each(&wanted, open).await;
        let failed = unread.is_some();
        if pages.is_empty() {
            return without_recognition(outcome, wanted, unread);
        }
        let document = self.parser.parse_recognised(open().await?, pages).await;
        match (document, unread) {
            (Ok(document), _) => Ok(RecognisedDocument { document, failed }),
            (Err(ParseError::NeedsOcr(pages)), Some(unread)) => Err(ocr_failure(pages.0, unread)),
            (Err(error), _) => Err(error),
        }
    }

    /// The recognised pages, and the reason why a page failed, if one did.
    async fn recognise_each(
        &self,
        wanted: &[u32],
        open: &OpenSource<'_>,
    ) -> (Vec<RecognisedPage>, Option<PageFailure>) {
        let begun = self.clock.now();
        let gone = AtomicBool::new(false);
        let numbers = wanted.iter().copied().take(self.limits.pages);
        let read = stream::iter(numbers.map(|number| self.recognise_page(number, begun, &gone, open)));
        let results: Vec<_> = read.buffered(self.limits.at_once.max(1)).collect().await;
        let mut pages = Vec::new();
        let mut unread = None;
        for result in results {
            match result {
                Ok(page) => pages.push(page),
                // The cause of a failure has priority over its consequences.
                Err(error) if matches!(unread, None | Some(PageFailure::NotStarted)) => unread = Some(error),
                Err(_) => {}
            }
        }
        (pages, unread)
    }

    async fn recognise_page(
        &self,
        number: u32,
        begun: Timestamp,
        gone: &AtomicBool,
        open: &OpenSource<'_>,
    ) -> Result<RecognisedPage, PageFailure> {
        let waiting = self.waiting.enter();
        let _place = self.places.acquire().await;
        drop(waiting);
        let _running = self.running.enter();
        let late = self.clock.now().seconds_since(begun) >= self.limits.document_seconds as f64;
        if late || gone.load(Ordering::Relaxed) {
            return Err(PageFailure::NotStarted);
        }
        let source = open().await.map_err(PageFailure::Render)?;
        let size = RenderSize::Dpi(self.limits.dpi);
        let png =
            self.renderer.page(source, number, size, PageColours::Gray).await.map_err(PageFailure::Render)?;
        let (width, height) = png_size(&png)
            .ok_or_else(|| PageFailure::Render(ParseError::Damaged("a page cannot be drawn".to_owned())))?;
        let words = self.recogniser.recognise(png, self.limits.dpi).await.map_err(|error| {
            gone.fetch_or(matches!(error, OcrError::Unavailable(_)), Ordering::Relaxed);
            PageFailure::Recognise(error)
        })?;
        Ok(RecognisedPage { number, width, height, words })
    }
}

/// The document as it was parsed, when no page could be recognised.
fn without_recognition(
    outcome: Result<Document, ParseError>,
    wanted: Vec<u32>,
    unread: Option<PageFailure>,
) -> Result<RecognisedDocument, ParseError> {
    match (outcome, unread) {
        (Ok(document), unread) => Ok(RecognisedDocument { document, failed: unread.is_some() }),
        (Err(_), Some(unread)) => Err(ocr_failure(wanted, unread)),
        (Err(error), None) => Err(error),
    }
}

fn ocr_failure(pages: Vec<u32>, unread: PageFailure) -> ParseError {
    let source = match unread {
        PageFailure::Render(error) => error.into(),
        PageFailure::Recognise(error) => error.into(),
        PageFailure::NotStarted => "the document took too long".into(),
    };
    ParseError::OcrFailed { pages: PageNumbers(pages), source }
}

/// Width and height of a PNG in pixels; `None` for other bytes.
#[must_use]
pub fn png_size(png: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from_be_bytes(png.get(at..at + 4)?.try_into().ok()?));
    png.starts_with(b"\x89PNG\r\n\x1a\n").then_some(())?;
    Some((number(16)?, number(20)?)).filter(|(width, height)| *width > 0 && *height > 0)
}

/// The 32-bit FNV-1a hash (Fowler, Noll, Vo).
fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
