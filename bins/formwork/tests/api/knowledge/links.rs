//! What other things make of bases: notes, agents, answers with context.

use serde_json::{Value, json};

use super::kit::{base, ready_text};
use crate::kit::Server;

#[tokio::test(flavor = "multi_thread")]
async fn notes_are_put_on_bases_and_go_with_them() {
    let server = Server::start();
    let base = base(&server).await;
    let note =
        |id: &str| json!({"content": "c", "role": "user", "resource": "knowledgebase", "resource_id": id});
    let id = server.post("/v1/notes", note(&base)).await.ok()["noteId"].as_str().unwrap().to_owned();
    let notes = server.get(&format!("/v1/notes/knowledgebase/{base}")).await.ok();
    assert_eq!((&notes["meta"]["total_items"], &notes["notes"][0]["noteId"]), (&json!(1), &json!(id)));
    server.post("/v1/notes", note("kb_none")).await.fails(404, "knowledge_base_not_found");
    server.delete(&format!("/knowledgebase/{base}")).await.ok();
    server.get(&format!("/v1/notes/{id}")).await.fails(404, "note_not_found");
    server.get(&format!("/v1/notes/knowledgebase/{base}")).await.fails(404, "knowledge_base_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_name_bases_that_are_there() {
    let server = Server::start();
    let base = base(&server).await;
    let agent = server.post("/v1/agent", json!({"namespace": "pilot", "knowledge": [base]})).await.ok();
    assert_eq!(agent["knowledge"], json!([base]));
    let unknown = server.post("/v1/agent", json!({"namespace": "b", "knowledge": [base, "kb_none"]})).await;
    unknown.fails_at(400, "unknown_knowledge_base", "/knowledge/1");
    let unknown = server.put("/v1/agent/pilot", json!({"knowledge": ["kb_none"]})).await;
    unknown.fails_at(400, "unknown_knowledge_base", "/knowledge/0");
    server.delete(&format!("/knowledgebase/{base}")).await.ok();
    let renamed = server.put("/v1/agent/pilot", json!({"name": "Pilot"})).await.ok();
    assert_eq!(renamed["name"], "Pilot");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_cites_what_it_found_in_bases() {
    let server = Server::start();
    let (one, two) = (base(&server).await, base(&server).await);
    ready_text(&server, &one, "Berths", "The draught at berth four is nine metres.").await;
    ready_text(&server, &two, "Cranes", "The crane at berth four lifts forty tonnes.").await;
    let ask = async |body: Value| {
        let mut request =
            json!({"modelId": "extractive@formwork", "prompt": "What is the draught at berth four?"});
        request.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        server.post("/v2/generate", request).await
    };
    let answer = ask(json!({"knowledgeId": one})).await.ok();
    assert!(answer["text"].as_str().unwrap().contains("nine metres"), "{answer}");
    assert!(answer["text"].as_str().unwrap().contains("[1]"), "{answer}");
    let context = answer["context"].as_array().unwrap();
    assert_eq!((&context[0]["knowledgeId"], &context[0]["title"]), (&json!(one), &json!("Berths")));
    assert_eq!(answer["knowledgeId"], json!(one));
    let both = ask(json!({"knowledgeId": one, "knowledge": [{"id": two}]})).await.ok();
    let bases: Vec<&Value> =
        both["context"].as_array().unwrap().iter().map(|item| &item["knowledgeId"]).collect();
    assert!(bases.contains(&&json!(one)) && bases.contains(&&json!(two)), "{both}");
    ask(json!({"knowledgeId": "kb_none"})).await.fails(400, "unknown_knowledge_base");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_in_knowledge_holds_for_generation_and_chat_and_a_wrong_one_is_refused() {
    let server = Server::start();
    let base = super::kit::base(&server).await;
    let of = |tenant: &str, text: &str| json!({"title": tenant, "content": text, "meta": {"tenant": tenant}});
    let texts = [of("north", "The gate code is marigold."), of("south", "The gate code is juniper.")];
    super::kit::added(&server, &base, json!({"texts": texts})).await;
    super::kit::settled(&server, &base).await;
    let own = json!([{"id": base, "filter": {"tenant": "south"}}]);
    let asked = |knowledge: &Value| {
        json!({
            "modelId": "extractive@formwork", "prompt": "What is the gate code?", "knowledge": knowledge
        })
    };
    let said = server.post("/v2/generate", asked(&own)).await.ok();
    assert!(said.to_string().contains("juniper") && !said.to_string().contains("marigold"), "{said}");
    for (entry, place) in [
        (json!({"id": base, "filter": {"tenant": {"like": "s"}}}), "/knowledge/0/filter"),
        (json!({"id": base, "limit": 0}), "/knowledge/0/limit"),
        (json!({"id": base, "minScore": 7}), "/knowledge/0/minScore"),
        (json!({"id": base, "mode": "best"}), "/knowledge/0/mode"),
    ] {
        let refused = server.post("/v2/generate", asked(&json!([entry]))).await;
        let text = String::from_utf8_lossy(&refused.body).into_owned();
        assert!(refused.status == 400 && text.contains(place), "{text}");
    }
    server.post("/v1/agent", json!({"namespace": "gate", "knowledge": [base]})).await.ok();
    let message = json!({"message": "What is the gate code?", "knowledge": own});
    let said = server.post("/v1/agent/gate/chat", message).await.ok();
    assert!(said.to_string().contains("juniper") && !said.to_string().contains("marigold"), "{said}");
}
