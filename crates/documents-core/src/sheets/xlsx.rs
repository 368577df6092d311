//! Workbooks of Excel 2007 and later in XML (ECMA-376 part 1, 18).
//!
//! Parts are inflated one at a time through the guarded container. Cells are collected as they occur:
//! declared counts and dimensions are not trusted.

mod book;
mod cells;

use document::{Document, Format, ParseError};

use super::package::workbook;
use crate::Limits;
use crate::package::Package;
use book::Book;

pub(crate) fn parse_xlsx(package: &Package<'_>, limits: &Limits) -> Result<Document, ParseError> {
    let book = Book::read(package, limits)?;
    workbook(Format::Xlsx, package, &book.sheets, limits, |part, sheet, room| {
        let Some(xml) = package.part(part)? else { return Ok(false) };
        Ok(cells::read(&xml, &book, sheet, room))
    })
}
