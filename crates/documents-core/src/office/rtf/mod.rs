//! Rich Text Format.
//! Source: Rich Text Format Specification 1.9.1 (Microsoft).

mod charset;
mod lexer;
mod paragraph;
mod reader;
mod state;
mod table;
mod words;

use document::{Document, Format, ParseError};

use super::write::Writer;
use crate::Limits;
use reader::Reader;

/// Parses an RTF file.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    let mut reader = Reader::new(bytes, limits);
    reader.run();
    let (blocks, metadata) = reader.finish();
    let mut writer = Writer::new(Format::Rtf, limits);
    writer.write(&blocks);
    let document = writer.builder().document_mut();
    let truncated = document.metadata.truncated || metadata.truncated;
    document.metadata = metadata;
    document.metadata.truncated = truncated;
    writer.finish()
}
