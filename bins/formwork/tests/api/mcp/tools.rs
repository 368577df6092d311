//! The list of tools, and tools that are operations.

use serde_json::{Value, json};

use super::kit::Client;
use crate::kit::Server;

/// Checks arguments against the schema of a tool.
fn fits(tool: &Value, arguments: &Value) -> bool {
    jsonschema::draft202012::new(&tool["inputSchema"]).unwrap().is_valid(arguments)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_has_schemas_of_its_own_and_says_what_it_changes() {
    let server = Server::start();
    let tools = Client::new(&server).tools().await;
    // Without a provider there is no web search; fetching is on.
    assert_eq!(tools.len(), 20, "{:?}", tools.keys());
    assert!(!tools.contains_key("search_web") && tools.contains_key("read_web_pages"));
    for (name, tool) in &tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        jsonschema::draft202012::new(&tool["inputSchema"]).unwrap();
        if let Some(output) = tool.get("outputSchema") {
            assert_eq!(output["type"], "object", "{name}");
            jsonschema::draft202012::new(output).unwrap();
        }
        let text = tool.to_string();
        assert!(!text.contains("#/components/") && !text.contains("\"format\":\"uint"), "{name}");
        for keyword in ["anyOf", "oneOf", "allOf", "if"] {
            // Some models take no alternatives of whole arguments.
            assert!(tool["inputSchema"].get(keyword).is_none(), "{name}");
        }
        for part in ["title", "description"] {
            assert!(tool[part].as_str().is_some_and(|text| text.len() > 5), "{name} {part}");
        }
    }
    let hints = |name: &str| {
        let told = &tools[name]["annotations"];
        [&told["readOnlyHint"], &told["destructiveHint"]].map(|hint| hint.as_bool().unwrap())
    };
    assert_eq!(hints("list_forms"), [true, false]);
    assert_eq!(hints("create_note"), [false, false]);
    assert_eq!(hints("delete_notes"), [false, true]);
    let note = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "a"});
    assert!(fits(&tools["create_note"], &note));
    assert!(!fits(&tools["create_note"], &json!({"content": "c"})));
    assert!(!fits(&tools["get_form"], &json!({})) && fits(&tools["get_form"], &json!({"form_id": "f"})));
    let run = json!({"namespace": "a", "files": [[{"url": 1}]], "wait": true});
    assert!(fits(&tools["start_run"], &run) && !fits(&tools["start_run"], &json!({"namespace": "a"})));
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_answer_as_their_operations() {
    let server = Server::start();
    let client = Client::new(&server);
    let form = server.agent("mine", crate::kit::invoice_schema()).await;
    let tools = client.tools().await;
    let checked = async |name: &str, arguments: Value| {
        assert!(fits(&tools[name], &arguments), "{name} {arguments}");
        let found = client.done(name, arguments).await;
        if let Some(output) = tools[name].get("outputSchema") {
            let schema = jsonschema::draft202012::new(output).unwrap();
            let broken: Vec<String> = schema.iter_errors(&found).map(|error| error.to_string()).collect();
            assert!(broken.is_empty(), "{name}: {broken:?}\n{found}");
        }
        found
    };
    assert_eq!(checked("list_forms", json!({"limit": 1})).await, server.get("/v1/form?limit=1").await.ok());
    let one = checked("get_form", json!({"form_id": form})).await;
    assert_eq!(one, server.get(&format!("/v1/form/{form}")).await.ok());
    assert_eq!(checked("list_agents", json!({})).await, server.get("/v1/agent").await.ok());
    let note = json!({"content": "seen", "role": "user", "resource": "agent", "resource_id": "mine"});
    let id = checked("create_note", note).await["noteId"].clone();
    let on = json!({"resource": "agent", "resource_id": "mine"});
    assert_eq!(checked("list_notes", on.clone()).await["notes"][0]["content"], "seen");
    let mut gone = on.clone();
    gone["values"] = json!([id]);
    checked("delete_notes", gone).await;
    assert_eq!(checked("list_notes", on).await["notes"], json!([]));
    let base = server.post("/knowledgebase", json!({"name": "Sea"})).await.ok()["knowledgeId"].clone();
    let texts = json!({"texts": [{"title": "cod", "content": "The cod is a fish of the cold sea."}]});
    let added = server.post(&format!("/knowledgebase/{}/files", base.as_str().unwrap()), texts).await.ok();
    let item = format!("/knowledgebase/files/{}", added["files"][0]["id"].as_str().unwrap());
    crate::kit::settle("the text", async || server.get(&item).await.ok()["status"] == "ready").await;
    assert_eq!(checked("list_knowledge_bases", json!({})).await["knowledgebases"][0]["knowledgeId"], base);
    let asked = json!({"knowledgeId": base, "query": "Where does the cod live?", "limit": 1});
    let found = checked("search_knowledge_base", asked).await;
    assert!(found["results"][0]["text"].as_str().unwrap().contains("cold sea"), "{found}");
    assert_eq!(checked("list_files", json!({})).await["files"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_of_tools_are_results_that_say_what_to_correct() {
    let server = Server::start();
    let client = Client::new(&server);
    let told = client.failed("get_form", json!({"form_id": "form_unheard"})).await;
    assert!(told.starts_with("form_not_found: "), "{told}");
    let told = client.failed("get_form", json!({})).await;
    assert!(told.contains("'form_id' is a required property"), "{told}");
    let told = client.failed("get_form", json!({"form_id": ["a"]})).await;
    assert!(told.contains("'form_id' must be a single value"), "{told}");
    let told = client.failed("list_forms", json!({"colour": "red"})).await;
    assert!(told.contains("its arguments are: limit, cursor, title"), "{told}");
    let told = client.failed("list_forms", json!({"limit": 1_000})).await;
    assert!(told.contains("'limit' must be 1 to 100"), "{told}");
    // Every broken rule, as for the operation.
    let told = client.failed("create_note", json!({"role": 5})).await;
    assert!(told.contains("'content' is a required property") && told.contains("/role: "), "{told}");
    let long = "x".repeat(40_000);
    let told = client.failed("get_form", json!({"form_id": long})).await;
    assert!(told.starts_with("arguments_too_large: "), "{told}");
    for strange in ["..", "a/b", "%2e%2e", "\u{0}", "ä?x=1#", "{form_id}"] {
        let told = client.failed("get_form", json!({"form_id": strange})).await;
        assert!(told.starts_with("form_not_found: "), "{strange}: {told}");
    }
    for params in [
        json!({"name": "unheard"}),
        json!({}),
        json!({"name": 5}),
        json!({"name": "list_forms", "arguments": []}),
        json!({"name": "search_web", "arguments": {"search_terms": ["a"]}, "inputResponses": 1}),
    ] {
        client.error("tools/call", params, -32_602).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_of_the_web_is_a_tool_where_it_is_configured() {
    let provider = crate::search::searxng();
    let server = Server::with(&crate::search::by_searxng(&provider));
    let client = Client::new(&server);
    assert!(client.tools().await.contains_key("search_web"));
    let found = client.done("search_web", json!({"search_terms": ["cod"], "fullText": false})).await;
    assert_eq!(found["items"][0]["term"], "cod");
    let off = Server::with("[fetch]\nweb = \"off\"");
    assert!(!Client::new(&off).tools().await.contains_key("read_web_pages"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_with_a_progress_token_is_answered_by_events() {
    let server = Server::start();
    let client = Client::new(&server);
    let call = json!({"name": "list_forms", "arguments": {}, "_meta": {"progressToken": "p"}});
    let answer = client.send("tools/call", call.clone()).await;
    let messages = super::kit::messages(&answer);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(messages[0]["result"]["structuredContent"]["forms"], json!([]));
    // A client that takes no events gets none.
    let plain = server.request(reqwest::Method::POST, "/mcp").header("accept", "application/json");
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call});
    assert_eq!(plain.json(&message).send().await.ok()["result"]["isError"], false);
}
