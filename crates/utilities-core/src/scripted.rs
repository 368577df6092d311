//! Test doubles for code that fetches: a web backed by a table. Behind the feature `scripted`.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};
use shared_core::{Scope, hex};

use crate::web::{Body, FetchError, FetchRequest, FetchResponse, WebFetcher};

/// A web of the configured pages; every other URL returns 404.
#[derive(Debug, Default)]
pub struct ScriptedWeb {
    pages: Mutex<HashMap<String, Result<FetchResponse, FetchError>>>,
    asked: Mutex<Vec<FetchRequest>>,
}

impl ScriptedWeb {
    /// A web without pages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns this body for `url`.
    #[must_use]
    pub fn with(self, url: &str, content_type: &str, body: impl Into<Bytes>) -> Self {
        self.set(url, content_type, body);
        self
    }

    /// Fails `url` with this error.
    #[must_use]
    pub fn failing(self, url: &str, error: FetchError) -> Self {
        self.put(url, Err(error));
        self
    }

    /// Returns this body for `url` from now on.
    pub fn set(&self, url: &str, content_type: &str, body: impl Into<Bytes>) {
        self.put(url, Ok(response(url, content_type, body.into())));
    }

    /// The requests so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<FetchRequest> {
        self.asked.lock().clone()
    }

    fn put(&self, url: &str, answer: Result<FetchResponse, FetchError>) {
        self.pages.lock().insert(url.to_owned(), answer);
    }
}

/// A response in memory, as a fetcher returns it.
#[must_use]
pub fn response(url: &str, content_type: &str, body: Bytes) -> FetchResponse {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or("page").to_owned();
    FetchResponse {
        redirects: 0,
        url: url.to_owned(),
        name,
        content_type: (!content_type.is_empty()).then(|| content_type.to_owned()),
        bytes: body.len() as u64,
        sha256: hex(&Sha256::digest(&body)),
        body: Body::Memory(body),
    }
}

#[async_trait]
impl WebFetcher for ScriptedWeb {
    async fn fetch(&self, _: &Scope, request: &FetchRequest) -> Result<Arc<FetchResponse>, FetchError> {
        self.asked.lock().push(request.clone());
        let pages = self.pages.lock();
        match pages.get(&request.url) {
            Some(Ok(page)) => Ok(Arc::new(page.clone())),
            Some(Err(error)) => Err(error.clone()),
            None => Err(FetchError::Status { status: 404, retry_after: None }),
        }
    }
}
