//! What a text's answer says.

use serde_json::json;
use testkit::upstream::Upstream;

use super::kit::{ask, ask_plainly, before, booked, each_vendor, playing, said};

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_in_words_has_every_field() {
    let (server, vendor) = playing([said("Twelve.")]);
    let body =
        json!({"modelId": "gpt-4.1@openai", "prompt": "How many pears?", "knowledgeId": "", "unknown": 1});
    let answer = ask(&server, body).await.ok();
    let expected = json!({
        "text": "Twelve.", "audio": "", "context": [], "statements": [], "citations": [],
        "provider": "OpenAI", "model": "gpt-4.1",
        "prompt": "How many pears?", "knowledgeId": "", "tokens": 18,
        "userName": answer["userName"], "userEmail": answer["userEmail"],
        "usage": {"inputTokens": 11, "outputTokens": 7, "cachedTokens": 4, "cost": answer["usage"]["cost"]},
        "finishReason": "stop",
        "warnings": []
    });
    assert_eq!(answer, expected);
    let me = server.get("/v1/me").await.ok();
    assert_eq!((&answer["userName"], &answer["userEmail"]), (&me["userName"], &me["userEmail"]));
    assert!(answer["usage"]["cost"].as_f64().unwrap() > 0.0, "the price of gpt-4.1 is known");
    let sent = &vendor.requests()[0];
    assert_eq!((sent.method.as_str(), sent.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(sent.json()["messages"], json!([{"role": "user", "content": "How many pears?"}]));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_provider_answers_under_its_display_name() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    for (model, name, path) in [
        ("gpt-4.1@openai", "OpenAI", "/v1/chat/completions"),
        ("claude-sonnet-4-5@anthropic", "Anthropic", "/v1/messages"),
        ("gemini-2.5-flash@google", "Google", "/v1/models/gemini-2.5-flash:generateContent"),
        ("mistral-large-latest@mistral", "Mistral", "/v1/chat/completions"),
        ("lab/some/model@formwork", "Formwork", "/v1/chat/completions"),
    ] {
        let answer = ask_plainly(&server, model).await.ok();
        let found = (&answer["provider"], &answer["text"], &answer["tokens"]);
        assert_eq!(found, (&json!(name), &json!("Twelve."), &json!(18)), "{model}");
        assert_eq!(answer["model"], model.rsplit_once('@').unwrap().0);
        assert_eq!(vendor.requests().last().unwrap().path, path, "{model}");
    }
    let own = ask_plainly(&server, "lab/some/model@formwork").await.ok();
    assert_eq!(own["usage"]["cost"], json!(null), "the price of an own model is not known");
    assert_eq!(vendor.requests().last().unwrap().json()["model"], "some/model");
    let report = booked(&server, 6).await;
    let rows = report["usage"].as_array().unwrap();
    assert_eq!(rows.len(), 5, "one row for each model: {report}");
    assert_eq!((&report["total"]["inputTokens"], &report["total"]["cost"]), (&json!(66), &json!(null)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_model_answers_without_any_vendor() {
    let server = crate::kit::Server::start();
    let file =
        server.files(&[("lease.txt", "The lease of the shop ends on 31 March 2027.\n")]).await.remove(0);
    let body =
        json!({"modelId": "extractive@formwork", "prompt": "When does the lease end?", "urls": [file["id"]]});
    let answer = ask(&server, body).await.ok();
    let text = answer["text"].as_str().unwrap();
    assert!(text.contains("31 March 2027") && text.contains("[1]"), "{answer}");
    assert_eq!((&answer["provider"], &answer["model"]), (&json!("Formwork"), &json!("extractive")));
    let refused = ask(&server, json!({"modelId": "gpt-4.1@openai", "prompt": "x"})).await;
    refused.fails(503, "provider_not_configured");
}
