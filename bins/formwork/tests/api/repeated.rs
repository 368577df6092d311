//! Requests with an `Idempotency-Key`: done once, whatever is sent again.

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, SqliteConnection};
use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Parts, Server, invoice, invoice_schema};

const KEY: &str = "idempotency-key";

async fn create(server: &Server, key: &str, title: &str) -> Answer {
    let body = json!({"title": title, "schema": {"a": {"type": "string"}}});
    server.request(Method::POST, "/v1/form").header(KEY, key).json(&body).send().await
}

async fn forms(server: &Server) -> Value {
    server.get("/v1/form").await.ok()["meta"]["total_items"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_is_answered_again_and_done_once() {
    let server = Server::start();
    let first = create(&server, "k-1", "A").await;
    let again = create(&server, "k-1", "A").await;
    assert_eq!(first.ok(), again.ok());
    assert_eq!((first.header("idempotency-replayed"), again.header("idempotency-replayed")), ("", "true"));
    assert_eq!(forms(&server).await, 1);
    create(&server, "k-1", "B").await.fails(409, "idempotency_key_reused");
    assert_eq!(forms(&server).await, 1);
    assert_ne!(create(&server, "k-2", "A").await.ok()["form_id"], first.ok()["form_id"]);
    let failed = create(&server, "k-3", "").await;
    assert_eq!(failed.status, 400);
    let body = json!({"namespace": "n"});
    let other = server.request(Method::POST, "/v1/agent").header(KEY, "k-1").json(&body).send().await;
    other.fails(409, "idempotency_key_reused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_one_users_own_and_outlives_the_server() {
    let mut server = Server::start();
    let first = create(&server, "k", "A").await.ok();
    let stranger = server.stranger();
    let body = json!({"title": "A", "schema": {"a": {"type": "string"}}});
    let theirs = server
        .request(Method::POST, "/v1/form")
        .key(&stranger)
        .header(KEY, "k")
        .json(&body)
        .send()
        .await
        .ok();
    assert_ne!(theirs["form_id"], first["form_id"]);
    let server = server.kill().start();
    assert_eq!(create(&server, "k", "A").await.ok(), first);
    assert_eq!(forms(&server).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_make_one_and_the_others_are_told_to_wait_or_what_it_was() {
    let server = Server::start();
    let tries: Vec<_> = (0..24).map(|_| create(&server, "k", "A")).collect();
    let mut ids = Vec::new();
    for answer in futures_util::future::join_all(tries).await {
        if answer.status == 200 {
            ids.push(answer.ok()["form_id"].clone());
        } else {
            answer.fails(409, "request_still_running");
            assert_eq!(answer.header("retry-after"), "1");
        }
    }
    ids.dedup();
    assert_eq!((ids.len(), forms(&server).await), (1, json!(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_none_is_refused() {
    let server = Server::start();
    for bad in ["", "two words", &"x".repeat(256), "\u{e4}"] {
        create(&server, bad, "A").await.fails(400, "invalid_idempotency_key");
    }
    let body = json!({"title": "A", "schema": {"a": {"type": "string"}}});
    let two = server.request(Method::POST, "/v1/form").header(KEY, "a").header(KEY, "b").json(&body);
    two.send().await.fails(400, "invalid_idempotency_key");
    assert_eq!(forms(&server).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_known_by_name_and_content_and_stored_once() {
    let server = Server::start();
    let upload = async |content: &[u8]| {
        let parts = Parts::new().file("a.txt", content).file("b.txt", b"b");
        server.request(Method::POST, "/v1/files").header(KEY, "k").multipart(parts).send().await
    };
    let first = upload(b"a").await.ok();
    assert_eq!(upload(b"a").await.ok(), first);
    upload(b"other").await.fails(409, "idempotency_key_reused");
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 2);
    assert_eq!(server.stored("blobs").len(), 2, "nothing of the repeated uploads is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_run_once_and_its_answer_made_again() {
    let mut server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("N-1", "5.00"))]).await.remove(0);
    let groups = json!([[{"url": file["id"]}], [{"url": 99}]]);
    let path = "/v1/agent/inv/workflow/delta?evidence=true";
    let run = async |server: &Server, groups: &Value| {
        server.request(Method::POST, path).header(KEY, "k").json(groups).send().await
    };
    let first = run(&server, &groups).await.ok();
    assert_eq!(run(&server, &groups).await.ok(), first);
    run(&server, &json!([[{"url": file["id"]}]])).await.fails(409, "idempotency_key_reused");
    let mut server = server.kill().start();
    assert_eq!(run(&server, &groups).await.ok(), first);
    assert_eq!(server.get("/v1/agent/inv/workflow/delta").await.header("x-total-count"), "1");
    // A request that was refused was not done: it may be sent again with the same key.
    let refused = server.request(Method::POST, path).header(KEY, "r").json(&json!([])).send().await;
    refused.fails(400, "validation_failed");
    server.request(Method::POST, path).header(KEY, "r").json(&groups).send().await.ok();
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_of_a_named_request_is_logged_under_the_id_that_its_answer_carries() {
    let server = Server::start();
    let database = server.home.path("data/formwork.db");
    let mut database = SqliteConnection::establish(database.to_str().unwrap()).unwrap();
    // The server's own first writes (an index is noted as made) may still be under way.
    database.batch_execute("PRAGMA busy_timeout = 10000; ALTER TABLE forms RENAME TO lost").unwrap();
    let body = json!({"title": "A", "schema": {"a": {"type": "string"}}});
    let logged = |id: &str| {
        let log = std::fs::read_to_string(server.home.path("log")).unwrap();
        log.lines().filter(|line| line.contains("request failed") && line.contains(id)).count()
    };
    for sent in [Some("mine-1"), None] {
        let call = server.client.post(format!("{}/v1/form", server.url)).header("x-service-key", &server.key);
        let call = call.header(KEY, "k").json(&body);
        let call = if let Some(id) = sent { call.header("x-request-id", id) } else { call };
        let answer = call.send().await.unwrap();
        let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
        assert_eq!((answer.status().as_u16(), sent.unwrap_or(&id)), (500, id.as_str()));
        assert_eq!(logged(&format!("request_id={id}")), 1, "{id}");
    }
    assert_eq!(logged(""), 2, "each failure is logged once");
    database.batch_execute("ALTER TABLE lost RENAME TO forms").unwrap();
    // A failure on this side is not kept: the same request may be tried again.
    assert_eq!(create(&server, "k", "A").await.ok()["title"], "A");
}
