//! The port that fetches URLs.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use shared_core::Scope;

use super::{FetchError, FetchResponse};

/// Fetches URLs, restricted to allowed addresses and within limits.
#[async_trait]
pub trait WebFetcher: fmt::Debug + Send + Sync + 'static {
    /// Fetches the URL: once for all concurrent callers of a workspace (single flight). A response without a
    /// success status is an error. Dropping the future cancels the work, unless other callers wait for it.
    async fn fetch(&self, scope: &Scope, request: &FetchRequest) -> Result<Arc<FetchResponse>, FetchError>;
}

/// A URL to fetch, and what for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FetchRequest {
    /// The URL as the user gave it.
    pub url: String,
    /// What the response is for.
    pub purpose: FetchPurpose,
}

impl FetchRequest {
    /// A request for a URL.
    pub fn new(url: impl Into<String>, purpose: FetchPurpose) -> Self {
        Self { url: url.into(), purpose }
    }
}

/// What a response is for. It decides the requested media types and the size limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchPurpose {
    /// A web page.
    Page,
    /// Any document: a PDF, an office file, a page.
    Document,
    /// An image file.
    Image,
    /// A feed (RSS, Atom, JSON Feed).
    Feed,
}
