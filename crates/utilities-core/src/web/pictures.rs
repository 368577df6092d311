//! What is drawn of web pages: the picture that they name, else what a browser shows of them, else a card with their
//! title and host.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use documents_core::{ContentStream, DocumentOrigin, Held, Origin, ReadError, sniff};
use files_core::Located;
use sha2::{Digest as _, Sha256};
use shared_core::{Scope, hex};
use webpage_core::WebPage;

use super::origin::{OfWeb, file_name, unread};
use super::pages::prefix;
use super::{Body, FetchRequest, Fetched, Wants, WebOrigin, is_page};
use crate::PictureSource;

/// Finds what is drawn of files and of the web. Other documents than pages are themselves.
#[derive(Clone, Debug)]
pub struct PictureOrigin(WebOrigin);

/// What is drawn of a page.
#[derive(Debug)]
struct OfPage {
    by: By,
    drawn: Fetched,
    about: Arc<About>,
}

/// Where a page's picture is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Name,
    Browser,
    Card,
}

/// What another picture of the page is made of.
#[derive(Debug)]
struct About {
    /// As it was asked for.
    reference: String,
    /// After all redirects.
    url: String,
    title: String,
    description: String,
}

impl PictureOrigin {
    /// Files and the web as `origin` finds them.
    #[must_use]
    pub fn new(origin: WebOrigin) -> Self {
        Self(origin)
    }

    async fn of_web(&self, scope: &Scope, url: String) -> Result<Origin, ReadError> {
        let request = FetchRequest::new(url, Wants::Document);
        let found = self.0.web.fetch(scope, &request).await.map_err(unread)?;
        if !is_page(&found).await.map_err(unread)? {
            return Ok(OfWeb { title: None, fetched: found }.origin(request.url));
        }
        // A page that cannot be read has a picture all the same.
        let page = self.0.pages.sent(&found).await.unwrap_or_default();
        let named = self.named(scope, &page).await;
        let about = Arc::new(About {
            reference: request.url,
            url: found.url.clone(),
            title: page.title,
            description: page.description.unwrap_or_default(),
        });
        Ok(match named {
            Some(drawn) => OfPage { by: By::Name, drawn: drawn.as_ref().clone(), about }.origin(),
            None => self.of_browser(scope, about).await.origin(),
        })
    }

    /// The picture that a page names, if it can be had and looks like one.
    async fn named(&self, scope: &Scope, page: &WebPage) -> Option<Arc<Fetched>> {
        let request = FetchRequest::new(page.image.as_deref()?, Wants::Image);
        let found = self.0.web.fetch(scope, &request).await.ok()?;
        let prefix = prefix(&found).await.ok()?;
        sniff(&prefix, &found.name).starts_with("image/").then_some(found)
    }

    /// What a browser shows of the page, else its card.
    async fn of_browser(&self, scope: &Scope, about: Arc<About>) -> OfPage {
        match self.0.pages.picture(scope, &about.url).await {
            Some(png) => OfPage { by: By::Browser, drawn: about.made("page.png", "image/png", png), about },
            None => OfPage { by: By::Card, drawn: about.card(), about },
        }
    }
}

impl About {
    /// A text with the page's title and host, to be drawn.
    fn card(&self) -> Fetched {
        let host = url::Url::parse(&self.url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let host = host.unwrap_or_default();
        let title = if self.title.trim().is_empty() { &host } else { &self.title };
        let text = format!("# {title}\n\n{host}\n\n{}\n", self.description);
        self.made("page.md", "text/markdown; charset=utf-8", Bytes::from(text))
    }

    fn made(&self, name: &str, content_type: &str, body: Bytes) -> Fetched {
        Fetched {
            redirects: 0,
            url: self.url.clone(),
            name: name.to_owned(),
            content_type: Some(content_type.to_owned()),
            bytes: body.len() as u64,
            sha256: hex(&Sha256::digest(&body)),
            body: Body::Memory(body),
        }
    }
}

impl OfPage {
    fn origin(self) -> Origin {
        Origin {
            id: self.about.reference.clone(),
            name: file_name(&self.drawn),
            bytes: self.drawn.bytes,
            sha256: self.drawn.sha256.clone(),
            held: Held::new(Arc::new(self)),
        }
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
        match origin.held.get::<OfPage>() {
            Some(page) => Ok(page.drawn.open()),
            None => self.0.open(scope, origin).await,
        }
    }
}

#[async_trait]
impl PictureSource for PictureOrigin {
    async fn instead(&self, scope: &Scope, undrawn: &Origin) -> Option<Origin> {
        let page = undrawn.held.get::<OfPage>()?;
        let about = Arc::clone(&page.about);
        match page.by {
            By::Name => Some(self.of_browser(scope, about).await.origin()),
            By::Browser => Some(OfPage { by: By::Card, drawn: about.card(), about }.origin()),
            By::Card => None,
        }
    }
}
