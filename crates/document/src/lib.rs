#![doc = include_str!("../README.md")]

mod attachments;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod key_values;
mod memory;
mod model;
mod ocr;
mod page_numbers;
mod page_ranges;
mod page_selection;
mod plain_text;
mod ports;
mod reader;
mod recognition;
mod rendering;
mod slices;
mod tables;
mod units;

pub use attachments::DocumentPart;
pub use error::{ParseError, ReadError};
pub use key_values::{KeyValue, KeyValueKind, key_values};
pub use memory::MemoryParsedDocuments;
pub use model::{
    Attachment, Block, BlockKind, Cell, Document, FieldKind, FormField, Format, Link, Metadata, Page,
    Picture, Rect, Span, unread_pages_notice,
};
pub use ocr::{
    MAX_RECOGNISED_WORDS, MAX_WORD_CHARS, OcrError, RecognisedPage, RecognisedWord, TextRecogniser,
};
pub use page_numbers::PageNumbers;
pub use page_ranges::{MAX_PAGE_RANGES, PAGE_RANGES_PATTERN, PageRanges, PageRangesError};
pub use ports::{
    ContentStream, DocumentOrigin, DocumentParser, Origin, OriginHandle, PageRenderer, ParsedDocuments,
    RecognisedParser, Source,
};
pub use reader::{DocumentReader, ReadDocument, ReadPages};
pub use recognition::{OcrLimits, OpenSource, RecognisedDocument, Recognition, RecognitionLoad, png_size};
pub use rendering::{ImageFormat, PageColours, RenderSize, Thumbnail, ThumbnailOptions};
pub use slices::TextSlices;
pub use tables::{TableCell, TableContent, tables};
pub use units::DocumentUnit;
