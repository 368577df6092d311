//! `/openai/v1/files`: upload, list, read and delete.

use reqwest::Method;
use serde_json::json;

use crate::kit::{Answer, Parts, Server};

async fn upload(server: &Server, parts: Parts) -> Answer {
    server.request(Method::POST, "/openai/v1/files").multipart(parts).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_uploaded_read_listed_and_deleted() {
    let server = Server::start();
    let mut ids = Vec::new();
    for number in 1..=3 {
        let name = format!("order {number}.txt");
        let parts = Parts::new().field("purpose", "assistants").named("file", &name, b"Total: 12");
        let file = upload(&server, parts).await.ok();
        assert_eq!(
            (&file["object"], &file["bytes"], &file["filename"], &file["status"]),
            (&json!("file"), &json!(9), &json!(name), &json!("processed"))
        );
        ids.push(file["id"].as_str().unwrap().to_owned());
    }
    assert!(ids[0].starts_with("file-"), "{ids:?}");
    let path = |id: &str| format!("/openai/v1/files/{id}");
    assert_eq!(server.get(&path(&ids[1])).await.ok()["filename"], "order 2.txt");
    let content = server.get(&format!("{}/content", path(&ids[1]))).await;
    assert_eq!((content.status, content.text()), (200, "Total: 12"));
    assert_eq!(content.header("content-type"), "application/octet-stream");
    let first = server.get("/openai/v1/files?limit=2").await.ok();
    assert_eq!(
        (&first["has_more"], &first["first_id"], &first["last_id"]),
        (&json!(true), &json!(ids[2]), &json!(ids[1]))
    );
    let rest = server.get(&format!("/openai/v1/files?limit=2&after={}", ids[1])).await.ok();
    assert_eq!((&rest["has_more"], &rest["data"][0]["id"]), (&json!(false), &json!(ids[0])));
    let gone = server.delete(&path(&ids[0])).await.ok();
    assert_eq!(gone, json!({"id": ids[0], "object": "file", "deleted": true}));
    server.get(&path(&ids[0])).await.fails(404, "file_not_found");
    // It is the file of this server's own interface.
    let own = ids[2].strip_prefix("file-").unwrap();
    assert_eq!(server.get(&format!("/v1/files/{own}")).await.ok()["name"], "order 3.txt");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_has_one_file_and_is_done_once() {
    let server = Server::start();
    let one = || Parts::new().named("file", "a.txt", b"a");
    let refused = upload(&server, one().named("file", "b.txt", b"b")).await;
    assert_eq!((refused.status, &refused.value()["error"]["param"]), (400, &json!("file")));
    let none = upload(&server, Parts::new().field("purpose", "assistants")).await;
    assert_eq!((none.status, &none.value()["error"]["param"]), (400, &json!("file")));
    let again =
        || server.request(Method::POST, "/openai/v1/files").header("Idempotency-Key", "k").multipart(one());
    let (first, second) = (again().send().await.ok(), again().send().await.ok());
    assert_eq!(first, second);
    let other = Parts::new().named("file", "a.txt", b"b");
    let reused =
        server.request(Method::POST, "/openai/v1/files").header("Idempotency-Key", "k").multipart(other);
    reused.send().await.fails(409, "idempotency_key_reused");
    let small = Server::with("[limits]\nfile_bytes = 10");
    upload(&small, Parts::new().named("file", "a.txt", &[b'a'; 11])).await.fails(413, "file_too_large");
    assert_eq!(server.get("/openai/v1/files").await.ok()["data"].as_array().unwrap().len(), 1);
    for limit in ["0", "101", "x"] {
        let answer = server.get(&format!("/openai/v1/files?limit={limit}")).await;
        assert_eq!(
            (answer.status, answer.value()["error"]["param"].as_str()),
            (400, Some("?limit")),
            "{limit}"
        );
    }
    server.get("/openai/v1/files?after=file-999").await.fails(404, "file_not_found");
    server.get("/openai/v1/files/none").await.fails(404, "file_not_found");
}
