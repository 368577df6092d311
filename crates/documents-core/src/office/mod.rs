//! Documents of office programs and books: Office Open XML, OpenDocument, EPUB and RTF.

mod docx;
mod drawing;
mod epub;
mod flow;
mod kind;
mod math;
mod math_symbols;
mod number_format;
mod odf;
mod package;
mod pptx;
mod role;
mod rtf;
mod symbols;
mod write;

pub(crate) use kind::kind_of_container;
pub(crate) use odf::metadata_of;
pub(crate) use package::{Package, Relations};

use document::{Document, Format, ParseError};

use crate::Limits;
use crate::container::Container;

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

/// The embedded thumbnail of a package: that of Open Packaging Conventions, of OpenDocument, or the cover of
/// a book. It is not checked whether it can be decoded.
pub(crate) fn embedded_thumbnail(bytes: &[u8], limits: &Limits) -> Option<Vec<u8>> {
    let package = Package::new(Container::open(bytes, limits).ok()?, limits);
    let named = package.relations("").ok()?.into_values().find(|relation| relation.is_inner("thumbnail"));
    if let Some(relation) = named {
        return package.content(&relation.target).ok()?;
    }
    let own = package.content("Thumbnails/thumbnail.png").ok()?;
    own.or_else(|| epub::cover(&package))
}

/// Parses an RTF file.
pub(crate) fn parse_rtf(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    rtf::read(bytes, limits)
}
