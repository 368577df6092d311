//! Pages read as they were sent or, where they need scripts, as a browser shows them.

use std::sync::Arc;

use bytes::Bytes;
use documents_core::ParseError;
use futures_util::stream::{self, StreamExt as _};
use shared_core::{Clock, Scope, WorkspaceId};
use webpage_core::WebPage;

use super::{Fetched, PageBrowser, PageParser, PageSource};
use crate::kept::{KeptFor, Room, Weighs};

/// Characters of text below which a page that needs scripts is shown by a browser.
const THIN: usize = 500;
/// What browsers showed and is kept at the most.
const ENTRIES: usize = 128;
const BYTES: usize = 32 << 20;

/// What a browser is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Wanted {
    Html,
    Picture,
}

type Key = (WorkspaceId, Wanted, String);

/// The browser did not show it, which its log tells about.
#[derive(Clone, Copy, Debug)]
struct Unshown;

impl Weighs for Key {
    fn weight(&self) -> usize {
        size_of::<Self>() + self.0.as_str().len() + self.2.len()
    }
}

impl Weighs for Bytes {
    fn weight(&self) -> usize {
        self.len()
    }
}

/// Reads pages. Clones share the browser and what it showed.
#[derive(Clone, Debug)]
pub struct PageReader {
    parser: Arc<dyn PageParser>,
    browser: Option<Arc<Browsing>>,
}

#[derive(Debug)]
struct Browsing {
    browser: Arc<dyn PageBrowser>,
    kept: KeptFor<Key, Bytes, Unshown>,
}

/// A page that was read.
#[derive(Clone, Debug, Default)]
pub struct PageRead {
    /// The page.
    pub page: WebPage,
    /// Whether it needs a browser that is there and did not show it, which may pass.
    pub unshown: bool,
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
        let room = Room { entries: ENTRIES, bytes: BYTES, seconds };
        let browsing = Browsing { browser, kept: KeptFor::new(clock, room) };
        Self { browser: Some(Arc::new(browsing)), ..self }
    }

    /// The page that was fetched: as the browser shows it, where it needs scripts and that shows more.
    ///
    /// # Errors
    /// Those of the parser about the page as it was sent.
    pub async fn read(&self, scope: &Scope, found: &Fetched) -> Result<PageRead, ParseError> {
        let sent = self.sent(found).await?;
        Ok(self.shown(scope, &found.url, sent).await)
    }

    /// The page that was sent: as the browser shows it, where it needs scripts and that shows more.
    pub(super) async fn shown(&self, scope: &Scope, url: &str, sent: WebPage) -> PageRead {
        let needs_browser = sent.needs_script && length(&sent) < THIN;
        let Some(browser) = self.browser.as_ref().filter(|_| needs_browser) else {
            return PageRead { page: sent, unshown: false };
        };
        let Ok(html) = browser.show(scope, Wanted::Html, url).await else {
            return PageRead { page: sent, unshown: true };
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
        PageRead { page, unshown: false }
    }

    /// What reads pages as they were sent.
    pub(super) fn parser(&self) -> &dyn PageParser {
        self.parser.as_ref()
    }

    /// The page as it was sent.
    pub(super) async fn sent(&self, found: &Fetched) -> Result<WebPage, ParseError> {
        self.parser.parse_page(PageSource::from(found)).await
    }

    /// A picture of the page (PNG); `None` where there is no browser or it shows none.
    pub(super) async fn picture(&self, scope: &Scope, url: &str) -> Option<Bytes> {
        self.browser.as_ref()?.show(scope, Wanted::Picture, url).await.ok()
    }
}

impl Browsing {
    async fn show(&self, scope: &Scope, wanted: Wanted, url: &str) -> Result<Bytes, Unshown> {
        let key = (scope.workspace.clone(), wanted, url.to_owned());
        let work = async {
            let shown = match wanted {
                Wanted::Html => self.browser.render(url).await,
                Wanted::Picture => self.browser.picture(url).await,
            };
            shown.ok().ok_or(Unshown)
        };
        self.kept.outcome(key, work).await
    }
}

/// The characters of a page's text, without white space.
fn length(page: &WebPage) -> usize {
    page.body.chars().filter(|c| !c.is_whitespace()).count()
}
