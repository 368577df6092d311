//! Workbooks of Excel 2007 and later in XML (ECMA-376 part 1, 18).
//!
//! Parts are inflated one after the other through the guarded container, and cells are kept as they come: neither
//! counts nor dimensions that the file states are believed.

mod book;
mod cells;

use super::package::workbook;
use crate::model::{Document, Format};
use crate::office::Package;
use crate::{Limits, ParseError};
use book::Book;

pub(crate) fn parse_xlsx(package: &Package<'_>, limits: &Limits) -> Result<Document, ParseError> {
    let book = Book::read(package, limits)?;
    workbook(Format::Xlsx, package, &book.sheets, limits, |part, sheet, room| {
        let Some(xml) = package.part(part)? else { return Ok(false) };
        Ok(cells::read(&xml, &book, sheet, room))
    })
}
