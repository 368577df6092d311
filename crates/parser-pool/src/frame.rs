//! The wire protocol between the pool and its workers.
//!
//! A worker begins with a length and that many bytes of JSON, its `Confinement`.
//!
//! A request is the task (`u32` little-endian length, then that many bytes of JSON), the name (length, text)
//! and the content in chunks (length, bytes). A chunk of length zero ends the content. An answer is a length
//! and that many bytes of JSON, then a length and that many bytes of an image. The image is empty unless the
//! answer says otherwise.

use document::{
    Document, ImageFormat, PageColours, PageNumbers, ParseError, RecognisedPage, RenderSize, ThumbnailOptions,
};
use serde::{Deserialize, Serialize};
use webpage_core::WebPage;

/// Maximum bytes of a worker's confinement.
pub(crate) const MAX_CONFINEMENT: usize = 4_096;
/// Maximum bytes of a task.
pub(crate) const MAX_TASK: usize = 32 << 20;
/// Maximum bytes of a name.
pub(crate) const MAX_NAME: usize = 8_192;
/// Maximum bytes of a chunk.
pub(crate) const MAX_CHUNK: usize = 1 << 20;

/// The work that a request asks for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Detect the format and parse.
    Parse,
    /// Parse it, with the OCR results of its pages.
    ParseRecognised(Vec<RecognisedPage>),
    /// Extract its raw text only.
    RawText,
    /// Render one of its pages.
    Page { number: u32, size: RenderSize, colours: PageColours },
    /// Parse it as the web page at a URL.
    WebPage { url: String, content_type: Option<String> },
    /// Render a thumbnail.
    Thumbnail(ThumbnailOptions),
}

impl Task {
    /// Name of the kind of task in logs.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::ParseRecognised(_) => "parse_recognised",
            Self::RawText => "raw_text",
            Self::Page { .. } => "page",
            Self::WebPage { .. } => "web_page",
            Self::Thumbnail(_) => "thumbnail",
        }
    }
}

/// A worker's answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// The parsed document.
    Document(Box<Document>),
    /// The raw text.
    Text(String),
    /// The parsed web page.
    WebPage(Box<WebPage>),
    /// The image is a page.
    Page,
    /// The image is a thumbnail.
    Thumbnail { width: u32, height: u32, format: ImageFormat, page: u32, is_card: bool },
    /// The task failed.
    Failure(WireParseError),
}

/// A serializable [`ParseError`].
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
