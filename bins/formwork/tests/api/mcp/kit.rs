//! A client of the protocol.

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::kit::{Answer, Call, Server};

/// The revision without a handshake.
pub(super) const STATELESS: &str = "2026-07-28";
/// The newest revision with a handshake.
pub(super) const WITH_HANDSHAKE: &str = "2025-11-25";

/// A client with a key.
pub(super) struct Client<'a> {
    pub(super) server: &'a Server,
    key: String,
    /// The capabilities of a client of the stateless revision.
    capabilities: Option<Value>,
}

impl<'a> Client<'a> {
    /// A client of the newest revision with a handshake.
    pub(super) fn new(server: &'a Server) -> Self {
        Self { server, key: server.key.clone(), capabilities: None }
    }

    /// A client of the stateless revision with these capabilities.
    pub(super) fn stateless(server: &'a Server, capabilities: Value) -> Self {
        Self { capabilities: Some(capabilities), ..Self::new(server) }
    }

    pub(super) fn with_key(self, key: &str) -> Self {
        Self { key: key.to_owned(), ..self }
    }

    /// A request that is not yet sent.
    pub(super) fn request(&self, method: &str, params: Value) -> Call {
        let mut params = params.as_object().cloned().unwrap_or_default();
        let name = ["name", "uri", "taskId"].iter().find_map(|name| params.get(*name)?.as_str());
        let name = name.unwrap_or_default().to_owned();
        let call = self.server.request(Method::POST, "/mcp").key(&self.key);
        let call = call.header("accept", "application/json, text/event-stream");
        let call = match &self.capabilities {
            None => call.header("mcp-protocol-version", WITH_HANDSHAKE),
            Some(capabilities) => {
                let meta = params.entry("_meta").or_insert_with(|| json!({}));
                meta["io.modelcontextprotocol/protocolVersion"] = json!(STATELESS);
                meta["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
                call.header("mcp-protocol-version", STATELESS)
                    .header("mcp-method", method)
                    .header("mcp-name", name)
            }
        };
        call.json(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
    }

    pub(super) async fn send(&self, method: &str, params: Value) -> Answer {
        self.request(method, params).send().await
    }

    /// The result of a request.
    pub(super) async fn result(&self, method: &str, params: Value) -> Value {
        let response = self.send(method, params).await.ok();
        assert_eq!((&response["jsonrpc"], &response["id"]), (&json!("2.0"), &json!(7)), "{response}");
        assert!(response["result"].is_object(), "{response}");
        response["result"].clone()
    }

    /// The error of a request, of this code.
    pub(super) async fn error(&self, method: &str, params: Value, code: i64) -> Value {
        let response = self.send(method, params).await.value();
        assert_eq!(response["error"]["code"], code, "{response}");
        response["error"].clone()
    }

    /// The result of a tool.
    pub(super) async fn tool(&self, name: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({"name": name, "arguments": arguments})).await
    }

    /// The structured result of a tool that succeeds. Its text says the same.
    pub(super) async fn done(&self, name: &str, arguments: Value) -> Value {
        let result = self.tool(name, arguments).await;
        assert_eq!(result["isError"], false, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"]);
        result["structuredContent"].clone()
    }

    /// What a tool that fails tells.
    pub(super) async fn failed(&self, name: &str, arguments: Value) -> String {
        let result = self.tool(name, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The tools by their names.
    pub(super) async fn tools(&self) -> Map<String, Value> {
        let listed = self.result("tools/list", json!({})).await;
        let tools = listed["tools"].as_array().unwrap().iter();
        tools.map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool.clone())).collect()
    }
}

/// The messages of an answer that is still written.
pub(super) struct LiveMessages {
    answer: reqwest::Response,
    text: String,
}

impl LiveMessages {
    /// Sends a message of the newest revision with a handshake, in this session.
    pub(super) async fn open(server: &Server, session: &str, message: &Value) -> Self {
        let request = server.client.post(format!("{}/mcp", server.url)).bearer_auth(&server.key);
        let request =
            request.header("mcp-protocol-version", WITH_HANDSHAKE).header("mcp-session-id", session);
        let request = request.header("accept", "application/json, text/event-stream");
        let answer = request.json(message).send().await.unwrap();
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        Self { answer, text: String::new() }
    }

    /// The next message; none at the end.
    pub(super) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((line, rest)) = self.text.split_once('\n') {
                let message = line.strip_prefix("data: ").map(|data| serde_json::from_str(data).unwrap());
                self.text = rest.to_owned();
                if message.is_some() {
                    return message;
                }
                continue;
            }
            let piece = self.answer.chunk().await.unwrap()?;
            self.text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }
}

/// The messages of server-sent events.
pub(super) fn messages(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let data = answer.text().lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}
