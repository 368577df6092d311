//! The port that gets what a URL names.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use shared_core::Scope;

use super::{FetchError, FetchResponse};

/// Gets what URLs name, from addresses that may be reached, within bounds.
#[async_trait]
pub trait WebFetcher: fmt::Debug + Send + Sync + 'static {
    /// Gets what the URL names: for all of a workspace who ask at the same time, once. An answer with another status
    /// than success is an error. Dropping the future ends the work, unless others wait for it too.
    async fn fetch(&self, scope: &Scope, request: &FetchRequest) -> Result<Arc<FetchResponse>, FetchError>;
}

/// What to get.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FetchRequest {
    /// The address as the user gave it.
    pub url: String,
    /// What it is for.
    pub purpose: FetchPurpose,
}

impl FetchRequest {
    /// A request.
    pub fn new(url: impl Into<String>, purpose: FetchPurpose) -> Self {
        Self { url: url.into(), purpose }
    }
}

/// What an answer is for: decides which types are asked for, and how large it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchPurpose {
    /// A web page.
    Page,
    /// Any document: a PDF, an office file, a page.
    Document,
    /// A picture.
    Image,
    /// A feed (RSS, Atom, JSON Feed).
    Feed,
}
