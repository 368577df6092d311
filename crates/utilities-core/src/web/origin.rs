//! Documents of the web, beside those that are files.

use std::sync::Arc;

use async_trait::async_trait;
use documents_core::{ContentStream, DocumentOrigin, Held, Origin, ReadError};
use files_core::{FileOrigin, Located};
use shared_core::{DomainError as _, Scope};

use super::{FetchError, FetchRequest, Fetched, Wants, WebFetcher};

/// Finds documents by file id, own file URL or web URL.
#[derive(Clone, Debug)]
pub struct WebOrigin {
    files: FileOrigin,
    web: Arc<dyn WebFetcher>,
}

/// A fetcher that fetches nothing, for where that is switched off.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWeb;

#[async_trait]
impl WebFetcher for NoWeb {
    async fn fetch(&self, _: &Scope, _: &FetchRequest) -> Result<Arc<Fetched>, FetchError> {
        Err(FetchError::Unavailable)
    }
}

impl WebOrigin {
    /// Files and the web.
    #[must_use]
    pub fn new(files: FileOrigin, web: Arc<dyn WebFetcher>) -> Self {
        Self { files, web }
    }

    async fn of_web(&self, scope: &Scope, url: String) -> Result<Origin, ReadError> {
        let request = FetchRequest::new(url, Wants::Document);
        let found = self.web.fetch(scope, &request).await.map_err(unread)?;
        Ok(Origin {
            id: request.url,
            name: file_name(&found),
            bytes: found.bytes,
            sha256: found.sha256.clone(),
            held: Held::new(found),
        })
    }
}

#[async_trait]
impl DocumentOrigin for WebOrigin {
    async fn find(&self, scope: &Scope, reference: &str) -> Result<Origin, ReadError> {
        match self.files.0.locate(reference) {
            Located::Web(url) => self.of_web(scope, url).await,
            _ => self.files.find(scope, reference).await,
        }
    }

    async fn open(&self, scope: &Scope, origin: &Origin) -> Result<ContentStream, ReadError> {
        match origin.held.get::<Fetched>() {
            Some(found) => Ok(found.open()),
            None => self.files.open(scope, origin).await,
        }
    }
}

fn unread(error: FetchError) -> ReadError {
    let (code, message) = (error.code(), error.to_string());
    if error.lasts() {
        return ReadError::Unusable { code, message };
    }
    ReadError::Passing { code, message, after: error.retry_after() }
}

/// Extensions of types that a parser does not know by their bytes alone.
const EXTENSIONS: &[(&str, &[&str])] = &[
    ("text/html", &["html", "htm"]),
    ("application/xhtml+xml", &["xhtml", "html"]),
    ("text/csv", &["csv"]),
    ("text/tab-separated-values", &["tsv"]),
    ("text/markdown", &["md", "markdown"]),
    ("application/json", &["json"]),
    ("application/xml", &["xml"]),
    ("text/xml", &["xml"]),
    ("message/rfc822", &["eml"]),
    ("application/rtf", &["rtf"]),
    ("image/svg+xml", &["svg"]),
];

/// The name with the extension of its type, which parsers take as a hint.
fn file_name(found: &Fetched) -> String {
    let known = found.media_type().and_then(|kind| EXTENSIONS.iter().find(|(name, _)| *name == kind));
    let Some(extensions) = known.map(|(_, extensions)| *extensions) else { return found.name.clone() };
    let own = found.name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match (extensions, own) {
        (extensions, Some(own)) if extensions.contains(&own.as_str()) => found.name.clone(),
        ([first, ..], _) => format!("{}.{first}", found.name),
        ([], _) => found.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::scripted::fetched;

    #[test]
    fn names_get_the_extension_of_their_type_once() {
        for (url, kind, name) in [
            ("https://example.com/export", "text/csv; charset=utf-8", "export.csv"),
            ("https://example.com/a.CSV", "text/csv", "a.CSV"),
            ("https://example.com/show.php", "text/html", "show.php.html"),
            ("https://example.com/a.pdf", "application/octet-stream", "a.pdf"),
            ("https://example.com/a", "", "a"),
        ] {
            assert_eq!(file_name(&fetched(url, kind, Bytes::new())), name);
        }
    }

    #[test]
    fn what_lasts_is_told_from_what_may_pass() {
        let status = |status| FetchError::Status { status, retry_after: Some(7) };
        assert!(matches!(unread(status(404)), ReadError::Unusable { code: "fetch_status", .. }));
        assert!(matches!(
            unread(status(503)),
            ReadError::Passing { code: "fetch_status", after: Some(7), .. }
        ));
        assert!(matches!(unread(FetchError::Timeout), ReadError::Passing { code: "fetch_timeout", .. }));
        assert!(matches!(unread(FetchError::Robots), ReadError::Unusable { code: "fetch_robots", .. }));
    }
}
