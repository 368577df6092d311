//! The parser of each format that the features of the build include.

use document::{Document, ParseError};

use crate::nested::Nesting;
use crate::package::Package;
use crate::{Limits, kind};

/// Parses the bytes of one format.
pub(crate) type Reader = fn(&[u8], &Limits) -> Result<Document, ParseError>;

/// The parser of a format that is not text.
pub(crate) fn reader(kind: &str) -> Option<Reader> {
    Some(match kind {
        #[cfg(feature = "pdf")]
        "application/pdf" => crate::pdf::parse_pdf,
        #[cfg(feature = "office")]
        "application/rtf" => crate::office::parse_rtf,
        #[cfg(feature = "sheets")]
        kind::XLS => crate::sheets::parse_xls,
        #[cfg(feature = "legacy")]
        kind::DOC => crate::doc::parse_doc,
        #[cfg(feature = "legacy")]
        kind::PPT => crate::ppt::parse_ppt,
        _ => return None,
    })
}

/// Parses a package of parts.
pub(crate) type PackageReader = fn(&Package<'_>, &Limits) -> Result<Document, ParseError>;

/// The parser of a package.
pub(crate) fn package_reader(kind: &str) -> Option<PackageReader> {
    Some(match kind {
        #[cfg(feature = "office")]
        kind::DOCX => crate::office::parse_docx,
        #[cfg(feature = "office")]
        kind::PPTX => crate::office::parse_pptx,
        #[cfg(feature = "office")]
        kind::ODT => crate::office::parse_odt,
        #[cfg(feature = "office")]
        kind::ODP => crate::office::parse_odp,
        #[cfg(feature = "office")]
        kind::EPUB => crate::office::parse_epub,
        #[cfg(feature = "sheets")]
        kind::XLSX => crate::sheets::parse_xlsx,
        #[cfg(feature = "sheets")]
        kind::XLSB => crate::sheets::parse_xlsb,
        #[cfg(feature = "sheets")]
        kind::ODS => crate::sheets::parse_ods,
        _ => return None,
    })
}

/// Parses a format that contains other documents.
pub(crate) type OuterReader = fn(&[u8], &Limits, &mut Nesting) -> Result<Document, ParseError>;

/// The parser of a format that contains other documents.
pub(crate) fn outer_reader(kind: &str) -> Option<OuterReader> {
    Some(match kind {
        #[cfg(feature = "mail")]
        kind::EML => crate::mail::parse_eml,
        #[cfg(feature = "mail")]
        kind::MSG => crate::mail::parse_msg,
        kind::ZIP => crate::archive::parse_zip,
        _ => return None,
    })
}
