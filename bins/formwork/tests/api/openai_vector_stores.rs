//! `/openai/v1/vector_stores`: knowledge bases with files of this server.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Parts, Server, settle};

const STORES: &str = "/openai/v1/vector_stores";

async fn file(server: &Server, name: &str, content: &str) -> String {
    let parts = Parts::new().named("file", name, content.as_bytes());
    let made = server.request(Method::POST, "/openai/v1/files").multipart(parts).send().await.ok();
    made["id"].as_str().unwrap().to_owned()
}

async fn completed(server: &Server, path: &str) -> Value {
    settle("the work on a file", async || server.get(path).await.ok()["status"] == "completed").await;
    server.get(path).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_is_made_filled_searched_and_deleted() {
    let server = Server::start();
    let lease = file(&server, "lease.txt", "The lease of berth 4 ends in 2031.").await;
    let permit = file(&server, "permit.txt", "The permit to fish lobster is for the north pier.").await;
    let store =
        server.post(STORES, json!({"name": "Leases", "file_ids": [lease], "expires_after": null})).await.ok();
    assert_eq!((&store["object"], &store["name"]), (&json!("vector_store"), &json!("Leases")));
    let path = format!("{STORES}/{}", store["id"].as_str().unwrap());
    let wanted = json!({"file_id": permit, "attributes": {"kind": "permit"}});
    let added = server.post(&format!("{path}/files"), wanted).await.ok();
    assert_eq!((&added["id"], &added["vector_store_id"]), (&json!(permit), &store["id"]));
    let ready = completed(&server, &format!("{path}/files/{permit}")).await;
    assert_eq!((&ready["attributes"], &ready["last_error"]), (&json!({"kind": "permit"}), &Value::Null));
    completed(&server, &format!("{path}/files/{lease}")).await;
    let counts = json!({"in_progress": 0, "completed": 2, "failed": 0, "cancelled": 0, "total": 2});
    assert_eq!(completed(&server, &path).await["file_counts"], counts);

    let search = async |body: Value| server.post(&format!("{path}/search"), body).await.ok();
    let found = search(json!({"query": ["end of", "the lease"], "rewrite_query": false})).await;
    assert_eq!(
        (&found["data"][0]["file_id"], &found["data"][0]["filename"]),
        (&json!(lease), &json!("lease.txt"))
    );
    assert!(found["data"][0]["content"][0]["text"].as_str().unwrap().contains("2031"), "{found}");
    let filter = json!({"type": "and", "filters": [{"type": "eq", "key": "kind", "value": "permit"}]});
    let found = search(json!({"query": "the", "filters": filter, "max_num_results": 5})).await;
    let files: Vec<&Value> =
        found["data"].as_array().unwrap().iter().map(|result| &result["file_id"]).collect();
    assert!(files.iter().all(|file| **file == json!(permit)), "{found}");

    let first = server.get(&format!("{path}/files?limit=1")).await.ok();
    assert_eq!((&first["data"][0]["id"], &first["has_more"]), (&json!(permit), &json!(true)));
    let rest = server.get(&format!("{path}/files?limit=1&after={permit}")).await.ok();
    assert_eq!((&rest["data"][0]["id"], &rest["has_more"]), (&json!(lease), &json!(false)));
    let gone = server.delete(&format!("{path}/files/{lease}")).await.ok();
    assert_eq!(gone, json!({"id": lease, "object": "vector_store.file.deleted", "deleted": true}));
    server.get(&format!("{path}/files/{lease}")).await.fails(404, "knowledge_file_not_found");
    server.get(&format!("/openai/v1/files/{lease}")).await.ok();

    let renamed = server.post(&path, json!({"name": "Permits"})).await.ok();
    assert_eq!((&renamed["name"], &renamed["id"]), (&json!("Permits"), &store["id"]));
    let gone = server.delete(&path).await.ok();
    assert_eq!(gone, json!({"id": store["id"], "object": "vector_store.deleted", "deleted": true}));
    server.get(&path).await.fails(404, "knowledge_base_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn stores_are_listed_in_pages_and_a_file_with_known_content_is_the_known_one() {
    let server = Server::start();
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(server.post(STORES, json!({})).await.ok()["id"].as_str().unwrap().to_owned());
    }
    let first = server.get(&format!("{STORES}?limit=2")).await.ok();
    assert_eq!(
        (&first["first_id"], &first["last_id"], &first["has_more"]),
        (&json!(ids[2]), &json!(ids[1]), &json!(true))
    );
    let rest = server.get(&format!("{STORES}?limit=2&after={}", ids[1])).await.ok();
    assert_eq!((&rest["data"][0]["id"], &rest["has_more"]), (&json!(ids[0]), &json!(false)));
    let files = format!("{STORES}/{}/files", ids[0]);
    let (one, same) =
        (file(&server, "a.txt", "Twelve crates.").await, file(&server, "b.txt", "Twelve crates.").await);
    for id in [&one, &same] {
        let added = server.post(&files, json!({"file_id": id})).await.ok();
        assert_eq!(added["id"], json!(one), "it is there already");
        assert_eq!(completed(&server, &format!("{files}/{id}")).await["id"], json!(one));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_store_cannot_do_is_refused_with_its_parameter() {
    let server = Server::start();
    let store = server.post(STORES, json!({})).await.ok()["id"].as_str().unwrap().to_owned();
    let path = format!("{STORES}/{store}");
    for (path, body, param) in [
        (STORES.to_owned(), json!({"name": " "}), "name"),
        (STORES.to_owned(), json!({"file_ids": ["x"]}), "file_ids.0"),
        (STORES.to_owned(), json!({"file_ids": ["file-999"]}), "file_ids.0"),
        (format!("{path}/files"), json!({"file_id": "file-999"}), "file_id"),
        (format!("{path}/search"), json!({"query": " "}), "query"),
        (format!("{path}/search"), json!({"query": 7}), "query"),
        (format!("{path}/search"), json!({"query": "x", "max_num_results": 51}), "max_num_results"),
        (format!("{path}/search"), json!({"query": "x", "filters": {"type": "near"}}), "filters"),
    ] {
        let answer = server.post(&path, body).await;
        assert_eq!(
            (answer.status, answer.value()["error"]["param"].as_str()),
            (400, Some(param)),
            "{answer:?}"
        );
    }
    server.get(&format!("{STORES}?after=none")).await.fails(404, "knowledge_base_not_found");
    // A store whose files are none is not made.
    assert_eq!(server.get(STORES).await.ok()["data"].as_array().unwrap().len(), 1);
    server.get(&format!("{STORES}/none")).await.fails(404, "knowledge_base_not_found");
    server.get(&format!("{path}/files/none")).await.fails(404, "knowledge_file_not_found");
    server
        .post(&format!("{STORES}/none/search"), json!({"query": "x"}))
        .await
        .fails(404, "knowledge_base_not_found");
}
