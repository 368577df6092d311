//! Tools of MCP servers, which the model of an agent calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::generate::kit::{said, settings, streamed};
use crate::kit::Server;

/// What an MCP server answers to a request.
type Play = fn(&ReceivedRequest, &Value) -> Reply;

fn server_of(play: Play) -> Upstream {
    Upstream::start(move |request| match request.body.is_empty() {
        true => Reply::whole(200, "text/plain", ""),
        false => play(request, &request.json()),
    })
    .unwrap()
}

fn answer(message: &Value, result: Value) -> Reply {
    Reply::json(200, &json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
}

fn tools() -> Value {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    json!({"tools": [
        {"name": "city.weather", "description": "Weather of a city.", "inputSchema": schema},
        {"name": "launch", "inputSchema": {"type": "object"}}
    ]})
}

/// A server with a handshake and a session, which answers calls by events.
fn with_handshake(request: &ReceivedRequest, message: &Value) -> Reply {
    let session = request.header("mcp-session-id");
    match message["method"].as_str().unwrap() {
        "initialize" => {
            let result =
                json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {}});
            let body = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
            Reply::whole_with(200, &[("content-type", "application/json"), ("mcp-session-id", "s1")], body)
        }
        "notifications/initialized" => Reply::whole(202, "text/plain", ""),
        _ if session != Some("s1") || request.header("mcp-protocol-version") != Some("2025-06-18") => {
            Reply::whole(400, "text/plain", "no session")
        }
        "tools/list" => answer(message, tools()),
        "tools/call" => {
            let text = format!("3 degrees in {}", message["params"]["arguments"]["city"].as_str().unwrap());
            let result = json!({"content": [{"type": "text", "text": text}]});
            let told = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}).to_string();
            let last = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
            Reply::event_stream().event(&told).event(&last).end()
        }
        other => panic!("{other}"),
    }
}

/// A server of the stateless revision alone.
fn stateless(request: &ReceivedRequest, message: &Value) -> Reply {
    let method = message["method"].as_str().unwrap();
    let version = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
    if version != "2026-07-28" || request.header("mcp-method") != Some(method) {
        let error = json!({"code": -32_022, "message": "Unsupported protocol version"});
        return Reply::json(400, &json!({"jsonrpc": "2.0", "id": message["id"], "error": error}));
    }
    match method {
        "tools/list" => answer(message, json!({"resultType": "complete", "tools": tools()["tools"]})),
        _ => {
            assert_eq!(request.header("mcp-name"), Some("city.weather"));
            let content = json!([{"type": "text", "text": "no such city"}]);
            answer(message, json!({"resultType": "complete", "content": content, "isError": true}))
        }
    }
}

fn calling(name: &str, arguments: &str) -> Reply {
    let call =
        json!({"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}});
    let message = json!({"role": "assistant", "content": "Let me see.", "tool_calls": [call]});
    Reply::json(
        200,
        &json!({"choices": [{"message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7}}),
    )
}

/// A server whose agent `desk` may call the tools of these servers, before a vendor that plays these replies.
async fn desk(replies: impl IntoIterator<Item = Reply>, servers: Value) -> (Server, Upstream) {
    let vendor = Upstream::start_replies(replies).unwrap();
    let server = Server::with(&format!("{}\n[fetch]\nallow = \"127.0.0.1\"", settings(&vendor.url(), "")));
    let agent = json!({"namespace": "desk", "modelId": "m@openai", "tools": servers});
    server.post("/v1/agent", agent).await.ok();
    (server, vendor)
}

async fn chat(server: &Server) -> Value {
    server.post("/v1/agent/desk/chat", json!({"message": "Is it warm in Oslo?"})).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_calls_the_tools_that_its_agent_allows_and_answers_with_their_results() {
    let tools = server_of(with_handshake);
    let place = json!([{"type": "mcp", "url": format!("{}/mcp", tools.url()), "allowed_tools": ["city.weather"],
        "authorization": "Bearer t0ken"}]);
    let (server, vendor) =
        desk([calling("city_weather", r#"{"city":"Oslo"}"#), said("It is cold.")], place).await;
    let said = chat(&server).await;
    assert_eq!(said["text"], "Let me see.\n\nIt is cold.");
    assert_eq!((&said["usage"]["inputTokens"], &said["warnings"]), (&json!(22), &json!([])));
    let sent: Vec<Value> = vendor.requests().iter().map(|request| request.json()).collect();
    let names: Vec<&Value> =
        sent[0]["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(names, ["city_weather"]);
    let last = sent[1]["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last, json!({"role": "tool", "tool_call_id": "call_1", "content": "3 degrees in Oslo"}));
    let heard = tools.requests();
    assert!(heard.iter().all(|request| request.header("authorization") == Some("Bearer t0ken")));
    // The list is used again; sessions are ended.
    let methods: Vec<String> = heard
        .iter()
        .map(|request| match request.body.is_empty() {
            true => request.method.to_string(),
            false => request.json()["method"].as_str().unwrap().to_owned(),
        })
        .collect();
    let begin = ["initialize", "notifications/initialized"];
    let expected = [&begin[..], &["tools/list", "DELETE"], &begin[..], &["tools/call", "DELETE"]].concat();
    assert_eq!(methods, expected);
    // The secret is not shown, and stays with its URL.
    let agent = server.get("/v1/agent/desk").await;
    assert!(!agent.text().contains("t0ken"), "{agent:?}");
    let shown = json!([{"type": "mcp", "url": format!("{}/mcp", tools.url()), "allowed_tools": ["city.weather"],
        "authorized": true}]);
    assert_eq!(agent.ok()["tools"], shown);
    let change =
        json!({"tools": [{"url": format!("{}/mcp", tools.url())}, {"url": format!("{}/b", tools.url())}]});
    let changed = server.put("/v1/agent/desk", change).await.ok();
    let authorized: Vec<&Value> =
        changed["tools"].as_array().unwrap().iter().map(|tool| &tool["authorized"]).collect();
    assert_eq!(authorized, [true, false]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stateless_server_is_called_and_a_tool_s_failure_is_told_to_the_model() {
    let tools = server_of(stateless);
    let calls = json!({"choices": [{"delta": {"tool_calls": [
        {"index": 0, "id": "c", "type": "function", "function": {"name": "city_weather", "arguments": "{}"}}]}}]});
    let last = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]});
    let asking =
        Reply::event_stream().event(&calls.to_string()).event(&last.to_string()).event("[DONE]").end();
    let (server, vendor) =
        desk([asking, streamed(&["I do not ", "know."])], json!([{"url": tools.url()}])).await;
    let answer = server.post("/v1/agent/desk/chat", json!({"message": "Warm?", "stream": true})).await;
    let deltas: String = answer
        .text()
        .split("event: delta\ndata: ")
        .skip(1)
        .map(|rest| serde_json::from_str::<Value>(rest.lines().next().unwrap()).unwrap()["text"].clone())
        .map(|text| text.as_str().unwrap().to_owned())
        .collect();
    let done: Value =
        serde_json::from_str(answer.text().rsplit("event: done\ndata: ").next().unwrap().trim()).unwrap();
    assert_eq!((&done["text"], deltas.as_str()), (&json!("I do not know."), "I do not know."));
    let sent = vendor.requests()[1].json();
    let last = sent["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["content"], "Error: no such city");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_is_told_and_ends() {
    // A server that is gone is a warning, and the model is asked without its tools.
    let (server, vendor) = desk([said("Hello.")], json!([{"url": "http://127.0.0.1:9/mcp"}])).await;
    let said = chat(&server).await;
    assert_eq!(said["text"], "Hello.");
    assert!(said["warnings"][0].as_str().unwrap().contains("127.0.0.1:9"), "{said}");
    assert!(vendor.requests()[0].json().get("tools").is_none());
    // Invented tools and arguments are answered, without a call.
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let tools = server_of(|request, message| {
        if message["method"] == "tools/call" {
            CALLS.fetch_add(1, Ordering::SeqCst);
        }
        with_handshake(request, message)
    });
    let forever = Arc::new(AtomicUsize::new(0));
    let vendor = Upstream::start({
        let forever = Arc::clone(&forever);
        move |_| match forever.fetch_add(1, Ordering::SeqCst) {
            0 => calling("launch rockets!", "{}"),
            1 => calling("city_weather", "{\"city\""),
            _ => calling("city_weather", r#"{"city":"Oslo"}"#),
        }
    })
    .unwrap();
    let server = Server::with(&format!("{}\n[fetch]\nallow = \"127.0.0.1\"", settings(&vendor.url(), "")));
    let agent = json!({"namespace": "desk", "modelId": "m@openai", "tools": [{"url": tools.url()}]});
    server.post("/v1/agent", agent.clone()).await.ok();
    let said = chat(&server).await;
    assert!(said["warnings"].to_string().contains("8 rounds"), "{said}");
    assert_eq!((forever.load(Ordering::SeqCst), CALLS.load(Ordering::SeqCst)), (9, 6));
    let sent: Vec<Value> = vendor.requests().iter().map(|request| request.json()).collect();
    assert_eq!(sent[8]["tool_choice"], "none");
    let told = |round: usize| sent[round]["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    assert_eq!(told(1), "Error: there is no tool 'launch_rockets_'.");
    assert_eq!(told(2), "Error: the arguments are not a JSON object.");
    // The guard of the fetcher stands before tools, too.
    for (servers, place) in [
        (json!([{"url": "http://10.0.0.1/mcp"}]), "/tools/0/url"),
        (json!([{"url": "ftp://example.com"}]), "/tools/0/url"),
        (json!([{"url": "https://example.com", "authorization": "a\nb"}]), "/tools/0/authorization"),
        (json!([{"url": "https://example.com", "allowed_tools": [""]}]), "/tools/0/allowed_tools"),
        (json!([{"url": "https://example.com", "type": "function"}]), "/tools/0/type"),
        (Value::from(vec![json!({"url": "https://example.com"}); 9]), "/tools"),
    ] {
        let agent = json!({"namespace": "x", "tools": servers});
        server.post("/v1/agent", agent).await.fails_at(400, "validation_failed", place);
    }
    // The built-in model calls none.
    server.put("/v1/agent/desk", json!({"modelId": "extractive@formwork"})).await.ok();
    assert!(chat(&server).await["warnings"].to_string().contains("calls none"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_side_question_of_a_guided_conversation_may_call_tools() {
    let tools = server_of(with_handshake);
    let vendor = Upstream::start(|request| {
        let body = request.json();
        let last = body["messages"].as_array().unwrap().last().unwrap().clone();
        match (body.get("tools").is_some(), last["role"] == "tool") {
            (true, false) => calling("city_weather", r#"{"city":"Oslo"}"#),
            (_, true) => said("It is cold there."),
            // The message has nothing for the form.
            (false, false) => said("{}"),
        }
    })
    .unwrap();
    let server = Server::with(&format!("{}\n[fetch]\nallow = \"127.0.0.1\"", settings(&vendor.url(), "")));
    let form = server.form(json!({"name": {"type": "string", "required": true}})).await;
    let agent = json!({"namespace": "desk", "modelId": "m@openai", "form_id": form,
        "tools": [{"url": format!("{}/mcp", tools.url())}]});
    server.post("/v1/agent", agent).await.ok();
    let first = server.post("/v1/agent/desk/chat", json!({"message": "hello"})).await.ok();
    assert!(!vendor.requests().iter().any(|request| request.json().get("tools").is_some()), "{first}");
    let asked = json!({"session_id": first["session_id"], "message": "What is the weather in Oslo?"});
    let said = server.post("/v1/agent/desk/chat", asked).await.ok();
    let text = said["text"].as_str().unwrap();
    assert!(text.contains("It is cold there.") && text.to_lowercase().contains("name"), "{said}");
    assert_eq!(
        (&said["form"]["status"], &said["form"]["values"]),
        (&json!("filling"), &json!({"name": null}))
    );
    assert_eq!(said["form"]["next"]["field"], "name");
    let called = tools
        .requests()
        .iter()
        .filter(|request| !request.body.is_empty() && request.json()["method"] == "tools/call")
        .count();
    assert_eq!(called, 1);
    // Both calls of the model are billed to the message.
    assert!(said["usage"]["inputTokens"].as_u64() >= Some(22), "{said}");
}
