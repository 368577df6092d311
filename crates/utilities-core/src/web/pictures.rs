//! What is drawn of web pages: the picture that they name, else a card with their title and host.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use documents_core::{ContentStream, DocumentOrigin, Origin, ReadError, sniff};
use files_core::Located;
use sha2::{Digest as _, Sha256};
use shared_core::{Scope, hex};
use webpage_core::WebPage;

use super::origin::{OfWeb, unread};
use super::pages::prefix;
use super::{Body, FetchRequest, Fetched, PageSource, Wants, WebOrigin, is_page};

/// Finds what is drawn of files and of the web. Other documents than pages are themselves.
#[derive(Clone, Debug)]
pub struct PictureOrigin(WebOrigin);

impl PictureOrigin {
    /// Files and the web as `origin` finds them.
    #[must_use]
    pub fn new(origin: WebOrigin) -> Self {
        Self(origin)
    }

    async fn of_web(&self, scope: &Scope, url: String) -> Result<Origin, ReadError> {
        let request = FetchRequest::new(url, Wants::Document);
        let mut found = self.0.web.fetch(scope, &request).await.map_err(unread)?;
        if is_page(&found).await.map_err(unread)? {
            // A page that cannot be read has a card all the same.
            let page = self.0.pages.parse_page(PageSource::from(found.as_ref())).await.unwrap_or_default();
            found = match self.picture(scope, &page).await {
                Some(picture) => picture,
                None => Arc::new(card(&page, &found)),
            };
        }
        Ok(OfWeb { title: None, fetched: found }.origin(request.url))
    }

    /// The picture that a page names, if it can be had and is one.
    async fn picture(&self, scope: &Scope, page: &WebPage) -> Option<Arc<Fetched>> {
        let request = FetchRequest::new(page.image.as_deref()?, Wants::Image);
        let found = self.0.web.fetch(scope, &request).await.ok()?;
        let prefix = prefix(&found).await.ok()?;
        sniff(&prefix, &found.name).starts_with("image/").then_some(found)
    }
}

/// A text with the page's title and host, to be drawn.
fn card(page: &WebPage, found: &Fetched) -> Fetched {
    let host = url::Url::parse(&found.url).ok().and_then(|url| url.host_str().map(str::to_owned));
    let host = host.unwrap_or_default();
    let title = if page.title.is_empty() { &host } else { &page.title };
    let description = page.description.as_deref().unwrap_or_default();
    let body = Bytes::from(format!("# {title}\n\n{host}\n\n{description}\n"));
    Fetched {
        redirects: found.redirects,
        url: found.url.clone(),
        name: "page.md".to_owned(),
        content_type: Some("text/markdown; charset=utf-8".to_owned()),
        bytes: body.len() as u64,
        sha256: hex(&Sha256::digest(&body)),
        body: Body::Memory(body),
    }
}

#[async_trait]
impl DocumentOrigin for PictureOrigin {
    async fn find(&self, scope: &Scope, reference: &str) -> Result<Origin, ReadError> {
        match self.0.files.0.locate(reference) {
            Located::Web(url) => self.of_web(scope, url).await,
            _ => self.0.find(scope, reference).await,
        }
    }

    async fn open(&self, scope: &Scope, origin: &Origin) -> Result<ContentStream, ReadError> {
        self.0.open(scope, origin).await
    }
}
