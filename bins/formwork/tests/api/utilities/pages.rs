//! Pages of the web, from a site on the loopback address.

use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::kit::{Answer, Home, Server, formwork};

const NEWS: &str = "<!doctype html><html lang=en><head><title>Cod is back | Harbour News</title>\
    <meta property=og:site_name content='Harbour News'><meta name=author content='Ada Marsh'>\
    <meta property=article:published_time content=2026-03-31T08:00:00+01:00>\
    <meta property=og:type content=article><meta property=og:image content=/cod.jpg></head><body>\
    <nav><a href=/>Home</a><a href=/login>Log in</a></nav>\
    <main><h1>Cod is back</h1><p>After a quiet winter the boats of the harbour brought in more cod in March than in \
    any month of the last ten years, and the quay was full of people who came to look at it.</p>\
    <p>The skippers say that the <a href='/water.html'>warm water of the bay</a> is the reason, and that it may not \
    last; they went out every night while the weather held.</p>\
    <table><tr><th>Fish<th>Kilos<tr><td>Cod<td>412<tr><td>Hake<td>88</table></main>\
    <div class=related-posts><h2>Related</h2><a href='list.pdf'>The landing list of the harbour</a></div>\
    <footer><a href=/terms>Terms</a> Printed on paper</footer></body></html>";
const PAGES: &[(&str, &str, &str)] = &[
    ("/news", "text/html; charset=utf-8", NEWS),
    ("/export", "text/csv", "Fish,Kilos\nCod,412\n"),
    ("/notes.txt", "text/plain", "Plain words of a text."),
    ("/nothing", "text/html", ""),
];

fn site() -> Upstream {
    let answer = move |request: &ReceivedRequest| match PAGES.iter().find(|(path, ..)| *path == request.path)
    {
        Some((_, kind, body)) => Reply::whole(200, kind, *body),
        None if request.path == "/moved" => Reply::whole_with(302, &[("location", "/news")], ""),
        None => Reply::whole(404, "text/plain", "no such page"),
    };
    Upstream::start(answer).unwrap()
}

/// A server that may fetch from 127.0.0.1.
fn allowed(home: &Home) -> Server {
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_FETCH_ALLOW", "127.0.0.1");
    home.start_with(command)
}

async fn parse(server: &Server, urls: Value) -> Answer {
    server.post("/v1/utilities/webparser", json!({"urls": urls})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_has_its_content_what_it_says_of_itself_and_where_it_leads() {
    let (home, site) = (Home::new(""), site());
    let server = allowed(&home);
    let url = format!("{}/moved", site.url());
    let answer = parse(&server, json!([url])).await.ok();
    let page = &answer[0];
    assert_eq!((&page["url"], &page["title"]), (&json!(url), &json!("Cod is back")));
    assert_eq!(page["domain"], "127.0.0.1");
    let body = page["body"].as_str().unwrap();
    assert!(body.contains("After a quiet winter") && body.contains("| Cod | 412 |"), "{body}");
    assert!(body.contains(&format!("[warm water of the bay]({}/water.html)", site.url())), "{body}");
    for outside in ["Home", "Log in", "Terms", "Printed", "landing list"] {
        assert!(!body.contains(outside), "{outside}: {body}");
    }
    let related: Vec<(&str, &str)> = page["relatedurls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            (
                link["url"].as_str().unwrap().strip_prefix(&*site.url()).unwrap(),
                link["type"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(related, [("/water.html", "web"), ("/list.pdf", "document")]);
    assert_eq!(page["relatedurls"][0]["title"], "warm water of the bay");
    assert!(page["relatedurls"][0]["description"].as_str().unwrap().contains("skippers"), "{page}");
    assert_eq!((&page["author"], &page["site"]), (&json!("Ada Marsh"), &json!("Harbour News")));
    assert_eq!((&page["language"], &page["published"]), (&json!("en"), &json!("2026-03-31T08:00:00+01:00")));
    assert_eq!(page["image"], format!("{}/cod.jpg", site.url()));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_documents_are_answered_in_the_order_given_each_with_its_own_error() {
    let (home, site) = (Home::new(""), site());
    let server = allowed(&home);
    let at = |path: &str| format!("{}{path}", site.url());
    let urls = [
        at("/notes.txt"),
        at("/gone"),
        at("/news"),
        "http://10.0.0.1/".to_owned(),
        at("/export"),
        at("/nothing"),
        "no address".to_owned(),
        String::new(),
        at("/news"),
    ];
    let answer = parse(&server, json!(urls)).await.ok();
    let expected = [
        ("Plain words", None),
        ("", Some("fetch_status")),
        ("quiet winter", None),
        ("", Some("fetch_denied")),
        ("| Cod | 412 |", None),
        ("", Some("document_empty")),
        ("", Some("invalid_url")),
        ("", Some("invalid_url")),
        ("quiet winter", None),
    ];
    let items = answer.as_array().unwrap();
    assert_eq!(items.len(), urls.len());
    for ((item, url), (words, code)) in items.iter().zip(&urls).zip(expected) {
        assert_eq!((&item["url"], item["error"]["code"].as_str()), (&json!(url), code), "{item}");
        assert!(item["body"].as_str().unwrap().contains(words), "{item}");
        assert_eq!(item["error"].is_object(), item["body"] == "", "{item}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_always_has_a_picture() {
    let (home, site) = (Home::new(""), site());
    let server = allowed(&home);
    let body = json!({"urls": [format!("{}/news", site.url()), format!("{}/gone", site.url())]});
    let answer = server.post("/v1/utilities/thumbnail", body).await.ok();
    // The page's own picture is not there: a card is drawn.
    let shown =
        answer[0]["thumbnail"].as_str().unwrap().strip_prefix(server.url.as_str()).unwrap().to_owned();
    assert_eq!(server.get(&shown).await.header("content-type"), "image/png");
    assert_eq!(answer[1]["error"]["code"], "fetch_status");
    assert!(site.requests().iter().any(|request| request.path == "/cod.jpg"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_has_one_to_a_hundred_addresses() {
    let server = Server::with("fetch.web = \"off\"");
    parse(&server, json!([])).await.fails_at(400, "validation_failed", "/urls");
    parse(&server, json!(vec!["http://a.example/"; 101])).await.fails_at(400, "validation_failed", "/urls");
    let long = format!("http://a.example/{}", "x".repeat(10_000));
    parse(&server, json!(["http://a.example/", long])).await.fails_at(400, "validation_failed", "/urls/1");
    let all = parse(&server, json!(vec!["http://a.example/"; 100])).await.ok();
    assert!(all.as_array().unwrap().iter().all(|item| item["error"]["code"] == "fetch_unavailable"), "{all}");
    assert_eq!(all.as_array().unwrap().len(), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_pages_hurt_nobody_else() {
    let nested = format!("<p>Before.{}<p>After.", "<div><b><i>".repeat(100_000));
    let attributes = format!("<p {}>Words of the page.</p>", "a=\"1\" ".repeat(400_000));
    let tables = format!("<p>Words of the page.</p>{}", "<table><tr><td>".repeat(100_000));
    let bodies = [nested, attributes, tables];
    let site = Upstream::start(move |request| {
        let place = request.path.trim_start_matches('/').parse::<usize>().ok();
        match place.and_then(|place| bodies.get(place)) {
            Some(body) => Reply::whole(200, "text/html", body.clone()),
            None => Reply::whole(404, "text/plain", ""),
        }
    });
    let (home, site) = (Home::new(""), site.unwrap());
    let server = allowed(&home);
    let urls: Vec<String> = (0..3).map(|place| format!("{}/{place}", site.url())).collect();
    let answer = parse(&server, json!(urls)).await.ok();
    for item in answer.as_array().unwrap() {
        assert!(item["error"].is_null(), "{item:.300}");
    }
    assert!(answer[0]["body"].as_str().unwrap().contains("Before."));
    assert!(answer[1]["body"].as_str().unwrap().contains("Words of the page."));
}
