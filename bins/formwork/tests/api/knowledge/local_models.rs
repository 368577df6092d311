//! Bases with an embedding model that runs in the server.

use reqwest::Method;
use serde_json::json;
use testkit::write_embedding_model;

use super::kit::{base_with, ready_text, search};
use crate::kit::Home;

#[tokio::test(flavor = "multi_thread")]
async fn a_base_is_searched_by_vectors_of_a_model_in_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("models");
    write_embedding_model(&models.join("tiny")).unwrap();
    let mut server = Home::new(&format!("[models]\nfolder = {:?}\n", models.to_str().unwrap())).start();
    let listed = server.get("/v1/models?provider=formwork").await.ok();
    let tiny = listed.as_array().unwrap().iter().find(|model| model["modelId"] == "tiny@formwork");
    assert_eq!(tiny.unwrap()["type"], "text-to-embedding", "{listed}");
    let base = base_with(&server, json!({"name": "Harbour", "embeddingModel": "tiny@formwork"})).await;
    ready_text(&server, &base, "tugs", "tugs cost").await;
    ready_text(&server, &base, "pilot", "pilot berth hour").await;
    let found = search(&server, &base, json!({"query": "tugs cost", "mode": "semantic"})).await.ok();
    assert_eq!(found["results"][0]["title"], "tugs", "{found}");
    assert!(found["results"][0]["semanticScore"].as_f64() > Some(0.99), "{found}");

    // A model whose weights are damaged fails its texts and says so; words still find them.
    std::fs::write(models.join("tiny/model.safetensors"), "no weights").unwrap();
    let server = server.kill().start();
    let body = json!({"input": "tugs", "model": "tiny@formwork"});
    let refused = server.request(Method::POST, "/openai/v1/embeddings").json(&body).send().await;
    assert_eq!(refused.status, 502, "{}", refused.text());
    let found = search(&server, &base, json!({"query": "tugs"})).await.ok();
    assert_eq!(found["results"][0]["title"], "tugs");
    assert_eq!(found["warnings"][0]["code"], "searched_by_words_alone", "{found}");
}
