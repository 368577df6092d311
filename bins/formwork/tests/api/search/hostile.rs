//! Requests that are not as they should be, and providers that mean no good.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::{BOTH, asked, by_searxng, search, searxng};
use crate::kit::Server;

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_break_a_rule_are_refused_with_its_place() {
    let upstream = searxng();
    let server = Server::with(&by_searxng(&upstream));
    let long = "x".repeat(401);
    for operation in BOTH {
        let path = format!("/v1/utilities/{operation}");
        for (terms, place) in [
            (json!([]), "/search_terms"),
            (json!(vec!["cod"; 101]), "/search_terms"),
            (json!(vec!["cod"; 1_000]), "/search_terms"),
            (json!("cod"), "/search_terms"),
            (json!(null), "/search_terms"),
            (json!({"0": "cod"}), "/search_terms"),
            (json!(["cod", ""]), "/search_terms/1"),
            (json!([" \t\u{2003}"]), "/search_terms/0"),
            (json!(["\u{0}\u{1b}\u{7f}"]), "/search_terms/0"),
            (json!([long]), "/search_terms/0"),
            (json!(["x".repeat(10_000)]), "/search_terms/0"),
            (json!(["cod", 7]), "/search_terms/1"),
            (json!([["cod"]]), "/search_terms/0"),
        ] {
            search(&server, operation, terms).await.fails_at(400, "validation_failed", place);
        }
        for (name, bad) in [
            ("limit", json!(0)),
            ("limit", json!(-10)),
            ("limit", json!(101)),
            ("limit", json!("5")),
            ("limit", json!(1.5)),
            ("language", json!("english please")),
            ("language", json!("")),
            ("language", json!("en&safesearch=0")),
            ("freshness", json!("fortnight")),
            ("freshness", json!(7)),
            ("safeSearch", json!("on")),
            ("fullText", json!("yes")),
        ] {
            let mut body = json!({"search_terms": ["cod"]});
            body[name] = bad.clone();
            server.post(&path, body).await.fails_at(400, "validation_failed", &format!("/{name}"));
        }
        for (query, place) in [
            ("search_terms=", "?search_terms"),
            ("limit=5", "?search_terms"),
            ("search_terms=cod&search_terms=%00", "?search_terms"),
            ("search_terms=cod&limit=-1", "?limit"),
            ("search_terms=cod&limit=x", "?limit"),
            ("search_terms=cod&language=x", "?language"),
            ("search_terms=cod&freshness=", "?freshness"),
            ("search_terms=cod&safeSearch=maybe", "?safeSearch"),
            ("search_terms=cod&fullText=maybe", "?fullText"),
        ] {
            for version in ["", "/v1"] {
                let answer = server.get(&format!("{version}/utilities/{operation}?{query}")).await;
                answer.fails_at(400, "validation_failed", place);
            }
        }
        for body in ["", "[", "{\"search_terms\": ["] {
            let call = server.request(Method::POST, &path).body("application/json", body);
            call.send().await.fails(400, "malformed_json");
        }
        server.post(&path, json!(["cod"])).await.fails(400, "validation_failed");
        server
            .request(Method::POST, &path)
            .body("text/plain", "{}")
            .send()
            .await
            .fails(415, "unsupported_content_type");
    }
    assert_eq!(upstream.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_term_reaches_its_provider_as_it_is_and_nothing_else_with_it() {
    let upstream = searxng();
    let server = Server::with(&by_searxng(&upstream));
    let terms = [
        "cod&format=html&q=eel",
        "cod#top",
        "100% cod? + eel = ../../etc",
        "{\"a\": 1}",
        "'; DROP TABLE cod; --",
        "q\u{202e}doc",
        "鱈 · Kabeljau · тресКа",
        "<script>alert(1)</script>",
    ];
    let items = search(&server, "websearch", json!(terms)).await.ok();
    for (item, term) in items.as_array().unwrap().iter().zip(terms) {
        assert_eq!((&item["term"], item.get("error")), (&json!(term), None));
    }
    let mut sent: Vec<String> =
        upstream.requests().iter().map(|request| asked(request, "q").unwrap()).collect();
    sent.sort();
    let mut expected = terms.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(sent, expected);
    for request in upstream.requests() {
        assert_eq!(
            (request.path.starts_with("/search?"), asked(&request, "format")),
            (true, Some("json".into()))
        );
    }
    let lines = search(&server, "websearch", json!(["two\r\nX-Header: lines\u{0}"])).await.ok();
    assert_eq!(lines[0]["term"], "two\r\nX-Header: lines\u{0}");
    let last = upstream.requests().pop().unwrap();
    assert_eq!((asked(&last, "q").as_deref(), last.header("x-header")), (Some("two X-Header: lines"), None));
}

#[tokio::test(flavor = "multi_thread")]
async fn hits_that_mean_no_good_are_left_out_or_made_plain() {
    let hit = |url: &str, title: &str, date: Value| json!({"url": url, "title": title, "content": "a\u{0}\u{202e}b <img src=x onerror=alert(1)>", "publishedDate": date});
    let hits = json!([
        hit("javascript:alert(document.cookie)", "Script", json!(null)),
        hit("data:text/html,<script>alert(1)</script>", "Data", json!(null)),
        hit("file:///etc/passwd", "File", json!(null)),
        hit("//harbour.example/a", "No scheme", json!(null)),
        hit("https://ada:secret@harbour.example/", "User", json!(null)),
        hit("", "None", json!(null)),
        hit(&format!("https://harbour.example/{}", "x".repeat(10_000)), "Long", json!(null)),
        hit(
            "https://harbour.example/1",
            "<script>alert(1)</script>Cod <b>is</b> \u{202e}back\u{7}",
            json!("soon")
        ),
        hit("https://harbour.example/2", &"T".repeat(100_000), json!(20_260_102)),
        hit("https://harbour.example/3", "", json!({"a": 1})),
        hit("https://harbour.example/4", "Far", json!("9999-12-31T23:59:59Z")),
        hit("https://harbour.example/5", "Odd", json!("Fri, 2 Jan 2026 03:04:05 EST")),
    ]);
    let upstream = Upstream::start(move |_| Reply::json(200, &json!({"results": hits}))).unwrap();
    let server = Server::with(&by_searxng(&upstream));
    let item = search(&server, "news", json!(["cod"])).await.ok()[0].clone();
    let told: Vec<(&str, &str, &str)> = item["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| {
            let text = |name: &str| source[name].as_str().unwrap();
            assert_eq!(text("description"), "a b");
            (text("title"), text("url"), text("datePublished"))
        })
        .collect();
    let long = "T".repeat(300);
    assert_eq!(
        told,
        [
            ("Cod is back", "https://harbour.example/1", ""),
            (long.as_str(), "https://harbour.example/2", ""),
            ("https://harbour.example/3", "https://harbour.example/3", ""),
            ("Far", "https://harbour.example/4", ""),
            ("Odd", "https://harbour.example/5", "2026-01-02T08:04:05.000Z"),
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_terms_are_answered_whole() {
    let upstream = searxng();
    let server = Server::with(&by_searxng(&upstream));
    let terms: Vec<String> = (0..100).map(|n| format!("cod {n}")).collect();
    for operation in BOTH {
        let items = search(&server, operation, json!(terms)).await.ok();
        assert_eq!(items.as_array().unwrap().len(), 100);
        for (item, term) in items.as_array().unwrap().iter().zip(&terms) {
            assert_eq!(item["sources"][0]["title"], format!("About {term}"));
        }
    }
    assert_eq!(upstream.count(), 200);
}
