//! Pictures of pages: what they name, what a program that stands in for Chromium shows, and cards.

use reqwest::Method;
use serde_json::{Value, json};

use super::browser::with;
use super::{allowed, site};
use crate::kit::{Home, Server};

const NAMED: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"30\">\
    <rect width=\"40\" height=\"30\" fill=\"#1f5f8b\"/></svg>";
const SHOWN: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"10\">\
    <rect width=\"40\" height=\"10\" fill=\"#8b1f5f\"/></svg>";
const PAGES: &[(&str, &str, &str)] = &[
    ("/named", "text/html", "<title>Tides</title><meta property=og:image content=/named.svg><p>High water."),
    ("/named.svg", "image/svg+xml", NAMED),
    (
        "/broken",
        "text/html",
        "<title>Tides</title><meta property=og:image content=/broken.svg><p>High water.",
    ),
    ("/broken.svg", "image/svg+xml", "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect"),
    ("/gone", "text/html", "<title>Tides</title><meta property=og:image content=/none.png><p>High water."),
    ("/plain", "text/html", "<title>Tides</title><p>High water."),
];

/// The address of the picture of each page.
async fn pictures(server: &Server, site: &str, paths: &[&str]) -> Vec<String> {
    let urls: Vec<String> = paths.iter().map(|path| format!("{site}{path}")).collect();
    let made = server.post("/v1/utilities/thumbnail", json!({"urls": urls, "width": 40})).await.ok();
    let address = |item: &Value| item["thumbnail"].as_str().filter(|url| !url.is_empty()).map(str::to_owned);
    made.as_array().unwrap().iter().map(|item| address(item).unwrap_or_else(|| panic!("{made}"))).collect()
}

async fn png(server: &Server, url: &str) -> Vec<u8> {
    let path = url.strip_prefix(&server.url).unwrap();
    server.request(Method::GET, path).open().send().await.body.to_vec()
}

/// The height that a PNG tells.
async fn height(server: &Server, url: &str) -> u32 {
    u32::from_be_bytes(png(server, url).await[20..24].try_into().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_shows_the_picture_it_names_else_what_the_browser_shows() {
    let home = Home::new("");
    let work = "for o; do case $o in --screenshot=*) cp \"$(dirname \"$0\")/shown.png\" \"${o#--screenshot=}\";; esac; done";
    let server = with(&home, work);
    let site = site(PAGES);
    let drawing = server.files(&[("shown.svg", SHOWN)]).await;
    let body = json!({"urls": [drawing[0]["id"]], "width": 400});
    let drawn = server.post("/v1/utilities/thumbnail", body).await.ok();
    let shown = png(&server, drawn[0]["thumbnail"].as_str().unwrap()).await;
    std::fs::write(home.path("shown.png"), shown).unwrap();

    let made = pictures(&server, &site.url(), &["/named", "/broken", "/gone", "/plain"]).await;
    assert_eq!(height(&server, &made[0]).await, 30);
    for url in &made[1..] {
        assert_eq!(height(&server, url).await, 10, "{made:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_picture_can_be_drawn_a_page_has_a_card_of_its_own() {
    let site = site(PAGES);
    let broken = [
        "exit 1",
        "true",
        "for o; do case $o in --screenshot=*) printf '\\211PNG\\r\\n\\032\\nrest' > \"${o#--screenshot=}\";; esac; done",
    ];
    for work in broken {
        let home = Home::new("");
        let server = with(&home, work);
        let made = pictures(&server, &site.url(), &["/plain", "/broken", "/gone"]).await;
        // The card of the title and the host is the same picture for all of them.
        assert!(made.iter().all(|url| *url == made[0]), "{work}: {made:?}");
    }
    let home = Home::new("browser.program = \"off\"");
    let server = allowed(&home);
    let made = pictures(&server, &site.url(), &["/plain", "/broken", "/named"]).await;
    assert_eq!(made[0], made[1]);
    assert_ne!(made[0], made[2]);
}
