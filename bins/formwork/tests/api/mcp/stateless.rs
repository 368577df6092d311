//! The revision without a handshake.

use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{Client, STATELESS};
use crate::kit::{Answer, Server};

#[tokio::test(flavor = "multi_thread")]
async fn every_result_says_what_it_is_whose_it_is_and_how_long_it_may_be_kept() {
    let server = Server::start();
    let client = Client::stateless(&server, json!({}));
    let form = server.form(crate::kit::invoice_schema()).await;
    let discovered = client.result("server/discover", json!({})).await;
    assert_eq!(discovered["supportedVersions"][0], STATELESS);
    assert!(discovered["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"].is_object());
    let read = json!({"uri": format!("formwork://forms/{form}")});
    for (method, params, scope) in [
        ("server/discover", json!({}), "public"),
        ("tools/list", json!({}), "private"),
        ("resources/list", json!({}), "private"),
        ("resources/templates/list", json!({}), "public"),
        ("resources/read", read, "private"),
        ("prompts/list", json!({}), "public"),
        ("tools/call", json!({"name": "list_forms"}), ""),
    ] {
        let result = client.result(method, params).await;
        assert_eq!(result["resultType"], "complete", "{method}");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "formwork", "{method}");
        assert_eq!(result["cacheScope"].as_str().unwrap_or_default(), scope, "{method}");
        assert_eq!(result["ttlMs"].is_u64(), !scope.is_empty(), "{method}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn methods_of_the_handshake_are_unknown() {
    let server = Server::start();
    let client = Client::stateless(&server, json!({}));
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "unheard/of"] {
        let answer = client.send(method, json!({})).await;
        assert_eq!((answer.status, &answer.value()["error"]["code"]), (404, &json!(-32_601)), "{method}");
    }
}

/// Sends a request with these headers and metadata.
async fn send(server: &Server, headers: &[(&str, &str)], meta: Value) -> Answer {
    let mut call = server.request(Method::POST, "/mcp");
    for (name, value) in headers {
        call = call.header(name, value);
    }
    let params = json!({"name": "list_forms", "_meta": meta});
    call.json(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_must_repeat_the_message() {
    let server = Server::start();
    let meta = |version: &str| {
        json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {}
        })
    };
    let version = ("mcp-protocol-version", STATELESS);
    let (method, name) = (("mcp-method", "tools/call"), ("mcp-name", "list_forms"));
    let good = meta(STATELESS);
    send(&server, &[version, method, name], good.clone()).await.ok();
    let encoded = ("mcp-name", "=?base64?bGlzdF9mb3Jtcw==?=");
    send(&server, &[version, method, encoded], good.clone()).await.ok();
    for headers in [
        &[method, name][..],
        &[("mcp-protocol-version", "2025-11-25"), method, name],
        &[version, name],
        &[version, ("mcp-method", "tools/list"), name],
        &[version, ("mcp-method", "TOOLS/CALL"), name],
        &[version, method],
        &[version, method, ("mcp-name", "get_form")],
    ] {
        let answer = send(&server, headers, good.clone()).await;
        assert_eq!((answer.status, &answer.value()["error"]["code"]), (400, &json!(-32_020)), "{headers:?}");
    }
    let answer =
        send(&server, &[("mcp-protocol-version", "2099-01-01"), method, name], meta("2099-01-01")).await;
    assert_eq!((answer.status, &answer.value()["error"]["code"]), (400, &json!(-32_022)));
    for incomplete in [json!({"io.modelcontextprotocol/protocolVersion": STATELESS}), json!({})] {
        let answer = send(&server, &[version, method, name], incomplete).await;
        assert_eq!((answer.status, &answer.value()["error"]["code"]), (400, &json!(-32_602)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_is_acknowledged_and_ends_with_the_server() {
    let server = Server::start();
    let message = json!({
        "jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen",
        "params": {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientCapabilities": {}
            },
            "notifications": {"toolsListChanged": true}
        }
    });
    let request = server.client.post(format!("{}/mcp", server.url)).bearer_auth(&server.key);
    let request =
        request.header("mcp-protocol-version", STATELESS).header("mcp-method", "subscriptions/listen");
    let mut answer = request.json(&message).send().await.unwrap();
    let mut text = String::from_utf8(answer.chunk().await.unwrap().unwrap().to_vec()).unwrap();
    assert!(text.contains("notifications/subscriptions/acknowledged"), "{text}");
    server.terminate();
    while let Some(piece) = answer.chunk().await.unwrap() {
        text.push_str(std::str::from_utf8(&piece).unwrap());
    }
    let messages: Vec<Value> = text
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    let told = |message: &Value| message["_meta"]["io.modelcontextprotocol/subscriptionId"].clone();
    assert_eq!(told(&messages[0]["params"]), 7);
    assert_eq!(messages[0]["params"]["notifications"], json!({}));
    assert_eq!((told(&messages[1]["result"]), &messages[1]["id"]), (json!(7), &json!(7)));
}
