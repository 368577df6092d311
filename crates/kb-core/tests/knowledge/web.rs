//! A web that is a table.

use std::collections::HashMap;

use async_trait::async_trait;
use document::{ContentStream, DocumentOrigin, Origin, OriginHandle, ReadError};
use futures_util::StreamExt as _;
use futures_util::stream;
use parking_lot::Mutex;
use shared_core::Scope;

/// Pages by their addresses; what is not there is not found.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    pages: Mutex<HashMap<String, (String, String)>>,
    /// How often each fails in a way that passes before it answers.
    pub(crate) failing: Mutex<HashMap<String, u32>>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Pages {
    pub(crate) fn put(&self, url: &str, name: &str, text: &str) {
        self.pages.lock().insert(url.to_owned(), (name.to_owned(), text.to_owned()));
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.lock().len()
    }

    fn page(&self, url: &str) -> Result<(String, String), ReadError> {
        let found = self.pages.lock().get(url).cloned();
        found.ok_or_else(|| ReadError::unusable("fetch_status", "the site answered with status 404"))
    }
}

#[async_trait]
impl DocumentOrigin for Pages {
    async fn find(&self, _: &Scope, url: &str) -> Result<Origin, ReadError> {
        self.asked.lock().push(url.to_owned());
        if let Some(left) = self.failing.lock().get_mut(url).filter(|left| **left > 0) {
            *left -= 1;
            let message = "the site did not answer in time".to_owned();
            return Err(ReadError::Transient { code: "fetch_timeout", message, after: Some(30) });
        }
        let (name, text) = self.page(url)?;
        let (bytes, sha256) = (text.len() as u64, format!("sha of {text}"));
        Ok(Origin { id: url.to_owned(), name, bytes, sha256, handle: OriginHandle::default() })
    }

    async fn open(&self, _: &Scope, origin: &Origin) -> Result<ContentStream, ReadError> {
        let (_, text) = self.page(&origin.id)?;
        Ok(stream::iter([Ok(bytes::Bytes::from(text))]).boxed())
    }
}
