//! Pages over a scripted web.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests assert")]

use std::sync::Arc;

use async_trait::async_trait;
use document::{DocumentOrigin as _, DocumentReader, MemoryParsedDocuments, Origin, ParseError};
use documents_core::DirectParser;
use files_core::{FileOrigin, FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles};
use futures_executor::block_on;
use futures_util::StreamExt as _;
use futures_util::TryStreamExt as _;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use shared_core::{FixedClock, Scope, SeededRng, Spawn, UserId, WorkspaceId};
use utilities_core::scripted::ScriptedWeb;
use utilities_core::web::{
    BrowserError, FetchError, FetchPurpose, PageBrowser, PageParser, PageReader, PageSource, PageUrls,
    PagesService, PictureOrigin, WebFetcher, WebOrigin,
};
use utilities_core::{PictureSource as _, UtilitiesError};
use webpage_core::{PageLimits, WebPage, parse_page};

#[derive(Debug)]
struct Threads;

impl Spawn for Threads {
    fn spawn(&self, work: BoxFuture<'static, ()>) {
        std::thread::spawn(|| block_on(work));
    }
}

/// Reads pages in place.
#[derive(Debug)]
struct Here;

#[async_trait]
impl PageParser for Here {
    async fn parse_page(&self, source: PageSource) -> Result<WebPage, ParseError> {
        let PageSource { url, content_type, content, .. } = source;
        let parts: Vec<bytes::Bytes> = content.try_collect().await.map_err(ParseError::Source)?;
        Ok(parse_page(&parts.concat(), &url, content_type.as_deref(), &PageLimits::default()))
    }

    fn sniff(&self, prefix: &[u8], name: &str) -> &'static str {
        documents_core::sniff(prefix, name)
    }
}

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("own".into()), user: UserId("ada".into()) }
}

fn files() -> FilesService {
    let clock = Arc::new(FixedClock::default());
    let config = FilesConfig {
        max_bytes: 1 << 20,
        sniff: documents_core::sniff,
        urls: FileUrls::new("http://localhost"),
    };
    let (rows, blobs) = (Arc::new(MemoryFiles::default()), Arc::new(MemoryBlobs::default()));
    FilesService::new(rows, blobs, clock, Arc::new(SeededRng::new(1)), config)
}

fn service(web: Arc<dyn WebFetcher>) -> PagesService {
    read_by(web, PageReader::new(Arc::new(Here)))
}

fn shown_by(browser: &Arc<Shows>) -> PageReader {
    PageReader::new(Arc::new(Here)).with_browser(browser.clone(), Arc::new(FixedClock::new(0, 0)), 60)
}

fn read_by(web: Arc<dyn WebFetcher>, reader: PageReader) -> PagesService {
    let clock = Arc::new(FixedClock::default());
    let parsed = Arc::new(MemoryParsedDocuments::default());
    let documents =
        DocumentReader::new(Arc::new(FileOrigin(files())), Arc::new(DirectParser::default()), parsed, clock);
    PagesService::new(FileOrigin(files()), web, reader, documents, Arc::new(Threads))
}

/// The codes or bodies of a call, in its order.
fn told(service: &PagesService, urls: &[&str]) -> Vec<String> {
    let urls = PageUrls::new(urls.iter().map(|url| (*url).to_owned()).collect()).unwrap();
    let told = service.each(&scope(), urls, |page| match page.read {
        Ok(found) => found.page.body,
        Err(error) => error.code.to_owned(),
    });
    block_on(told.collect())
}

/// A browser that returns a fixed page and counts its calls.
#[derive(Debug)]
struct Shows(Option<&'static str>, Mutex<Vec<String>>);

#[async_trait]
impl PageBrowser for Shows {
    async fn render(&self, url: &str) -> Result<bytes::Bytes, BrowserError> {
        self.1.lock().push(url.to_owned());
        self.0.map(|html| html.into()).ok_or(BrowserError::Timeout(1))
    }

    async fn picture(&self, url: &str) -> Result<bytes::Bytes, BrowserError> {
        self.render(url).await
    }
}

#[test]
fn only_a_page_that_needs_scripts_and_has_hardly_any_text_is_shown_by_the_browser() {
    let shell = "<title>T</title><div id=root></div><noscript>Please enable JavaScript.</noscript><script src=a.js>\
                 </script>";
    let long = "It carries its text for them. ".repeat(40);
    let carried = format!(
        "<title>T</title><div id=__next></div><script id=__NEXT_DATA__ type=application/json>\
         {{\"props\":{{\"pageProps\":{{\"article\":{{\"title\":\"T\",\"body\":\"{long}\"}}}}}}}}</script>"
    );
    let web = ScriptedWeb::new()
        .with("http://a.example/shell", "text/html", shell)
        .with("http://a.example/carried", "text/html", carried)
        .with("http://a.example/plain", "text/html", "<p>Words.");
    let web: Arc<dyn WebFetcher> = Arc::new(web);
    let read = |browser: &Arc<Shows>, path: &str| {
        let service = read_by(web.clone(), shown_by(browser));
        block_on(service.read(&scope(), &format!("http://a.example/{path}"))).unwrap().page
    };
    let shows = Arc::new(Shows(
        Some("<title>T</title><p>Words that a script wrote after the page had come."),
        Mutex::default(),
    ));
    let page = read(&shows, "shell");
    assert_eq!(
        (page.body.as_str(), page.needs_script),
        ("Words that a script wrote after the page had come.", true)
    );
    assert!(read(&shows, "carried").body.contains("It carries its text"));
    assert_eq!(read(&shows, "plain").body, "Words.");
    assert_eq!(*shows.1.lock(), ["http://a.example/shell"]);

    for shown in [None, Some(""), Some("<p>")] {
        let page = read(&Arc::new(Shows(shown, Mutex::default())), "shell");
        assert_eq!((page.title.as_str(), page.needs_script), ("T", true), "{shown:?}");
    }
}

#[test]
fn what_is_no_page_is_read_as_a_document_whatever_it_is_called() {
    let page = "<html><body><p>Words of a page.</p></body></html>";
    let web = ScriptedWeb::new()
        .with("http://a.example/page", "text/html; charset=utf-8", page)
        .with("http://a.example/untyped", "", page)
        .with("http://a.example/list.csv", "text/csv", "Fish,Kilos\nCod,412\n")
        .with("http://a.example/false.html", "text/html", "%PDF-1.4 is no page")
        .with("http://a.example/source.txt", "text/plain", page);
    let service = service(Arc::new(web));
    let urls = ["page", "untyped", "list.csv", "false.html", "source.txt"];
    let urls: Vec<String> = urls.iter().map(|path| format!("http://a.example/{path}")).collect();
    let told = told(&service, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(told.first().map(String::as_str), Some("Words of a page."));
    assert_eq!(told.get(1), told.first());
    assert!(told.get(2).is_some_and(|text| text.contains("| Cod | 412 |")), "{told:?}");
    assert!(told.get(3).is_some_and(|code| code.starts_with("document_")), "{told:?}");
}

#[test]
fn a_failed_page_leaves_the_others_alone_and_the_order_stays() {
    let web = ScriptedWeb::new()
        .with("http://a.example/1", "text/html", "<p>One.")
        .failing("http://a.example/2", FetchError::Timeout)
        .with("http://a.example/3", "text/html", "<p>Three.");
    let urls = ["http://a.example/3", "http://a.example/2", "http://a.example/x", "http://a.example/1"];
    assert_eq!(told(&service(Arc::new(web)), &urls), ["Three.", "fetch_timeout", "fetch_status", "One."]);
}

#[test]
fn what_is_too_large_for_a_page_may_be_a_document() {
    let web = Arc::new(ScriptedWeb::new().failing("http://a.example/", FetchError::TooLarge { limit: 10 }));
    assert_eq!(told(&service(web.clone()), &["http://a.example/"]), ["fetch_too_large"]);
    let wanted: Vec<FetchPurpose> = web.requests().into_iter().map(|request| request.purpose).collect();
    assert_eq!(wanted, [FetchPurpose::Page, FetchPurpose::Document]);
}

#[test]
fn a_found_page_tells_its_host_and_resolves_links_against_where_it_was_found() {
    let page = "<title>T</title><p>Read about <a href='../b?x#y'>the other side of it</a> in a long text.";
    let web = Arc::new(ScriptedWeb::new().with("http://www.a.example:8080/c/d/", "text/html", page));
    let found = block_on(service(web).read(&scope(), " http://www.a.example:8080/c/d/ ")).unwrap();
    assert_eq!((found.domain.as_str(), found.page.title.as_str()), ("www.a.example", "T"));
    assert_eq!(
        found.page.links.first().map(|link| link.url.as_str()),
        Some("http://www.a.example:8080/c/b?x")
    );
}

#[test]
fn a_call_names_one_to_a_hundred_pages() {
    let of = |count: usize| PageUrls::new(vec![String::new(); count]);
    assert!(of(1).is_ok() && of(100).is_ok());
    for bad in [of(0), of(101), PageUrls::new(vec!["x".repeat(100_000)])] {
        assert!(matches!(bad, Err(UtilitiesError::Invalid(_))));
    }
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";

/// Pages with a picture, with none, and with some that are not to be had.
fn pictured() -> Arc<dyn WebFetcher> {
    let page =
        |image: &str| format!("<title>Cod</title><meta property=og:image content={image}><p>Words of it.");
    let web = ScriptedWeb::new()
        .with("http://a.example/one", "text/html", page("/cod.png"))
        .with("http://a.example/cod.png", "image/png", PNG)
        .with("http://a.example/two", "text/html", page("/page"))
        .with("http://a.example/page", "text/html", "<p>No picture.")
        .with("http://a.example/three", "text/html", page("/gone.png"))
        .with("http://a.example/a.csv", "text/csv", "a,b\n");
    Arc::new(web)
}

fn drawn(origin: &PictureOrigin, found: &Origin) -> Vec<u8> {
    block_on(async {
        let parts: Vec<bytes::Bytes> =
            origin.open(&scope(), found).await.unwrap().try_collect().await.unwrap();
        assert_eq!(parts.concat().len() as u64, found.bytes);
        parts.concat()
    })
}

fn found(origin: &PictureOrigin, path: &str) -> Origin {
    block_on(origin.find(&scope(), &format!("http://a.example/{path}"))).unwrap()
}

const CARD: &str = "# Cod\n\na.example";

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap().trim().to_owned()
}

#[test]
fn a_page_is_drawn_by_the_picture_it_names_else_by_its_title_and_host() {
    let reader = PageReader::new(Arc::new(Here));
    let origin = PictureOrigin::new(WebOrigin::new(FileOrigin(files()), pictured(), reader));
    let named = found(&origin, "one");
    assert_eq!(drawn(&origin, &named), PNG);
    for without in ["two", "three"] {
        assert_eq!(text(drawn(&origin, &found(&origin, without))), CARD);
    }
    let table = found(&origin, "a.csv");
    assert_eq!(drawn(&origin, &table), b"a,b\n");
    let gone = block_on(origin.find(&scope(), "http://a.example/none")).unwrap_err();
    assert!(gone.to_string().contains("404"), "{gone}");

    let instead = |undrawn: &Origin| block_on(origin.fallback(&scope(), undrawn));
    let card = instead(&named).expect("a picture that cannot be drawn has something in its place");
    assert_eq!(text(drawn(&origin, &card)), CARD);
    assert!(instead(&card).is_none() && instead(&table).is_none());
}

#[test]
fn a_page_without_a_picture_is_drawn_as_the_browser_shows_it_once_for_all_who_ask() {
    let shows = Arc::new(Shows(Some("shown"), Mutex::default()));
    let web = pictured();
    let origin = PictureOrigin::new(WebOrigin::new(FileOrigin(files()), web.clone(), shown_by(&shows)));
    assert_eq!(drawn(&origin, &found(&origin, "one")), PNG);
    assert!(shows.1.lock().is_empty(), "a page that names its picture needs no browser");
    for _ in 0..2 {
        assert_eq!(text(drawn(&origin, &found(&origin, "two"))), "shown");
    }
    assert_eq!(*shows.1.lock(), ["http://a.example/two"]);
    let browsed = block_on(origin.fallback(&scope(), &found(&origin, "one"))).unwrap();
    assert_eq!((text(drawn(&origin, &browsed)).as_str(), browsed.name.as_str()), ("shown", "page.png"));
    let card = block_on(origin.fallback(&scope(), &browsed)).unwrap();
    assert_eq!(text(drawn(&origin, &card)), CARD);

    let fails = Arc::new(Shows(None, Mutex::default()));
    let origin = PictureOrigin::new(WebOrigin::new(FileOrigin(files()), web, shown_by(&fails)));
    assert_eq!(text(drawn(&origin, &found(&origin, "two"))), CARD);
}
