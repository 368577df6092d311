//! Quotes for members of a corrected list.

use serde_json::{Value, json};
use testkit::upstream::Upstream;

use crate::generate::kit::{said, settings};
use crate::kit::{Home, Server};

const DECISIONS: &str = "/v1/reviews/decisions";
const STORED: &str = "/v1/agent/inv/workflow/delta?evidence=true&reviews=true";

fn schema() -> Value {
    let item =
        json!({"type": "object", "properties": {"item": {"type": "string"}, "amount": {"type": "number"}}});
    json!({"lines": {"type": "array", "items": item, "minItems": 3}})
}

/// A server whose agent `inv` queues every value, with a run whose list has an entry too few.
async fn reviewed(home: &Home) -> Server {
    let server = home.start();
    server.agent("inv", schema()).await;
    server.put("/v1/agent/inv", json!({"review": {"threshold": 1.0}})).await.ok();
    let text = "Delivery\n\nRope 30.00\nLamp 110.00\nOil 5.00\n";
    let file = server.files(&[("a.txt", text)]).await.swap_remove(0);
    server.delta("inv", "?modelId=gpt-4o@openai", &[&[&file["id"]]]).await;
    server
}

async fn review(server: &Server, path: &str) -> Value {
    let list = server.get("/v1/reviews?limit=100").await.ok();
    let found = list["reviews"].as_array().unwrap().iter().find(|review| review["path"] == path).cloned();
    found.unwrap_or_else(|| panic!("{path} is not in {list}"))
}

fn lines() -> Value {
    json!([{"item": "Rope", "amount": "30,00"}, {"item": "Lamp", "amount": 110}, {"item": "Oil", "amount": null}])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quote_for_a_member_of_a_list_is_found_in_the_document_or_refused() {
    let answer = json!({"lines": [{"item": "Rope", "amount": 30.0}, {"item": "Lamp", "amount": 100.0}]});
    let vendor = Upstream::start(move |_| said(&answer.to_string())).unwrap();
    let home = Home::new(&settings(&vendor.url(), ""));
    let server = reviewed(&home).await;
    let list = review(&server, "/lines").await;
    let before = server.get(STORED).await.ok();
    let correct = |value: &Value, quotes: Value| {
        let id = &list["id"];
        json!({"decisions": [{"review_id": id, "action": "correct", "value": value, "member_evidence": quotes}]})
    };
    let many = vec![json!({"path": "/0/amount", "quote": "30.00"}); 201];
    for (quotes, place) in [
        (json!([{"path": "/1/amount", "quote": "Lamp 111.00"}]), "/0/quote"),
        (json!([{"path": "/0/amount", "quote": "30.00"}, {"path": "/1/amount", "quote": " "}]), "/1/quote"),
        (json!([{"path": "/1/amount", "quote": "Lamp 110.00", "page": 9}]), "/0/quote"),
        (json!([{"path": "/1/amount", "quote": "Lamp 110.00", "document": "b.txt"}]), "/0/document"),
        (json!([{"path": "/7/amount", "quote": "Lamp 110.00"}]), "/0/path"),
        (json!([{"path": "/1/price", "quote": "Lamp 110.00"}]), "/0/path"),
        (json!([{"path": "/1", "quote": "Lamp 110.00"}]), "/0/path"),
        (json!([{"path": "/2/amount", "quote": "5.00"}]), "/0/path"),
        (json!([{"path": "amount", "quote": "5.00"}]), "/0/path"),
        (json!([{"path": "", "quote": "5.00"}]), "/0/path"),
        (json!([{"path": "/0/item", "quote": "Rope"}, {"path": "/0/item", "quote": "Rope"}]), "/1/path"),
        (json!(many), ""),
    ] {
        let place = format!("/decisions/0/member_evidence{place}");
        server.post(DECISIONS, correct(&lines(), quotes)).await.fails_at(400, "validation_failed", &place);
    }
    let quotes = json!([{"path": "/1/amount", "quote": "Lamp 110.00"}]);
    let amount = review(&server, "/lines/1/amount").await;
    let mut single = correct(&json!(110), quotes.clone());
    single["decisions"][0]["review_id"] = amount["id"].clone();
    let single = server.post(DECISIONS, single).await;
    single.fails_at(400, "validation_failed", "/decisions/0/member_evidence");
    assert_eq!(server.get(STORED).await.ok(), before, "nothing was decided");

    let decided = server.post(DECISIONS, correct(&lines(), quotes)).await.ok();
    let step = &decided["reviews"][0]["history"][0];
    let evidence = &step["member_evidence"]["/1/amount"];
    assert_eq!(
        (&evidence["quote"], &evidence["document"]),
        (&json!("Lamp 110.00"), &json!("a.txt")),
        "{step}"
    );
    assert_eq!(evidence["support"], "normalised", "{step}");
    // It stays, and is the evidence of the stored value.
    let server = {
        drop(server);
        home.start()
    };
    let stored = server.get(STORED).await.ok();
    assert_eq!(stored[0]["lines"][1]["amount"], 110.0, "{stored}");
    assert_eq!(&stored[0]["evidence"]["/lines/1/amount"], evidence, "{stored}");
    assert_eq!(stored[0]["evidence"].get("/lines/0/amount"), None, "{stored}");
    let history = &stored[0]["reviews"]["/lines"]["history"][0];
    assert_eq!(&history["member_evidence"]["/1/amount"], evidence, "{stored}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quote_for_a_value_of_a_row_is_found_or_refused_as_for_other_values() {
    let answer = json!({"lines": [{"item": "Rope", "amount": 30.0}, {"item": "Lamp", "amount": 100.0}]});
    let vendor = Upstream::start(move |_| said(&answer.to_string())).unwrap();
    let server = reviewed(&Home::new(&settings(&vendor.url(), ""))).await;
    let amount = review(&server, "/lines/1/amount").await;
    let correct = |quote: &str| {
        let evidence = json!({"quote": quote});
        json!({"decisions": [{
            "review_id": amount["id"], "action": "correct", "value": 110, "evidence": evidence
        }]})
    };
    let refused = server.post(DECISIONS, correct("Lamp 111.00")).await;
    refused.fails_at(400, "validation_failed", "/decisions/0/evidence/quote");
    server.post(DECISIONS, correct("lamp  110.00")).await.ok();
    let stored = server.get(STORED).await.ok();
    assert_eq!(stored[0]["evidence"]["/lines/1/amount"]["quote"], "Lamp 110.00", "{stored}");
}
