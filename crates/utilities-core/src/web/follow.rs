//! Follows a fetched page to its content: through a refresh that acts as a redirect, and into the frames of a
//! page with hardly any text of its own. Everything is fetched through the fetcher, under its policy and
//! limits.

use std::sync::Arc;

use document::ParseError;
use shared_core::Scope;
use webpage_core::WebPage;

use super::page_type::is_page;
use super::{FetchError, FetchPurpose, FetchRequest, FetchResponse, PageParser, PageSource, WebFetcher};

/// Maximum redirects in a row, including those of HTTP. Bounds the time, as in the fetcher. Chosen by hand.
const MAX_REDIRECTS: usize = 5;
/// Maximum frames that are read. Bounds the time. Chosen by hand; no measurement is recorded.
const FRAMES: usize = 3;
/// Maximum related links of a page with its frames. Bounds the response. Chosen by hand; no measurement is
/// recorded.
const LINKS: usize = 50;
/// Minimum bytes of text for which a page with a failed refresh target is answered itself. As `reader::THIN`.
/// Chosen by hand; no measurement is recorded.
const OWN: usize = 500;

/// Follows refreshes and frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Follower<'a> {
    pub(super) web: &'a dyn WebFetcher,
    pub(super) pages: &'a dyn PageParser,
    pub(super) scope: &'a Scope,
    pub(super) wants: FetchPurpose,
}

/// The content that a page leads to.
#[derive(Debug)]
pub(super) enum FollowOutcome {
    /// A page, with its response.
    Page(Arc<FetchResponse>, Box<WebPage>),
    /// Anything else.
    Document(Arc<FetchResponse>),
}

/// Why a page could not be read.
#[derive(Debug)]
pub(super) enum FollowError {
    Fetch(FetchError),
    Parse(ParseError),
}

impl From<FetchError> for FollowError {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

impl From<ParseError> for FollowError {
    fn from(error: ParseError) -> Self {
        Self::Parse(error)
    }
}

impl Follower<'_> {
    /// The page or document that a response leads to. A failed target is an error, unless the redirecting
    /// page has text of its own.
    pub(super) async fn follow(&self, mut found: Arc<FetchResponse>) -> Result<FollowOutcome, FollowError> {
        let mut seen = vec![found.url.clone()];
        let mut hops = found.redirects;
        while is_page(self.pages, &found).await? {
            let page = self.pages.parse_page(PageSource::from(found.as_ref())).await?;
            let Some(target) = page.refresh.clone() else {
                let page = self.with_frames(page).await;
                return Ok(FollowOutcome::Page(found, Box::new(page)));
            };
            found = match self.follow_refresh(target, &mut seen, &mut hops).await {
                Ok(next) => next,
                Err(_) if page.body.len() > OWN => return Ok(FollowOutcome::Page(found, Box::new(page))),
                Err(error) => return Err(error.into()),
            };
        }
        Ok(FollowOutcome::Document(found))
    }

    /// The response behind a refresh. It counts as one more redirect, in addition to those that follow from
    /// there.
    async fn follow_refresh(
        &self,
        target: String,
        seen: &mut Vec<String>,
        hops: &mut usize,
    ) -> Result<Arc<FetchResponse>, FetchError> {
        *hops += 1;
        if *hops > MAX_REDIRECTS {
            return Err(FetchError::Redirects("more than five times"));
        }
        let next = self.web.fetch(self.scope, &FetchRequest::new(target, self.wants)).await?;
        *hops += next.redirects;
        if *hops > MAX_REDIRECTS {
            return Err(FetchError::Redirects("more than five times"));
        }
        if seen.contains(&next.url) {
            return Err(FetchError::Redirects("in a circle"));
        }
        seen.push(next.url.clone());
        Ok(next)
    }

    /// The page with the content of its frames. A frame that cannot be fetched is left out.
    async fn with_frames(&self, mut page: WebPage) -> WebPage {
        for url in std::mem::take(&mut page.frames).into_iter().take(FRAMES) {
            let Some(frame) = self.frame(url).await.filter(|frame| !frame.body.trim().is_empty()) else {
                continue;
            };
            if !page.body.is_empty() {
                page.body.push_str("\n\n");
            }
            page.body.push_str(&frame.body);
            if page.title.is_empty() {
                page.title = frame.title;
            }
            page.links.extend(frame.links);
            page.links.truncate(LINKS);
            page.truncated |= frame.truncated;
            page.needs_script = false;
        }
        page
    }

    async fn frame(&self, url: String) -> Option<WebPage> {
        let found = self.web.fetch(self.scope, &FetchRequest::new(url, self.wants)).await.ok()?;
        if !is_page(self.pages, &found).await.ok()? {
            return None;
        }
        self.pages.parse_page(PageSource::from(found.as_ref())).await.ok()
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use bytes::Bytes;
    use futures_executor::block_on;
    use futures_util::TryStreamExt as _;
    use shared_core::{UserId, WorkspaceId};
    use webpage_core::{PageLimits, parse_page};

    use super::*;
    use crate::scripted::{ScriptedWeb, response};

    /// Parses pages in this process.
    #[derive(Debug)]
    struct Here;

    #[async_trait]
    impl PageParser for Here {
        async fn parse_page(&self, source: PageSource) -> Result<WebPage, ParseError> {
            let parts: Vec<Bytes> = source.content.try_collect().await.map_err(ParseError::Source)?;
            Ok(parse_page(
                &parts.concat(),
                &source.url,
                source.content_type.as_deref(),
                &PageLimits::default(),
            ))
        }

        fn sniff(&self, prefix: &[u8], name: &str) -> &'static str {
            documents_core::sniff(prefix, name)
        }
    }

    fn at(path: &str) -> String {
        format!("http://a.example/{path}")
    }

    fn sent_on(to: &str) -> String {
        format!("<title>Moved</title><meta http-equiv=refresh content='0; url={to}'><p>We have moved.")
    }

    fn page(web: ScriptedWeb, path: &str, html: &str) -> ScriptedWeb {
        web.with(&at(path), "text/html", html.to_owned())
    }

    /// The content behind a page that was fetched after this many redirects.
    fn end(web: &ScriptedWeb, path: &str, redirects: usize) -> Result<FollowOutcome, FollowError> {
        let scope = Scope { workspace: WorkspaceId("own".into()), user: UserId("ada".into()) };
        let follower = Follower { web, pages: &Here, scope: &scope, wants: FetchPurpose::Page };
        block_on(async {
            let found = web.fetch(&scope, &FetchRequest::new(at(path), FetchPurpose::Page)).await?;
            follower.follow(Arc::new(FetchResponse { redirects, ..found.as_ref().clone() })).await
        })
    }

    fn body(web: &ScriptedWeb, path: &str) -> (String, String) {
        match end(web, path, 0) {
            Ok(FollowOutcome::Page(found, page)) => (found.url.clone(), page.body),
            Ok(FollowOutcome::Document(found)) => (found.url.clone(), "document".to_owned()),
            Err(FollowError::Fetch(error)) => (String::new(), error.to_string()),
            Err(FollowError::Parse(error)) => (String::new(), error.to_string()),
        }
    }

    #[test]
    fn a_refresh_is_followed_to_a_page_or_a_document() {
        let web = page(ScriptedWeb::new(), "old", &sent_on("/new"));
        let web = page(web, "new", "<p>High water is at noon.");
        let web = page(web, "report", &sent_on("report.pdf")).with(
            &at("report.pdf"),
            "application/pdf",
            "%PDF-1.7",
        );
        assert_eq!(body(&web, "old"), (at("new"), "High water is at noon.".to_owned()));
        assert_eq!(body(&web, "report"), (at("report.pdf"), "document".to_owned()));
    }

    #[test]
    fn refreshes_end_as_redirects_do() {
        let web = page(ScriptedWeb::new(), "a", &sent_on("/b"));
        let web = page(web, "b", &sent_on("/a"));
        assert_eq!(body(&web, "a").1, "the site redirects in a circle");
        let chain = (0..9)
            .fold(ScriptedWeb::new(), |web, n| page(web, &n.to_string(), &sent_on(&format!("/{}", n + 1))));
        assert_eq!(body(&chain, "0").1, "the site redirects more than five times");
        assert_eq!(chain.requests().len(), 6);
        let web = page(page(ScriptedWeb::new(), "old", &sent_on("/new")), "new", "<p>Here.");
        assert!(end(&web, "old", 4).is_ok());
        assert!(matches!(end(&web, "old", 5), Err(FollowError::Fetch(FetchError::Redirects(_)))));
    }

    #[test]
    fn what_a_refresh_may_not_reach_is_an_error_unless_the_page_says_something_itself() {
        let denied = || FetchError::Denied("its host is not public");
        let inside = "http://10.0.0.1/";
        let web = page(ScriptedWeb::new().failing(inside, denied()), "short", &sent_on(inside));
        assert_eq!(body(&web, "short").1, "the URL is not allowed: its host is not public");
        let words: String = (0..40).map(|n| format!("<p>Boat {n} came in at noon.")).collect();
        let web = page(web, "words", &format!("{}{words}", sent_on(inside)));
        assert!(body(&web, "words").1.contains("Boat 39"));
    }

    #[test]
    fn frames_are_read_where_a_page_says_nothing_and_those_that_fail_are_left_out() {
        let set = "<title>Harbour</title><frameset><frame name=menu src=/m><frame src=/one><frame src=/none>\
                   <frame src=/two><frame src=http://b.example/three></frameset>";
        let web = page(ScriptedWeb::new(), "", set);
        let web = page(web, "one", "<p>Part one.<iframe src=/deeper></iframe>");
        let web = page(page(web, "two", "<p>Part two."), "deeper", "<p>Never read.");
        assert_eq!(body(&web, "").1, "Part one.\n\nPart two.");
        let asked: Vec<String> = web.requests().into_iter().map(|request| request.url).collect();
        assert_eq!(asked, [at(""), at("one"), at("none"), at("two")]);
    }

    #[test]
    fn html_that_is_sent_as_text_is_a_page_and_a_text_about_html_is_not() {
        let is_page = |kind: &str, text: &str| {
            let text = Bytes::from(text.to_owned());
            block_on(super::is_page(&Here, &response(&at("x"), kind, text))).is_ok_and(|is_page| is_page)
        };
        assert!(is_page("text/plain", " <!DOCTYPE html>\n<html><head><title>T</title>"));
        assert!(is_page("text/plain; charset=utf-8", "\u{feff}<html lang=en><body>Words"));
        assert!(!is_page("text/plain", "<title> is an element of HTML"));
        assert!(!is_page("text/plain", "A page begins with <!doctype html><html><head>"));
        assert!(!is_page("text/csv", "<!doctype html><html><head>"));
    }
}
