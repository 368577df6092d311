//! What is logged for a request has its id: within calls of providers and parsers, in the jobs that it
//! enqueued, and while its answer is streamed.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::generate::kit::{piece, settings};
use crate::kit::{Server, invoice, invoice_schema, settle};

fn log(server: &Server) -> String {
    std::fs::read_to_string(server.home.path("log")).unwrap()
}

/// The lines of a log in JSON: the names of the spans, the id of the request, and the message.
fn lines(server: &Server) -> Vec<(Vec<String>, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let read = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let spans = line["spans"].as_array().cloned().unwrap_or_default();
        let names = spans.iter().map(|span| text(&span["name"])).collect();
        let id = spans.first().map(|span| text(&span["request_id"])).unwrap_or_default();
        (names, id, text(&line["fields"]["message"]))
    };
    log(server).lines().map(read).collect()
}

async fn generate(server: &Server, id: &str, stream: bool) {
    let body = json!({"modelId": "m@openai", "prompt": "How many?", "stream": stream});
    let call = server.request(Method::POST, "/v2/generate").header("x-request-id", id);
    call.json(&body).send().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_a_provider_and_a_streamed_answer_log_under_the_id_of_the_request() {
    let broken = || Reply::event_stream().event(&piece("Twelve")).end();
    let vendor = Upstream::start(move |request| match request.json()["stream"] == true {
        true => broken(),
        false => Reply::whole(500, "application/json", "{}"),
    });
    let vendor = vendor.unwrap();
    let logged = "log.format = \"json\"\nlog.level = \"debug\"\n";
    let server = Server::with(&(logged.to_owned() + &settings(&vendor.url(), "")));
    generate(&server, "whole-1", false).await;
    generate(&server, "streamed-1", true).await;
    let lines = lines(&server);
    let has = |spans: &[&str], id: &str, part: &str| {
        let is = |(names, found, message): &(Vec<String>, String, String)| {
            names == spans && found == id && message.contains(part)
        };
        assert!(lines.iter().any(is), "{spans:?} {id} {part}: {lines:#?}");
    };
    has(&["request", "provider_call"], "whole-1", "connect");
    has(&["request"], "whole-1", "a call of a provider failed");
    has(&["request"], "whole-1", "request failed");
    has(&["request"], "streamed-1", "request failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_and_its_calls_of_a_parser_log_under_the_id_of_the_request_that_enqueued_it() {
    // Too little memory for a parser, so that it ends at once.
    let server = Server::with("log.level = \"debug\"\nworkers.parser_memory_bytes = 1");
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    let call = server.request(Method::POST, "/v1/agent/inv/workflow/delta").header("x-request-id", "job-1");
    call.header("prefer", "respond-async").json(&json!([[{"url": file["id"]}]])).send().await.accepted();
    let is_logged = |line: &str| {
        let spans = ["request{request_id=job-1}:job{queue=\"delta\" ", "}:parser_call{task=\"parse\" "];
        line.contains("a pipe to a parser process broke") && spans.iter().all(|span| line.contains(span))
    };
    settle("the log of the job", async || log(&server).lines().any(is_logged)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_sign_ins_are_logged_with_their_address_and_without_the_key() {
    let server = Server::start();
    for _ in 0..3 {
        let wrong = "fw_aaaaaaaa_this-is-no-key-of-this-server";
        server.request(Method::GET, "/v1/me").key(wrong).send().await.fails(401, "invalid_key");
    }
    let log = log(&server);
    let lines = log.lines().filter(|line| line.contains("a sign-in failed"));
    // The first, the second, the fourth and so on.
    assert_eq!(lines.filter(|line| line.contains("address=127.0.0.1")).count(), 2, "{log}");
    assert!(!log.contains("no-key-of-this-server"), "{log}");
}
