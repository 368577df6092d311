//! Providers, their order, and what else is got for an answer.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::{by_searxng, search, searxng};
use crate::kit::{Home, Server, formwork};

fn found(title: &str) -> Value {
    json!({"results": [{"url": "https://harbour.example/cod", "title": title, "content": "Cod.", "description": "Cod."}],
        "query": {}, "web": {"results": [{"url": "https://harbour.example/cod", "title": title, "description": "Cod."}]}})
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_provider_of_the_order_answers_where_one_fails() {
    let ill = Upstream::start_replies([Reply::whole(500, "text/plain", "no")]).unwrap();
    let limited = Upstream::start_replies([Reply::whole_with(429, &[("retry-after", "60")], "")]).unwrap();
    let well = Upstream::start_replies([Reply::json(200, &found("By Tavily"))]).unwrap();
    let home = Home::new(&format!(
        "[search]\nfull_texts = 0\nweb_order = \"brave, searxng, tavily\"\nnews_order = \"brave,searxng,tavily\"\n\
         searxng.base_url = \"{}\"",
        ill.url()
    ));
    let mut command = formwork(&home.path(""));
    command.env("BRAVE_API_KEY", "brave-key-1").env("TAVILY_API_KEY", "tavily-key-1");
    command.env("FORMWORK_BRAVE_BASE_URL", limited.url()).env("FORMWORK_TAVILY_BASE_URL", well.url());
    let server = home.start_with(command);
    for operation in ["websearch", "news"] {
        let items = search(&server, operation, json!(["cod", "eel"])).await.ok();
        for item in items.as_array().unwrap() {
            assert_eq!(item["sources"][0]["title"], "By Tavily", "{items}");
            assert_eq!(item.get("error"), None);
        }
    }
    assert_eq!(limited.requests()[0].header("x-subscription-token"), Some("brave-key-1"));
    assert_eq!(well.requests()[0].header("authorization"), Some("Bearer tavily-key-1"));
    // It asked to be left alone; of the two terms of each call both may have been on their way.
    assert!(limited.count() <= 4, "{}", limited.count());
    let log = std::fs::read_to_string(home.path("log")).unwrap();
    assert!(!log.contains("-key-1"), "{log}");
    assert_eq!(log.matches("WARN").count(), 2, "once for each call: {log}");
    assert!(
        log.contains("brave for 2 of the terms: ") && log.contains("searxng for 2 of the terms: "),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_all_fail_each_is_told_without_its_key() {
    let refusing = json!({"error": {"code": "x", "message": "the key brave-key-1 is not known"}});
    let brave = Upstream::start_replies([Reply::json(401, &refusing)]).unwrap();
    let page = Upstream::start_replies([Reply::whole(200, "text/html", "<html>Sign in</html>")]).unwrap();
    let home = Home::new(&format!(
        "[search]\nweb_order = \"brave,searxng\"\nsearxng.base_url = \"{}\"\n[search.brave]\nkey = \"brave-key-1\"\n\
         base_url = \"{}\"",
        page.url(),
        brave.url()
    ));
    let server = home.start();
    let item = search(&server, "websearch", json!(["cod"])).await.ok()[0].clone();
    assert_eq!(item["error"]["code"], "provider_auth");
    let message = item["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("brave: ") && message.contains("; searxng: ") && !message.contains("brave-key-1")
    );
    assert!(!home.told(&["config"]).contains("brave-key-1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn news_come_by_feeds_without_any_key() {
    let feed = |title: &str, link: &str| {
        format!(
            "<rss version=\"2.0\"><channel><item><title>{title}</title><link>{link}</link>\
             <pubDate>Fri, 02 Jan 2026 03:04:05 +0100</pubDate><source url=\"x\">The Herald</source></item>\
             </channel></rss>"
        )
    };
    let site = Upstream::start(move |request| {
        let path = request.path.clone();
        if path.starts_with("/first?q=cod%20%26%20eel&l=de-DE") {
            Reply::whole(
                200,
                "application/rss+xml",
                feed("Cod is back in the bay - The Herald", "https://a.example/1"),
            )
        } else if path.starts_with("/second") {
            Reply::whole(
                200,
                "application/rss+xml",
                feed("Cod is back in the bay", "https://a.example/1?utm_source=x"),
            )
        } else {
            Reply::whole(404, "text/plain", path)
        }
    })
    .unwrap();
    let settings = format!(
        "[fetch]\nallow = \"127.0.0.1\"\n[search]\nfull_texts = 0\n\
         feeds = [\"{0}/first?q={{query}}&l={{language}}-{{region}}\", \"{0}/second/{{query}}\"]",
        site.url()
    );
    let server = Server::with(&settings);
    let answer = server.get("/utilities/news?search_terms=cod%20%26%20eel&language=de").await.ok();
    assert_eq!(
        answer[0]["sources"],
        json!([{
            "title": "Cod is back in the bay", "description": "", "url": "https://a.example/1",
            "datePublished": "2026-01-02T02:04:05.000Z", "provider": "The Herald", "full_text": ""
        }])
    );
    let failed = server.get("/utilities/news?search_terms=eel&language=fr").await.ok();
    assert_eq!(failed[0]["sources"].as_array().unwrap().len(), 1, "the second feed answers alone: {failed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn feeds_at_private_addresses_are_denied_unless_they_are_allowed() {
    let site = Upstream::start_replies([Reply::whole(200, "text/xml", "<rss/>")]).unwrap();
    let server = Server::with(&format!("[search]\nfeeds = [\"{}/?q={{query}}\"]", site.url()));
    let item = search(&server, "news", json!(["cod"])).await.ok()[0].clone();
    assert_eq!((item["error"]["code"].as_str(), site.count()), (Some("provider_failed"), 0), "{item}");
    let off = Server::with("[fetch]\nweb = \"off\"");
    search(&off, "news", json!(["cod"])).await.fails(503, "search_not_configured");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_pages_are_read_unless_nobody_wants_their_text() {
    let site = Upstream::start(|request| {
        let words = "The boats came home with full holds, and the market was open until late at night. ".repeat(6);
        match request.path.as_str() {
            "/1" | "/2" | "/3" => {
                let number = &request.path[1..];
                let page = format!(
                    "<html><head><title>Page {number}</title></head><body><nav>Menu of the site</nav><main><article>\
                     <h1>Page {number}</h1><p>{words}</p><p>{words}</p></article></main></body></html>"
                );
                Reply::whole(200, "text/html; charset=utf-8", page)
            }
            _ => Reply::whole(404, "text/plain", "nothing"),
        }
    })
    .unwrap();
    let url = site.url();
    let provider = Upstream::start(move |_| {
        let hit =
            |n: u32| json!({"url": format!("{url}/{n}"), "title": format!("Hit {n}"), "content": "Snippet."});
        Reply::json(200, &json!({"results": [hit(1), hit(9), hit(2), hit(3)], "unresponsive_engines": []}))
    })
    .unwrap();
    let settings = format!(
        "[fetch]\nallow = \"127.0.0.1\"\nrobots = \"off\"\n[search]\nfull_texts = 3\nsearxng.base_url = \"{}\"",
        provider.url()
    );
    let server = Server::with(&settings);
    let item = search(&server, "websearch", json!(["cod"])).await.ok()[0].clone();
    let texts: Vec<&str> = item["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| source["full_text"].as_str().unwrap())
        .collect();
    assert!(texts[0].contains("full holds") && !texts[0].contains("Menu of the site"), "{item}");
    assert!(texts[2].contains("full holds") && texts[1].is_empty() && texts[3].is_empty(), "{item}");
    let context = item["prompt_context"].as_str().unwrap();
    assert!(context.contains("[1] Hit 1") && context.contains("full holds") && context.contains("[4] Hit 3"));
    let before = site.count();
    let without = json!({"search_terms": ["cod"], "fullText": false});
    let item = server.post("/v1/utilities/websearch", without).await.ok()[0].clone();
    assert_eq!((&item["sources"][0]["full_text"], site.count()), (&json!(""), before));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_hangs_costs_its_time_and_no_more() {
    let hanging = Upstream::start_replies([Reply::raw().hold()]).unwrap();
    let well = searxng();
    let home = Home::new(&format!(
        "[search]\nprovider_seconds = 1\nfull_texts = 0\nweb_order = \"brave,searxng\"\nbrave.base_url = \"{}\"\n\
         brave.key = \"brave-key-1\"\nsearxng.base_url = \"{}\"",
        hanging.url(),
        well.url()
    ));
    let server = home.start();
    let item = search(&server, "websearch", json!(["cod"])).await.ok()[0].clone();
    assert_eq!(item["sources"][0]["title"], "About cod", "{item}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_ends_in_its_time_with_an_error_for_each_term() {
    let hanging = Upstream::start_replies([Reply::raw().hold()]).unwrap();
    let settings = format!(
        "[search]\ncall_seconds = 1\nprovider_seconds = 3600\nsearxng.base_url = \"{}\"",
        hanging.url()
    );
    let server = Server::with(&settings);
    let terms: Vec<String> = (0..20).map(|n| format!("term {n}")).collect();
    let items = search(&server, "websearch", json!(terms)).await.ok();
    for item in items.as_array().unwrap() {
        assert_eq!(item["error"]["code"], "provider_timeout", "{items}");
    }
}

#[test]
fn the_doctor_tells_who_searches() {
    let upstream = searxng();
    let told = |settings: &str| Home::new(settings).told(&["doctor"]);
    let by_default = told("");
    assert!(by_default.contains("Web search is not configured; news search uses feeds."), "{by_default}");
    let with = told(&by_searxng(&upstream));
    assert!(with.contains("Web search uses searxng; news search uses searxng."), "{with}");
    assert_eq!(upstream.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn searxng_is_named_by_its_variable_of_the_environment() {
    let upstream = searxng();
    let home = Home::new("[search]\nfull_texts = 0");
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_SEARXNG_URL", format!("{}/", upstream.url()));
    let server = home.start_with(command);
    let path = "/v1/utilities/websearch?search_terms=cod";
    let answer = server.request(Method::GET, path).send().await.ok();
    assert_eq!(answer[0]["sources"][0]["title"], "About cod");
}
