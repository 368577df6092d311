//! Why a document was not parsed, or not read.

use shared_core::{DomainError, ErrorKind, StoreError};

use crate::page_numbers::PageNumbers;

/// Why a document could not be parsed. `Display` is the user's message.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The file has no content.
    #[error("the file is empty")]
    Empty,
    /// The format is not supported.
    #[error("the file is not of a kind that can be read ({0})")]
    Unsupported(String),
    /// It is protected by a password.
    #[error("the document is encrypted and needs a password")]
    Encrypted,
    /// It violates its format beyond repair.
    #[error("the document is damaged: {0}")]
    Damaged(String),
    /// It has no page with this number.
    #[error("the document has no such page; its last page is {pages}")]
    NoPage {
        /// Number of its pages.
        pages: u32,
    },
    /// Pages are asked for, and its format has none.
    #[error("the document has no pages of which some could be taken")]
    WithoutPages,
    /// It has no row of a table, or no section, with this number.
    #[error("the document has no such row or section")]
    NoUnit,
    /// It contains no text.
    #[error("the document has no text that can be read")]
    NoText,
    /// Only OCR can read its text, and no OCR program is configured.
    #[error(
        "{0} {verb} OCR, which is not available: install tesseract, or name it by the setting ocr.program",
        verb = .0.need()
    )]
    NeedsOcr(PageNumbers),
    /// Only OCR can read its text, and OCR failed.
    #[error("{pages} {verb} OCR, which failed: {source}", verb = .pages.need())]
    OcrFailed {
        /// The pages without text.
        pages: PageNumbers,
        /// Why the first of them failed.
        source: shared_core::BoxError,
    },
    /// It exceeds a resource limit.
    #[error("the document needs more {0} than one document may use")]
    Limit(&'static str),
    /// The content could not be read to its end.
    #[error("the file's content could not be read")]
    Source(#[source] shared_core::BoxError),
    /// No parser was available; retryable.
    #[error("the document parser is not available")]
    Unavailable(#[source] shared_core::BoxError),
}

impl ParseError {
    /// Whether the content itself is the cause, so that a retry fails the same way.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::Empty
            | Self::Unsupported(_)
            | Self::Encrypted
            | Self::Damaged(_)
            | Self::NoText
            | Self::NeedsOcr(_)
            | Self::NoPage { .. }
            | Self::WithoutPages
            | Self::NoUnit
            | Self::Limit(_) => true,
            Self::Source(_) | Self::Unavailable(_) | Self::OcrFailed { .. } => false,
        }
    }
}

impl DomainError for ParseError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Unavailable(_) => ErrorKind::Saturated,
            Self::Source(_) => ErrorKind::Internal,
            Self::NoPage { .. } | Self::WithoutPages => ErrorKind::Invalid,
            _ => ErrorKind::Unreadable,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Empty => "document_empty",
            Self::Unsupported(_) => "document_unsupported",
            Self::Encrypted => "document_encrypted",
            Self::Damaged(_) => "document_damaged",
            Self::NoText => "document_without_text",
            Self::NeedsOcr(_) => "document_needs_ocr",
            Self::OcrFailed { .. } => "document_ocr_failed",
            Self::NoPage { .. } => "document_page_missing",
            Self::WithoutPages => "document_without_pages",
            Self::NoUnit => "document_unit_missing",
            Self::Limit(_) => "document_too_demanding",
            Self::Source(_) => "document_source_failed",
            Self::Unavailable(_) => "parser_unavailable",
        }
    }
}

/// Why a document was not read. `Display` is the user's message.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// An error of the document itself.
    #[error("{message}")]
    Unusable {
        /// Stable error code, in snake case.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// A retryable error.
    #[error("{message}")]
    Transient {
        /// Stable error code, in snake case.
        code: &'static str,
        /// One sentence.
        message: String,
        /// Seconds after which to retry, if known.
        after: Option<u64>,
    },
    /// An error of the store, unrelated to the document.
    #[error("the document could not be read")]
    Store(#[from] StoreError),
}

impl ReadError {
    /// An error of the document itself.
    pub fn unusable(code: &'static str, message: impl Into<String>) -> Self {
        Self::Unusable { code, message: message.into() }
    }

    /// An error of parsing as one of reading.
    #[must_use]
    pub fn of_parsing(error: &ParseError) -> Self {
        Self::unusable(error.code(), error.to_string())
    }

    /// Whether the document was found but cannot be parsed, as opposed to not found or not fetched.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        let (Self::Unusable { code, .. } | Self::Transient { code, .. }) = self else { return false };
        *code == "page_not_shown" || (code.starts_with("document_") && *code != "document_source_failed")
    }
}
