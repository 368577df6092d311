//! Messages, revisions and headers.

use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{Client, WITH_HANDSHAKE};
use crate::kit::Server;

#[tokio::test(flavor = "multi_thread")]
async fn a_handshake_agrees_on_a_revision_and_needs_no_session() {
    let server = Server::start();
    let client = Client::new(&server);
    for (wanted, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", WITH_HANDSHAKE),
        ("soon", WITH_HANDSHAKE),
    ] {
        let asked = json!({
            "protocolVersion": wanted, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}
        });
        let answer = client.send("initialize", asked).await;
        assert!(answer.headers.get("mcp-session-id").is_none());
        let result = answer.ok()["result"].clone();
        assert_eq!(result["protocolVersion"], agreed);
        assert_eq!(result["serverInfo"]["name"], "formwork");
        assert_eq!(result["capabilities"]["tasks"].is_object(), agreed == WITH_HANDSHAKE);
        for part in ["tools", "resources", "prompts", "completions", "logging"] {
            assert!(result["capabilities"][part].is_object(), "{part}: {result}");
        }
    }
    let answer = client.server.request(Method::POST, "/mcp");
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = answer.json(&ready).send().await;
    assert_eq!((answer.status, answer.body.len()), (202, 0));
    assert_eq!(client.result("ping", json!({})).await, json!({}));
    assert_eq!(client.result("logging/setLevel", json!({"level": "info"})).await, json!({}));
    client.error("logging/setLevel", json!({"level": "loud"}), -32_602).await;
    client.error("server/discover", json!({}), -32_601).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_is_refused_and_what_asks_for_nothing_is_taken() {
    let server = Server::start();
    let send = async |body: &str| {
        let call = server.request(Method::POST, "/mcp").body("application/json", body);
        call.send().await
    };
    for (body, code) in [
        ("", -32_700),
        ("{", -32_700),
        ("[]", -32_600),
        ("[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]", -32_600),
        ("{\"id\": 1, \"method\": \"ping\"}", -32_600),
        ("{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}", -32_600),
        ("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 5}", -32_600),
        ("{\"jsonrpc\": \"2.0\", \"id\": 1}", -32_600),
        ("{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"ping\"}", -32_600),
        ("{\"jsonrpc\": \"2.0\", \"id\": 1.5, \"method\": \"ping\"}", -32_600),
        ("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": []}", -32_600),
        ("{\"jsonrpc\": \"2.0\", \"id\": [1], \"result\": {}}", -32_600),
        ("{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": 5}", -32_600),
    ] {
        let answer = send(body).await;
        assert_eq!(answer.status, 400, "{body}");
        assert_eq!(answer.value()["error"]["code"], code, "{body}");
        assert!(answer.value().get("id").is_none(), "{body}");
    }
    for body in [
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "method": "unheard/of"}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
    ] {
        assert_eq!(send(&body.to_string()).await.status, 202, "{body}");
    }
    let answer = send("{\"jsonrpc\": \"2.0\", \"id\": \"a\", \"method\": \"unheard/of\"}").await.ok();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("a"), &json!(-32_601)));
    let text = server.request(Method::POST, "/mcp").body("text/plain", "{}").send().await;
    text.fails(415, "unsupported_content_type");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revision_that_the_server_does_not_have_is_refused_with_those_that_it_has() {
    let server = Server::start();
    let call = server.request(Method::POST, "/mcp").header("mcp-protocol-version", "2024-01-01");
    let answer = call.json(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).send().await;
    assert_eq!(answer.status, 400);
    let error = answer.value()["error"].clone();
    assert_eq!((&error["code"], &error["data"]["requested"]), (&json!(-32_022), &json!("2024-01-01")));
    let supported = json!(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]);
    assert_eq!(error["data"]["supported"], supported);
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_no_stream_to_get_and_no_session_to_delete() {
    let server = Server::start();
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let answer = server.request(method, "/mcp").send().await;
        answer.fails(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), "POST, OPTIONS");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_send_no_messages() {
    let server = Server::with("[cors]\norigins = \"https://app.example.com\"");
    let send = async |origin: &str| {
        let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        server.request(Method::POST, "/mcp").header("origin", origin).json(&ping).send().await
    };
    for origin in ["https://app.example.com", "http://localhost:6274", &server.url.clone()] {
        send(origin).await.ok();
    }
    for origin in ["https://evil.example", "null", "http://localhost.evil.example"] {
        send(origin).await.fails(403, "origin_not_allowed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_a_key_is_told_where_the_metadata_is() {
    let server = Server::start();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let answer = server.request(Method::POST, "/mcp").open().json(&ping).send().await;
    answer.fails(401, "invalid_key");
    let place = format!("{}/.well-known/oauth-protected-resource/mcp", server.url);
    assert_eq!(answer.header("www-authenticate"), format!("Bearer resource_metadata=\"{place}\""));
    let read = async |path: &str| server.request(Method::GET, path).open().send().await.ok();
    let metadata = read("/.well-known/oauth-protected-resource/mcp").await;
    assert_eq!(metadata["resource"], format!("{}/mcp", server.url));
    assert_eq!(metadata["bearer_methods_supported"], json!(["header"]));
    assert_eq!(read("/.well-known/oauth-protected-resource").await["resource"], server.url);
    // Elsewhere nothing changes.
    let elsewhere = server.request(Method::GET, "/v1/me").open().send().await;
    assert_eq!(elsewhere.header("www-authenticate"), "Bearer");
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_and_completions_name_what_the_workspace_has() {
    let server = Server::start();
    let client = Client::new(&server);
    let form = server.form(crate::kit::invoice_schema()).await;
    let prompts = client.result("prompts/list", json!({})).await;
    assert_eq!(prompts["prompts"].as_array().unwrap().len(), 3);
    let asked = json!({"name": "extract_with_form", "arguments": {"form_id": form, "document": "5"}});
    let prompt = client.result("prompts/get", asked).await;
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains(&form) && text.contains("[\"5\"]"), "{text}");
    client.error("prompts/get", json!({"name": "unheard"}), -32_602).await;
    client.error("prompts/get", json!({"name": "extract_with_form"}), -32_602).await;
    let complete = |name: &str, value: &str| {
        json!({
            "ref": {"type": "ref/prompt", "name": "extract_with_form"},
            "argument": {"name": name, "value": value}
        })
    };
    let found = client.result("completion/complete", complete("form_id", "form_")).await;
    assert_eq!(found["completion"]["values"], json!([form]));
    let none = client.result("completion/complete", complete("form_id", "zzz")).await;
    assert_eq!(none["completion"]["values"], json!([]));
    let other: Value =
        json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}});
    client.error("completion/complete", other, -32_602).await;
    client.error("completion/complete", json!({}), -32_602).await;
}
