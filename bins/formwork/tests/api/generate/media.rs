//! Pictures and speech.

use reqwest::Method;
use serde_json::json;
use testkit::upstream::Upstream;

use super::kit::{PIXEL, ask, before, booked, each_vendor};
use crate::kit::{Answer, Server};

/// What is served at a link of an answer.
async fn followed(server: &Server, url: &str) -> Answer {
    let path = url.strip_prefix(&server.url).unwrap_or_else(|| panic!("{url} is not the server's own"));
    server.request(Method::GET, path).open().send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_a_link_to_a_file_that_is_served_as_one() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    let body =
        json!({"modelId": "gpt-image-1@openai", "prompt": "a [red] pear", "temperature": 1, "urls": ["1"]});
    let answer = ask(&server, body).await.ok();
    let text = answer["text"].as_str().unwrap();
    let url = text.strip_prefix("![a \\[red\\] pear](").and_then(|rest| rest.strip_suffix(')'));
    let file = followed(&server, url.unwrap_or_else(|| panic!("{text}"))).await;
    assert_eq!((file.status, file.header("content-type")), (200, "image/png"));
    assert_eq!(file.body, PIXEL);
    let fields = (&answer["audio"], &answer["context"], &answer["provider"], &answer["tokens"]);
    assert_eq!(fields, (&json!(""), &json!([]), &json!("OpenAI"), &json!(105)));
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("'urls' was ignored") && warnings.contains("'temperature'"), "{warnings}");
    let listed = server.get("/v1/files").await.ok();
    assert_eq!(listed["files"][0]["name"], "image-1.png", "{listed}");
    booked(&server, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn speech_is_a_link_beside_an_empty_text() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    for (model, kind, start) in [
        ("gpt-4o-mini-tts@openai", "audio/mpeg", &b"ID3"[..]),
        ("gemini-2.5-flash-preview-tts@google", "audio/wav", b"RIFF"),
    ] {
        let answer = ask(&server, json!({"modelId": model, "prompt": "Good morning"})).await.ok();
        assert_eq!((&answer["text"], &answer["context"]), (&json!(""), &json!([])));
        let file = followed(&server, answer["audio"].as_str().unwrap()).await;
        assert_eq!((file.status, file.header("content-type")), (200, kind), "{model}");
        assert!(file.body.starts_with(start));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_picture_is_told_in_its_last_event() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    let body = json!({"modelId": "gpt-image-1@openai", "prompt": "a pear"});
    let events = super::kit::ask_streamed(&server, body).await;
    let (_, (last, answer)) = super::kit::told(&events);
    assert_eq!(last, "done");
    assert!(answer["text"].as_str().unwrap().starts_with("![a pear]("), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_model_tells_which_models_draw_and_speak() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    for (prompt, verb) in [("Draw a picture of a pear", "make pictures"), ("Please read this aloud", "speak")]
    {
        let refused = ask(&server, json!({"modelId": "extractive@formwork", "prompt": prompt})).await;
        let body = refused.fails(400, "model_cannot");
        let message = body["message"].as_str().unwrap();
        assert!(message.contains(verb) && message.contains("@openai"), "{message}");
    }
    assert_eq!(vendor.count(), 0);
    let embedding = ask(&server, json!({"modelId": "text-embedding-3-small@openai", "prompt": "x"})).await;
    embedding.fails(400, "model_cannot");
}
