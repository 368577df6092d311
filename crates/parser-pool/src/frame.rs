//! What goes over the pipes.
//!
//! A request is the task (length as `u32` little-endian, that many bytes of JSON), the name (likewise, text),
//! then the content in chunks (length, bytes) ended by a chunk of length zero. An answer is a length and that
//! many bytes of JSON, then a length and that many bytes of a picture, which are none but where the answer
//! says so.

use documents_core::{
    Document, ImageFormat, PageNumbers, ParseError, RecognisedPage, RenderSize, ThumbnailOptions,
};
use serde::{Deserialize, Serialize};
use webpage_core::WebPage;

/// Bytes of a task at the most.
pub(crate) const MAX_TASK: usize = 32 << 20;
/// Bytes of a name at the most.
pub(crate) const MAX_NAME: usize = 8_192;
/// Bytes of a chunk at the most.
pub(crate) const MAX_CHUNK: usize = 1 << 20;

/// What is to be done with a document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Read it.
    Parse,
    /// Read it with what OCR read on its pages.
    ParseRecognised(Vec<RecognisedPage>),
    /// Read its text alone.
    RawText,
    /// Draw one of its pages.
    Page { number: u32, size: RenderSize },
    /// Read it as the web page of an address.
    WebPage { url: String, content_type: Option<String> },
    /// Draw a small picture of it.
    Thumbnail(ThumbnailOptions),
}

/// A worker's answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// It was read.
    Document(Box<Document>),
    /// Its text.
    Text(String),
    /// It is a web page.
    WebPage(Box<WebPage>),
    /// The picture is a page as PNG.
    Page,
    /// The picture is a thumbnail.
    Thumbnail { width: u32, height: u32, format: ImageFormat, page: u32, is_card: bool },
    /// It was not done.
    Failure(WireParseError),
}

/// A [`ParseError`] that can travel.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WireParseError {
    Empty,
    Unsupported(String),
    Encrypted,
    Damaged(String),
    NoText,
    NeedsOcr(Vec<u32>),
    NoPage { pages: u32 },
    Limit,
}

impl From<ParseError> for WireParseError {
    fn from(error: ParseError) -> Self {
        match error {
            ParseError::Empty => Self::Empty,
            ParseError::Unsupported(kind) => Self::Unsupported(kind),
            ParseError::Encrypted => Self::Encrypted,
            ParseError::NoText => Self::NoText,
            ParseError::NeedsOcr(pages) => Self::NeedsOcr(pages.0),
            ParseError::NoPage { pages } => Self::NoPage { pages },
            ParseError::Limit(_) => Self::Limit,
            ParseError::Damaged(reason) => Self::Damaged(reason),
            other => Self::Damaged(other.to_string()),
        }
    }
}

impl From<WireParseError> for ParseError {
    fn from(failure: WireParseError) -> Self {
        match failure {
            WireParseError::Empty => Self::Empty,
            WireParseError::Unsupported(kind) => Self::Unsupported(kind),
            WireParseError::Encrypted => Self::Encrypted,
            WireParseError::Damaged(reason) => Self::Damaged(reason),
            WireParseError::NoText => Self::NoText,
            WireParseError::NeedsOcr(pages) => Self::NeedsOcr(PageNumbers(pages)),
            WireParseError::NoPage { pages } => Self::NoPage { pages },
            WireParseError::Limit => Self::Limit("room"),
        }
    }
}
