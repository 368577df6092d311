//! Every described operation, called with a key of another workspace, a key that may only read, and a
//! key that is revoked. An operation that is new here fails until its sample is written down.

mod owned;

use reqwest::Method;
use serde_json::{Value, json};

use self::owned::{DOCUMENTS, Owned, SEARCHES, is_administration, keyed, unversioned};
use crate::kit::{Answer, Parts, Server};

/// Operations that name nothing of a workspace, or whose sample names none.
const WITHOUT_IDS: [&str; 48] = [
    // The built-in model, which is the only one here, summarizes nothing; its own test has a file of others.
    "POST /openai/v1/responses/compact",
    "POST /anthropic/v1/messages/count_tokens",
    "GET /v1/evaluation_sets",
    "GET /v1/reviews",
    "POST /openai/v1/vector_stores",
    "GET /openai/v1/vector_stores",
    "POST /openai/v1/files",
    "GET /openai/v1/files",
    "POST /openai/v1/embeddings",
    "POST /openai/v1/audio/speech",
    "POST /openai/v1/images/generations",
    "GET /openai/v1/models",
    "POST /mcp",
    "POST /v1/webhooks",
    "GET /v1/webhooks",
    "POST /v1/utilities/websearch",
    "GET /utilities/websearch",
    "GET /v1/utilities/websearch",
    "POST /v1/utilities/news",
    "GET /utilities/news",
    "GET /v1/utilities/news",
    "GET /v1/usage",
    "GET /v1/me",
    "GET /v1/models",
    "GET /v1/quotas",
    "PUT /v1/me/password",
    "DELETE /v1/sign_in",
    "GET /v1/keys",
    "POST /v1/keys",
    "GET /v1/members",
    "POST /v1/members",
    "GET /v1/workspaces",
    "POST /v1/workspaces",
    "GET /v1/audit",
    "POST /v1/utilities/schema_validator",
    "POST /v1/utilities/schema_generator",
    "POST /v1/utilities/schema_converter",
    "GET /v1/templates",
    "GET /v1/templates/{template_id}",
    "POST /v1/utilities/webparser",
    "POST /v1/form",
    "GET /v1/form",
    "POST /v1/files",
    "GET /v1/files",
    "GET /v1/agent",
    "POST /knowledgebase",
    "GET /knowledgebases",
    "GET /knowledgebase/files",
];

#[tokio::test(flavor = "multi_thread")]
async fn what_another_workspace_owns_is_unknown_to_every_operation() {
    let owned = Owned::new().await;
    let stranger = owned.server.stranger();
    let before = owned.everything().await;
    let mut tried = 0;
    for (method, shape, _) in keyed() {
        if WITHOUT_IDS.contains(&format!("{method} {}", unversioned(shape)).as_str()) {
            continue;
        }
        let answer = owned.call(&method, shape, &stranger).await;
        if (method.as_str(), shape) == ("POST", "/v1/agent") {
            // Its path names nothing; an unknown form in its body is a broken rule of the body.
            answer.fails_at(400, "unknown_form", "/form_id");
        } else if shape == "/v2/generate" {
            answer.fails_at(400, "file_not_found", "/urls/0");
        } else if ["/openai/v1/chat/completions", "/anthropic/v1/messages"].contains(&shape) {
            answer.fails_at(400, "file_not_found", "messages.0.content");
        } else if shape == "/openai/v1/responses" {
            answer.fails_at(400, "file_not_found", "input.0.content");
        } else if DOCUMENTS.contains(&shape) {
            let items = answer.ok();
            assert_eq!(items[0]["error"]["code"], "file_not_found", "{shape}: {items}");
            let mut told = items[0]
                .as_object()
                .unwrap()
                .iter()
                .filter(|(name, _)| !["url", "error"].contains(&name.as_str()));
            let empty = [Value::Null, json!(""), json!([])];
            assert!(told.all(|(_, value)| empty.contains(value)), "{shape}: {items}");
        } else {
            assert_eq!(answer.status, 404, "{method} {shape}: {answer:?}");
            assert!(!answer.text().contains("unknown_route"), "{method} {shape}");
        }
        tried += 1;
    }
    assert!(tried >= 22, "{tried}");
    assert_eq!(owned.everything().await, before);
    owned.call(&Method::PUT, "/v1/notes/{note_id}", &owned.server.key).await.ok();
    assert_ne!(owned.everything().await, before, "what the owner reads would show a change");
    for list in [
        "/v1/form",
        "/v1/files",
        "/v1/agent",
        "/knowledgebases",
        "/knowledgebase/files",
        "/v1/webhooks",
        "/v1/reviews",
        "/v1/evaluation_sets",
    ] {
        let answer = owned.server.request(Method::GET, list).key(&stranger).send().await;
        let rows = answer.ok().to_string();
        for own in [&owned.form, &owned.base, &owned.item, &owned.webhook, "mine"] {
            assert!(!rows.contains(own), "{rows}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_another_workspace_gets_into_an_own_base_or_out_of_theirs() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let before = owned.everything().await;
    let send = async |method, path: &str, body| with_key(server, &stranger, method, path, &body).await;
    let base = send(Method::POST, "/knowledgebase", json!({"name": "Theirs"})).await.ok();
    let base = base["knowledgeId"].as_str().unwrap();
    let files = format!("/knowledgebase/{base}/files");
    let url = server.get(&format!("/v1/files/{}", owned.file)).await.ok()["url"].clone();
    for (body, place) in [
        (json!({"file_ids": [owned.file]}), "/file_ids/0"),
        (json!({"urls": [owned.file]}), "/urls/0"),
        // The URL grants reading, not use in the work of others.
        (json!({"urls": [url]}), "/urls/0"),
    ] {
        send(Method::POST, &files, body).await.fails_at(400, "file_not_found", place);
    }
    // The same content is an item of its own.
    let text = json!({"texts": [{"title": "theirs", "content": "Total: 4"}]});
    let item = send(Method::POST, &files, text).await.ok()["files"][0].clone();
    assert_eq!((&item["name"], &item["knowledgeId"]), (&json!("theirs"), &json!(base)));
    let sources = json!({"ids": [owned.item]});
    let done = send(Method::DELETE, &format!("/knowledgebase/{base}/sources"), sources).await.ok();
    assert!(done["message"].as_str().unwrap().starts_with("0 files were deleted"), "{done}");
    let agent = json!({"namespace": "spy", "knowledge": [owned.base]});
    send(Method::POST, "/v1/agent", agent).await.fails_at(400, "unknown_knowledge_base", "/knowledge/0");
    let ask = json!({"modelId": "extractive@formwork", "prompt": "total?", "knowledgeId": owned.base});
    send(Method::POST, "/v2/generate", ask).await.fails(400, "unknown_knowledge_base");
    let note =
        json!({"content": "c", "role": "user", "resource": "knowledgebase", "resource_id": owned.base});
    send(Method::POST, "/v1/notes", note).await.fails(404, "knowledge_base_not_found");
    assert_eq!(owned.everything().await, before);
}

/// A request with the key of a workspace.
async fn with_key(server: &Server, key: &str, method: Method, path: &str, body: &Value) -> Answer {
    let call = server.request(method.clone(), path).key(key);
    if method == Method::GET { call.send().await } else { call.json(body).send().await }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_own_agent_takes_no_form_of_another_workspace_and_stays_as_it_is() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let before = owned.everything().await;
    let send = async |method, path: &str, body| with_key(server, &stranger, method, path, &body).await;
    let form = json!({"title": "t", "schema": {"a": {"type": "string"}}});
    let form = send(Method::POST, "/v1/form", form).await.ok()["form_id"].clone();
    let own = send(Method::POST, "/v1/agent", json!({"namespace": "mine", "form_id": form})).await.ok();

    let named = json!({"name": "changed", "form_id": owned.form});
    send(Method::PUT, "/v1/agent/mine", named).await.fails_at(400, "unknown_form", "/form_id");
    assert_eq!(send(Method::GET, "/v1/agent/mine", Value::Null).await.ok(), own);
    let named = json!({"namespace": "second", "form_id": owned.form});
    send(Method::POST, "/v1/agent", named).await.fails_at(400, "unknown_form", "/form_id");
    send(Method::GET, "/v1/agent/second", Value::Null).await.fails(404, "agent_not_found");

    assert_eq!(owned.everything().await, before);
    // Nor does a failed attempt hold the form fast.
    server.delete("/v1/agent/mine").await.ok();
    server.delete(&format!("/v1/evaluation_sets/{}", owned.set)).await.ok();
    server.delete(&format!("/v1/form/{}", owned.form)).await.ok();
    assert_eq!(send(Method::GET, "/v1/agent/mine", Value::Null).await.ok(), own);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_another_workspace_is_no_document_of_an_own_run() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let before = owned.everything().await;
    let send = async |method, path: &str, body| with_key(server, &stranger, method, path, &body).await;
    let form = json!({"title": "t", "schema": {"total": {"type": "number"}}});
    let form = send(Method::POST, "/v1/form", form).await.ok()["form_id"].clone();
    send(Method::POST, "/v1/agent", json!({"namespace": "reader", "form_id": form})).await.ok();
    let groups = json!([[{"url": owned.file}]]);
    let run = send(Method::POST, "/v1/agent/reader/workflow/delta", groups).await.ok();
    assert_eq!((&run["results"], &run["meta"]["failed"]), (&json!([]), &json!(1)), "{run}");
    assert_eq!(run["failed"][0]["error"]["code"], "file_not_found", "{run}");
    assert_eq!(owned.everything().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_for_an_unknown_knowledge_base_stores_nothing() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let (before, blobs) = (owned.everything().await, server.stored("blobs"));
    for key in [&server.key, &stranger] {
        for (at, id) in [(0, "unknown"), (1, "mine"), (0, "\u{0}")] {
            // The field may come before the file or after it.
            let parts = match at {
                0 => Parts::new().field("knowledgeId", id).file("b.txt", b"never stored"),
                _ => Parts::new().file("b.txt", b"never stored").field("knowledgeId", id),
            };
            let call = server.request(Method::POST, "/v1/files").key(key).multipart(parts);
            call.send().await.fails(404, "knowledge_base_not_found");
        }
    }
    assert_eq!((owned.everything().await, server.stored("blobs")), (before, blobs));
    let theirs = with_key(server, &stranger, Method::GET, "/v1/files", &Value::Null).await.ok();
    assert_eq!(theirs["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_note_is_put_on_what_another_workspace_owns() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let on_file = json!({"content": "c", "role": "user", "resource": "file", "resource_id": owned.file});
    let kept = server.post("/v1/notes", on_file.clone()).await.ok()["noteId"].clone();
    let before = owned.everything().await;
    let send = async |method, path: &str, body| with_key(server, &stranger, method, path, &body).await;
    let file = format!("/v1/notes/file/{}", owned.file);
    let on_agent = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "mine"});
    for (body, path, code) in
        [(on_file, file.as_str(), "file_not_found"), (on_agent, "/v1/notes/agent/mine", "agent_not_found")]
    {
        send(Method::POST, "/v1/notes", body).await.fails(404, code);
        send(Method::GET, path, Value::Null).await.fails(404, code);
        send(Method::DELETE, path, json!({"delete_all": true})).await.fails(404, code);
        send(Method::DELETE, path, json!({"values": [kept, owned.note]})).await.fails(404, code);
    }
    assert_eq!(owned.everything().await, before);
    let notes = server.get(&file).await.ok();
    assert_eq!((&notes["meta"]["total_items"], &notes["notes"][0]["noteId"]), (&json!(1), &kept));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_may_only_read_is_refused_by_every_writing_operation() {
    let owned = Owned::new().await;
    let read = owned.server.home.told(&["keys", "create", "--scope", "read"]);
    let before = owned.everything().await;
    for (method, shape, operation) in keyed() {
        if is_administration(operation) {
            owned.call(&method, shape, &read).await.fails(403, "admin_key_needed");
            continue;
        }
        // They are about the caller's own sign-in and password.
        if shape == "/v1/sign_in" || shape == "/v1/me/password" {
            continue;
        }
        // The validator computes, a search looks and documents are read; a picture is stored.
        let path = shape;
        let shape =
            shape.strip_prefix("/v1").filter(|path| path.starts_with("/knowledgebase")).unwrap_or(shape);
        let reads = shape != "/v1/utilities/thumbnail" && DOCUMENTS.contains(&shape)
            || SEARCHES.contains(&shape)
            || [
                "/mcp",
                "/v1/utilities/schema_validator",
                "/v1/utilities/schema_converter",
                "/v1/utilities/webparser",
                "/v1/agent/{namespace}/workflow/delta/estimate",
                "/knowledgebase/{knowledgeId}/search",
                "/knowledgebase/search",
                "/knowledgebase/{knowledgeId}/evaluation_sets/{evaluation_set_id}/evaluate",
                "/openai/v1/vector_stores/{vector_store_id}/search",
                "/anthropic/v1/messages/count_tokens",
            ]
            .contains(&shape);
        if method == Method::GET || reads {
            assert_eq!(owned.call(&method, path, &read).await.status, 200, "{method} {path}");
        } else {
            owned.call(&method, path, &read).await.fails(403, "read_only_key");
        }
    }
    assert_eq!(owned.everything().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_is_refused_by_every_operation() {
    let owned = Owned::new().await;
    let revoked = owned.server.home.told(&["keys", "create"]);
    owned.call(&Method::GET, "/v1/me", &revoked).await.ok();
    owned.server.home.told(&["keys", "revoke", &revoked[..11]]);
    let before = owned.everything().await;
    for (method, shape, _) in keyed() {
        owned.call(&method, shape, &revoked).await.fails(401, "invalid_key");
    }
    assert_eq!(owned.everything().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_for_some_knowledge_bases_is_refused_by_every_other_operation() {
    let owned = Owned::new().await;
    let new = json!({"name": "widget", "bases": [owned.base]});
    let issued = with_key(&owned.server, &owned.admin, Method::POST, "/v1/keys", &new).await.ok();
    let restricted = issued["secret"].as_str().unwrap();
    let before = owned.everything().await;
    for (method, shape, operation) in keyed() {
        let answer = owned.call(&method, shape, restricted).await;
        if is_administration(operation) {
            answer.fails(403, "admin_key_needed");
        } else if [
            "/mcp",
            "/v1/me",
            "/v1/models",
            "/knowledgebase/{knowledgeId}/search",
            "/knowledgebase/search",
            "/openai/v1/vector_stores/{vector_store_id}/search",
        ]
        .contains(&unversioned(shape))
        {
            answer.ok();
        } else {
            answer.fails(403, "restricted_key");
        }
    }
    assert_eq!(owned.everything().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_key_does_nothing_else_and_no_other_key_does_what_it_does() {
    const SITE: &str = "https://shop.example";
    let owned = Owned::new().await;
    let new = json!({"name": "form", "agent": "mine", "origins": [SITE]});
    let issued = with_key(&owned.server, &owned.admin, Method::POST, "/v1/keys", &new).await.ok();
    let public = issued["secret"].as_str().unwrap();
    let before = owned.everything().await;
    for (method, shape, operation) in keyed() {
        let code = if is_administration(operation) { "admin_key_needed" } else { "restricted_key" };
        owned.call(&method, shape, public).await.fails(403, code);
    }
    assert_eq!(owned.everything().await, before);
    let hello = json!({"message": "Hello"});
    let call =
        |method, path: &str, key: &str| owned.server.request(method, path).key(key).header("origin", SITE);
    let (chat, session) = ("/v1/public/chat", "/v1/public/sessions/session_mine");
    for key in [&owned.server.key, &owned.admin] {
        for (method, path) in [(Method::GET, "/v1/public/form"), (Method::POST, chat), (Method::GET, session)]
        {
            call(method, path, key).json(&hello).send().await.fails(403, "public_key_needed");
        }
    }
    // Whoever has the identifier of a session of the agent may read it.
    call(Method::GET, session, public).send().await.ok();
    call(Method::GET, "/v1/public/sessions/session_other", public)
        .send()
        .await
        .fails(404, "session_not_found");
    // The answer under a name of a visitor's choice might be that of another visitor.
    let named = call(Method::POST, chat, public).header("idempotency-key", "1");
    named.json(&hello).send().await.fails(403, "restricted_key");
}
