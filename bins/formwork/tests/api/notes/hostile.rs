//! Odd texts and odd JSON of the open corpus as notes.

use reqwest::Method;
use serde_json::json;

use super::{count, delete, note, start};
use crate::kit::corpus;

#[tokio::test(flavor = "multi_thread")]
async fn every_odd_text_comes_back_from_content_and_meta_as_it_was() {
    let Some(path) = corpus("hostile/naughty_strings.json") else { return };
    let server = start().await;
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(texts.len() > 100);
    for text in &texts {
        let meta = json!({"text": text, text.as_str(): [text]});
        for sent in [meta.clone(), json!(meta.to_string())] {
            let body = json!({"content": text, "role": "user", "resource": "agent", "resource_id": "a", "meta": sent});
            let made = server.post("/v1/notes", body).await.ok();
            let note = server.get(&format!("/v1/notes/{}", made["noteId"].as_str().unwrap())).await.ok();
            assert_eq!((&note["content"], &note["meta"]), (&json!(text), &meta));
        }
        for (field, status) in [("resource_id", 404), ("resource", 400), ("role", 400)] {
            let mut body = json!({"content": "", "role": "user", "resource": "agent", "resource_id": "a"});
            body[field] = json!(text);
            assert_eq!(server.post("/v1/notes", body).await.status, status, "{field}: {text}");
        }
        delete(&server, "/v1/notes/agent/a", json!({"values": [format!("{text} ")]})).await.ok();
    }
    assert_eq!(count(&server, "agent", "a").await, 2 * texts.len() as u64);
    let listed = server.get("/v1/notes/agent/a?limit=1").await.ok();
    assert_eq!(listed["notes"][0]["content"], json!(texts.last().unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_json_however_odd_is_a_defect_as_a_body_or_as_a_meta() {
    let Some(folder) = corpus("hostile/json") else { return };
    let server = start().await;
    let id = note(&server, "agent", "a", "n").await;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        for (method, path) in [
            (Method::POST, "/v1/notes".to_owned()),
            (Method::PUT, format!("/v1/notes/{id}")),
            (Method::DELETE, "/v1/notes/agent/a".to_owned()),
        ] {
            let answer = server.request(method, &path).body("application/json", bytes.clone()).send().await;
            assert_eq!(answer.status, 400, "{name}");
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let body =
            json!({"content": "", "role": "user", "resource": "agent", "resource_id": "a", "meta": text});
        let made = server.post("/v1/notes", body).await;
        match made.status {
            200 => {
                let path = format!("/v1/notes/{}", made.value()["noteId"].as_str().unwrap());
                assert!(server.get(&path).await.ok()["meta"].is_object(), "{name}");
                assert!(!name.starts_with("n_"), "{name}");
            }
            status => {
                assert_eq!((status, &made.value()["errors"][0]["path"]), (400, &json!("/meta")), "{name}");
                assert!(!name.starts_with("y_"), "{name}: {}", made.value());
            }
        }
        server.get("/v1/notes/agent/a?limit=100").await.ok();
    }
}
