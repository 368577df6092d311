//! Vendors that answer what nobody asked for: a clear failure without secrets, and a server that is well.

use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::kit::{KEY, ask_plainly, ask_streamed, completion, each_vendor, own, settings, told};
use crate::kit::Server;

/// What a broken vendor may send, by name.
fn broken() -> Vec<(&'static str, Reply)> {
    let body = completion("Zwölf").to_string();
    let half = body.find('ö').unwrap() + 1;
    let json = [("content-type", "application/json")];
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    vec![
        ("garbage", Reply::whole(200, "application/json", &b"\xff\xfe\x00garbage"[..])),
        ("html", Reply::whole(200, "text/html", "<html><body>Please log in</body></html>")),
        ("an-html-error", Reply::whole(502, "text/html", "<html><body>Bad gateway</body></html>")),
        ("half-a-letter", Reply::chunked(200, &json).chunk(&body.as_bytes()[..half]).end()),
        ("no-body", Reply::whole(200, "application/json", "")),
        ("null", Reply::json(200, &json!(null))),
        ("an-array", Reply::json(200, &json!([1, 2]))),
        ("no-choices", Reply::json(200, &json!({"choices": []}))),
        ("other-types", Reply::json(200, &json!({"choices": "many", "usage": {"prompt_tokens": {}}}))),
        ("deep", Reply::whole(200, "application/json", "[".repeat(200_000))),
        ("endless", Reply::chunked(200, &json).endless("400\r\n".to_owned() + &" ".repeat(1024) + "\r\n")),
        ("no-http", Reply::raw().write("SSH-2.0-OpenSSH_9.6\r\n").close()),
        ("no-head", Reply::raw().close()),
        ("half-a-head", Reply::raw().write("HTTP/1.1 200 OK\r\ncontent-ty").close()),
        ("only-a-head", Reply::raw().write(head.clone()).close()),
        ("half-a-body", Reply::raw().write(head + &body[..half - 1]).close()),
        ("half-a-chunk", Reply::chunked(200, &json).write("400\r\n{\"choi").close()),
        ("a-redirect", Reply::whole_with(302, &[("location", "http://127.0.0.1:1/")], "")),
        ("told-key", Reply::json(401, &json!({"error": {"message": format!("Wrong key: {KEY}")}}))),
        (
            "gzip-garbage",
            Reply::whole_with(
                200,
                &[("content-encoding", "gzip"), ("content-type", "application/json")],
                "no",
            ),
        ),
    ]
}

/// A server with one own server for each fault, so that none is left alone for another's failures.
fn prepared() -> (Server, Upstream) {
    let faults = broken();
    let mut settings = String::new();
    let vendor = Upstream::start({
        let faults = faults.clone();
        move |request| {
            let body = request.json();
            let model = body["model"].as_str().unwrap_or_default();
            faults
                .iter()
                .find(|(name, _)| *name == model)
                .map_or_else(|| each_vendor(request), |(_, reply)| reply.clone())
        }
    })
    .unwrap();
    for (name, _) in &faults {
        settings += &own(name, &vendor.url());
        settings += &format!("headers = {{authorization = \"Bearer {KEY}\"}}\n");
    }
    (Server::with(&(settings + &own("well", &vendor.url()) + "[models]\nretries = 0\n")), vendor)
}

fn without_secret(server: &Server, told: &str) {
    assert!(!told.contains(KEY), "{told}");
    let log = std::fs::read_to_string(server.home.path("log")).unwrap();
    assert!(!log.contains(KEY), "the key is in the log");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_answer_that_is_none_is_a_failure_that_names_the_vendor() {
    let (server, _vendor) = prepared();
    for (name, _) in broken() {
        let answer = ask_plainly(&server, &format!("{name}/{name}@formwork")).await;
        let body = answer.value();
        assert_eq!(answer.status, 502, "{name}: {body}");
        let (code, message) = (body["code"].as_str().unwrap(), body["message"].as_str().unwrap());
        assert!(
            code.starts_with("provider_") && message.starts_with(&format!("the server '{name}': ")),
            "{name}: {body}"
        );
        assert!(!message.contains("<html>"), "{message}");
        without_secret(&server, &body.to_string());
    }
    ask_plainly(&server, "well/m@formwork").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_fails_before_its_first_text_is_a_plain_failure() {
    let (server, _vendor) = prepared();
    for (name, _) in broken() {
        let body = json!({"modelId": format!("{name}/{name}@formwork"), "prompt": "x", "stream": true});
        let answer = super::kit::ask(&server, body).await;
        let error = answer.value();
        assert_eq!(answer.status, 502, "{name}: {error}");
        assert!(error["code"].as_str().unwrap().starts_with("provider_"), "{name}: {error}");
        without_secret(&server, answer.text());
    }
    let well = ask_streamed(&server, json!({"modelId": "extractive@formwork", "prompt": "Hello"})).await;
    assert_eq!(told(&well).1.0, "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_key_is_shown_by_the_settings_the_description_or_an_answer() {
    let vendor =
        Upstream::start_replies([Reply::json(400, &json!({"error": {"message": format!("bad {KEY}")}}))])
            .unwrap();
    let with_lab = settings(&vendor.url(), "");
    // An own server without a key could not know what to hide.
    let server = Server::with(with_lab.split("[[models.own]]").next().unwrap());
    let mut shown = vec![server.home.told(&["config"])];
    for path in ["/openapi.json", "/v1/models", "/v1/me"] {
        shown.push(server.get(path).await.text().to_owned());
    }
    for model in ["a@openai", "a@anthropic", "a@google", "a@mistral"] {
        let answer = ask_plainly(&server, model).await;
        assert_eq!(answer.status, 502, "{model}");
        shown.push(answer.text().to_owned());
    }
    assert!(shown[0].contains("<redacted>"));
    for text in &shown {
        without_secret(&server, text);
    }
    assert_eq!(vendor.requests().iter().filter(|sent| sent.method == "POST").count(), 4, "all were called");
}
