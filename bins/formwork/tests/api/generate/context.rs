//! Documents as context, and the citations of an answer.

use serde_json::{Value, json};

use super::kit::{ask, ask_streamed, playing, said, streamed, told};
use crate::kit::Server;

const LEASE: &str = "The lease of the shop ends on 31 March 2027.\n";

async fn lease(server: &Server) -> Value {
    server.files(&[("lease.txt", LEASE)]).await.remove(0)
}

fn question(urls: Value) -> Value {
    json!({"modelId": "gpt-4.1@openai", "prompt": "When does the lease end?", "urls": urls})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_named_by_its_id_as_text_or_number_and_by_its_url() {
    let (server, vendor) = playing([said("On 31 March 2027 [1]. So it is [9].")]);
    let file = lease(&server).await;
    let (id, url) = (file["id"].as_u64().unwrap(), file["url"].as_str().unwrap());
    for named in [json!(id), json!(id.to_string()), json!(url)] {
        let answer = ask(&server, question(json!([named]))).await.ok();
        assert_eq!(answer["text"], "On 31 March 2027 [1]. So it is.", "a number of nothing is taken out");
        let item = &answer["context"][0];
        assert_eq!(answer["context"].as_array().unwrap().len(), 1);
        assert_eq!(
            (&item["n"], &item["id"], &item["knowledgeId"]),
            (&json!(1), &json!(id.to_string()), &Value::Null)
        );
        assert!(item["text"].as_str().unwrap().contains("31 March 2027"), "{item}");
        assert_eq!(item["title"], "lease.txt");
        assert!(item["score"].is_number() && item.get("page").is_some(), "{item}");
        let sent = vendor.requests().pop().unwrap().json();
        let messages = sent["messages"].as_array().unwrap();
        assert_eq!(messages[0]["role"], "system");
        let spoken = messages.last().unwrap()["content"].as_str().unwrap();
        assert!(spoken.contains("31 March 2027") && spoken.ends_with("When does the lease end?"), "{spoken}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn citations_of_a_stream_are_those_of_the_whole_answer() {
    let text = ["On 31 March 2027 [", "1]. So it is [", "9", "]."];
    let (server, _vendor) = playing([streamed(&text), said(&text.concat())]);
    let file = lease(&server).await;
    let events = ask_streamed(&server, question(json!([file["id"]]))).await;
    let whole = ask(&server, question(json!([file["id"]]))).await.ok();
    let (text, last) = told(&events);
    assert_eq!((text.as_str(), last), (whole["text"].as_str().unwrap(), ("done", &whole)));
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_that_cannot_be_used_are_refused_before_any_call() {
    let (server, vendor) = playing([said("no")]);
    let file = lease(&server).await;
    let stranger = server.stranger();
    for (named, code) in [
        (json!("https://10.0.0.1/a.pdf"), "fetch_denied"),
        (json!("https://example.com:22/a.pdf"), "fetch_denied"),
        (json!(987_654), "file_not_found"),
        (json!("987654"), "file_not_found"),
    ] {
        let answer = ask(&server, question(json!([file["id"], named]))).await;
        answer.fails_at(400, code, "/urls/1");
    }
    for named in [&file["id"], &file["url"]] {
        let body = question(json!([named]));
        let refused = super::kit::call(&server, &body).key(&stranger).send().await;
        let told = refused.fails_at(400, "file_not_found", "/urls/0").to_string();
        assert!(!told.contains("lease") && !told.contains("shop"), "{told}");
    }
    for named in ["", "  ", "file:///etc/passwd", "../../etc/passwd", "ftp://example.com/a", "not a file"] {
        let answer = ask(&server, question(json!([named]))).await;
        assert_eq!(answer.status, 400, "{named}: {answer:?}");
        assert_eq!(answer.value()["errors"][0]["path"], "/urls/0");
    }
    let unknown = json!({"modelId": "gpt-4.1@openai", "prompt": "x", "knowledgeId": "nowhere"});
    ask(&server, unknown).await.fails_at(400, "unknown_knowledge_base", "/knowledgeId");
    let twice = json!({"modelId": "gpt-4.1@openai", "prompt": "x", "knowledge": [{"id": "a"}, {"id": "a"}]});
    ask(&server, twice).await.fails_at(400, "unknown_knowledge_base", "/knowledge");
    assert_eq!(vendor.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_documents_are_cut_to_what_fits_and_fifty_one_refused() {
    let (server, vendor) = playing([said("On 31 March 2027 [1].")]);
    let filler = "The weather of that day was fair, and nothing of note was written down.\n".repeat(2_000);
    let long = server.files(&[("long.txt", &(filler.clone() + LEASE + &filler))]).await.remove(0);
    let answer = ask(&server, question(json!(vec![&long["id"]; 50]))).await.ok();
    let holds = |item: &Value| item["text"].as_str().unwrap().contains("31 March 2027");
    assert!(
        answer["context"].as_array().unwrap().iter().any(holds),
        "what answers is kept, wherever it stands"
    );
    assert!(answer["warnings"].to_string().contains("exceeds the token limit"), "{}", answer["warnings"]);
    assert!(vendor.requests()[0].body.len() < 300_000);
    ask(&server, question(json!(vec![&long["id"]; 51]))).await.fails_at(400, "validation_failed", "/urls");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_bounds_its_context_by_passages_tokens_and_score() {
    let (server, vendor) = playing([said("On 31 March 2027 [1].")]);
    let papers = [
        ("lease.txt", LEASE),
        ("garden.txt", "The season will end in October, when the garden closes.\n"),
        ("rent.txt", "Rent under a lease is due on the first of each month, in advance.\n"),
    ];
    let files = server.files(&papers).await;
    let files: Value = files.iter().map(|file| file["id"].clone()).collect();
    let sources = async |bounds: Value| {
        let mut body = question(files.clone());
        body.as_object_mut().unwrap().extend(bounds.as_object().unwrap().clone());
        let answer = ask(&server, body).await.ok();
        let context = answer["context"].as_array().unwrap().clone();
        let sent = vendor.requests().pop().unwrap().json().to_string();
        for (title, text) in papers {
            let is_told = context.iter().any(|item| item["title"] == title);
            assert_eq!(sent.contains(text.trim()), is_told, "{title}: {sent}");
        }
        context
    };
    let all = sources(json!({})).await;
    assert_eq!(all.len(), papers.len(), "{all:?}");
    assert_eq!(sources(json!({"topK": 1})).await, all[..1]);
    assert_eq!(sources(json!({"topK": 2})).await, all[..2]);
    let least = all[1]["score"].as_f64().unwrap();
    let better: Vec<Value> =
        all.iter().filter(|item| item["score"].as_f64().unwrap() >= least).cloned().collect();
    assert!(better.len() < all.len() && least > 0.0, "{all:?}");
    assert_eq!(sources(json!({"minScore": least})).await, better);
    let few = sources(json!({"maxContextTokens": 40})).await;
    assert!((1..all.len()).contains(&few.len()) && few == all[..few.len()], "{few:?}");
    assert!(sources(json!({"maxContextTokens": 1})).await.is_empty());
    let asked = vendor.count();
    for (name, value) in [("topK", json!(0)), ("minScore", json!(1.5)), ("maxContextTokens", json!(-1))] {
        let mut body = question(files.clone());
        body[name] = value;
        ask(&server, body).await.fails_at(400, "validation_failed", &format!("/{name}"));
    }
    assert_eq!(vendor.count(), asked);
}
