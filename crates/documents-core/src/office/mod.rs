//! Documents of office programs and books: Office Open XML, OpenDocument, EPUB and RTF.

mod docx;
mod drawing;
mod epub;
mod flow;
mod math;
mod math_symbols;
mod number_format;
mod odf;
mod pptx;
mod role;
mod rtf;
mod symbols;
mod write;

#[cfg(feature = "render")]
pub(crate) use epub::cover;

use document::{Document, Format, ParseError};

use crate::Limits;
use crate::package::Package;

/// Parses a DOCX file.
pub(crate) fn parse_docx(package: &Package<'_>, _: &Limits) -> Result<Document, ParseError> {
    docx::read(package)
}

/// Parses a PPTX file.
pub(crate) fn parse_pptx(package: &Package<'_>, _: &Limits) -> Result<Document, ParseError> {
    pptx::read(package)
}

/// Parses an ODT file.
pub(crate) fn parse_odt(package: &Package<'_>, _: &Limits) -> Result<Document, ParseError> {
    odf::read(package, Format::Odt)
}

/// Parses an ODP file.
pub(crate) fn parse_odp(package: &Package<'_>, _: &Limits) -> Result<Document, ParseError> {
    odf::read(package, Format::Odp)
}

/// Parses an EPUB file.
pub(crate) fn parse_epub(package: &Package<'_>, _: &Limits) -> Result<Document, ParseError> {
    epub::read(package)
}

/// Parses an RTF file.
pub(crate) fn parse_rtf(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    rtf::read(bytes, limits)
}
