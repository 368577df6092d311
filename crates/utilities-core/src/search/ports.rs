//! The ports of the search.

use std::fmt;

use async_trait::async_trait;
use gen_core::ProviderError;
use shared_core::Scope;

use super::plain::Markup;
use super::query::{Kind, Query};
use crate::web::PagesService;

/// Searches the web.
#[async_trait]
pub trait SearchProvider: fmt::Debug + Send + Sync + 'static {
    /// Name in settings and messages, such as `searxng`.
    fn name(&self) -> &'static str;

    /// The hits of a query, best first. No hits is an answer. Whatever kept the provider from searching is an
    /// error, whichever HTTP status it comes with. Dropping the future cancels the work.
    async fn search(&self, scope: &Scope, query: &Query) -> Result<ProviderHits, ProviderError>;
}

/// Searches the news.
#[async_trait]
pub trait NewsProvider: fmt::Debug + Send + Sync + 'static {
    /// Name in settings and messages, such as `feeds`.
    fn name(&self) -> &'static str;

    /// Whether a query without a term returns the headlines.
    fn has_headlines(&self) -> bool {
        false
    }

    /// As [`SearchProvider::search`], for news.
    async fn news(&self, scope: &Scope, query: &Query) -> Result<ProviderHits, ProviderError>;
}

/// The hits of a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderHits {
    /// Best first.
    pub hits: Vec<RawHit>,
    /// Markup of titles and descriptions.
    pub markup: Markup,
}

/// A hit as returned by its provider; untrusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawHit {
    /// Title, in the provider's markup.
    pub title: String,
    /// Description: an excerpt of the page.
    pub description: String,
    /// Target URL, which may be a redirect of the provider.
    pub url: String,
    /// Publication date, in any common format.
    pub date: Option<String>,
    /// Name of the publisher.
    pub publisher: Option<String>,
    /// Language tag.
    pub language: Option<String>,
    /// Whether it is suitable for all ages, when the provider says so.
    pub family_friendly: Option<bool>,
    /// The page's text, when the provider returns it.
    pub text: Option<String>,
}

/// Reads the text of pages.
#[async_trait]
pub trait PageText: fmt::Debug + Send + Sync + 'static {
    /// The text of the page's main content; `None` when it is not available.
    async fn text(&self, scope: &Scope, url: &str) -> Option<String>;
}

/// Reads no pages: for embedders that fetch none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopPageText;

#[async_trait]
impl PageText for NoopPageText {
    async fn text(&self, _: &Scope, _: &str) -> Option<String> {
        None
    }
}

#[async_trait]
impl PageText for PagesService {
    async fn text(&self, scope: &Scope, url: &str) -> Option<String> {
        // Why a page cannot be read is reported only to requests for that page.
        self.read(scope, url).await.ok().map(|found| found.page.body)
    }
}

/// Logs failures that the caller does not see, because another provider answered.
pub trait SearchLog: fmt::Debug + Send + Sync + 'static {
    /// Called once for each call in which providers failed.
    fn failed(&self, kind: Kind, failures: &[ProviderFailure]);
}

/// The failures of one provider in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderFailure {
    /// Name of the provider.
    pub provider: &'static str,
    /// Number of terms for which it failed.
    pub terms: usize,
    /// Message of its first error.
    pub message: String,
    /// Cause of that error.
    pub cause: Option<String>,
}

/// Logs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopSearchLog;

impl SearchLog for NoopSearchLog {
    fn failed(&self, _: Kind, _: &[ProviderFailure]) {}
}
