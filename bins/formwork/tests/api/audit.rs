//! The audit log: who created, changed, deleted or exported what.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Home, Server};

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_log_tells_who_did_what() {
    tell(Server::start()).await;
}

pub(crate) async fn tell_on_postgres() {
    if let Some(home) = Home::on_postgres() {
        tell(home.start()).await;
    }
}

async fn events(server: &Server, admin: &str, query: &str) -> Vec<Value> {
    let path = format!("/v1/audit{query}");
    let log = server.request(Method::GET, &path).key(admin).send().await.ok();
    log["events"].as_array().unwrap().clone()
}

async fn tell(server: Server) {
    let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
    server.get("/v1/audit").await.fails(403, "admin_key_needed");
    let file = server.files(&[("a.txt", "A")]).await.remove(0);
    let id = file["id"].to_string();
    let note = json!({"content": "a", "role": "user", "resource": "file", "resource_id": id});
    let call = server.request(Method::POST, "/v1/notes").header("x-request-id", "my-request").json(&note);
    let note = call.send().await.ok()["noteId"].clone();
    let one = format!("/v1/notes/{}", note.as_str().unwrap());
    server.put(&one, json!({"content": "b", "role": "user"})).await.ok();
    server.put("/v1/notes/999", json!({"content": "b", "role": "user"})).await.fails(404, "note_not_found");
    server.get(&one).await.ok();
    server.post("/v2/generate", json!({"modelId": "extractive@formwork", "prompt": "Hello?"})).await.ok();
    server.delete(&format!("/v1/files/{id}")).await.ok();

    let all = events(&server, &admin, "").await;
    let told: Vec<(&str, &str)> = all
        .iter()
        .filter(|event| event["failure"].is_null())
        .map(|event| (event["operation"].as_str().unwrap(), event["target"].as_str().unwrap()))
        .collect();
    let deleted = format!("/v1/files/{id}");
    let expected = [
        ("delete_file", &*deleted),
        ("update_note", &one),
        ("create_note", "/v1/notes"),
        ("upload_files", "/v1/files"),
        ("keys create", "admin@localhost"),
    ];
    assert_eq!(told, expected, "{all:?}");
    let failed: Vec<&Value> = all.iter().filter(|event| !event["failure"].is_null()).collect();
    assert!(
        failed.iter().all(|event| event["target"] == "/v1/notes/999" && event["failure"] == 404),
        "{failed:?}"
    );
    let created = events(&server, &admin, "?operation=create_note").await.remove(0);
    assert_eq!(created["created"], json!({"kind": "note", "ids": [note]}));
    assert_eq!((&created["request_id"], &created["address"]), (&json!("my-request"), &json!("127.0.0.1")));
    assert_eq!(
        (&created["member"]["userEmail"], &created["key"]),
        (&json!("admin@localhost"), &json!(server.key[..11]))
    );
    let by_hand = events(&server, &admin, "?operation=keys%20create").await.remove(0);
    assert_eq!((&by_hand["member"], &by_hand["key"]), (&Value::Null, &Value::Null));
    assert_eq!(by_hand["created"]["kind"], "key");

    let path = format!("?target={one}&to={}", created["time"].as_str().unwrap());
    assert!(events(&server, &admin, &path).await.is_empty());
    let path = format!("?target={one}&from={}", created["time"].as_str().unwrap());
    assert_eq!(events(&server, &admin, &path).await.len(), 1);
    let bad = server.request(Method::GET, "/v1/audit?from=yesterday").key(&admin).send().await;
    bad.fails_at(400, "validation_failed", "?from");
    let member = created["member"]["id"].as_str().unwrap();
    let mut cursor = String::new();
    let mut paged = Vec::new();
    loop {
        let path = format!("/v1/audit?member={member}&limit=2{cursor}");
        let page = server.request(Method::GET, &path).key(&admin).send().await.ok();
        paged.extend(page["events"].as_array().unwrap().clone());
        let Some(next) = page["meta"]["next_cursor"].as_str().filter(|next| !next.is_empty()) else { break };
        cursor = format!("&cursor={next}");
    }
    let own: Vec<Value> = all.into_iter().filter(|event| !event["member"].is_null()).collect();
    assert_eq!(paged, own);

    let stranger = server.home.told(&[
        "users",
        "create",
        "--name",
        "Eve",
        "--email",
        "eve@example.com",
        "--new-workspace",
        "Other",
    ]);
    assert!(stranger.contains("Other"));
    let eve = server.home.told(&["keys", "create", "--email", "eve@example.com", "--scope", "admin"]);
    let theirs = events(&server, &eve, "").await;
    let theirs: Vec<&Value> = theirs.iter().map(|event| &event["operation"]).collect();
    assert_eq!(theirs, ["keys create", "users create"]);
    let by_key = events(&server, &admin, &format!("?key={}&operation=create_note", &server.key[..11])).await;
    assert_eq!(by_key.len(), 1);
    for odd in ["?operation=%00", "?member=%00", "?key=%00", "?target=%00"] {
        assert!(events(&server, &admin, odd).await.is_empty());
    }
    for path in ["/v1/keys/%00", "/v1/members/%00"] {
        assert_eq!(server.request(Method::DELETE, path).key(&admin).send().await.status, 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_and_sign_ins_are_in_the_audit_log_and_reads_are_not() {
    let server = Server::start();
    let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
    server.agent("inv", crate::kit::invoice_schema()).await;
    let submissions = "/v1/agent/inv/submissions";
    server.get(submissions).await.ok();
    assert_eq!(server.get(&format!("{submissions}?%66ormat=csv")).await.status, 200);
    let me = server.request(Method::GET, "/v1/members").key(&admin).send().await.ok();
    let path = format!("/v1/members/{}/password", me["members"][0]["id"].as_str().unwrap());
    let password = json!({"password": "three boats at low tide"});
    server.request(Method::PUT, &path).key(&admin).json(&password).send().await.ok();
    let credentials = json!({"email": "admin@localhost", "password": "three boats at low tide"});
    server.request(Method::POST, "/v1/sign_in").open().json(&credentials).send().await.ok();
    let told: Vec<String> = events(&server, &admin, "?limit=4")
        .await
        .iter()
        .map(|event| {
            format!("{} {}", event["operation"].as_str().unwrap(), event["target"].as_str().unwrap())
        })
        .collect();
    let set = format!("set_password {path}");
    let expected =
        ["sign_in /v1/sign_in", &set, "list_submissions /v1/agent/inv/submissions", "create_agent /v1/agent"];
    assert_eq!(told, expected);
    assert!(!format!("{:?}", events(&server, &admin, "").await).contains("low tide"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_conversation_and_a_new_workspace_are_in_the_audit_log() {
    let server = Server::start();
    let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
    server.post("/v1/agent", json!({"namespace": "talk"})).await.ok();
    let message = json!({"message": "Hello?", "stream": true});
    let answer = server.post("/v1/agent/talk/chat", message).await;
    assert!(answer.text().contains("event: done"), "{answer:?}");
    let told = events(&server, &admin, "?target=/v1/agent/talk/chat").await;
    assert_eq!((told.len(), &told[0]["created"]["kind"]), (1, &json!("session")), "{told:?}");
    let new = json!({"name": "Pier", "owner": {"name": "Cleo", "email": "cleo@example.com"}});
    let created = server.request(Method::POST, "/v1/workspaces").key(&admin).json(&new).send().await.ok();
    let told = events(&server, &admin, "?operation=create_workspace").await.remove(0);
    assert_eq!(told["created"], json!({"kind": "workspace", "ids": [created["workspace"]["id"]]}));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_days_nothing_is_recorded() {
    let server = Server::with("audit.days = 0");
    let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
    server.files(&[("a.txt", "A")]).await;
    assert!(events(&server, &admin, "").await.is_empty());
}
