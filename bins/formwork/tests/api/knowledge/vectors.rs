//! Bases with an embedding model, before a vendor that is scripted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use super::kit::{added, base, base_with, done, ready_text, search, settled, text};
use crate::generate::kit::settings;
use crate::kit::{Home, Server, formwork, settle};

const SMALL: &str = "text-embedding-3-small@openai";
const LARGE: &str = "text-embedding-3-large@openai";

const WORKS: u16 = 200;

/// Things that the vendor knows, each under several names; a text's vector says which of them it names.
const THINGS: [&[&str]; 4] = [
    &["ship", "vessel", "boat"],
    &["berth", "mooring", "quay"],
    &["cost", "price", "fee"],
    &["light", "beacon"],
];

fn vector(text: &str) -> Vec<f64> {
    let text = text.to_lowercase();
    let names = |thing: &[&str]| thing.iter().any(|name| text.contains(name));
    THINGS.iter().map(|thing| if names(thing) { 1.0 } else { 0.05 }).collect()
}

fn inputs(request: &ReceivedRequest) -> Vec<String> {
    let input = request.json()["input"].clone();
    input.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn embedded(request: &ReceivedRequest) -> Reply {
    if !request.path.ends_with("/embeddings") {
        return Reply::json(200, &json!({"object": "list", "data": []}));
    }
    let data: Vec<Value> = inputs(request)
        .iter()
        .enumerate()
        .map(|(index, text)| json!({"object": "embedding", "index": index, "embedding": vector(text)}))
        .collect();
    let usage = json!({"prompt_tokens": 3, "total_tokens": 3});
    Reply::json(200, &json!({"object": "list", "model": "m", "data": data, "usage": usage}))
}

/// A vendor that can be told to answer with a status, and a server before it.
fn before(more: &str) -> (Upstream, Arc<AtomicU16>, Server) {
    let broken = Arc::new(AtomicU16::new(WORKS));
    let switch = Arc::clone(&broken);
    let vendor = Upstream::start(move |request| match switch.load(Ordering::SeqCst) {
        WORKS => embedded(request),
        status => Reply::json(status, &json!({"error": {"message": "out of order", "type": "server_error"}})),
    })
    .unwrap();
    let server = Home::new(&format!("{more}\n{}", settings(&vendor.url(), ""))).start();
    (vendor, broken, server)
}

/// The texts of documents that the vendor was sent, without queries.
fn sent(vendor: &Upstream) -> Vec<String> {
    vendor
        .requests()
        .iter()
        .filter(|request| request.path.ends_with("/embeddings"))
        .flat_map(inputs)
        .collect()
}

async fn titles(server: &Server, base: &str, body: Value) -> Vec<String> {
    let answer = search(server, base, body).await.ok();
    let hits = answer["results"].as_array().unwrap();
    hits.iter().map(|hit| hit["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_are_found_by_what_they_mean_and_by_their_words() {
    let (_vendor, _, server) = before("");
    let base = base_with(&server, json!({"name": "Harbour", "embeddingModel": SMALL})).await;
    ready_text(&server, &base, "boats", "Any boat may enter.").await;
    ready_text(&server, &base, "fees", "The fee is due at noon.").await;
    let id = ready_text(&server, &base, "lamps", "The beacon turns.").await;
    assert_eq!(done(&server, &id).await["embeddingModel"], SMALL);
    let best = async |query: &str, mode: &str| {
        titles(&server, &base, json!({"query": query, "mode": mode, "limit": 1})).await
    };
    assert_eq!(best("vessel", "semantic").await, ["boats"]);
    assert_eq!(best("vessel", "lexical").await, Vec::<String>::new());
    assert_eq!(best("price", "hybrid").await, ["fees"]);
    let both = search(&server, &base, json!({"query": "the beacon light"})).await.ok()["results"][0].clone();
    assert_eq!(both["title"], "lamps");
    assert!(both["lexicalScore"].is_f64() && both["semanticScore"].as_f64() > Some(0.9), "{both}");
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_texts_are_paid_once_and_booked() {
    let (vendor, _, server) = before("");
    let (one, two) = (
        base_with(&server, json!({"name": "One", "embeddingModel": SMALL})).await,
        base_with(&server, json!({"name": "Two", "embeddingModel": SMALL})).await,
    );
    ready_text(&server, &one, "a", "The quay is closed.").await;
    ready_text(&server, &two, "b", "The quay is closed.").await;
    let again = added(&server, &one, json!({"texts": [text("c", "The quay is closed.")]})).await;
    assert_eq!(done(&server, again[0]["id"].as_str().unwrap()).await["name"], "c");
    assert_eq!(sent(&vendor).len(), 1, "{:?}", sent(&vendor));
    let booked = async || {
        let usage = server.get("/v1/usage").await.ok();
        usage["usage"].as_array().unwrap().iter().any(|row| row["model"] == SMALL && row["inputTokens"] == 3)
    };
    settle("the booking of the vectors", booked).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_model_takes_over_when_all_is_embedded_and_the_old_one_serves_until_then() {
    let (vendor, broken, server) = before("");
    let base = base_with(&server, json!({"name": "Harbour"})).await;
    ready_text(&server, &base, "boats", "Any boat may enter.").await;
    let semantic = json!({"query": "vessel", "mode": "semantic"});
    search(&server, &base, semantic.clone()).await.fails_at(400, "no_embedding_model", "/mode");
    let path = format!("/knowledgebase/{base}");
    let serving = async |model: &str| {
        let wanted = async || server.get(&path).await.ok()["servingModel"] == model;
        settle("the change of models", wanted).await;
    };
    server.put(&path, json!({"embeddingModel": SMALL})).await.ok();
    serving(SMALL).await;
    assert_eq!(titles(&server, &base, semantic.clone()).await, ["boats"]);
    broken.store(503, Ordering::SeqCst);
    let changed = server.put(&path, json!({"embeddingModel": LARGE})).await.ok();
    assert_eq!((&changed["embeddingModel"], &changed["servingModel"]), (&json!(LARGE), &json!(SMALL)));
    let asked = vendor.count();
    vendor.wait_for_requests(asked + 1).await;
    assert_eq!(server.get(&path).await.ok()["servingModel"], SMALL);
    broken.store(WORKS, Ordering::SeqCst);
    let cleared = server.put(&path, json!({"embeddingModel": null})).await.ok();
    assert_eq!((&cleared["embeddingModel"], &cleared["servingModel"]), (&Value::Null, &Value::Null));
    server.put(&path, json!({"embeddingModel": LARGE})).await.ok();
    serving(LARGE).await;
    assert_eq!(titles(&server, &base, semantic).await, ["boats"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_that_fails_is_told_and_words_still_find() {
    let (_vendor, broken, server) = before("[knowledge]\nattempts = 1");
    let base = base_with(&server, json!({"name": "Harbour", "embeddingModel": SMALL})).await;
    ready_text(&server, &base, "boats", "Any boat may enter.").await;
    broken.store(401, Ordering::SeqCst);
    let item =
        added(&server, &base, json!({"texts": [text("new", "A new quay for boats.")]})).await.remove(0);
    let id = item["id"].as_str().unwrap();
    let failed = done(&server, id).await;
    assert_eq!((&failed["status"], &failed["error"]["code"]), (&json!("failed"), &json!("provider_auth")));
    assert_eq!(failed["chunks"], 1, "it is found by words all the same");
    assert_eq!(titles(&server, &base, json!({"query": "quay", "mode": "lexical"})).await, ["new"]);
    let answer = search(&server, &base, json!({"query": "unheard of", "mode": "semantic"})).await;
    answer.fails(502, "provider_auth");
    let by_words = search(&server, &base, json!({"query": "boat enter"})).await.ok();
    assert_eq!(by_words["results"][0]["title"], "boats");
    let warning = &by_words["warnings"][0];
    assert_eq!(warning["code"], "searched_by_words_alone");
    let message = warning["message"].as_str().unwrap();
    assert!(message.contains("by words alone") && message.contains("OpenAI"), "{message}");
    let asked = json!({
        "modelId": "extractive@formwork", "prompt": "Which boats may enter the harbour?", "knowledgeId": base
    });
    let grounded = server.post("/v2/generate", asked).await.ok();
    assert!(grounded["warnings"].to_string().contains("by words alone"), "{grounded}");
    let asked_for = search(&server, &base, json!({"query": "boat", "mode": "lexical"})).await.ok();
    assert_eq!(asked_for["results"][0]["title"], "boats");
    assert_eq!(asked_for.get("warnings"), None, "nothing is lacking");
    broken.store(WORKS, Ordering::SeqCst);
    server.request(Method::POST, &format!("/knowledgebase/files/{id}/retry")).send().await.ok();
    assert_eq!(done(&server, id).await["status"], "ready");
    assert_eq!(
        titles(&server, &base, json!({"query": "mooring", "mode": "semantic", "limit": 1})).await,
        ["new"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_whose_vendor_has_no_key_may_be_named_and_the_work_says_what_is_missing() {
    let server = Server::with("[knowledge]\nattempts = 1");
    let base = base_with(&server, json!({"name": "Harbour", "embeddingModel": SMALL})).await;
    let body = json!({"texts": [text("t", "Words.")], "chunks": [{"title": "c", "content": "More words."}]});
    for item in added(&server, &base, body).await {
        let item = done(&server, item["id"].as_str().unwrap()).await;
        assert_eq!(
            (&item["status"], &item["error"]["code"]),
            (&json!("failed"), &json!("provider_not_configured"))
        );
    }
    let path = format!("/knowledgebase/{base}");
    server.put(&path, json!({"embeddingModel": null})).await.ok();
    // What failed for want of vectors is queued again when none are wanted.
    assert_eq!(settled(&server, &base).await["status"]["ready"], 2);
    assert_eq!(titles(&server, &base, json!({"query": "words"})).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_without_a_model_asks_no_vendor() {
    let (vendor, _, server) = before("");
    let base = base(&server).await;
    ready_text(&server, &base, "boats", "Any boat may enter.").await;
    assert_eq!(titles(&server, &base, json!({"query": "boat", "mode": "hybrid"})).await, ["boats"]);
    assert!(sent(&vendor).is_empty());
}

/// Starts the server of a folder with vectors searched in this way.
fn start_with(home: &Home, vectors: &str) -> Server {
    let mut command = formwork(&home.path("."));
    command.env("FORMWORK_KNOWLEDGE__VECTORS", vectors);
    home.start_with(command)
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_are_searched_in_postgresql_and_in_memory_with_the_same_results() {
    let vendor = Upstream::start(embedded).unwrap();
    let Some(home) = Home::on_pgvector_with(&settings(&vendor.url(), "")) else { return };
    let mut server = start_with(&home, "memory");
    let base = base_with(&server, json!({"name": "Harbour", "embeddingModel": SMALL})).await;
    for (title, content) in [("Ships", "A boat."), ("Berths", "The quay."), ("Fees", "A fee of a boat.")] {
        ready_text(&server, &base, title, content).await;
    }
    let ask = || json!({"query": "vessel", "mode": "semantic", "wait_for": true});
    assert_eq!(titles(&server, &base, ask()).await[..2], ["Ships", "Fees"]);
    server.kill();
    let completions = || {
        let log = std::fs::read_to_string(home.path("log")).unwrap();
        log.matches("the database has all vectors").count()
    };
    for vectors in ["pgvector", "auto", "memory", "pgvector"] {
        let before = completions();
        server = start_with(&home, vectors);
        assert_eq!(titles(&server, &base, ask()).await[..2], ["Ships", "Fees"], "{vectors}");
        if vectors != "memory" {
            settle("the vectors in the database", async || completions() > before).await;
            assert_eq!(titles(&server, &base, ask()).await[..2], ["Ships", "Fees"], "{vectors}");
        }
        let beacon = ready_text(&server, &base, "Lights", "The beacon.").await;
        let lights = json!({"query": "light", "mode": "semantic", "wait_for": true, "limit": 1});
        assert_eq!(titles(&server, &base, lights.clone()).await, ["Lights"], "{vectors}");
        server.delete(&format!("/knowledgebase/files/{beacon}")).await.ok();
        assert!(!titles(&server, &base, lights).await.contains(&"Lights".to_owned()), "{vectors}");
        server.kill();
    }
}

#[test]
fn a_server_that_must_search_by_pgvector_does_not_start_without_it() {
    let home = Home::new("");
    let mut command = formwork(&home.path("."));
    command.env("FORMWORK_KNOWLEDGE__VECTORS", "pgvector").arg("serve");
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && told.contains("the database is not PostgreSQL"), "{told}");
}
