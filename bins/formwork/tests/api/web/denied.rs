//! What is not allowed is not even connected to.

use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::{allowed, site};
use crate::kit::{Home, Server, corpus, invoice_schema, settle};

#[tokio::test(flavor = "multi_thread")]
async fn loopback_is_denied_under_every_name_unless_it_is_allowed() {
    let site = site(&[("/", "text/plain", "secret")]);
    let port = site.url().rsplit_once(':').unwrap().1.to_owned();
    // The port is allowed, so that the address alone decides.
    let server = Server::with(&format!("fetch.ports = \"{port}\""));
    let hosts = [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f.1",
        "[::ffff:127.0.0.1]",
        "a.localhost",
        "127.0.0.1.nip.io",
    ];
    let urls: Vec<String> = hosts.iter().map(|host| format!("http://{host}:{port}/")).collect();
    for operation in ["docparser", "tables", "keyvalues", "thumbnail"] {
        let answer = server.post(&format!("/v1/utilities/{operation}"), json!({"urls": urls})).await.ok();
        for (item, url) in answer.as_array().unwrap().iter().zip(&urls) {
            assert_eq!(item["error"]["code"], "fetch_denied", "{operation}: {url}");
        }
    }
    assert_eq!(site.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_is_allowed_leads_to_no_other_address() {
    let inner = std::net::TcpListener::bind(("127.0.0.2", 0)).unwrap();
    inner.set_nonblocking(true).unwrap();
    let address = inner.local_addr().unwrap();
    let site = Upstream::start(move |_| {
        let to = format!("http://{address}/");
        Reply::whole_with(302, &[("location", to.as_str())], "")
    });
    let (home, site) = (Home::new("fetch.robots = \"off\""), site.unwrap());
    let server = allowed(&home);
    let body = json!({"urls": [site.url(), format!("http://{address}/")]});
    let answer = server.post("/v1/utilities/docparser", body).await.ok();
    for item in answer.as_array().unwrap() {
        assert_eq!(item["error"]["code"], "fetch_denied", "{item}");
    }
    assert_eq!(site.count(), 1);
    assert_eq!(inner.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "nobody connected");
}

const REFUSED: [&str; 2] = ["fetch_denied", "invalid_url"];

#[tokio::test(flavor = "multi_thread")]
async fn every_url_of_the_denied_list_is_its_items_error() {
    let Some(path) = corpus("hostile/denied_urls.txt") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let urls: Vec<&str> = text.lines().collect();
    // That some addresses inside are listed allows no others.
    for settings in ["", "fetch.allow = \"127.0.0.9,10.1.2.0/24\"\nfetch.robots = \"off\""] {
        let server = Server::with(settings);
        let is_refused = |code: &Value, url: &str| {
            // Names are looked up where addresses are listed, for they might be theirs.
            let by_name =
                url.contains("nip.io") || url.contains(".example.com") || url.contains("example.com:22");
            let may_fail = by_name && !settings.is_empty() && code == "fetch_failed";
            may_fail || REFUSED.iter().any(|known| code == known)
        };
        for operation in ["docparser", "tables", "keyvalues", "thumbnail", "webparser"] {
            let path = format!("/v1/utilities/{operation}");
            let answer = server.post(&path, json!({"urls": urls})).await.ok();
            for (item, url) in answer.as_array().unwrap().iter().zip(&urls) {
                assert!(is_refused(&item["error"]["code"], url), "{operation}: {url}: {item}");
            }
        }
        for url in &urls {
            let body = json!({"modelId": "extractive@formwork", "prompt": "What is it?", "urls": [url]});
            let answer = server.post("/v2/generate", body).await;
            let said: Value = serde_json::from_slice(&answer.body).unwrap();
            // A name that could not be looked up now may be found the next time.
            let status = if said["code"] == "fetch_failed" { 503 } else { 400 };
            assert!(answer.status == status && is_refused(&said["code"], url), "{url}: {said}");
        }
        server.agent("inv", invoice_schema()).await;
        let named: Vec<Value> = urls.iter().map(|url| json!(url)).collect();
        let groups: Vec<[&Value; 1]> = named.iter().map(|url| [url]).collect();
        let groups: Vec<&[&Value]> = groups.iter().map(|group| group.as_slice()).collect();
        let answer = server.delta("inv", "", &groups).await;
        let failed = answer["failed"].as_array().unwrap();
        assert_eq!((failed.len(), &answer["results"]), (urls.len(), &json!([])), "{answer}");
        let looked_up = |code: &Value| !settings.is_empty() && code == "fetch_failed";
        for group in failed {
            let code = &group["error"]["code"];
            assert!(looked_up(code) || REFUSED.iter().any(|known| code == known), "{group}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_url_of_the_denied_list_comes_into_a_knowledge_base() {
    let Some(path) = corpus("hostile/denied_urls.txt") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let server = Server::start();
    let made = server.post("/knowledgebase", json!({"name": "b"})).await.ok();
    let files = format!("/knowledgebase/{}/files", made["knowledgeId"].as_str().unwrap());
    for url in text.lines() {
        let answer = server.post(&files, json!({"urls": [url]})).await;
        let said: Value = serde_json::from_slice(&answer.body).unwrap();
        if answer.status == 400 {
            assert_eq!(said["code"], "validation_failed", "{url}: {said}");
            continue;
        }
        let path = format!("/knowledgebase/files/{}", said["files"][0]["id"].as_str().unwrap());
        let failed = async || server.get(&path).await.ok()["status"] == "failed";
        settle("the end of the work", failed).await;
        let item = server.get(&path).await.ok();
        assert!(REFUSED.iter().any(|known| item["error"]["code"] == *known), "{url}: {item}");
    }
}
