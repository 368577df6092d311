//! What providers are asked.

use serde_json::json;
use testkit::upstream::{ReceivedRequest, Reply};
use utilities_core::search::{Freshness, Query, SafeSearch};

use super::{Asked, language, query, serving};
use crate::common::KEY;

async fn sent(asked: Asked, query: &Query, base: &str) -> ReceivedRequest {
    let upstream = serving(Reply::whole(200, "application/json", asked.nothing()));
    asked.ask(&format!("{}{base}", upstream.url()), query).await.unwrap();
    upstream.requests().remove(0)
}

fn filtered() -> Query {
    Query {
        limit: 40,
        language: language("pt-BR"),
        freshness: Some(Freshness::Week),
        safe_search: SafeSearch::Strict,
        ..query("cod & eel #1?")
    }
}

#[tokio::test]
async fn searxng_is_asked_in_its_own_words_at_any_address() {
    let plain = sent(Asked::SearxngWeb, &query("cod"), "").await;
    assert_eq!(plain.path, "/search?q=cod&format=json&categories=general&safesearch=1&pageno=1");
    let filtered = sent(Asked::SearxngNews, &filtered(), "/searxng/").await;
    assert_eq!(
        filtered.path,
        "/searxng/search?q=cod+%26+eel+%231%3F&format=json&categories=news&safesearch=2&pageno=1\
         &language=pt-BR&time_range=week"
    );
    let whole = sent(Asked::SearxngWeb, &query("cod"), "/search").await;
    assert!(whole.path.starts_with("/search?q=cod"), "{}", whole.path);
    assert_eq!(plain.header("authorization"), None);
}

#[tokio::test]
async fn brave_is_asked_in_its_own_words() {
    let plain = sent(Asked::BraveWeb, &query("cod"), "/res/v1").await;
    assert_eq!(
        plain.path,
        "/res/v1/web/search?q=cod&count=10&safesearch=moderate&text_decorations=false&result_filter=web"
    );
    assert_eq!(plain.header("x-subscription-token"), Some(KEY));
    let web = sent(Asked::BraveWeb, &filtered(), "/res/v1").await;
    assert!(web.path.contains("count=20&safesearch=strict"), "{}", web.path);
    let news = sent(Asked::BraveNews, &filtered(), "/res/v1").await;
    assert_eq!(
        news.path,
        "/res/v1/news/search?q=cod+%26+eel+%231%3F&count=40&safesearch=strict&freshness=pw\
         &search_lang=pt-br&country=BR"
    );
    for (tag, expected) in [
        ("ja", "&search_lang=jp"),
        ("zh-TW", "&search_lang=zh-hant&country=TW"),
        ("zh", "&search_lang=zh-hans"),
        ("en-GB", "&search_lang=en-gb&country=GB"),
        ("de-LI", "&search_lang=de"),
    ] {
        let asked = Query { language: language(tag), ..query("cod") };
        let path = sent(Asked::BraveWeb, &asked, "").await.path;
        assert!(path.ends_with(&format!("result_filter=web{expected}")), "{path}");
    }
    let unknown = Query { language: language("tlh"), ..query("cod") };
    assert!(!sent(Asked::BraveWeb, &unknown, "").await.path.contains("lang"));
}

#[tokio::test]
async fn tavily_is_asked_in_its_own_words() {
    let web = sent(Asked::TavilyWeb, &Query { with_text: false, ..query("cod") }, "").await;
    assert_eq!((web.method.as_str(), web.path.as_str()), ("POST", "/search"));
    assert_eq!(web.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(
        web.json(),
        json!({"query": "cod", "topic": "general", "search_depth": "basic", "max_results": 10,
            "include_raw_content": false})
    );
    let news = sent(Asked::TavilyNews, &filtered(), "").await;
    assert_eq!(
        news.json(),
        json!({"query": "cod & eel #1?", "topic": "news", "search_depth": "basic", "max_results": 20,
            "include_raw_content": true, "time_range": "week"})
    );
}

#[tokio::test]
async fn a_term_of_more_words_than_brave_takes_is_not_sent_to_it() {
    let upstream = serving(Reply::whole(200, "application/json", Asked::BraveWeb.nothing()));
    let long = query(&["w"; 51].join(" "));
    let error = Asked::BraveWeb.ask(&upstream.url(), &long).await.unwrap_err();
    assert_eq!((error.message.as_str(), upstream.count()), ("it takes terms of at most 50 words", 0));
}
