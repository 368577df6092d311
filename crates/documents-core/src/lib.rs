#![doc = include_str!("../README.md")]

mod archive;
mod builder;
mod container;
mod doc;
mod encoding;
mod html;
mod json;
mod limits;
mod mail;
mod memory;
mod model;
mod nested;
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
mod sheets;
mod sniff;
mod table_text;
mod xml;
mod xml_text;

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
pub const PARSER_VERSION: u32 = 4;
