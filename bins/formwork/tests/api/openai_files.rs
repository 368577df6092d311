//! `/openai/v1/files`: upload, list, read and delete.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use serde_json::{Value, json};

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

#[tokio::test(flavor = "multi_thread")]
async fn files_in_a_message_are_read_and_not_stored() {
    let server = Server::start();
    let text = "The total of the order is 12 crates.";
    let data = format!("data:text/plain;base64,{}", BASE64_STANDARD.encode(text));
    let question = "What is the total of the order?";
    let chat = |data: &str| {
        let file = json!({"type": "file", "file": {"filename": "order.txt", "file_data": data}});
        let content = json!([{"type": "text", "text": question}, file]);
        json!({"model": "extractive@formwork", "messages": [{"role": "user", "content": content}]})
    };
    for data in [data.as_str(), BASE64_STANDARD.encode(text).as_str()] {
        let answer = server.post("/openai/v1/chat/completions", chat(data)).await.ok();
        let content = answer["choices"][0]["message"]["content"].as_str().unwrap();
        assert!(content.contains("12 crates"), "{answer}");
    }
    let file = json!({"type": "input_file", "filename": "order.txt", "file_data": data});
    let respond = |file: &Value| {
        let content = json!([{"type": "input_text", "text": question}, file]);
        json!({"model": "extractive@formwork", "input": [{"role": "user", "content": content}]})
    };
    let answer = server.post("/openai/v1/responses", respond(&file)).await.ok();
    assert!(answer.to_string().contains("12 crates"), "{answer}");
    assert_eq!(server.get("/v1/files").await.ok()["files"], json!([]));
    assert_eq!(server.stored("data/blobs"), Vec::<String>::new());
    for (data, told) in [("data:text/plain,a", "a part must be"), ("?", "a part must be")] {
        let answer = server.post("/openai/v1/chat/completions", chat(data)).await;
        let error = answer.fails_at(400, "validation_failed", "messages.0.content.1");
        assert!(error["message"].as_str().unwrap().contains(told), "{error}");
    }
    let broken = format!("data:application/pdf;base64,{}", BASE64_STANDARD.encode("%PDF-1.7\nnothing"));
    let answer = server.post("/openai/v1/chat/completions", chat(&broken)).await;
    let error = answer.fails_at(400, "validation_failed", "messages.0.content");
    assert!(error["message"].as_str().unwrap().contains("order.txt"), "{error}");
    let web = json!({"type": "input_file", "file_url": "http://10.0.0.1/a.pdf"});
    let answer = server.post("/openai/v1/responses", respond(&web)).await;
    assert_eq!(answer.status, 400, "{answer:?}");
}
