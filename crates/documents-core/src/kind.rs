//! Content types with parsers of their own, and the error for those that are not read.

use document::ParseError;

pub(crate) const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
pub(crate) const PPTX: &str = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
pub(crate) const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
pub(crate) const XLSB: &str = "application/vnd.ms-excel.sheet.binary.macroenabled.12";
pub(crate) const ODT: &str = "application/vnd.oasis.opendocument.text";
pub(crate) const ODS: &str = "application/vnd.oasis.opendocument.spreadsheet";
pub(crate) const ODP: &str = "application/vnd.oasis.opendocument.presentation";
pub(crate) const EPUB: &str = "application/epub+zip";
pub(crate) const ZIP: &str = "application/zip";
/// Files of Pages, Numbers and Keynote.
pub(crate) const IWORK: &str = "application/vnd.apple.iwork";
/// A package of parts in an unsupported format.
pub(crate) const PACKAGE: &str = "application/x-package";
pub(crate) const DOC: &str = "application/msword";
pub(crate) const XLS: &str = "application/vnd.ms-excel";
pub(crate) const PPT: &str = "application/vnd.ms-powerpoint";
pub(crate) const MSG: &str = "application/vnd.ms-outlook";
/// A file within a signature.
pub(crate) const SIGNED: &str = "application/pkcs7-mime";
pub(crate) const EML: &str = "message/rfc822";
/// A compound file of an unknown format.
pub(crate) const OLE: &str = "application/x-ole-storage";
/// A password-protected Office Open XML document.
pub(crate) const ENCRYPTED: &str = "application/x-ole-encrypted-package";

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
        "application/rtf" | DOCX | PPTX | ODT | ODP | EPUB => ("office", cfg!(feature = "office")),
        XLS | XLSX | XLSB | ODS => ("sheets", cfg!(feature = "sheets")),
        DOC | PPT => ("legacy", cfg!(feature = "legacy")),
        EML | MSG => ("mail", cfg!(feature = "mail")),
        "text/html" => ("web", cfg!(feature = "web")),
        "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/bmp" | "image/tiff" => {
            ("render", cfg!(feature = "render"))
        }
        _ => return None,
    };
    (!is_included).then_some(feature)
}
