//! What stands around every operation: the rate of keys, pages of other origins, and compression.

use reqwest::Method;
use serde_json::json;

use crate::kit::{Server, settle};

#[tokio::test(flavor = "multi_thread")]
async fn a_key_with_a_rate_is_told_how_long_to_wait_and_others_are_not_held_up() {
    let server = Server::start();
    let slow = server.home.told(&["keys", "create", "--requests-per-minute", "3"]);
    let me = async |key: &str| server.request(Method::GET, "/v1/me").key(key).send().await;
    for _ in 0..3 {
        assert_eq!(me(&slow).await.ok()["key"]["limits"], json!({"requests_per_minute": 3}));
    }
    let refused = me(&slow).await;
    refused.fails(429, "rate_limited");
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=20).contains(&wait), "{wait}");
    for _ in 0..20 {
        me(&server.key).await.ok();
    }
    let none = server.home.run(&["keys", "create", "--requests-per-minute", "0"]);
    assert!(!none.status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_setting_limits_the_keys_that_have_no_rate_of_their_own() {
    let server = Server::with("limits.requests_per_minute = 2");
    let fast = server.home.told(&["keys", "create", "--requests-per-minute", "600"]);
    let me = async |key: &str| server.request(Method::GET, "/v1/me").key(key).send().await;
    me(&server.key).await.ok();
    me(&server.key).await.ok();
    me(&server.key).await.fails(429, "rate_limited");
    for _ in 0..10 {
        me(&fast).await.ok();
    }
    server.request(Method::GET, "/health").open().send().await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_keys_tells_which_are_in_use() {
    let server = Server::start();
    let idle = server.home.told(&["keys", "create", "--name", "idle"]);
    server.get("/v1/me").await.ok();
    let line = |prefix: &str| {
        let all = server.home.told(&["keys", "list"]);
        all.lines().find(|line| line.starts_with(prefix)).unwrap().to_owned()
    };
    settle("the use of the key", async || line(&server.key[..11]).contains("used 2")).await;
    assert!(line(&idle[..11]).contains("never used"));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_are_let_in_by_a_setting_alone() {
    let ask = async |server: &Server, origin: &str| {
        let path = format!("{}/v1/form", server.url);
        let call = server.client.request(Method::OPTIONS, path).header("origin", origin);
        let call = call.header("access-control-request-method", "POST");
        let answer = call.header("access-control-request-headers", "x-service-key").send().await.unwrap();
        let header = answer.headers().get("access-control-allow-origin");
        header.map(|value| value.to_str().unwrap().to_owned())
    };
    let closed = Server::start();
    assert_eq!(ask(&closed, "https://app.example.com").await, None);
    let open = Server::with("cors.origins = \"https://app.example.com, http://localhost:3000/\"");
    for origin in ["https://app.example.com", "http://localhost:3000"] {
        assert_eq!(ask(&open, origin).await.as_deref(), Some(origin));
    }
    assert_eq!(ask(&open, "https://evil.example.com").await, None);
    let call = open.request(Method::GET, "/v1/me").header("origin", "http://localhost:3000").send().await;
    assert_eq!(call.header("access-control-allow-origin"), "http://localhost:3000");
    let bad = crate::kit::Home::new("cors.origins = \"app.example.com\"").run(&["config"]);
    assert!(String::from_utf8(bad.stderr).unwrap().contains("'cors.origins' must be origins"));
}

#[tokio::test(flavor = "multi_thread")]
async fn json_is_compressed_for_those_who_take_it_where_it_is_worth_it() {
    let server = Server::start();
    let ask = async |path: &str, taken: &str| {
        let call = server.client.get(format!("{}{path}", server.url)).header("accept-encoding", taken);
        let answer = call.header("x-service-key", &server.key).send().await.unwrap();
        let coding = answer.headers().get("content-encoding").map(|value| value.to_str().unwrap().to_owned());
        (coding, answer.bytes().await.unwrap())
    };
    let (coding, plain) = ask("/openapi.json", "identity").await;
    assert_eq!(coding, None);
    let (coding, small) = ask("/openapi.json", "br, gzip").await;
    assert_eq!(coding.as_deref(), Some("gzip"));
    assert!(small.starts_with(&[0x1f, 0x8b]) && small.len() * 3 < plain.len(), "{}", small.len());
    assert_eq!(ask("/openapi.json", "gzip;q=0").await, (None, plain));
    assert_eq!(ask("/openapi.json", "gzip;q=0, *").await.0, None, "a coding that is refused by name");
    assert_eq!(ask("/v1/me", "gzip").await.0, None, "too small to be worth it");
    for path in ["/openapi.json", "/v1/me"] {
        let answer = server.get(path).await;
        assert_eq!(answer.header("vary"), "accept-encoding", "caches must tell the answers apart: {path}");
    }
}
