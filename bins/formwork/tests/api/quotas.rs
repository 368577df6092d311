//! Quotas of a workspace: what is beyond them is refused as a whole, and work goes on with room.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::kit::{Home, Server, invoice, invoice_schema, settle};

#[tokio::test(flavor = "multi_thread")]
async fn beyond_a_quota_nothing_is_stored_and_work_goes_on_with_room() {
    hold(Server::start()).await;
}

pub(crate) async fn hold_on_postgres() {
    if let Some(home) = Home::on_postgres() {
        hold(home.start()).await;
    }
}

async fn hold(server: Server) {
    let stranger = server.stranger();
    let set = |flags: &[&str]| {
        let flags = [&["quotas", "set", "--workspace", "Main"], flags].concat();
        server.home.told(&flags)
    };
    assert!(
        set(&["--files", "2", "--bytes", "2000"]).contains("\tMain\t0 files (limit 2)\t0 bytes (limit 2000)")
    );
    files(&server).await;
    concurrent_files(&server, &set).await;
    chunks(&server, &set).await;
    groups(&server, &set).await;
    // The other workspace has no quotas, and its contents do not count here.
    let other = server.request(reqwest::Method::GET, "/v1/quotas").key(&stranger).send().await.ok();
    assert_eq!(other["files"], json!({"used": 0, "limit": null}));
    set(&["--files", "none", "--bytes", "none"]);
    server.files(&[("a.txt", "1"), ("b.txt", "2"), ("c.txt", "3")]).await;
    let told = server.home.told(&["quotas", "list"]);
    assert!(told.contains(" files (no limit)") && told.contains("\tOther\t"), "{told}");
}

async fn quota(server: &Server, kind: &str) -> Value {
    server.get("/v1/quotas").await.ok()[kind].clone()
}

fn upload(name: &str, content: &str) -> crate::kit::Parts {
    crate::kit::Parts::new().file(name, content.as_bytes())
}

/// Two files fit, and 2,000 bytes.
async fn files(server: &Server) {
    let first = server.files(&[("a.txt", "one")]).await.remove(0);
    let two = crate::kit::Parts::new().file("b.txt", b"two").file("c.txt", b"three");
    let refused = server.upload(two).await;
    let error = refused.fails(403, "quota_exceeded");
    assert_eq!(error["message"], "the workspace may store at most 2 files", "{error}");
    assert_eq!(quota(server, "files").await, json!({"used": 1, "limit": 2}));
    server.files(&[("b.txt", "two")]).await;
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 2);
    assert_eq!(server.delete(&format!("/v1/files/{}", first["id"])).await.status, 200);
    let long = "x".repeat(1_998);
    let error = server.upload(upload("long.txt", &long)).await.fails(403, "quota_exceeded");
    assert_eq!(error["message"], "the workspace may store at most 2000 bytes of content", "{error}");
    assert_eq!(quota(server, "bytes").await, json!({"used": 3, "limit": 2_000}));
    assert_eq!(server.stored("blobs").len(), 1, "what was refused is still stored");
    // Equal contents are stored once.
    server.files(&[("again.txt", "two")]).await;
    assert_eq!(quota(server, "bytes").await["used"], 3);
}

async fn concurrent_files(server: &Server, set: &impl Fn(&[&str]) -> String) {
    set(&["--files", "7"]);
    let calls = (0..16).map(|number| server.upload(upload("many.txt", &format!("text {number}"))));
    let answers = join_all(calls).await;
    let stored = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(stored, 5, "{answers:?}");
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        answer.fails(403, "quota_exceeded");
    }
    assert_eq!(quota(server, "files").await, json!({"used": 7, "limit": 7}));
}

async fn chunks(server: &Server, set: &impl Fn(&[&str]) -> String) {
    set(&["--bytes", "none", "--chunks", "1"]);
    let base = server.post("/v1/knowledgebase", json!({"name": "base"})).await.ok();
    let path = format!("/v1/knowledgebase/{}/files", base["knowledgeId"].as_str().unwrap());
    let long: String =
        (0..400).map(|line| format!("Line {line} tells of the ferry of that day.\n\n")).collect();
    let added = server.post(&path, json!({"texts": [{"title": "Boats", "content": long}]})).await;
    let id = added.ok()["files"][0]["id"].as_str().unwrap().to_owned();
    let item = async || server.get(&format!("/v1/knowledgebase/files/{id}")).await.ok();
    settle("a failed item", async || item().await["status"] == "failed").await;
    let failed = item().await;
    assert_eq!(failed["error"]["code"], "quota_exceeded", "{failed}");
    assert_eq!(quota(server, "chunks").await, json!({"used": 0, "limit": 1}));
    set(&["--chunks", "1000"]);
    server.post(&format!("/v1/knowledgebase/files/{id}/retry"), json!({})).await.ok();
    settle("a ready item", async || item().await["status"] == "ready").await;
    assert!(quota(server, "chunks").await["used"].as_u64() > Some(1));
    // A quota below the use prevents only more.
    set(&["--chunks", "1"]);
    server.put(&format!("/v1/knowledgebase/files/{id}"), json!({"title": "Ships"})).await.ok();
}

async fn groups(server: &Server, set: &impl Fn(&[&str]) -> String) {
    set(&["--groups", "2", "--files", "20"]);
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("i.txt", &invoice("B-7", "12.00"))]).await.remove(0);
    let group = json!([{"description": "", "url": file["url"]}]);
    let path = "/v1/agent/inv/workflow/delta";
    let error = server.post(path, json!([group, group, group])).await.fails(403, "quota_exceeded");
    assert_eq!(error["message"], "the workspace may store at most 2 groups of batch runs", "{error}");
    assert_eq!(quota(server, "groups").await, json!({"used": 0, "limit": 2}));
    server.post(path, json!([group, group])).await.ok();
    assert_eq!(quota(server, "groups").await["used"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quota_that_cannot_be_set_is_told() {
    let server = Server::start();
    let refused = |arguments: &[&str]| {
        let output = server.home.run(&[&["quotas", "set"], arguments].concat());
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&[]).contains("give at least one of --files"));
    assert!(refused(&["--files", "many"]).contains("give a number or 'none'"));
    assert!(refused(&["--files=-1"]).contains("give a number"));
    assert!(refused(&["--files", "18446744073709551615"]).contains("'files' must be at most"));
    assert!(refused(&["--workspace", "Nobody", "--files", "1"]).contains("there is no such workspace"));
    server.stranger();
    assert!(refused(&["--files", "1"]).contains("there are several workspaces"));
}
