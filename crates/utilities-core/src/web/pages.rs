//! Web pages: fetched from the web, and parsed by a parser that cannot crash the server.

use std::sync::Arc;

use async_trait::async_trait;
use document::{
    ContentStream, DocumentOrigin, DocumentReader, Origin, OriginHandle, ParseError, ReadDocument, ReadError,
};
use files_core::{File, FileOrigin, ReferenceTarget};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use futures_util::{FutureExt as _, TryStreamExt as _};
use shared_core::{DomainError as _, Scope, Spawn, spawn_with_result};
use webpage_core::WebPage;

use super::charset::transcode_to_utf8;
use super::follow::{FollowError, FollowOutcome, Follower};
use super::origin::file_name;
use super::{
    FetchError, FetchPurpose, FetchRequest, FetchResponse, MAX_URL, PageReader, PageSource, WebFetcher,
};
use crate::{FOUND_AHEAD, ItemError, MAX_INPUTS, UtilitiesError, read_input};

/// Maximum pages of one call that are being processed, or wait to be sent. Chosen by hand; no measurement is
/// recorded.
pub const PAGES_AT_ONCE: usize = 8;
/// The pages of a call, in its order.
#[derive(Clone, Debug)]
pub struct PageUrls(Vec<String>);

impl PageUrls {
    /// URLs of a request. One that cannot be fetched is an error of its item.
    ///
    /// # Errors
    /// [`UtilitiesError::Invalid`] unless there are 1 to [`MAX_INPUTS`] URLs, none of them longer than
    /// [`MAX_URL`] characters.
    pub fn new(urls: Vec<String>) -> Result<Self, UtilitiesError> {
        if !(1..=MAX_INPUTS).contains(&urls.len()) {
            let message = format!("'urls' must have 1 to {MAX_INPUTS} entries");
            return Err(UtilitiesError::invalid("/urls", message));
        }
        match urls.iter().position(|url| url.chars().nth(MAX_URL).is_some()) {
            Some(place) => Err(UtilitiesError::invalid(
                format!("/urls/{place}"),
                format!("each of 'urls' must have at most {MAX_URL} characters"),
            )),
            None => Ok(Self(urls)),
        }
    }
}

/// A URL of a call and its result.
#[derive(Debug)]
pub struct PageResult {
    /// The URL of the request.
    pub url: String,
    /// The page, or its error.
    pub read: Result<FoundPage, ItemError>,
}

/// A page and its final URL.
#[derive(Clone, Debug, Default)]
pub struct FoundPage {
    /// The final URL, after all redirects.
    pub url: String,
    /// The host of that URL.
    pub domain: String,
    /// The page. A document (PDF, office …) becomes a page with a title, a text and a language.
    pub page: WebPage,
}

/// What a reference of a call resolves to.
enum ResolvedReference {
    /// A response of the web.
    Web(Arc<FetchResponse>),
    /// A file of the workspace.
    File(Box<File>),
}

/// Fetches and parses pages.
#[derive(Clone, Debug)]
pub struct PagesService {
    files: FileOrigin,
    fetcher: Arc<dyn WebFetcher>,
    reader: PageReader,
    documents: DocumentReader,
    tasks: Arc<dyn Spawn>,
}

impl PagesService {
    /// Builds the service on its ports. `documents` reads everything that is not a page.
    #[must_use]
    pub fn new(
        files: FileOrigin,
        fetcher: Arc<dyn WebFetcher>,
        reader: PageReader,
        documents: DocumentReader,
        tasks: Arc<dyn Spawn>,
    ) -> Self {
        Self { files, fetcher, reader, documents, tasks }
    }

    /// Reads the pages of a call and maps each, in the order of the call. At most [`PAGES_AT_ONCE`] are read
    /// at the same time, and no new one is read until the first has been consumed; [`FOUND_AHEAD`] more are
    /// fetched ahead. Dropping the stream cancels the work.
    pub fn each<T: Send + 'static>(
        &self,
        scope: &Scope,
        PageUrls(urls): PageUrls,
        make: impl Fn(PageResult) -> T + Clone + Send + Sync + 'static,
    ) -> BoxStream<'static, T> {
        let (service, scope) = (self.clone(), scope.clone());
        let (fetching, of) = (service.clone(), scope.clone());
        let fetch = move |url: String| {
            let (pages, scope, asked) = (fetching.clone(), of.clone(), url.trim().to_owned());
            let work = async move { pages.find(&scope, &asked).await };
            spawn_with_result(fetching.tasks.as_ref(), work).map(move |found| (url, found))
        };
        let one = move |(url, found): (String, Option<Result<ResolvedReference, ItemError>>)| {
            let (pages, scope, make) = (service.clone(), scope.clone(), make.clone());
            let work = async move {
                match found.unwrap_or_else(|| Err(task_error()))? {
                    ResolvedReference::Web(fetched) => pages.read_fetched(&scope, &fetched).await,
                    ResolvedReference::File(file) => pages.read_file(&scope, *file).await,
                }
            };
            let work = spawn_with_result(service.tasks.as_ref(), work);
            work.map(move |read| make(PageResult { url, read: read.unwrap_or_else(|| Err(task_error())) }))
        };
        stream::iter(urls).map(fetch).buffered(FOUND_AHEAD).map(one).buffered(PAGES_AT_ONCE).boxed()
    }

    /// Fetches and parses one page.
    ///
    /// # Errors
    /// The error of this page.
    pub async fn read(&self, scope: &Scope, url: &str) -> Result<FoundPage, ItemError> {
        let fetched = self.fetch(scope, url.trim()).await?;
        self.read_fetched(scope, &fetched).await
    }

    async fn read_fetched(
        &self,
        scope: &Scope,
        fetched: &Arc<FetchResponse>,
    ) -> Result<FoundPage, ItemError> {
        let (web, pages) = (self.fetcher.as_ref(), self.reader.parser());
        let follower = Follower { web, pages, scope, wants: FetchPurpose::Page };
        let (fetched, page) = match follower.follow(Arc::clone(fetched)).await? {
            FollowOutcome::Page(fetched, sent) => {
                // The browser's log has the reason of a failure; the page as fetched is better than none.
                let page = self.reader.render_if_needed(scope, &fetched.url, *sent).await.page;
                (fetched, page)
            }
            FollowOutcome::Document(fetched) => {
                let page = self.document(scope, &fetched).await?;
                (fetched, page)
            }
        };
        let domain = url::Url::parse(&fetched.url).ok().and_then(|url| url.host_str().map(str::to_owned));
        Ok(FoundPage { url: fetched.url.clone(), domain: domain.unwrap_or_default(), page })
    }

    /// Files are read from the store, not over the web.
    async fn find(&self, scope: &Scope, reference: &str) -> Result<ResolvedReference, ItemError> {
        match self.files.0.locate(reference) {
            ReferenceTarget::File(_) | ReferenceTarget::Token(_) => {
                Ok(ResolvedReference::File(Box::new(self.files.file(scope, reference).await?)))
            }
            ReferenceTarget::Web(_) | ReferenceTarget::Invalid(_) => {
                Ok(ResolvedReference::Web(self.fetch(scope, reference).await?))
            }
        }
    }

    /// A file that is a web page, or another document.
    async fn read_file(&self, scope: &Scope, file: File) -> Result<FoundPage, ItemError> {
        let url = self.files.0.url(&file);
        let page = if matches!(file.content_type.as_str(), "text/html" | "application/xhtml+xml") {
            let content = self.files.0.content(&file, None).await;
            let content = content.map_err(|error| ItemError::new(error.code(), error.to_string()))?;
            let content = content.map_err(Into::into).boxed();
            let kind = Some(file.content_type);
            let source = PageSource { url: url.clone(), content_type: kind, bytes: file.bytes, content };
            self.reader.parser().parse_page(source).await?
        } else {
            as_page(&self.documents.read(scope, &file.id.0.to_string()).await?)
        };
        let domain = url::Url::parse(&url).ok().and_then(|url| url.host_str().map(str::to_owned));
        Ok(FoundPage { url, domain: domain.unwrap_or_default(), page })
    }

    /// Fetches with the limits of a document, which may be larger than a page.
    async fn fetch(&self, scope: &Scope, url: &str) -> Result<Arc<FetchResponse>, FetchError> {
        let page = self.fetcher.fetch(scope, &FetchRequest::new(url, FetchPurpose::Page)).await;
        match page {
            Err(FetchError::TooLarge { .. }) => {
                self.fetcher.fetch(scope, &FetchRequest::new(url, FetchPurpose::Document)).await
            }
            page => page,
        }
    }

    async fn document(&self, scope: &Scope, fetched: &Arc<FetchResponse>) -> Result<WebPage, ItemError> {
        let text = transcode_to_utf8(Arc::clone(fetched)).await?;
        let documents = self.documents.without_storing(Arc::new(FetchedOrigin(text)));
        Ok(as_page(&documents.read(scope, &fetched.url).await?))
    }
}

/// Converts a document to a page.
fn as_page(read: &ReadDocument) -> WebPage {
    let about = &read.document.metadata;
    WebPage {
        title: read_input::title(read),
        author: about.author.clone(),
        published: about.created.clone(),
        language: read_input::language(&read.document),
        truncated: about.truncated,
        body: read.document.text.clone(),
        ..WebPage::default()
    }
}

/// One response of the web as a document to read.
#[derive(Debug)]
struct FetchedOrigin(Arc<FetchResponse>);

#[async_trait]
impl DocumentOrigin for FetchedOrigin {
    async fn find(&self, _: &Scope, reference: &str) -> Result<Origin, ReadError> {
        Ok(Origin {
            id: reference.to_owned(),
            name: file_name(&self.0),
            bytes: self.0.bytes,
            sha256: self.0.sha256.clone(),
            handle: OriginHandle::default(),
        })
    }

    async fn open(&self, _: &Scope, _: &Origin) -> Result<ContentStream, ReadError> {
        Ok(self.0.open())
    }
}

impl From<FetchError> for ItemError {
    fn from(error: FetchError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl From<FollowError> for ItemError {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::Fetch(error) => error.into(),
            FollowError::Parse(error) => error.into(),
        }
    }
}

impl From<ParseError> for ItemError {
    fn from(error: ParseError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

fn task_error() -> ItemError {
    ItemError::new("internal", "reading the page was aborted")
}
