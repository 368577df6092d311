//! The port of a parser of web pages.

use std::fmt;

use async_trait::async_trait;
use document::{ContentStream, ParseError};
use webpage_core::WebPage;

use super::FetchResponse;

/// Parses web pages.
#[async_trait]
pub trait PageParser: fmt::Debug + Send + Sync + 'static {
    /// Parses the page in these bytes.
    async fn parse_page(&self, source: PageSource) -> Result<WebPage, ParseError>;
    /// The content type of a file by its first bytes; its name only tells kinds of text apart.
    fn sniff(&self, prefix: &[u8], name: &str) -> &'static str;
}

/// The bytes of a page for a parser.
pub struct PageSource {
    /// The final URL, after all redirects.
    pub url: String,
    /// `Content-Type` as it was received.
    pub content_type: Option<String>,
    /// Size in bytes.
    pub bytes: u64,
    /// The content. An error stops the parse with [`ParseError::Source`].
    pub content: ContentStream,
}

impl fmt::Debug for PageSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageSource")
            .field("url", &self.url)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl From<&FetchResponse> for PageSource {
    fn from(fetched: &FetchResponse) -> Self {
        Self {
            url: fetched.url.clone(),
            content_type: fetched.content_type.clone(),
            bytes: fetched.bytes,
            content: fetched.open(),
        }
    }
}
