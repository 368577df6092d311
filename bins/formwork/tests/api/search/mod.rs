//! Search of the web and of the news, on the real binary with scripted providers and sites on the loopback address.

mod answers;
mod hostile;
mod providers;

use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::kit::{Answer, Server};

/// The value of a parameter of a request, decoded.
pub(crate) fn asked(request: &ReceivedRequest, name: &str) -> Option<String> {
    let query = request.path.split_once('?')?.1;
    form_urlencoded::parse(query.as_bytes()).find(|(own, _)| own == name).map(|(_, value)| value.into_owned())
}

/// A SearXNG server: one hit that repeats the term, nothing for `nothing`, no engine for `down`.
pub(crate) fn searxng() -> Upstream {
    Upstream::start(|request| match asked(request, "q").unwrap_or_default().as_str() {
        "nothing" => Reply::json(200, &json!({"results": [], "unresponsive_engines": []})),
        "down" => Reply::json(200, &json!({"results": [], "unresponsive_engines": [["first", "timeout"]]})),
        term => Reply::json(200, &json!({"query": term, "results": [hit(term)], "unresponsive_engines": []})),
    })
    .unwrap()
}

fn hit(term: &str) -> Value {
    json!({
        "url": format!("https://www.harbour.example/{}?utm_source=x", term.len()), "title": format!("About {term}"),
        "content": "What the boats bring in.", "publishedDate": "2026-01-02T03:04:05+01:00", "engine": "first"
    })
}

/// Settings with this SearXNG server alone, without reading pages.
pub(crate) fn by_searxng(upstream: &Upstream) -> String {
    format!("[search]\nfull_texts = 0\nnews_order = \"searxng\"\nsearxng.base_url = \"{}\"", upstream.url())
}

async fn search(server: &Server, operation: &str, terms: Value) -> Answer {
    server.post(&format!("/v1/utilities/{operation}"), json!({"search_terms": terms})).await
}

/// Both operations.
const BOTH: [&str; 2] = ["websearch", "news"];

/// What an item calls its term.
fn term<'a>(operation: &str, item: &'a Value) -> &'a Value {
    if operation == "news" { &item["search_term"] } else { &item["term"] }
}
