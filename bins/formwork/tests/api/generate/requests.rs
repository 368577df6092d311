//! What of a request reaches the vendor.

use serde_json::{Value, json};
use testkit::upstream::Upstream;

use super::kit::{ask, before, each_vendor, playing, said};

fn full(model: &str) -> Value {
    json!({
        "modelId": model, "prompt": "And now?", "system": "Be brief.", "temperature": 0.5, "maxTokens": 77,
        "messages": [{"role": "user", "content": "How many?"}, {"role": "assistant", "content": "Twelve."}]
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn instructions_conversation_temperature_and_length_reach_each_vendor_in_its_words() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    let conversation = json!([
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "How many?"},
        {"role": "assistant", "content": "Twelve."}, {"role": "user", "content": "And now?"}
    ]);
    for (model, length) in [
        ("gpt-4.1@openai", "max_completion_tokens"),
        ("mistral-large-latest@mistral", "max_tokens"),
        ("lab/m@formwork", "max_tokens"),
    ] {
        ask(&server, full(model)).await.ok();
        let sent = vendor.requests().pop().unwrap().json();
        assert_eq!((&sent["messages"], &sent["temperature"]), (&conversation, &json!(0.5)), "{model}");
        assert_eq!(sent[length], 77, "{model}");
    }
    ask(&server, full("gemini-2.5-flash@google")).await.ok();
    let sent = vendor.requests().pop().unwrap();
    let (texts, body) = (String::from_utf8_lossy(&sent.body).into_owned(), sent.json());
    for part in ["Be brief.", "How many?", "Twelve.", "And now?"] {
        assert!(texts.contains(part), "{texts}");
    }
    let settings = &body["generationConfig"];
    assert_eq!((&settings["temperature"], &settings["maxOutputTokens"]), (&json!(0.5), &json!(77)));
    ask(&server, full("claude-sonnet-4-5@anthropic")).await.ok();
    let sent = vendor.requests().pop().unwrap().json();
    assert_eq!(sent["max_tokens"], 77);
    assert_eq!(sent["messages"].as_array().unwrap().len(), 3);
    assert!(sent["system"].to_string().contains("Be brief."), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_temperature_that_the_model_refuses_is_left_out_with_a_warning() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    for model in ["gpt-5@openai", "claude-sonnet-4-5@anthropic"] {
        let answer = ask(&server, full(model)).await.ok();
        assert!(answer["warnings"][0].as_str().unwrap().contains("'temperature'"), "{answer}");
        assert_eq!(vendor.requests().pop().unwrap().json().get("temperature"), None, "{model}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_told_with_their_place_before_any_call() {
    let (server, vendor) = playing([said("no")]);
    let base = json!({"modelId": "gpt-4.1@openai", "prompt": "x"});
    for (field, value, place) in [
        ("prompt", json!(""), "/prompt"),
        ("prompt", json!(" \n"), "/prompt"),
        ("prompt", json!("x".repeat(400_001)), "/prompt"),
        ("prompt", json!(7), "/prompt"),
        ("prompt", json!(null), "/prompt"),
        ("system", json!(["x"]), "/system"),
        ("system", json!("x".repeat(400_001)), "/system"),
        ("stream", json!("yes"), "/stream"),
        ("stream", json!(1), "/stream"),
        ("temperature", json!(2.01), "/temperature"),
        ("temperature", json!(-0.1), "/temperature"),
        ("temperature", json!("hot"), "/temperature"),
        ("maxTokens", json!(0), "/maxTokens"),
        ("maxTokens", json!(1_000_001), "/maxTokens"),
        ("maxTokens", json!(-1), "/maxTokens"),
        ("maxTokens", json!(1.5), "/maxTokens"),
        ("urls", json!("1"), "/urls"),
        ("knowledge", json!(["a"]), "/knowledge/0"),
        ("knowledge", json!([{"id": ""}]), "/knowledge/0/id"),
        ("knowledge", json!(vec![json!({"id": "a"}); 51]), "/knowledge"),
        ("messages", json!([{"role": "system", "content": "x"}]), "/messages/0/role"),
        ("messages", json!([{"role": "user", "content": ""}]), "/messages/0/content"),
        ("messages", json!([{"role": "user"}]), "/messages/0/content"),
        ("messages", json!(vec![json!({"role": "user", "content": "x"}); 201]), "/messages"),
        ("messages", json!(vec![json!({"role": "user", "content": "x".repeat(3_000)}); 200]), "/messages"),
        ("fallbackModels", json!(vec!["gpt-4.1-mini@openai"; 6]), "/fallbackModels"),
        ("fallbackModels", json!(["gpt-4.1-mini@openai", "gpt-image-1@openai"]), "/fallbackModels/1"),
        ("fallbackModels", json!("gpt-4.1-mini@openai"), "/fallbackModels"),
        ("responseFormat", json!("json"), "/responseFormat"),
        ("responseFormat", json!({"type": "xml"}), "/responseFormat/type"),
    ] {
        let mut body = base.clone();
        body[field] = value;
        ask(&server, body).await.fails_at(400, "validation_failed", place);
    }
    let most = json!(vec![json!({"role": "user", "content": "x"}); 200]);
    ask(&server, json!({"modelId": "gpt-4.1@openai", "prompt": "x", "messages": most})).await.ok();
    assert_eq!(vendor.count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_does_not_exist_is_told_as_such_wherever_it_is_named() {
    let (server, vendor) = playing([said("no")]);
    for unknown in ["", "gpt-4.1", "@openai", "gpt-4.1@nobody", "gpt-4.1@OpenAI", "a\nb@openai", "a\0@openai"]
    {
        ask(&server, json!({"modelId": unknown, "prompt": "x"})).await.fails_at(
            400,
            "unknown_model",
            "/modelId",
        );
        let body = json!({"modelId": "gpt-4.1@openai", "prompt": "x", "fallbackModels": [unknown]});
        ask(&server, body).await.fails_at(400, "unknown_model", "/fallbackModels/0");
    }
    let long = format!("{}@openai", "x".repeat(257));
    ask(&server, json!({"modelId": long, "prompt": "x"})).await.fails(400, "unknown_model");
    assert_eq!(vendor.count(), 0);
}
