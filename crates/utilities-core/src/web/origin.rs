//! Documents of the web, beside those that are files.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use documents_core::{ContentStream, DocumentOrigin, Origin, OriginHandle, ParseError, ReadError};
use files_core::{FileOrigin, ReferenceTarget};
use sha2::{Digest as _, Sha256};
use shared_core::{DomainError as _, Scope, hex};

use super::charset::transcode_to_utf8;
use super::follow::{FollowError, FollowOutcome, Follower};
use super::{
    Body, FetchError, FetchPurpose, FetchRequest, FetchResponse, PageReadResult, PageReader, WebFetcher,
};

/// Resolves documents by file id, own file URL or web URL. A web page becomes the Markdown of its main
/// content, so that boilerplate around it is never extracted as its content.
#[derive(Clone, Debug)]
pub struct WebOrigin {
    pub(super) files: FileOrigin,
    pub(super) web: Arc<dyn WebFetcher>,
    pub(super) pages: PageReader,
}

/// A fetcher that fetches nothing, for servers where fetching is switched off.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopFetcher;

#[async_trait]
impl WebFetcher for NoopFetcher {
    async fn fetch(&self, _: &Scope, _: &FetchRequest) -> Result<Arc<FetchResponse>, FetchError> {
        Err(FetchError::Unavailable)
    }
}

impl WebOrigin {
    /// Resolves files, and pages of the web through `pages`.
    #[must_use]
    pub fn new(files: FileOrigin, web: Arc<dyn WebFetcher>, pages: PageReader) -> Self {
        Self { files, web, pages }
    }

    async fn find_on_web(&self, scope: &Scope, url: String) -> Result<Origin, ReadError> {
        let request = FetchRequest::new(url, FetchPurpose::Document);
        let found = self.web.fetch(scope, &request).await.map_err(fetch_error)?;
        let (web, pages) = (self.web.as_ref(), self.pages.parser());
        let follower = Follower { web, pages, scope, wants: request.purpose };
        let found = match follower.follow(found).await.map_err(follow_error)? {
            FollowOutcome::Page(found, sent) => {
                let read = self.pages.render_if_needed(scope, &found.url, *sent).await;
                page_document(&found, read)?
            }
            FollowOutcome::Document(found) => {
                WebDocument { title: None, fetched: transcode_to_utf8(found).await.map_err(fetch_error)? }
            }
        };
        Ok(found.origin(request.url))
    }
}

/// The Markdown of a page, as a document at the page's URL.
fn page_document(
    found: &FetchResponse,
    PageReadResult { page, render_failed: unshown }: PageReadResult,
) -> Result<WebDocument, ReadError> {
    if page.body.trim().is_empty() {
        return Err(without_text(page.needs_script, unshown));
    }
    let body = Bytes::from(page.body);
    let fetched = FetchResponse {
        redirects: found.redirects,
        url: found.url.clone(),
        name: title_name(&page.title, &found.name),
        content_type: Some(MARKDOWN.to_owned()),
        bytes: body.len() as u64,
        sha256: hex(&Sha256::digest(&body)),
        body: Body::Memory(body),
    };
    let title = Some(page.title).filter(|title| !title.trim().is_empty());
    Ok(WebDocument { title, fetched: Arc::new(fetched) })
}

fn without_text(needs_script: bool, unshown: bool) -> ReadError {
    let rule = match (needs_script, unshown) {
        (_, true) => {
            let message = "the page has no text without JavaScript, and the browser did not render it";
            return ReadError::Transient { code: "page_not_shown", message: message.to_owned(), after: None };
        }
        (true, false) => "the page has no text without JavaScript",
        (false, false) => "the page has no text that can be read",
    };
    ReadError::unusable("document_without_text", rule)
}

/// The content of a web document.
#[derive(Debug)]
pub(crate) struct WebDocument {
    /// The title, if it is a page.
    pub(crate) title: Option<String>,
    pub(crate) fetched: Arc<FetchResponse>,
}

impl WebDocument {
    pub(super) fn origin(self, id: String) -> Origin {
        Origin {
            id,
            name: file_name(&self.fetched),
            bytes: self.fetched.bytes,
            sha256: self.fetched.sha256.clone(),
            handle: OriginHandle::new(Arc::new(self)),
        }
    }
}

/// Media type of the Markdown of pages.
const MARKDOWN: &str = "text/markdown; charset=utf-8";
/// Maximum characters of a title in a file name. File systems take 255 bytes. Chosen by hand; no measurement
/// is recorded.
const MAX_TITLE: usize = 150;

/// A page's title as a file name; the URL's own name when it has no title.
fn title_name(title: &str, own: &str) -> String {
    let shown = |c: char| if c.is_control() || matches!(c, '/' | '\\') { ' ' } else { c };
    let words: String = title.chars().map(shown).take(MAX_TITLE).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.is_empty() { own.to_owned() } else { format!("{words}.md") }
}

fn follow_error(error: FollowError) -> ReadError {
    match error {
        FollowError::Fetch(error) => fetch_error(error),
        FollowError::Parse(error) => parse_error(error),
    }
}

fn parse_error(error: ParseError) -> ReadError {
    let (code, message) = (error.code(), error.to_string());
    if error.is_permanent() {
        return ReadError::Unusable { code, message };
    }
    ReadError::Transient { code, message, after: None }
}

#[async_trait]
impl DocumentOrigin for WebOrigin {
    async fn find(&self, scope: &Scope, reference: &str) -> Result<Origin, ReadError> {
        match self.files.0.locate(reference) {
            ReferenceTarget::Web(url) => self.find_on_web(scope, url).await,
            _ => self.files.find(scope, reference).await,
        }
    }

    async fn open(&self, scope: &Scope, origin: &Origin) -> Result<ContentStream, ReadError> {
        match origin.handle.get::<WebDocument>() {
            Some(found) => Ok(found.fetched.open()),
            None => self.files.open(scope, origin).await,
        }
    }
}

pub(super) fn fetch_error(error: FetchError) -> ReadError {
    let (code, message) = (error.code(), error.to_string());
    if error.is_permanent() {
        return ReadError::Unusable { code, message };
    }
    ReadError::Transient { code, message, after: error.retry_after() }
}

/// Extensions of media types that a parser cannot detect from the bytes alone.
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

/// The name with the extension of its media type, which parsers use as a hint.
pub(super) fn file_name(found: &FetchResponse) -> String {
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
    use files_core::{FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles};
    use futures_executor::block_on;
    use futures_util::{StreamExt as _, TryStreamExt as _};
    use shared_core::{FixedClock, SeededRng, UserId, WorkspaceId};

    use webpage_core::WebPage;

    use super::*;
    use crate::scripted::{ScriptedWeb, response};
    use crate::web::{BrowserError, PageBrowser, PageParser, PageSource};

    #[test]
    fn names_get_the_extension_of_their_type_once() {
        for (url, kind, name) in [
            ("https://example.com/export", "text/csv; charset=utf-8", "export.csv"),
            ("https://example.com/a.CSV", "text/csv", "a.CSV"),
            ("https://example.com/show.php", "text/html", "show.php.html"),
            ("https://example.com/a.pdf", "application/octet-stream", "a.pdf"),
            ("https://example.com/a", "", "a"),
        ] {
            assert_eq!(file_name(&response(url, kind, Bytes::new())), name);
        }
    }

    /// A test parser that takes the text of `<main>` as content.
    #[derive(Debug)]
    struct Main;

    #[async_trait]
    impl PageParser for Main {
        async fn parse_page(&self, mut source: PageSource) -> Result<WebPage, ParseError> {
            let mut text = String::new();
            while let Some(Ok(part)) = source.content.next().await {
                text.push_str(&String::from_utf8_lossy(&part));
            }
            let of = |tag: &str| {
                let inner = text.split_once(&format!("<{tag}>")).and_then(|(_, rest)| rest.split_once("</"));
                inner.map_or_else(String::new, |(inner, _)| inner.to_owned())
            };
            let needs_script = text.contains("<script>");
            Ok(WebPage { title: of("title"), body: of("main"), needs_script, ..WebPage::default() })
        }
    }

    fn files() -> FileOrigin {
        let (clock, ids) = (Arc::new(FixedClock::default()), Arc::new(SeededRng::new(1)));
        let config =
            FilesConfig { max_bytes: 1, sniff: |_, _| "", urls: FileUrls::new("https://own.example") };
        let (rows, blobs) = (Arc::new(MemoryFiles::default()), Arc::new(MemoryBlobs::default()));
        FileOrigin(FilesService::new(rows, blobs, clock, ids, config))
    }

    #[test]
    fn a_page_is_the_markdown_of_its_content_and_another_document_its_bytes() {
        let (url, csv, bare) =
            ("https://example.com/tides", "https://example.com/t.csv", "https://example.com/app");
        let html = "<!doctype html><title>Tides / Noon</title><nav>Total: 99</nav><main>High water.</main>";
        let web = ScriptedWeb::new()
            .with(url, "text/html; charset=utf-8", html)
            .with(csv, "text/csv", "a,b\n1,2\n")
            .with(bare, "text/html", "<!doctype html><script>draw()</script>");
        let origin = WebOrigin::new(files(), Arc::new(web), PageReader::new(Arc::new(Main)));
        let scope = Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) };
        block_on(async {
            let page = origin.find(&scope, url).await.unwrap();
            assert_eq!((page.name.as_str(), page.bytes, page.id.as_str()), ("Tides Noon.md", 11, url));
            assert_eq!(page.sha256, hex(&Sha256::digest("High water.")));
            let parts: Vec<Bytes> = origin.open(&scope, &page).await.unwrap().try_collect().await.unwrap();
            assert_eq!(parts.concat(), b"High water.");
            let table = origin.find(&scope, csv).await.unwrap();
            assert_eq!((table.name.as_str(), table.bytes), ("t.csv", 8));
            let empty = origin.find(&scope, bare).await.unwrap_err();
            assert!(empty.to_string().contains("JavaScript"), "{empty}");
            let none = origin.find(&scope, "https://example.com/none").await.unwrap_err();
            assert!(matches!(none, ReadError::Unusable { code: "fetch_status", .. }));
            let file = origin.find(&scope, "7").await.unwrap_err();
            assert!(matches!(file, ReadError::Unusable { code: "file_not_found", .. }));
        });
    }

    /// A browser that returns this page, or fails.
    #[derive(Debug)]
    struct Shows(Option<&'static str>);

    #[async_trait]
    impl PageBrowser for Shows {
        async fn render(&self, _: &str) -> Result<Bytes, BrowserError> {
            self.0.map(Bytes::from).ok_or(BrowserError::Timeout(1))
        }

        async fn picture(&self, _: &str) -> Result<Bytes, BrowserError> {
            Err(BrowserError::Timeout(1))
        }
    }

    #[test]
    fn a_page_that_needs_scripts_is_the_text_that_the_browser_shows_and_may_pass_where_it_fails() {
        let bare = "https://example.com/app";
        let web = ScriptedWeb::new().with(bare, "text/html", "<!doctype html><script>draw()</script>");
        let web: Arc<dyn WebFetcher> = Arc::new(web);
        let scope = Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) };
        let found = |shows: Option<&'static str>| {
            let pages = PageReader::new(Arc::new(Main));
            let pages = pages.with_browser(Arc::new(Shows(shows)), Arc::new(FixedClock::default()), 60);
            let origin = WebOrigin::new(files(), Arc::clone(&web), pages);
            block_on(origin.find(&scope, bare))
        };
        let shown = found(Some("<title>App</title><main>Drawn by a script.</main>")).unwrap();
        assert_eq!((shown.name.as_str(), shown.bytes), ("App.md", 18));
        let empty = found(Some("<p></p>")).unwrap_err();
        assert!(matches!(empty, ReadError::Unusable { code: "document_without_text", .. }), "{empty:?}");
        let failed = found(None).unwrap_err();
        assert!(matches!(failed, ReadError::Transient { code: "page_not_shown", .. }), "{failed:?}");
    }

    #[test]
    fn what_lasts_is_told_from_what_may_pass() {
        let status = |status| FetchError::Status { status, retry_after: Some(7) };
        assert!(matches!(fetch_error(status(404)), ReadError::Unusable { code: "fetch_status", .. }));
        assert!(matches!(
            fetch_error(status(503)),
            ReadError::Transient { code: "fetch_status", after: Some(7), .. }
        ));
        assert!(matches!(
            fetch_error(FetchError::Timeout),
            ReadError::Transient { code: "fetch_timeout", .. }
        ));
        assert!(matches!(fetch_error(FetchError::Robots), ReadError::Unusable { code: "fetch_robots", .. }));
    }
}
