//! Parses pages as they were fetched or, when they need scripts, as a browser renders them.

use std::sync::Arc;

use bytes::Bytes;
use documents_core::ParseError;
use futures_util::stream::{self, StreamExt as _};
use shared_core::{Capacity, Clock, Scope, WorkspaceId};
use webpage_core::WebPage;

use super::{FetchResponse, PageBrowser, PageParser, PageSource};
use crate::computed::{ComputedCache, Weighted};

/// Characters of text below which a page that needs scripts is rendered by a browser. Decision 22. Chosen by
/// hand; no measurement is recorded.
const THIN: usize = 500;
// They bound the memory.
/// Maximum cached render results.
const ENTRIES: usize = 128;
const BYTES: usize = 32 << 20;

/// The output of a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RenderOutput {
    Html,
    Picture,
}

type Key = (WorkspaceId, RenderOutput, String);

/// The browser failed; its log has the reason.
#[derive(Clone, Copy, Debug)]
struct RenderFailure;

impl Weighted for Key {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.0.as_str().len() + self.2.len()
    }
}

impl Weighted for Bytes {
    fn weight(&self) -> usize {
        self.len()
    }
}

/// Reads pages. Clones share the browser and its cache.
#[derive(Clone, Debug)]
pub struct PageReader {
    parser: Arc<dyn PageParser>,
    browser: Option<Arc<CachedBrowser>>,
}

#[derive(Debug)]
struct CachedBrowser {
    browser: Arc<dyn PageBrowser>,
    cache: ComputedCache<Key, Bytes, RenderFailure>,
}

/// The result of reading a page.
#[derive(Clone, Debug, Default)]
pub struct PageReadResult {
    /// As fetched, or as the browser rendered it.
    pub page: WebPage,
    /// Whether the page needs a browser and the configured one failed, which is retryable.
    pub render_failed: bool,
}

impl PageReader {
    /// Reads pages with `parser`, without a browser.
    #[must_use]
    pub fn new(parser: Arc<dyn PageParser>) -> Self {
        Self { parser, browser: None }
    }

    /// Adds a browser for pages with hardly any text without scripts, and for screenshots. Its results are
    /// cached for `seconds` within a workspace.
    #[must_use]
    pub fn with_browser(self, browser: Arc<dyn PageBrowser>, clock: Arc<dyn Clock>, seconds: u32) -> Self {
        let capacity = Capacity { entries: ENTRIES, bytes: BYTES };
        let browsing = CachedBrowser { browser, cache: ComputedCache::new(clock, capacity, seconds) };
        Self { browser: Some(Arc::new(browsing)), ..self }
    }

    /// Parses a fetched page: as the browser renders it when it needs scripts and the rendering has more
    /// text.
    ///
    /// # Errors
    /// Those of the parser for the page as it was fetched.
    pub async fn read(&self, scope: &Scope, found: &FetchResponse) -> Result<PageReadResult, ParseError> {
        let sent = self.parse_as_sent(found).await?;
        Ok(self.render_if_needed(scope, &found.url, sent).await)
    }

    /// The parsed page, or its rendering when it needs scripts and the rendering has more text.
    pub(super) async fn render_if_needed(&self, scope: &Scope, url: &str, sent: WebPage) -> PageReadResult {
        let needs_browser = sent.needs_script && length(&sent) < THIN;
        let Some(browser) = self.browser.as_ref().filter(|_| needs_browser) else {
            return PageReadResult { page: sent, render_failed: false };
        };
        let Ok(html) = browser.render(scope, RenderOutput::Html, url).await else {
            return PageReadResult { page: sent, render_failed: true };
        };
        let source = PageSource {
            url: url.to_owned(),
            content_type: Some("text/html; charset=utf-8".to_owned()),
            bytes: html.len() as u64,
            content: stream::iter([Ok(html)]).boxed(),
        };
        let page = match self.parser.parse_page(source).await {
            Ok(shown) if length(&shown) > length(&sent) => WebPage { needs_script: true, ..shown },
            _ => sent,
        };
        PageReadResult { page, render_failed: false }
    }

    /// The parser of pages as they were fetched.
    pub(super) fn parser(&self) -> &dyn PageParser {
        self.parser.as_ref()
    }

    /// Parses the page as it was fetched.
    pub(super) async fn parse_as_sent(&self, found: &FetchResponse) -> Result<WebPage, ParseError> {
        self.parser.parse_page(PageSource::from(found)).await
    }

    /// A screenshot of the page (PNG); `None` when there is no browser or it fails.
    pub(super) async fn picture(&self, scope: &Scope, url: &str) -> Option<Bytes> {
        self.browser.as_ref()?.render(scope, RenderOutput::Picture, url).await.ok()
    }
}

impl CachedBrowser {
    async fn render(&self, scope: &Scope, wanted: RenderOutput, url: &str) -> Result<Bytes, RenderFailure> {
        let key = (scope.workspace.clone(), wanted, url.to_owned());
        let (browser, url) = (Arc::clone(&self.browser), url.to_owned());
        let work = async move {
            let shown = match wanted {
                RenderOutput::Html => browser.render(&url).await,
                RenderOutput::Picture => browser.picture(&url).await,
            };
            shown.ok().ok_or(RenderFailure)
        };
        self.cache.get_or_compute(key, work).await
    }
}

/// Characters of a page's text, without white space.
fn length(page: &WebPage) -> usize {
    page.body.chars().filter(|c| !c.is_whitespace()).count()
}
