//! Addresses of the web in knowledge bases.

use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};
use tokio::sync::watch;

use super::{allowed, asked, site};
use crate::kit::{Home, Server, settle};

const PAGES: &[(&str, &str, &str)] = &[
    ("/tides.md", "text/markdown", "# Tides\n\nHigh water is at noon.\n"),
    ("/crane.txt", "text/plain", "The crane lifts 40 t.\n"),
];

async fn base(server: &Server) -> String {
    let made = server.post("/knowledgebase", json!({"name": "Harbour"})).await.ok();
    made["knowledgeId"].as_str().unwrap().to_owned()
}

async fn added(server: &Server, base: &str, urls: &[String]) -> Vec<Value> {
    let answer = server.post(&format!("/knowledgebase/{base}/files"), json!({"urls": urls})).await.ok();
    answer["files"].as_array().unwrap().clone()
}

async fn done(server: &Server, item: &Value) -> Value {
    let path = format!("/knowledgebase/files/{}", item["id"].as_str().unwrap());
    let over = async || {
        let status = server.get(&path).await.ok()["status"].clone();
        status == "ready" || status == "failed"
    };
    settle("the end of the work on a page", over).await;
    server.get(&path).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_fetched_in_the_background_and_found() {
    let (home, site) = (Home::new(""), site(PAGES));
    let server = allowed(&home);
    let base = base(&server).await;
    let urls = ["/tides.md", "/crane.txt", "/gone"].map(|path| format!("{}{path}", site.url()));
    let items = added(&server, &base, &urls).await;
    assert!(items.iter().all(|item| item["status"] == "queued" && item["source"] == "web"), "{items:?}");
    let tides = done(&server, &items[0]).await;
    assert_eq!(
        (&tides["status"], &tides["name"], &tides["bytes"]),
        (&json!("ready"), &json!("tides.md"), &json!(32))
    );
    assert!(tides["content"].as_str().unwrap().contains("High water is at noon."));
    assert_eq!(done(&server, &items[1]).await["status"], "ready");
    let gone = done(&server, &items[2]).await;
    assert_eq!((&gone["status"], &gone["error"]["code"]), (&json!("failed"), &json!("fetch_status")));
    let found =
        server.post(&format!("/knowledgebase/{base}/search"), json!({"query": "high water"})).await.ok();
    assert_eq!(found["results"][0]["title"], "tides.md", "{found}");
    let again = added(&server, &base, &urls[..1]).await;
    assert_eq!((&again[0]["id"], asked(&site, "/tides.md")), (&items[0]["id"], 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_being_fetched_is_fetched_after_a_restart() {
    let (open, gate) = watch::channel(false);
    let site = Upstream::start(move |request| match request.path.as_str() {
        "/slow.txt" => {
            Reply::raw().until(gate.clone()).followed_by(Reply::whole(200, "text/plain", "At last."))
        }
        _ => Reply::whole(404, "text/plain", ""),
    });
    let (home, site) = (Home::new("limits.lease_seconds = 3"), site.unwrap());
    let mut server = allowed(&home);
    let base = base(&server).await;
    let items = added(&server, &base, &[format!("{}/slow.txt", site.url())]).await;
    settle("the request", async || asked(&site, "/slow.txt") > 0).await;
    let home = server.kill();
    open.send_replace(true);
    let server = allowed(&home);
    let item = done(&server, &items[0]).await;
    assert_eq!((&item["status"], &item["name"]), (&json!("ready"), &json!("slow.txt")), "{item}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_is_down_for_a_moment_is_asked_again() {
    let busy = Reply::whole_with(503, &[("retry-after", "1")], "");
    let replies = [Reply::whole(404, "text/plain", ""), busy, Reply::whole(200, "text/plain", "Open again.")];
    let (home, site) = (Home::new(""), Upstream::start_replies(replies).unwrap());
    let server = allowed(&home);
    let base = base(&server).await;
    let items = added(&server, &base, &[format!("{}/a.txt", site.url())]).await;
    let item = done(&server, &items[0]).await;
    assert_eq!((&item["status"], &item["error"]), (&json!("ready"), &Value::Null), "{item}");
    assert_eq!(asked(&site, "/a.txt"), 2);
}
