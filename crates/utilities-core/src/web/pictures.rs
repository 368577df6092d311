//! The picture of a web page: the image that the page names, else a screenshot, else a card with its title
//! and host.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use document::{ContentStream, DocumentOrigin, Origin, OriginHandle, ReadError};
use files_core::ReferenceTarget;
use sha2::{Digest as _, Sha256};
use shared_core::{Scope, hex};
use webpage_core::WebPage;

use super::origin::{WebDocument, fetch_error, file_name};
use super::page_type::{is_page, prefix};
use super::{Body, FetchPurpose, FetchRequest, FetchResponse, WebOrigin};
use crate::PictureSource;

/// Resolves what is rendered of files and of the web. Documents other than pages are rendered themselves.
#[derive(Clone, Debug)]
pub struct PictureOrigin(WebOrigin);

/// The picture of a page.
#[derive(Debug)]
struct PagePicture {
    source: PagePictureSource,
    picture: FetchResponse,
    summary: Arc<PageSummary>,
}

/// The source of a page's picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PagePictureSource {
    Name,
    Browser,
    Card,
}

/// What the fallback picture of a page is made of.
#[derive(Debug)]
struct PageSummary {
    /// The reference of the request.
    reference: String,
    /// The final URL, after all redirects.
    url: String,
    title: String,
    description: String,
}

impl PictureOrigin {
    /// Resolves files and the web as `origin` does.
    #[must_use]
    pub fn new(origin: WebOrigin) -> Self {
        Self(origin)
    }

    async fn find_on_web(&self, scope: &Scope, url: String) -> Result<Origin, ReadError> {
        let request = FetchRequest::new(url, FetchPurpose::Document);
        let found = self.0.web.fetch(scope, &request).await.map_err(fetch_error)?;
        if !is_page(self.0.pages.parser(), &found).await.map_err(fetch_error)? {
            return Ok(WebDocument { title: None, fetched: found }.origin(request.url));
        }
        // A page that cannot be parsed still has a picture.
        let page = self.0.pages.parse_as_sent(&found).await.unwrap_or_default();
        let named = self.fetch_named_picture(scope, &page).await;
        let about = Arc::new(PageSummary {
            reference: request.url,
            url: found.url.clone(),
            title: page.title,
            description: page.description.unwrap_or_default(),
        });
        Ok(match named {
            Some(drawn) => PagePicture {
                source: PagePictureSource::Name,
                picture: drawn.as_ref().clone(),
                summary: about,
            }
            .origin(),
            None => self.render_or_card(scope, about).await.origin(),
        })
    }

    /// The image that a page names, if it can be fetched and looks like one.
    async fn fetch_named_picture(&self, scope: &Scope, page: &WebPage) -> Option<Arc<FetchResponse>> {
        let request = FetchRequest::new(page.image.as_deref()?, FetchPurpose::Image);
        let found = self.0.web.fetch(scope, &request).await.ok()?;
        let prefix = prefix(&found).await.ok()?;
        self.0.pages.parser().sniff(&prefix, &found.name).starts_with("image/").then_some(found)
    }

    /// A screenshot of the page, else its card.
    async fn render_or_card(&self, scope: &Scope, about: Arc<PageSummary>) -> PagePicture {
        match self.0.pages.picture(scope, &about.url).await {
            Some(png) => PagePicture {
                source: PagePictureSource::Browser,
                picture: about.response("page.png", "image/png", png),
                summary: about,
            },
            None => PagePicture { source: PagePictureSource::Card, picture: about.card(), summary: about },
        }
    }
}

impl PageSummary {
    /// A text with the page's title and host, to be rendered as a card.
    fn card(&self) -> FetchResponse {
        let host = url::Url::parse(&self.url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let host = host.unwrap_or_default();
        let title = if self.title.trim().is_empty() { &host } else { &self.title };
        let text = format!("# {title}\n\n{host}\n\n{}\n", self.description);
        self.response("page.md", "text/markdown; charset=utf-8", Bytes::from(text))
    }

    fn response(&self, name: &str, content_type: &str, body: Bytes) -> FetchResponse {
        FetchResponse {
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

impl PagePicture {
    fn origin(self) -> Origin {
        Origin {
            id: self.summary.reference.clone(),
            name: file_name(&self.picture),
            bytes: self.picture.bytes,
            sha256: self.picture.sha256.clone(),
            handle: OriginHandle::new(Arc::new(self)),
        }
    }
}

#[async_trait]
impl DocumentOrigin for PictureOrigin {
    async fn find(&self, scope: &Scope, reference: &str) -> Result<Origin, ReadError> {
        match self.0.files.0.locate(reference) {
            ReferenceTarget::Web(url) => self.find_on_web(scope, url).await,
            _ => self.0.find(scope, reference).await,
        }
    }

    async fn open(&self, scope: &Scope, origin: &Origin) -> Result<ContentStream, ReadError> {
        match origin.handle.get::<PagePicture>() {
            Some(page) => Ok(page.picture.open()),
            None => self.0.open(scope, origin).await,
        }
    }
}

#[async_trait]
impl PictureSource for PictureOrigin {
    async fn fallback(&self, scope: &Scope, undrawn: &Origin) -> Option<Origin> {
        let page = undrawn.handle.get::<PagePicture>()?;
        let about = Arc::clone(&page.summary);
        match page.source {
            PagePictureSource::Name => Some(self.render_or_card(scope, about).await.origin()),
            PagePictureSource::Browser => Some(
                PagePicture { source: PagePictureSource::Card, picture: about.card(), summary: about }
                    .origin(),
            ),
            PagePictureSource::Card => None,
        }
    }
}
