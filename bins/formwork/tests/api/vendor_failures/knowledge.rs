//! Knowledge bases whose vectors a vendor makes.

use serde_json::{Value, json};
use testkit::vendor::{Failure, Fault, Vendor};

use super::kit::each;
use crate::kit::{Server, settle};

/// The model of the vectors.
const VECTORS: &str = "text-embedding-3-small@openai";
/// The codes of an item whose vectors could not be made.
const CODES: [&str; 6] = [
    "provider_rate_limited",
    "provider_overloaded",
    "provider_failed",
    "provider_timeout",
    "provider_protocol",
    "unknown_model",
];

/// Whether vectors of this fault are right.
fn is_good(fault: Fault) -> bool {
    // These faults are of texts that a model writes.
    matches!(
        fault,
        Fault::Late
            | Fault::NoUsage
            | Fault::Prose
            | Fault::NearlyJson
            | Fault::Refusal
            | Fault::ContentFilter
    )
}

async fn base(server: &Server) -> String {
    let base =
        server.post("/knowledgebase", json!({"name": "Harbour", "embeddingModel": VECTORS})).await.ok();
    base["knowledgeId"].as_str().unwrap().to_owned()
}

async fn search(server: &Server, base: &str, mode: &str) -> Value {
    let body = json!({"query": "Which boats may enter?", "mode": mode});
    server.post(&format!("/knowledgebase/{base}/search"), body).await.value()
}

async fn found_and_told(fault: Fault, vendor: &Vendor, server: &Server) {
    let base = base(server).await;
    let texts: Vec<Value> = ["Any boat may enter.", "The fee is due at noon."]
        .iter()
        .map(|text| json!({"title": text, "content": text}))
        .collect();
    let added = server.post(&format!("/knowledgebase/{base}/files"), json!({"texts": texts})).await.ok();
    let path = format!("/knowledgebase/files/{}", added["files"][0]["id"].as_str().unwrap());
    let is_over =
        async || ["ready", "failed"].contains(&server.get(&path).await.ok()["status"].as_str().unwrap());
    settle("the end of the work", is_over).await;
    let item = server.get(&path).await.ok();
    match item["status"].as_str().unwrap() {
        "ready" => assert!(is_good(fault), "{item}"),
        _ => assert!(!is_good(fault) && CODES.contains(&item["error"]["code"].as_str().unwrap()), "{item}"),
    }
    let by_words = search(server, &base, "lexical").await;
    assert_eq!(by_words["results"][0]["title"], "Any boat may enter.", "{by_words}");
    let both = search(server, &base, "hybrid").await;
    assert_eq!(both["results"][0]["title"], "Any boat may enter.", "{both}");
    let warned = both["warnings"].to_string().contains("searched_by_words_alone");
    assert_eq!(warned, !is_good(fault), "{both}");
    let booked = async || server.get("/v1/usage").await.ok()["total"]["inputTokens"].as_u64().unwrap();
    let charged = vendor.ledger().vectors.input_tokens;
    if fault == Fault::NoUsage {
        settle("the booking", async || booked().await > 0).await;
    } else {
        settle("the booking", async || booked().await == charged || fault.is_free()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the search right after a failure of vectors, by words too, does not yet answer as wanted"]
async fn texts_are_found_by_words_and_failures_of_vectors_are_named() {
    each(Failure::always, &[], found_and_told).await;
}
