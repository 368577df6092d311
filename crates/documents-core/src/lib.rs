#![doc = include_str!("../README.md")]

mod archive;
mod builder;
mod cell_coverage;
mod container;
mod doc;
mod encoding;
mod html;
mod json;
mod key_values;
mod limits;
mod mail;
mod memory;
mod model;
mod nested;
mod ocr;
mod office;
mod ole;
mod ole_properties;
mod outline;
mod parse;
mod pdf;
mod plain;
mod plain_text;
mod ports;
mod ppt;
mod reader;
pub mod render;
mod sheets;
mod slices;
mod sniff;
mod table_text;
mod tables;
mod thumbnail;
mod xml;
mod xml_text;

pub use encoding::charset;
pub use key_values::{KeyValue, KeyValueKind, key_values};
pub use limits::Limits;
pub use memory::{DirectParser, MemoryParsedDocuments};
pub use model::{
    Block, BlockKind, Cell, Document, FieldKind, FormField, Format, Link, Metadata, Page, Picture, Rect,
    Span, unread_pages_notice,
};
pub use ocr::{
    MAX_RECOGNISED_WORDS, MAX_WORD_CHARS, OcrError, OcrLimits, OpenSource, PageNumbers, RecognisedDocument,
    RecognisedPage, RecognisedWord, Recognition, TextRecogniser,
};
pub use parse::{parse, parse_recognised, raw_text};
pub use ports::{
    ContentStream, DocumentOrigin, DocumentParser, Origin, OriginHandle, PageRenderer, ParseError,
    ParsedDocuments, RecognisedParser, Source,
};
pub use reader::{DocumentReader, ReadDocument, ReadError};
pub use render::{Raster, RenderSize};
pub use slices::TextSlices;
pub use sniff::sniff;
pub use tables::{TableCell, TableContent, tables};
pub use thumbnail::{ImageFormat, Thumbnail, ThumbnailOptions, card, thumbnail};

/// Version of the parsers' output. It grows with every change that alters a document's text, so that cached
/// documents of older versions are parsed again.
pub const PARSER_VERSION: u32 = 6;

/// Version of the renderer's output. It grows with every change that alters thumbnails, so that they are
/// rendered again.
pub const RENDERER_VERSION: u32 = 2;
