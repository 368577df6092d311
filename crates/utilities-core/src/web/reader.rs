//! Pages read as they were sent or, where they need scripts, as a browser shows them.

use std::sync::Arc;

use bytes::Bytes;
use documents_core::ParseError;
use futures_util::stream::{self, StreamExt as _};
use shared_core::{Capacity, Clock, Scope, WorkspaceId};
use webpage_core::WebPage;

use super::{FetchResponse, PageBrowser, PageParser, PageSource};
use crate::computed::{ComputedCache, Weighted};

/// Characters of text below which a page that needs scripts is shown by a browser.
const THIN: usize = 500;
/// What browsers showed and is kept at the most.
const ENTRIES: usize = 128;
const BYTES: usize = 32 << 20;

/// What a browser is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RenderOutput {
    Html,
    Picture,
}

type Key = (WorkspaceId, RenderOutput, String);

/// The browser did not show it, which its log tells about.
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

/// Reads pages. Clones share the browser and what it showed.
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

/// A page that was read.
#[derive(Clone, Debug, Default)]
pub struct PageReadResult {
    /// The page.
    pub page: WebPage,
    /// Whether it needs a browser that is there and did not show it, which may pass.
    pub render_failed: bool,
}

impl PageReader {
    /// Pages as `parser` reads them.
    #[must_use]
    pub fn new(parser: Arc<dyn PageParser>) -> Self {
        Self { parser, browser: None }
    }

    /// With a browser for pages that have hardly any text without scripts, and for pictures of pages. What it shows is used
    /// again for so many seconds within a workspace.
    #[must_use]
    pub fn with_browser(self, browser: Arc<dyn PageBrowser>, clock: Arc<dyn Clock>, seconds: u32) -> Self {
        let capacity = Capacity { entries: ENTRIES, bytes: BYTES };
        let browsing = CachedBrowser { browser, cache: ComputedCache::new(clock, capacity, seconds) };
        Self { browser: Some(Arc::new(browsing)), ..self }
    }

    /// The page that was fetched: as the browser shows it, where it needs scripts and that shows more.
    ///
    /// # Errors
    /// Those of the parser about the page as it was sent.
    pub async fn read(&self, scope: &Scope, found: &FetchResponse) -> Result<PageReadResult, ParseError> {
        let sent = self.parse_as_sent(found).await?;
        Ok(self.render_if_needed(scope, &found.url, sent).await)
    }

    /// The page that was sent: as the browser shows it, where it needs scripts and that shows more.
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

    /// What reads pages as they were sent.
    pub(super) fn parser(&self) -> &dyn PageParser {
        self.parser.as_ref()
    }

    /// The page as it was sent.
    pub(super) async fn parse_as_sent(&self, found: &FetchResponse) -> Result<WebPage, ParseError> {
        self.parser.parse_page(PageSource::from(found)).await
    }

    /// A picture of the page (PNG); `None` where there is no browser or it shows none.
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

/// The characters of a page's text, without white space.
fn length(page: &WebPage) -> usize {
    page.body.chars().filter(|c| !c.is_whitespace()).count()
}
