//! Knowledge bases whose vectors a vendor makes.

use serde_json::{Value, json};
use testkit::vendor::{Fault, ForcedFault, Vendor};

use super::kit::each;
use crate::generate::kit::booked;
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

/// Whether the vector of a query, one text, is right: a copy of the first of one is the one.
fn is_query_good(fault: Fault) -> bool {
    is_good(fault) || fault == Fault::Echo
}

async fn base(server: &Server) -> String {
    let base =
        server.post("/knowledgebase", json!({"name": "Harbour", "embeddingModel": VECTORS})).await.ok();
    base["knowledgeId"].as_str().unwrap().to_owned()
}

async fn search(server: &Server, base: &str, mode: Option<&str>) -> Value {
    let mut body = json!({"query": "Which boats may enter?"});
    if let Some(mode) = mode {
        body["mode"] = json!(mode);
    }
    server.post(&format!("/knowledgebase/{base}/search"), body).await.value()
}

async fn found_and_told(fault: Fault, vendor: &Vendor, server: &Server) {
    let base = base(server).await;
    // Chunks of one title are one file, whose vectors are made by one call.
    let chunk = |text: &str| json!({"title": "Rules", "content": text});
    let chunks = [chunk("Any boat may enter."), chunk("The fee is due at noon.")];
    let added = server.post(&format!("/knowledgebase/{base}/files"), json!({"chunks": chunks})).await.ok();
    let path = format!("/knowledgebase/files/{}", added["files"][0]["id"].as_str().unwrap());
    let is_over =
        async || ["ready", "failed"].contains(&server.get(&path).await.ok()["status"].as_str().unwrap());
    settle("the end of the work", is_over).await;
    let item = server.get(&path).await.ok();
    match item["status"].as_str().unwrap() {
        "ready" => assert!(is_good(fault), "{item}"),
        _ => assert!(!is_good(fault) && CODES.contains(&item["error"]["code"].as_str().unwrap()), "{item}"),
    }
    let first = |found: &Value| found["results"][0]["text"] == "Any boat may enter.";
    let by_words = search(server, &base, Some("lexical")).await;
    assert!(first(&by_words), "{by_words}");
    let unasked = search(server, &base, None).await;
    assert!(first(&unasked), "{unasked}");
    let has_warned = unasked["warnings"].to_string().contains("searched_by_words_alone");
    assert_eq!(has_warned, !is_query_good(fault), "{unasked}");
    // Who asks for vectors gets them, or is told why there are none.
    let both = search(server, &base, Some("hybrid")).await;
    let code = both["code"].as_str();
    assert!(if is_query_good(fault) { first(&both) } else { CODES.contains(&code.unwrap()) }, "{both}");
    assert_booked(fault, vendor, server).await;
}

/// Every call is booked, with what the vendor says that it read; where an answer cannot be read, as an estimate.
async fn assert_booked(fault: Fault, vendor: &Vendor, server: &Server) {
    let calls = u64::from(vendor.ledger().vectors.calls);
    let booked = booked(server, calls).await["total"].clone();
    let charged = vendor.ledger().vectors.input_tokens;
    match fault {
        Fault::NoUsage
        | Fault::EmptyObject
        | Fault::WrongKinds
        | Fault::CutAtLimit
        | Fault::CutSilently
        | Fault::CutFirstValue
        | Fault::CutFirstValueAtLimit => assert!(booked["inputTokens"].as_u64() > Some(0), "{booked}"),
        _ => assert_eq!(booked["inputTokens"], charged, "{booked}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_are_found_by_words_and_failures_of_vectors_are_named() {
    each(ForcedFault::always, &[], found_and_told).await;
}
