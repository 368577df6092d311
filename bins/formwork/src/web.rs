//! Builds web access: the fetcher, the sender of webhooks, and the browser, all under the same policy.

use std::sync::Arc;

use agents_core::{NoopToolServers, ToolServers};
use anyhow::Context as _;
use async_trait::async_trait;
use page_chromium::Chromium;
use parser_pool::ParserPool;
use providers_http::{GuardedFetcher, SystemResolver};
use shared_core::Clock;
use utilities_core::web::{NoopFetcher, PageReader, WebFetcher};
use webhooks_core::{SendError, WebhookMessage, WebhookResponse, WebhookSender};

use crate::browser;
use crate::settings::{Settings, Switch};

/// Error of a webhook sender when web access is off.
const OFF: &str = "nothing is sent to the web, because the setting fetch.web is off";

/// Access to the web.
pub(crate) struct Web {
    /// `None` when fetching is off.
    fetcher: Option<GuardedFetcher>,
    browser: Option<Chromium>,
    /// TTL in seconds of pages rendered by the browser.
    kept: u32,
    clock: Arc<dyn Clock>,
}

impl Web {
    /// Builds it from the settings.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub(crate) fn new(settings: &Settings, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        let kept = u32::try_from(settings.fetch.cache_seconds).unwrap_or(u32::MAX);
        if settings.fetch.web == Switch::Off {
            return Ok(Self { fetcher: None, browser: None, kept, clock });
        }
        let of_fetcher = settings.fetch.fetcher(&settings.data_dir).map_err(anyhow::Error::msg)?;
        let browser = browser::usable(settings, of_fetcher.policy.clone())?;
        let fetcher = GuardedFetcher::new(of_fetcher, Arc::new(SystemResolver), Arc::clone(&clock));
        Ok(Self { fetcher: Some(fetcher.context("the web cannot be fetched from")?), browser, kept, clock })
    }

    /// The fetcher, unless fetching is off.
    pub(crate) fn usable(&self) -> Option<Arc<dyn WebFetcher>> {
        self.fetcher.clone().map(|fetcher| Arc::new(fetcher) as Arc<dyn WebFetcher>)
    }

    /// The fetcher, or one that reports that fetching is off.
    pub(crate) fn fetcher(&self) -> Arc<dyn WebFetcher> {
        self.usable().unwrap_or_else(|| Arc::new(NoopFetcher))
    }

    /// The sender of webhook messages.
    pub(crate) fn sender(&self) -> Arc<dyn WebhookSender> {
        match &self.fetcher {
            Some(fetcher) => Arc::new(fetcher.sender()),
            None => Arc::new(NoSender),
        }
    }

    /// The reach to servers of tools.
    pub(crate) fn tool_servers(&self) -> Arc<dyn ToolServers> {
        match &self.fetcher {
            Some(fetcher) => Arc::new(fetcher.tool_servers()),
            None => Arc::new(NoopToolServers),
        }
    }

    /// The browser, if there is one.
    pub(crate) fn browser(&self) -> Option<Chromium> {
        self.browser.clone()
    }

    /// The reader of web pages.
    pub(crate) fn pages(&self, parsers: &ParserPool) -> PageReader {
        let reader = PageReader::new(Arc::new(parsers.clone()));
        match &self.browser {
            Some(browser) => {
                reader.with_browser(Arc::new(browser.clone()), Arc::clone(&self.clock), self.kept)
            }
            None => reader,
        }
    }
}

/// A sender that always fails.
#[derive(Clone, Copy, Debug)]
struct NoSender;

#[async_trait]
impl WebhookSender for NoSender {
    fn check(&self, _: &str) -> Result<(), String> {
        Err(OFF.to_owned())
    }

    async fn send(&self, _: &WebhookMessage) -> Result<WebhookResponse, SendError> {
        Err(SendError { message: OFF.to_owned(), source: None })
    }
}
