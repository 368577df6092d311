//! Parser, renderer and recogniser together, and the cache behind them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests assert, too")]

#[path = "../../../documents-core/tests/pdf/writer.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod writer;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use document::{
    ContentStream, Document, DocumentOrigin, DocumentParser, DocumentReader, MemoryParsedDocuments, OcrError,
    OcrLimits, Origin, OriginHandle, ParseError, ReadError, RecognisedWord, Recognition, Rect, Source,
    TextRecogniser,
};
use documents_core::{DirectParser, PARSER_VERSION};
use futures_executor::block_on;
use shared_core::{Scope, SystemClock, UserId, WorkspaceId};
use writer::{Page, pdf};

/// What a recogniser does when it is called for the first, second, … time.
#[derive(Debug, Default)]
struct Scripted {
    calls: AtomicUsize,
    /// Calls, from 1, that fail, and those at which the recogniser is unavailable.
    fails: HashSet<usize>,
    gone: HashSet<usize>,
    languages: &'static str,
}

#[async_trait]
impl TextRecogniser for Scripted {
    async fn recognise(&self, png: Vec<u8>, dpi: u32) -> Result<Vec<RecognisedWord>, OcrError> {
        assert!(png.starts_with(b"\x89PNG"));
        assert_eq!(dpi, 72);
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if self.gone.contains(&call) {
            return Err(OcrError::Unavailable("no such file".into()));
        }
        if self.fails.contains(&call) {
            return Err(OcrError::Timeout(60));
        }
        let rect = Rect { x0: 60.0, y0: 100.0, x1: 120.0, y1: 110.0 };
        Ok(vec![RecognisedWord { text: format!("Read{call}"), rect, confidence: 90.0, line: 1 }])
    }

    fn identity(&self) -> String {
        format!("scripted {}", self.languages)
    }
}

/// One document under every reference.
#[derive(Debug)]
struct One(Vec<u8>);

#[async_trait]
impl DocumentOrigin for One {
    async fn find(&self, _: &Scope, reference: &str) -> Result<Origin, ReadError> {
        let bytes = self.0.len() as u64;
        Ok(Origin {
            handle: OriginHandle::default(),
            id: reference.to_owned(),
            name: "scan.pdf".to_owned(),
            bytes,
            sha256: reference.to_owned(),
        })
    }

    async fn open(&self, _: &Scope, _: &Origin) -> Result<ContentStream, ReadError> {
        let content = bytes::Bytes::from(self.0.clone());
        Ok(Box::pin(futures_util::stream::iter([Ok(content)])))
    }
}

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".to_owned()), user: UserId("u".to_owned()) }
}

fn recognition(recogniser: &Arc<Scripted>, limits: OcrLimits) -> Recognition {
    let parser = Arc::new(DirectParser::default());
    Recognition::new(parser.clone(), parser, recogniser.clone(), Arc::new(SystemClock), limits)
}

/// Parses, and counts how often.
#[derive(Debug, Default)]
struct Counted {
    parser: DirectParser,
    calls: AtomicUsize,
}

#[async_trait]
impl DocumentParser for Counted {
    fn parser_version(&self) -> u32 {
        self.parser.parser_version()
    }

    async fn parse(&self, source: Source) -> Result<Document, ParseError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.parser.parse(source).await
    }
}

fn limits() -> OcrLimits {
    OcrLimits { dpi: 72, ..OcrLimits::default() }
}

fn reader(pages: &[Page], parsed: &Arc<MemoryParsedDocuments>) -> DocumentReader {
    let parser = Arc::new(DirectParser::default());
    DocumentReader::new(Arc::new(One(pdf(pages))), parser, parsed.clone(), Arc::new(SystemClock))
}

const PROSE: &str = "The ferry leaves at nine and comes back at noon, weather permitting.";

fn mixed() -> [Page; 3] {
    [Page::new().text(60.0, 100.0, 10.0, PROSE), Page::new().pictured(), Page::new().pictured()]
}

#[test]
fn pages_that_need_ocr_are_read_and_others_are_not() {
    let recogniser = Arc::new(Scripted::default());
    let parsed = Arc::default();
    let reader = reader(&mixed(), &parsed).with_recognition(recognition(&recogniser, limits()));
    let read = block_on(reader.read(&scope(), "a")).unwrap();
    assert_eq!(read.document.text, format!("{PROSE}\n\nRead1\n\nRead2"));
    assert_eq!(recogniser.calls.load(Ordering::Relaxed), 2);
    // And once for all.
    assert_eq!(block_on(reader.read(&scope(), "a")).unwrap().document, read.document);
    assert_eq!(recogniser.calls.load(Ordering::Relaxed), 2);
    let stored = block_on(reader.parsed(&scope(), "a", read.version)).unwrap();
    assert_eq!(stored, Some(read.document));
}

#[test]
fn what_was_read_without_ocr_is_read_again_when_there_is_ocr_and_when_its_languages_change() {
    let parsed = Arc::default();
    let without = block_on(reader(&mixed(), &parsed).read(&scope(), "a")).unwrap();
    assert_eq!((without.version, without.document.pages_needing_ocr()), (PARSER_VERSION, vec![2, 3]));
    let english = Arc::new(Scripted { languages: "eng", ..Scripted::default() });
    let with = reader(&mixed(), &parsed).with_recognition(recognition(&english, limits()));
    let first = block_on(with.read(&scope(), "a")).unwrap();
    assert!(first.document.text.ends_with("Read1\n\nRead2") && first.version != PARSER_VERSION);
    assert!(i32::try_from(first.version).is_ok() && first.version & 0xffff == PARSER_VERSION);
    let german = Arc::new(Scripted { languages: "deu", ..Scripted::default() });
    let other = reader(&mixed(), &parsed).with_recognition(recognition(&german, limits()));
    assert_ne!(block_on(other.read(&scope(), "a")).unwrap().version, first.version);
    assert_eq!(german.calls.load(Ordering::Relaxed), 2);
    assert_eq!(block_on(with.read(&scope(), "a")).unwrap().document, first.document);
    assert_eq!(english.calls.load(Ordering::Relaxed), 2);
}

#[test]
fn what_was_parsed_without_ocr_is_not_parsed_again_for_it() {
    let parsed: Arc<MemoryParsedDocuments> = Arc::default();
    let parser = Arc::new(Counted::default());
    let origin = Arc::new(One(pdf(&mixed())));
    let without = DocumentReader::new(origin, parser.clone(), parsed, Arc::new(SystemClock));
    block_on(without.read(&scope(), "a")).unwrap();
    let with = without.clone().with_recognition(recognition(&Arc::new(Scripted::default()), limits()));
    let read = block_on(with.read(&scope(), "a")).unwrap();
    assert!(read.document.text.ends_with("Read1\n\nRead2"), "{}", read.document.text);
    assert_eq!(parser.calls.load(Ordering::Relaxed), 1);
}

#[test]
fn documents_with_text_keep_the_version_that_they_have_without_ocr() {
    let parsed = Arc::default();
    let pages = [Page::new().text(60.0, 100.0, 10.0, PROSE)];
    let recogniser = Arc::new(Scripted::default());
    let reader = reader(&pages, &parsed).with_recognition(recognition(&recogniser, limits()));
    assert_eq!(block_on(reader.read(&scope(), "a")).unwrap().version, PARSER_VERSION);
    assert_eq!(recogniser.calls.load(Ordering::Relaxed), 0);
}

#[test]
fn a_page_that_fails_is_left_and_tried_again_the_next_time() {
    let recogniser = Arc::new(Scripted { fails: [1].into(), ..Scripted::default() });
    let parsed = Arc::default();
    let reader = reader(&mixed(), &parsed).with_recognition(recognition(&recogniser, limits()));
    let read = block_on(reader.read(&scope(), "a")).unwrap();
    assert_eq!(read.document.text, format!("{PROSE}\n\nRead2"));
    assert_eq!(read.document.pages_needing_ocr(), [2]);
    let again = block_on(reader.read(&scope(), "a")).unwrap();
    assert!(again.document.pages_needing_ocr().is_empty(), "{}", again.document.text);
}

#[test]
fn a_recogniser_that_is_gone_is_not_asked_for_every_page_and_the_text_that_there_is_stays() {
    let recogniser = Arc::new(Scripted { gone: (1..9).collect(), ..Scripted::default() });
    let parsed = Arc::default();
    let reader = reader(&mixed(), &parsed).with_recognition(recognition(&recogniser, limits()));
    let read = block_on(reader.read(&scope(), "a")).unwrap();
    assert_eq!((read.document.text.as_str(), read.document.pages_needing_ocr()), (PROSE, vec![2, 3]));
    assert_eq!(recogniser.calls.load(Ordering::Relaxed), 1);
}

#[test]
fn a_scan_that_cannot_be_read_says_which_pages_failed_and_why() {
    let scans = [Page::new().pictured(), Page::new().pictured()];
    let recogniser = Arc::new(Scripted { fails: (1..9).collect(), ..Scripted::default() });
    let reader = reader(&scans, &Arc::default()).with_recognition(recognition(&recogniser, limits()));
    let error = block_on(reader.read(&scope(), "a")).unwrap_err();
    let ReadError::Unusable { code, message } = error else { panic!("{error:?}") };
    assert_eq!(code, "document_ocr_failed");
    assert_eq!(message, "pages 1-2 need OCR, which failed: OCR took longer than 60 seconds");
}

#[test]
fn pages_beyond_the_limit_still_need_ocr_and_that_is_kept() {
    let recogniser = Arc::new(Scripted::default());
    let few = OcrLimits { pages: 1, ..limits() };
    let reader = reader(&mixed(), &Arc::default()).with_recognition(recognition(&recogniser, few));
    for _ in 0..2 {
        let read = block_on(reader.read(&scope(), "a")).unwrap();
        assert_eq!(read.document.pages_needing_ocr(), [3]);
    }
    assert_eq!(recogniser.calls.load(Ordering::Relaxed), 1);
}

#[test]
fn a_document_that_takes_too_long_keeps_the_pages_that_were_read() {
    let recogniser = Arc::new(Scripted::default());
    let short = OcrLimits { document_seconds: 0, ..limits() };
    let reader = reader(&mixed(), &Arc::default()).with_recognition(recognition(&recogniser, short));
    let read = block_on(reader.read(&scope(), "a")).unwrap();
    assert_eq!(read.document.pages_needing_ocr(), [2, 3]);
    assert_eq!(recogniser.calls.load(Ordering::Relaxed), 0);
}
