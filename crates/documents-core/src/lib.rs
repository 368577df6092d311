#![doc = include_str!("../README.md")]

mod builder;
mod encoding;
mod html;
mod limits;
mod memory;
mod model;
mod parse;
mod pdf;
mod plain;
mod plain_text;
mod ports;
mod reader;
mod sniff;
mod table_text;

pub use limits::Limits;
pub use memory::{DirectParser, MemoryParsedDocuments};
pub use model::{
    Block, BlockKind, Cell, Document, FieldKind, FormField, Format, Link, Metadata, Page, Rect, Span,
};
pub use parse::{parse, raw_text};
pub use ports::{ContentStream, DocumentOrigin, DocumentParser, Origin, ParseError, ParsedDocuments, Source};
pub use reader::{DocumentReader, ReadDocument, ReadError};
pub use sniff::sniff;

/// The version of the parsers' output. It grows with every change that alters a document's text, so
/// that what older versions stored is parsed again.
pub const PARSER_VERSION: u32 = 2;
