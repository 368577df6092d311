//! Word documents before 2007 ([MS-DOC]): text by the piece table, paragraphs by their properties.

mod fib;
mod lists;
mod paragraphs;
mod pieces;
mod write;

use document::{Document, Format, ParseError};

use crate::Limits;
use crate::builder::Builder;
use crate::ole::Compound;
use fib::Fib;
use lists::Lists;
use paragraphs::Paragraphs;
use pieces::Pieces;

pub(crate) fn parse_doc(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    let file = Compound::open(bytes)?;
    let missing = || ParseError::Damaged("it holds no Word document".to_owned());
    let main = file.root_stream("WordDocument").ok_or_else(missing)?;
    let fib = Fib::read(&main)?;
    let table = file.root_stream(fib.table).unwrap_or_default();
    let pieces = Pieces::read(&main, &table, &fib);
    let characters = pieces.characters(limits.text_bytes);
    let paragraphs = Paragraphs::read(&main, &table, &fib);
    let mut builder = Builder::new(Format::Doc, limits);
    let lists = Lists::read(&table, &fib);
    write::document(&mut builder, &characters, &write::ParagraphTables { paragraphs, lists }, &fib, limits);
    crate::ole_properties::read(&file, &mut builder.document_mut().metadata);
    Ok(builder.finish())
}
