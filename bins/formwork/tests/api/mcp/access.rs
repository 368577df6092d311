//! What keys may do, what is counted, and what the audit log has.

use reqwest::Method;
use serde_json::{Value, json};

use super::kit::Client;
use crate::kit::{Server, invoice_schema, settle};

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_may_only_read_has_no_tool_that_writes() {
    let server = Server::start();
    let form = server.agent("mine", invoice_schema()).await;
    let read = server.home.told(&["keys", "create", "--scope", "read"]);
    let client = Client::new(&server).with_key(&read);
    let tools = client.tools().await;
    for (name, tool) in &tools {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{name}");
    }
    for (name, arguments) in [
        ("create_note", json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "mine"})),
        ("delete_notes", json!({"resource": "agent", "resource_id": "mine", "delete_all": true})),
        ("extract_record", json!({"form_id": form, "documents": [{"text": "Total: 4"}]})),
        ("start_run", json!({"namespace": "mine", "files": [[{"url": "1"}]]})),
        ("cancel_run", json!({"namespace": "mine", "sid": 1})),
        ("chat", json!({"namespace": "mine", "message": "hello"})),
        ("fill_form", json!({"namespace": "mine", "message": "hello"})),
    ] {
        assert!(!tools.contains_key(name), "{name}");
        let told = client.failed(name, arguments).await;
        assert!(told.starts_with("read_only_key: "), "{name}: {told}");
    }
    client.done("get_form", json!({"form_id": form})).await;
    let parsed = client.done("parse_documents", json!({"documents": [{"text": "Total: 4"}]})).await;
    assert_eq!(parsed["items"][0]["body"], "Total: 4");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_for_some_knowledge_bases_searches_those_and_sees_nothing_else() {
    let server = Server::start();
    server.form(invoice_schema()).await;
    let base = async |name: &str| {
        let made = server.post("/knowledgebase", json!({"name": name})).await.ok();
        made["knowledgeId"].as_str().unwrap().to_owned()
    };
    let (own, other) = (base("Own").await, base("Other").await);
    let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
    let new =
        server.request(Method::POST, "/v1/keys").key(&admin).json(&json!({"name": "w", "bases": [own]}));
    let restricted = new.send().await.ok()["secret"].as_str().unwrap().to_owned();
    let client = Client::new(&server).with_key(&restricted);
    assert_eq!(client.tools().await.keys().collect::<Vec<_>>(), ["search_knowledge_base"]);
    client.done("search_knowledge_base", json!({"knowledgeId": own, "query": "cod"})).await;
    for (name, arguments) in [
        ("search_knowledge_base", json!({"knowledgeId": other, "query": "cod"})),
        ("list_forms", json!({})),
        ("list_knowledge_bases", json!({})),
    ] {
        let told = client.failed(name, arguments).await;
        assert!(told.starts_with("restricted_key: "), "{name}: {told}");
    }
    assert_eq!(client.result("resources/list", json!({})).await["resources"], json!([]));
    let read = json!({"uri": format!("formwork://knowledgebases/{own}")});
    client.error("resources/read", read, -32_602).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_workspace_reaches_nothing_by_any_tool() {
    let server = Server::start();
    let form = server.agent("mine", invoice_schema()).await;
    let file = server.files(&[("a.txt", "Total: 4")]).await.remove(0)["id"].clone();
    let run = server.delta("mine", "", &[&[&file]]).await["sid"].clone();
    let base = server.post("/knowledgebase", json!({"name": "Mine"})).await.ok()["knowledgeId"].clone();
    let note = json!({"content": "c", "role": "user", "resource": "file", "resource_id": file.to_string()});
    let note = server.post("/v1/notes", note).await.ok()["noteId"].clone();
    let before = server.get("/v1/notes/file/1").await.ok();
    let stranger = server.stranger();
    let client = Client::new(&server).with_key(&stranger);
    let on_file = json!({"resource": "file", "resource_id": file.to_string()});
    let mut deletion = on_file.clone();
    deletion["values"] = json!([note]);
    for (name, arguments, told) in [
        ("get_form", json!({"form_id": form}), "form_not_found"),
        ("extract_record", json!({"form_id": form, "documents": [{"text": "a"}]}), "form_not_found"),
        ("extract_record", json!({"schema": invoice_schema(), "urls": [file]}), "file_not_found"),
        ("search_knowledge_base", json!({"knowledgeId": base, "query": "a"}), "knowledge_base_not_found"),
        ("list_notes", on_file, "file_not_found"),
        ("delete_notes", deletion, "file_not_found"),
        ("chat", json!({"namespace": "mine", "message": "hello"}), "agent_not_found"),
        ("fill_form", json!({"namespace": "mine", "message": "hello"}), "agent_not_found"),
        ("start_run", json!({"namespace": "mine", "files": [[{"url": file}]]}), "agent_not_found"),
        ("get_run", json!({"namespace": "mine", "sid": run}), "agent_not_found"),
        ("get_run_responses", json!({"namespace": "mine", "sid": run}), "agent_not_found"),
        ("cancel_run", json!({"namespace": "mine", "sid": run}), "agent_not_found"),
    ] {
        let found = client.failed(name, arguments).await;
        assert!(found.contains(told), "{name}: {found}");
    }
    for (name, rows) in [
        ("list_forms", "forms"),
        ("list_agents", "agents"),
        ("list_files", "files"),
        ("list_knowledge_bases", "knowledgebases"),
    ] {
        assert_eq!(client.done(name, json!({})).await[rows], json!([]), "{name}");
    }
    let parsed = client.done("parse_documents", json!({"urls": [file]})).await;
    assert_eq!(parsed["items"][0]["error"]["code"], "file_not_found");
    assert_eq!(server.get("/v1/notes/file/1").await.ok(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_is_audited_as_its_operation_and_its_calls_of_models_are_booked() {
    let server = Server::start();
    let client = Client::new(&server);
    server.agent("mine", invoice_schema()).await;
    let note = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "mine"});
    client.done("create_note", note).await;
    client.done("list_forms", json!({})).await;
    let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
    let log = server.request(Method::GET, "/v1/audit").key(&admin).send().await.ok();
    let events = log["events"].as_array().unwrap();
    let of_note: Vec<&Value> = events.iter().filter(|event| event["operation"] == "create_note").collect();
    assert_eq!(of_note.len(), 1, "{log}");
    assert_eq!(of_note[0]["target"], "/v1/notes");
    assert!(events.iter().all(|event| event["operation"] != "call_mcp"), "{log}");
    let extracted = json!({"schema": invoice_schema(), "documents": [{"text": "Total: 4"}]});
    client.done("extract_record", extracted).await;
    let booked = async || server.get("/v1/usage").await.ok()["total"]["requests"] == 1;
    settle("the booking of the call", booked).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_message_counts_as_one_request() {
    let server = Server::start();
    let key = server.home.told(&["keys", "create", "--requests-per-minute", "2"]);
    let client = Client::new(&server).with_key(&key);
    client.done("list_forms", json!({})).await;
    client.result("ping", json!({})).await;
    client.send("ping", json!({})).await.fails(429, "rate_limited");
}
