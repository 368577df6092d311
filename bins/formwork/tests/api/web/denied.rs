//! What is not allowed is not even connected to.

use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::{allowed, site};
use crate::kit::{Home, Server, corpus};

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

#[tokio::test(flavor = "multi_thread")]
async fn every_url_of_the_denied_list_is_its_items_error() {
    let Some(path) = corpus("hostile/denied_urls.txt") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let urls: Vec<&str> = text.lines().collect();
    let server = Server::start();
    let answer = server.post("/v1/utilities/docparser", json!({"urls": urls})).await.ok();
    for (item, url) in answer.as_array().unwrap().iter().zip(&urls) {
        let code = item["error"]["code"].as_str().unwrap();
        assert!(["fetch_denied", "invalid_url"].contains(&code), "{url}: {item}");
    }
}
