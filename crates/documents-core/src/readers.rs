//! The parser of each format that the features of the build include.

use document::{Document, ParseError};

use crate::nested::Nesting;
use crate::package::Package;
use crate::{Limits, kind};

/// Parses the bytes of one format.
pub(crate) type Reader = fn(&[u8], &Limits) -> Result<Document, ParseError>;

/// The parser of a format that is not text.
pub(crate) fn reader(kind: &str) -> Option<Reader> {
    match kind {
        #[cfg(feature = "pdf")]
        "application/pdf" => Some(crate::pdf::parse_pdf),
        #[cfg(feature = "office")]
        "application/rtf" => Some(crate::office::parse_rtf),
        #[cfg(feature = "sheets")]
        kind::XLS => Some(crate::sheets::parse_xls),
        #[cfg(feature = "legacy")]
        kind::DOC => Some(crate::doc::parse_doc),
        #[cfg(feature = "legacy")]
        kind::PPT => Some(crate::ppt::parse_ppt),
        _ => None,
    }
}

/// Parses a package of parts.
pub(crate) type PackageReader = fn(&Package<'_>, &Limits) -> Result<Document, ParseError>;

/// The parser of a package.
pub(crate) fn package_reader(kind: &str) -> Option<PackageReader> {
    match kind {
        #[cfg(feature = "office")]
        kind::DOCX => Some(crate::office::parse_docx),
        #[cfg(feature = "office")]
        kind::PPTX => Some(crate::office::parse_pptx),
        #[cfg(feature = "office")]
        kind::ODT => Some(crate::office::parse_odt),
        #[cfg(feature = "office")]
        kind::ODP => Some(crate::office::parse_odp),
        #[cfg(feature = "office")]
        kind::EPUB => Some(crate::office::parse_epub),
        #[cfg(feature = "sheets")]
        kind::XLSX => Some(crate::sheets::parse_xlsx),
        #[cfg(feature = "sheets")]
        kind::XLSB => Some(crate::sheets::parse_xlsb),
        #[cfg(feature = "sheets")]
        kind::ODS => Some(crate::sheets::parse_ods),
        _ => None,
    }
}

/// Parses a format that contains other documents.
pub(crate) type OuterReader = fn(&[u8], &Limits, &mut Nesting) -> Result<Document, ParseError>;

/// The parser of a format that contains other documents.
pub(crate) fn outer_reader(kind: &str) -> Option<OuterReader> {
    match kind {
        #[cfg(feature = "mail")]
        kind::EML => Some(crate::mail::parse_eml),
        #[cfg(feature = "mail")]
        kind::MSG => Some(crate::mail::parse_msg),
        kind::ZIP => Some(crate::archive::parse_zip),
        kind::SIGNED => Some(crate::cms::parse_signed),
        _ => None,
    }
}
