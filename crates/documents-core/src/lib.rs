//! Bytes to a [`Document`] of pages, blocks and spans, and its Markdown.

mod model;
mod ports;
mod sniff;

pub use model::{Block, BlockKind, Cell, Document, Format, Metadata, Page, Rect, Span};
pub use ports::{DocumentParser, ParseError, ParsedDocuments, Source};
pub use sniff::sniff;

/// The version of the parsers' output. It grows with every change that alters a document's text, so
/// that what older versions stored is parsed again.
pub const PARSER_VERSION: u32 = 1;
