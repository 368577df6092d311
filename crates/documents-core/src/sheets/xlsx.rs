//! Workbooks of Excel 2007 and later in XML (ECMA-376 part 1, 18).
//!
//! Parts are inflated one after the other through the guarded container, and cells are kept as they come: neither
//! counts nor dimensions that the file states are believed.

mod book;
mod cells;

use super::{Room, Sheet, write};
use crate::builder::Builder;
use crate::container::Container;
use crate::model::{Document, Format};
use crate::office::Package;
use crate::{Limits, ParseError};
use book::Book;

pub(crate) fn parse_xlsx(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    let package = Package::new(Container::open(bytes, limits)?, limits);
    let book = Book::read(&package, limits)?;
    let mut builder = Builder::new(Format::Xlsx, limits);
    let mut room = Room::new(limits);
    for (name, part) in &book.sheets {
        let mut sheet = Sheet::named(name);
        match package.part(part) {
            Ok(Some(xml)) => room.cut |= !cells::read(&xml, &book, &mut sheet, &mut room),
            Ok(None) => room.cut = true,
            Err(error) => room.excuse(error)?,
        }
        write(&mut builder, sheet, limits);
    }
    if room.cut {
        builder.truncate();
    }
    let metadata = &mut builder.document_mut().metadata;
    let truncated = metadata.truncated;
    *metadata = package.metadata().unwrap_or_default();
    metadata.truncated = truncated;
    metadata.page_count = u32::try_from(book.sheets.len()).ok();
    Ok(builder.finish())
}
