//! What the search needs from outside.

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
    /// Its name in settings and messages, such as `searxng`.
    fn name(&self) -> &'static str;

    /// The hits of a query, best first. No hits is an answer; whatever kept the provider from looking is an error,
    /// whichever status it comes with. Dropping the future ends the work.
    async fn search(&self, scope: &Scope, query: &Query) -> Result<ProviderHits, ProviderError>;
}

/// Searches the news.
#[async_trait]
pub trait NewsProvider: fmt::Debug + Send + Sync + 'static {
    /// Its name in settings and messages, such as `feeds`.
    fn name(&self) -> &'static str;

    /// Whether a query without a term gives the headlines.
    fn has_headlines(&self) -> bool {
        false
    }

    /// As [`SearchProvider::search`], for news.
    async fn news(&self, scope: &Scope, query: &Query) -> Result<ProviderHits, ProviderError>;
}

/// What a provider found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderHits {
    /// Best first.
    pub hits: Vec<RawHit>,
    /// How titles and descriptions are written.
    pub markup: Markup,
}

/// A hit as its provider tells it: nothing of it is trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawHit {
    /// Heading.
    pub title: String,
    /// A part of the page.
    pub description: String,
    /// Address.
    pub url: String,
    /// When it was published, in any of the usual forms.
    pub date: Option<String>,
    /// Who published it.
    pub publisher: Option<String>,
    /// Language tag.
    pub language: Option<String>,
    /// Whether it is for everybody, where the provider tells.
    pub family_friendly: Option<bool>,
    /// The page's text, where the provider gives it.
    pub text: Option<String>,
}

/// Reads pages for the sake of their text.
#[async_trait]
pub trait PageText: fmt::Debug + Send + Sync + 'static {
    /// The text of the page's own content; `None` where it cannot be had.
    async fn text(&self, scope: &Scope, url: &str) -> Option<String>;
}

/// Reads no pages: for embedders who want none fetched.
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
        // Why a page cannot be read is told to those who ask for the page.
        self.read(scope, url).await.ok().map(|found| found.page.body)
    }
}

/// Hears of failures that the caller may not see, because another provider answered.
pub trait SearchLog: fmt::Debug + Send + Sync + 'static {
    /// Providers failed in a call: told once for the call.
    fn failed(&self, kind: Kind, failures: &[ProviderFailure]);
}

/// What a provider said that failed in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderFailure {
    /// Its name.
    pub provider: &'static str,
    /// Terms for which it failed.
    pub terms: usize,
    /// What it said first.
    pub message: String,
    /// What that comes from.
    pub cause: Option<String>,
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopSearchLog;

impl SearchLog for NoopSearchLog {
    fn failed(&self, _: Kind, _: &[ProviderFailure]) {}
}
