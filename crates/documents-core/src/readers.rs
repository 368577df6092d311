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
        _ => None,
    }
}

/// The error for a format that is not read. It names the feature that would read it, where this build lacks one.
pub(crate) fn unsupported(kind: &str) -> ParseError {
    ParseError::Unsupported(match missing_feature(kind) {
        Some(feature) => format!("{kind}; this build lacks the feature {feature} of documents-core"),
        None => kind.to_owned(),
    })
}

/// The feature of a format, if it is not in this build.
fn missing_feature(kind: &str) -> Option<&'static str> {
    let (feature, is_included) = match kind {
        "application/pdf" => ("pdf", cfg!(feature = "pdf")),
        "application/rtf" | kind::DOCX | kind::PPTX | kind::ODT | kind::ODP | kind::EPUB => {
            ("office", cfg!(feature = "office"))
        }
        kind::XLS | kind::XLSX | kind::XLSB | kind::ODS => ("sheets", cfg!(feature = "sheets")),
        kind::DOC | kind::PPT => ("legacy", cfg!(feature = "legacy")),
        kind::EML | kind::MSG => ("mail", cfg!(feature = "mail")),
        "text/html" => ("web", cfg!(feature = "web")),
        "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/bmp" | "image/tiff" => {
            ("render", cfg!(feature = "render"))
        }
        _ => return None,
    };
    (!is_included).then_some(feature)
}
