//! News by feeds, over a scripted web.

use std::sync::Arc;

use gen_core::Fault;
use providers_http::{BING_NEWS, FeedNews, FeedTemplate, FeedTemplateError, GOOGLE_NEWS};
use utilities_core::scripted::ScriptedWeb;
use utilities_core::search::{Freshness, LanguageTag, NewsProvider as _, Query, RawHit};
use utilities_core::web::FetchError;

use super::{language, query, scope};

const RSS2: &[u8] = include_bytes!("../golden/search/rss2.xml");
const GOOGLE: &str = include_str!("../golden/search/google.xml");
const BING: &str = include_str!("../golden/search/bing.xml");
const ATOM: &str = include_str!("../golden/search/atom.xml");
const RDF: &str = include_str!("../golden/search/rdf.xml");
const JSON: &str = include_str!("../golden/search/feed.json");

const FIRST: &str = "https://one.example/?q=cod";
const SECOND: &str = "https://two.example/?q=cod";

fn news(web: ScriptedWeb, templates: &[&str]) -> (FeedNews, Arc<ScriptedWeb>) {
    let web = Arc::new(web);
    let templates = templates.iter().map(|template| FeedTemplate::parse(template).unwrap()).collect();
    (FeedNews::new(web.clone(), templates, LanguageTag::parse("en-US").unwrap()), web)
}

fn two(web: ScriptedWeb) -> FeedNews {
    news(web, &["https://one.example/?q={query}", "https://two.example/?q={query}"]).0
}

async fn read(kind: &str, body: impl Into<bytes::Bytes>) -> Result<Vec<RawHit>, gen_core::ProviderError> {
    let web = ScriptedWeb::new().with(FIRST, kind, body);
    let (news, _) = news(web, &["https://one.example/?q={query}"]);
    news.news(&scope(), &query("cod")).await.map(|found| found.hits)
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[tokio::test]
async fn the_search_feeds_of_google_and_bing_name_their_publishers() {
    let hits = read("application/xml; charset=utf-8", GOOGLE).await.unwrap();
    assert_eq!(hits[0].title, "Cod is back in the bay - The Herald");
    assert_eq!(hits[0].url, "https://news.google.com/rss/articles/CBMiAAA?oc=5");
    assert_eq!(hits[0].publisher, some("The Herald"));
    assert_eq!(hits[0].date, some("Wed, 31 Dec 2025 21:00:00 GMT"));
    assert_eq!((hits[1].publisher.clone(), hits[1].language.clone()), (some("Harbour Post"), some("en-US")));
    let hits = read("text/xml", BING).await.unwrap();
    assert_eq!((hits.len(), hits[0].publisher.clone()), (1, some("The Herald")));
    assert!(hits[0].url.contains("url=https%3a%2f%2fherald.example%2fnews%2fcod&c=1"));
}

#[tokio::test]
async fn a_feed_of_rss_2_in_another_encoding_is_read() {
    let hits = read("application/rss+xml", RSS2).await.unwrap();
    assert_eq!(
        hits[0],
        RawHit {
            title: "Frühling & Fisch".into(),
            description: "<p>Die Boote <b>fahren</b> aus.</p><p>Bald.</p>".into(),
            url: "https://hafenblatt.example/fruehling".into(),
            date: some("2025-12-30T10:00:00+01:00"),
            publisher: some("Das Hafenblatt"),
            language: some("de-DE"),
            ..RawHit::default()
        }
    );
    assert_eq!(hits[1].url, "https://hafenblatt.example/nur-guid");
    // An entity of the document's own is not expanded.
    assert_eq!(hits[1].title, "Only a guid &long; &nbsp;here");
}

#[tokio::test]
async fn atom_rdf_and_json_feeds_are_read() {
    let hits = read("application/atom+xml", ATOM).await.unwrap();
    assert_eq!(
        (hits[0].title.as_str(), hits[0].publisher.clone()),
        ("La <em>morue</em> revient", some("La Gazette"))
    );
    assert_eq!(hits[0].url, "https://quai.example/morue");
    assert_eq!(hits[0].date, some("2025-12-31T08:29:29-04:00"));
    let words: Vec<&str> = hits[0].description.split_whitespace().collect();
    assert_eq!((words.join(" ").as_str(), hits[0].language.clone()), ("Les bateaux rentrent.", some("fr")));
    assert_eq!((hits[1].title.as_str(), hits[1].language.clone()), ("Vec&lt;T> &amp; nets", some("en")));
    assert_eq!(
        (hits[1].date.clone(), hits[1].description.as_str()),
        (some("2025-12-30T00:00:00Z"), "Short.")
    );
    let hits = read("text/xml", RDF).await.unwrap();
    assert_eq!((hits.len(), hits[0].publisher.clone()), (1, some("Moor News")));
    assert_eq!((hits[0].date.clone(), hits[0].language.clone()), (some("2025-12-29"), some("en-GB")));
    let hits = read("application/feed+json", JSON).await.unwrap();
    let told: Vec<(&str, &str, &str)> = hits
        .iter()
        .map(|hit| (hit.url.as_str(), hit.title.as_str(), hit.language.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(
        told,
        [
            ("https://tides.example/1", "High water &amp; &lt;low>", "en"),
            ("https://tides.example/2", "", "de"),
            ("https://tides.example/3", "", "en"),
        ]
    );
}

#[tokio::test]
async fn a_feed_in_utf_16_and_one_that_breaks_off_are_read_as_far_as_they_go() {
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(GOOGLE.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert_eq!(read("text/xml", utf16).await.unwrap().len(), 2);
    let end = GOOGLE.rfind("<item>").unwrap() + 40;
    assert_eq!(read("text/xml", GOOGLE[..end].to_owned()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_no_feed_is_a_failure() {
    for (kind, body) in [
        ("text/html", "<!DOCTYPE html><html><body><item><title>x</title></item></body></html>"),
        ("text/xml", "<sitemap><url/></sitemap>"),
        ("application/json", r#"{"items": []}"#),
        ("application/json", r#"{"version": "https://example.com/", "items": []}"#),
        ("application/json", r#"{"version": "https://jsonfeed.org/version/1", "items": ["#),
        ("text/plain", "nothing"),
        ("text/xml", ""),
        ("text/xml", "\u{0}\u{0}"),
    ] {
        let error = read(kind, body).await.unwrap_err();
        let message = "one.example answered with something that is no feed";
        assert_eq!((error.fault, error.message.as_str()), (Fault::Protocol, message), "{body}");
    }
    assert_eq!(read("text/xml", "<rss version=\"2.0\"><channel></channel></rss>").await.unwrap(), []);
}

#[tokio::test]
async fn hostile_feeds_are_bounded() {
    let deep = format!("<rss><channel><item><title>{}x", "<b>".repeat(300_000));
    assert_eq!(read("text/xml", deep).await.unwrap(), []);
    let item = "<item><title>t</title><link>https://example.com/</link></item>";
    let many = format!("<rss><channel>{}</channel></rss>", item.repeat(20_000));
    assert_eq!(read("text/xml", many).await.unwrap().len(), 200);
    let long = format!("<rss><channel><item><title>{}</title></item></channel></rss>", "é".repeat(1_000_000));
    assert!(read("text/xml", long).await.unwrap()[0].title.len() <= 32 << 10);
    let unbalanced = "</a></b></rss><rss></channel></item><channel><item></title><title>t</title></item>";
    assert!(read("text/xml", unbalanced).await.is_ok());
    let huge = vec![b' '; (4 << 20) + 1];
    assert_eq!(read("text/xml", huge).await.unwrap_err().fault, Fault::Failed);
}

#[tokio::test]
async fn feeds_are_mixed_in_turn_and_one_that_fails_is_left_out() {
    let both = two(ScriptedWeb::new().with(FIRST, "text/xml", GOOGLE).with(SECOND, "text/xml", BING));
    let hits = both.news(&scope(), &query("cod")).await.unwrap().hits;
    let publishers: Vec<&str> = hits.iter().filter_map(|hit| hit.publisher.as_deref()).collect();
    assert_eq!(publishers, ["The Herald", "The Herald", "Harbour Post"]);
    let one = two(ScriptedWeb::new().failing(FIRST, FetchError::Timeout).with(SECOND, "text/xml", BING));
    assert_eq!(one.news(&scope(), &query("cod")).await.unwrap().hits.len(), 1);
}

#[tokio::test]
async fn no_news_of_one_feed_and_a_failure_of_the_other_is_a_failure() {
    let busy = FetchError::Status { status: 429, retry_after: Some(9) };
    let empty = "<rss><channel></channel></rss>";
    let web = ScriptedWeb::new().failing(FIRST, busy).with(SECOND, "text/xml", empty);
    let error = two(web).news(&scope(), &query("cod")).await.unwrap_err();
    assert_eq!(error.fault, Fault::RateLimited);
    assert_eq!(error.message, "one.example: the site answered with status 429");
    assert_eq!(error.retry_after.map(|wait| wait.as_secs()), Some(9));
    let web = ScriptedWeb::new().with(FIRST, "text/xml", empty).with(SECOND, "text/xml", empty);
    assert_eq!(two(web).news(&scope(), &query("cod")).await.unwrap().hits, []);
}

#[tokio::test]
async fn the_term_is_put_into_the_address_and_never_breaks_out_of_its_place() {
    let asked = async |template: &str, query: Query| {
        let (news, web) = news(ScriptedWeb::new(), &[template]);
        news.news(&scope(), &query).await.unwrap_err();
        web.requests().remove(0).url
    };
    assert_eq!(
        asked(GOOGLE_NEWS, query("cod & {region}#x/../?a=b")).await,
        "https://news.google.com/rss/search?q=cod%20%26%20%7Bregion%7D%23x%2F..%2F%3Fa%3Db&hl=en-US&gl=US&ceid=US:en"
    );
    let german = Query { language: language("de"), freshness: Some(Freshness::Week), ..query("Ä") };
    assert_eq!(
        asked(GOOGLE_NEWS, german.clone()).await,
        "https://news.google.com/rss/search?q=%C3%84%20when%3A7d&hl=de-DE&gl=DE&ceid=DE:de"
    );
    assert_eq!(
        asked(BING_NEWS, german.clone()).await,
        "https://www.bing.com/news/search?q=%C3%84&format=rss&mkt=de-DE"
    );
    assert_eq!(
        asked("https://a.example/{limit}/{days}?{query}", german).await,
        "https://a.example/10/7?%C3%84"
    );
}

#[test]
fn templates_that_cannot_be_used_are_refused() {
    for (template, expected) in [
        ("", FeedTemplateError::Address),
        ("news", FeedTemplateError::Address),
        ("ftp://a.example/{query}", FeedTemplateError::Address),
        ("https://ada:pw@a.example/{query}", FeedTemplateError::Address),
        ("https://{query}.example/", FeedTemplateError::Address),
        ("https://a.example", FeedTemplateError::NoQuery),
        ("https://a.example/feed", FeedTemplateError::NoQuery),
        ("https://a.example/{query}&x={user}", FeedTemplateError::UnknownPlace),
        ("https://a.example/{query}{", FeedTemplateError::UnknownPlace),
    ] {
        assert_eq!(FeedTemplate::parse(template), Err(expected), "{template}");
    }
}
