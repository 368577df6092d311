//! Requests that mean harm.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::Upstream;

use super::kit::{ask, ask_plainly, before, each_vendor, playing, said};

#[tokio::test(flavor = "multi_thread")]
async fn the_name_of_a_model_reaches_no_other_path_and_no_header() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    for name in [
        "../../../v1/files",
        "..",
        ".",
        "../",
        "a/../../b",
        "%2e%2e%2f%2e%2e",
        "a?key=b",
        "a#b",
        "a b",
        "a;b=c",
        "a\\..\\b",
        "//evil.example/x",
        "http://evil.example",
        "модель-東京-🍐",
        "a@b",
        "a:countTokens",
        "a\u{202e}b",
    ] {
        for provider in ["openai", "anthropic", "google", "mistral"] {
            let before = vendor.count();
            let answer = ask_plainly(&server, &format!("{name}@{provider}")).await;
            assert!([200, 400, 502].contains(&answer.status), "{name}@{provider}: {answer:?}");
            for sent in vendor.requests().iter().skip(usize::try_from(before).unwrap()) {
                if provider == "google" {
                    let segments: Vec<&str> = sent.path.split('/').collect();
                    assert_eq!(
                        (segments.len(), segments[1], segments[2]),
                        (4, "v1", "models"),
                        "{}",
                        sent.path
                    );
                    assert!(
                        segments[3].ends_with(":generateContent") && !segments[3].contains('?'),
                        "{}",
                        sent.path
                    );
                } else {
                    let path = if provider == "anthropic" { "/v1/messages" } else { "/v1/chat/completions" };
                    assert_eq!(sent.path, path, "{name}@{provider}");
                    assert_eq!(sent.json()["model"], name, "the name goes into the body as it is");
                }
            }
        }
    }
    for name in ["a\r\nx-injected: 1", "a\nb", "a\u{0}b", "a\u{7f}b", "a\u{85}b"] {
        ask_plainly(&server, &format!("{name}@google")).await.fails(400, "unknown_model");
    }
    let injected = vendor.requests().iter().any(|sent| sent.header("x-injected").is_some());
    assert!(!injected);
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_at_the_bound_are_answered_and_larger_ones_refused() {
    let (server, vendor) = playing([said("Twelve.")]);
    let body =
        json!({"modelId": "gpt-4.1@openai", "prompt": "x".repeat(400_000), "system": "ü".repeat(400_000)});
    ask(&server, body).await.ok();
    assert!(vendor.requests()[0].body.len() > 1_200_000);
    let large = json!({"modelId": "gpt-4.1@openai", "prompt": "x".repeat(2 << 20)});
    ask(&server, large).await.fails(413, "body_too_large");
    let padded = json!({"modelId": "gpt-4.1@openai", "prompt": "x", "padding": "x".repeat((2 << 20) - 100)});
    ask(&server, padded).await.ok();
    let long = json!({"modelId": "extractive@formwork", "prompt": "why ".repeat(100_000)});
    let answer = ask(&server, long).await;
    assert!([200, 400].contains(&answer.status), "{:.300}", answer.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn text_that_is_no_unicode_or_no_json_is_refused() {
    let (server, vendor) = playing([said("Twelve.")]);
    let send = |body: &'static [u8]| {
        let call = server.request(Method::POST, "/v2/generate").body("application/json", body);
        async move { call.send().await }
    };
    for body in [
        &br#"{"modelId": "a@openai", "prompt": "\ud800"}"#[..],
        br#"{"modelId": "a@openai", "prompt": "\udc00\ud800"}"#,
        b"{\"modelId\": \"a@openai\", \"prompt\": \"\xff\"}",
        br#"{"modelId": "a@openai", "prompt": "x""#,
        br#"{"modelId": "a@openai", "prompt": "x", "temperature": 1e999}"#,
        br#"{"modelId": "a@openai", "prompt": "x", "temperature": NaN}"#,
        br#"{"modelId": "a@openai", "prompt": "x", "urls": [-1]}"#,
        br#"{"modelId": "a@openai", "prompt": "x", "urls": [1.5]}"#,
        br#"{"modelId": "a@openai", "prompt": "x", "urls": [99999999999999999999999]}"#,
        b"[]",
        b"null",
        b"",
        b"\"x\"",
    ] {
        let answer = send(body).await;
        assert_eq!(answer.status, 400, "{}: {answer:?}", String::from_utf8_lossy(body));
    }
    let deep = "[".repeat(100_000);
    let deep = format!("{{\"modelId\": \"a@openai\", \"prompt\": \"x\", \"responseFormat\": {deep}");
    let answer = server.request(Method::POST, "/v2/generate").body("application/json", deep).send().await;
    assert_eq!(answer.status, 400);
    assert_eq!(vendor.count(), 0);
    let fine = json!({"modelId": "a@openai", "prompt": "\u{0}\u{202e}🍐\u{feff}"});
    ask(&server, fine.clone()).await.ok();
    let sent: Value = vendor.requests()[0].json();
    assert_eq!(sent["messages"][0]["content"], fine["prompt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_cannot_smuggle_events_into_a_stream() {
    let text = "a\n\nevent: done\ndata: {\"text\": \"forged\"}\n\n\r\r";
    let (server, _vendor) = playing([super::kit::streamed(&[text])]);
    let events = super::kit::ask_streamed(&server, json!({"modelId": "gpt-4.1@openai", "prompt": "x"})).await;
    let (told, (last, answer)) = super::kit::told(&events);
    assert_eq!((told.as_str(), last, &answer["text"]), (text, "done", &json!(text)));
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_of_usage_take_no_harm_from_their_parameters() {
    let server = crate::kit::Server::start();
    for query in [
        "model=%27%20OR%201%3D1--",
        "model=%00",
        "from=0001-01-01&to=0001-01-01",
        "from=9999-12-31&to=9999-12-31",
        "key=%25",
        "by=day&by=key",
        "from=2024-02-29&to=2024-02-29",
        "to=99999-01-01",
        "from=-001-01-01",
        "from=2024-01-01%00",
        "model=%F0%9F%8D%90%40openai",
        "unknown=1",
    ] {
        let answer = server.get(&format!("/v1/usage?{query}")).await;
        assert!([200, 400].contains(&answer.status), "{query}: {answer:?}");
        if answer.status == 200 {
            assert_eq!(answer.value()["total"]["requests"], 0, "{query}");
        }
    }
    let long = format!("/v1/usage?model={}", "x".repeat(7_000));
    let answer = server.get(&long).await;
    assert!([200, 400].contains(&answer.status), "{answer:?}");
}
