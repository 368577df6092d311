//! Traces: what a collector is sent, and that one that is hanging or away costs nothing.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as AnyValue;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use prost::Message as _;
use reqwest::Method;
use serde_json::json;
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::generate::kit::{KEY, said, settings, streamed};
use crate::kit::{Server, invoice, invoice_schema, settle};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";
/// The key of the collector.
const COLLECTOR_KEY: &str = "Kx4mQ9collectorT7w";

fn collector() -> Upstream {
    Upstream::start(|_| Reply::whole(200, "application/x-protobuf", "")).unwrap()
}

fn traces(collector: &Upstream) -> String {
    format!(
        "[traces]\nendpoint = \"{}\"\nservice_name = \"forms\"\nheaders = {{ x-collector-key = \"{COLLECTOR_KEY}\" }}\n",
        collector.url()
    )
}

fn bodies(collector: &Upstream) -> Vec<ExportTraceServiceRequest> {
    let body = |request: &ReceivedRequest| {
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/traces"));
        assert_eq!(request.header("content-type"), Some("application/x-protobuf"));
        assert_eq!(request.header("x-collector-key"), Some(COLLECTOR_KEY));
        ExportTraceServiceRequest::decode(request.body.as_slice()).unwrap()
    };
    collector.requests().iter().map(body).collect()
}

/// The exported spans.
fn spans(collector: &Upstream) -> Vec<Span> {
    let resources = bodies(collector).into_iter().flat_map(|body| body.resource_spans);
    resources.flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans).collect()
}

/// Waits for a span with this name.
async fn exported(collector: &Upstream, name: &str) -> Span {
    let find = || spans(collector).into_iter().find(|span| span.name == name);
    settle(name, async || find().is_some()).await;
    find().unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text(span: &Span, name: &str) -> String {
    let found = span.attributes.iter().find(|attribute| attribute.key == name);
    let value = found.and_then(|attribute| attribute.value.as_ref()?.value.as_ref());
    match value {
        Some(AnyValue::StringValue(text)) => text.clone(),
        Some(AnyValue::IntValue(number)) => number.to_string(),
        other => panic!("{name} is {other:?} in {span:?}"),
    }
}

/// A prompt with a text that must not be exported.
async fn generate(server: &Server, stream: bool) {
    let body = json!({"modelId": "m@openai", "prompt": "the private prompt", "stream": stream});
    let call = server.request(Method::POST, "/v2/generate?note=private-query");
    let call =
        call.header("traceparent", format!("00-{TRACE}-{CALLER}-01")).header("x-request-id", "order-17");
    call.json(&body).send().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_continues_the_trace_of_its_caller_and_the_provider_call_is_its_child() {
    let (collector, vendor) = (collector(), Upstream::start(|_| said("the private answer")).unwrap());
    let server = Server::with(&(settings(&vendor.url(), "") + &traces(&collector)));
    generate(&server, false).await;
    let request = exported(&collector, "POST /v2/generate").await;
    assert_eq!((hex(&request.trace_id), hex(&request.parent_span_id)), (TRACE.to_owned(), CALLER.to_owned()));
    assert_eq!(request.kind, SpanKind::Server as i32);
    for (name, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/v2/generate"),
        ("http.response.status_code", "200"),
        ("formwork.request.id", "order-17"),
    ] {
        assert_eq!(text(&request, name), value);
    }
    let call = exported(&collector, "chat m").await;
    assert_eq!(hex(&call.trace_id), TRACE);
    assert_eq!(call.parent_span_id, request.span_id);
    assert_eq!(call.kind, SpanKind::Client as i32);
    for (name, value) in [
        ("gen_ai.provider.name", "openai"),
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.request.model", "m"),
        ("gen_ai.usage.input_tokens", "11"),
        ("gen_ai.usage.output_tokens", "7"),
        ("http.request.method", "POST"),
        ("http.response.status_code", "200"),
        ("server.address", "127.0.0.1"),
    ] {
        assert_eq!(text(&call, name), value);
    }
    assert!(call.start_time_unix_nano >= request.start_time_unix_nano);
    assert!(call.end_time_unix_nano <= request.end_time_unix_nano);
    // The provider learns of the trace only if the settings say so.
    assert_eq!(vendor.requests()[0].header("traceparent"), None);
    let resource = bodies(&collector).remove(0).resource_spans.remove(0).resource.unwrap();
    let service = resource.attributes.iter().find(|attribute| attribute.key == "service.name").unwrap();
    let name = service.value.as_ref().unwrap().value.clone();
    assert_eq!(name, Some(AnyValue::StringValue("forms".to_owned())));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_answer_and_its_call_end_with_their_last_byte() {
    let (collector, vendor) = (collector(), Upstream::start(|_| streamed(&["Twelve"])).unwrap());
    let server = Server::with(&(settings(&vendor.url(), "") + &traces(&collector)));
    generate(&server, true).await;
    let request = exported(&collector, "POST /v2/generate").await;
    let call = exported(&collector, "chat m").await;
    assert_eq!(call.parent_span_id, request.span_id);
    assert_eq!(text(&call, "gen_ai.usage.output_tokens"), "7");
    assert!(call.end_time_unix_nano <= request.end_time_unix_nano);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_secret_is_exported_and_failures_are_told_by_their_codes() {
    let refused = || Reply::json(500, &json!({"error": {"message": "the private reason"}}));
    let (collector, vendor) = (collector(), Upstream::start(move |_| refused()).unwrap());
    let server = Server::with(&(settings(&vendor.url(), "") + &traces(&collector)));
    generate(&server, false).await;
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("private-name.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    server.delta("inv", "", &[&[&file["id"]]]).await;
    let call = exported(&collector, "chat m").await;
    assert_eq!(text(&call, "error.type"), "provider_failed");
    assert_eq!(call.status.as_ref().map(|status| status.code), Some(2));
    let job = exported(&collector, "process delta").await;
    let parse = exported(&collector, "parser_call").await;
    let run = exported(&collector, "POST /v1/agent/{namespace}/workflow/delta").await;
    assert_eq!((&job.trace_id, &job.parent_span_id), (&run.trace_id, &run.span_id));
    assert_eq!((&parse.trace_id, &parse.parent_span_id), (&job.trace_id, &job.span_id));
    assert_eq!(text(&parse, "formwork.parser.task"), "parse");
    for span in spans(&collector) {
        assert_eq!(span.events, []);
    }
    let sent: Vec<u8> = collector.requests().into_iter().flat_map(|request| request.body).collect();
    let sent = String::from_utf8_lossy(&sent).into_owned();
    for secret in [server.key.as_str(), KEY, COLLECTOR_KEY, "private", "A-1", "Invoice No"] {
        assert!(!sent.contains(secret), "{secret}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_async_request_is_exported_while_its_jobs_still_run() {
    let (open, opened) = tokio::sync::watch::channel(false);
    let vendor =
        Upstream::start(move |_| Reply::raw().until(opened.clone()).followed_by(said("{}"))).unwrap();
    let collector = collector();
    let models = "default = \"m@openai\"";
    let server = Server::with(&(settings(&vendor.url(), models) + &traces(&collector)));
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    let run = json!([[{"url": file["id"]}]]);
    server.post("/v1/agent/inv/workflow/delta?async=true", run).await.accepted();
    vendor.wait_for_requests(1).await;
    let run = exported(&collector, "POST /v1/agent/{namespace}/workflow/delta").await;
    assert!(spans(&collector).iter().all(|span| span.name != "process delta"));
    open.send(true).unwrap();
    let job = exported(&collector, "process delta").await;
    assert_eq!((&job.trace_id, &job.parent_span_id), (&run.trace_id, &run.span_id));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_is_told_of_the_trace_if_the_settings_say_so() {
    let (collector, vendor) = (collector(), Upstream::start(|_| said("Twelve")).unwrap());
    let told = traces(&collector) + "send_to_providers = \"on\"\n";
    let server = Server::with(&(settings(&vendor.url(), "") + &told));
    generate(&server, false).await;
    let call = exported(&collector, "chat m").await;
    let sent = format!("00-{TRACE}-{}-01", hex(&call.span_id));
    assert_eq!(vendor.requests()[0].header("traceparent"), Some(sent.as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_traces_that_callers_record_are_exported_when_the_share_is_zero() {
    let (collector, vendor) = (collector(), Upstream::start(|_| said("Twelve")).unwrap());
    let server = Server::with(&(settings(&vendor.url(), "") + &traces(&collector) + "sample_ratio = 0\n"));
    server.get("/v1/me").await.ok();
    generate(&server, false).await;
    exported(&collector, "POST /v2/generate").await;
    assert!(spans(&collector).iter().all(|span| hex(&span.trace_id) == TRACE));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_spans_are_exported_before_the_server_ends() {
    let collector = collector();
    let mut server = Server::with(&traces(&collector));
    server.get("/v1/me").await.ok();
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
    assert!(spans(&collector).iter().any(|span| span.name == "GET /v1/me"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_hangs_holds_up_neither_answers_nor_the_end() {
    let collector = Upstream::start(|_| Reply::raw().hold()).unwrap();
    let mut server = Server::with(&traces(&collector));
    server.get("/v1/me").await.ok();
    collector.wait_for_requests(1).await;
    // More spans than the queue has room for, while an export hangs.
    for _ in 0..2_100 {
        server.get("/v1/me").await.ok();
    }
    server.terminate();
    let ended = tokio::task::spawn_blocking(move || (server.wait().code(), server));
    let ended = tokio::time::timeout(std::time::Duration::from_secs(60), ended).await;
    let (code, server) = ended.expect("the server ends").unwrap();
    assert_eq!(code, Some(0));
    let log = std::fs::read_to_string(server.home.path("log")).unwrap();
    assert!(log.contains("the last spans of traces could not be exported"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_refuses_spans_is_logged_once_and_requests_are_answered() {
    let collector = Upstream::start(|_| Reply::whole(400, "text/plain", "no")).unwrap();
    let server = Server::with(&traces(&collector));
    // The third export begins when two have failed.
    settle("three exports", async || {
        server.get("/v1/me").await.ok();
        collector.count() >= 3
    })
    .await;
    let log = std::fs::read_to_string(server.home.path("log")).unwrap();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("could not be exported")).collect();
    assert_eq!(lines.len(), 1, "{log}");
    assert!(lines[0].contains("status code: 400"), "{log}");
}
