//! What Google answers, whole, in pieces and refused.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use gen_core::{
    ChatEvent, ChatModel as _, ChatRequest, EmbedModel as _, EmbedRequest, Fault, Finish, ImageModel as _,
    ImageRequest, ModelKind, ModelList as _, ProviderError, SpeechModel as _, SpeechRequest, Usage,
};
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::kit::{KEY, google, question, same_wherever_it_is_cut, small, stream, streamed, text};

fn record(parts: Value, finish: Option<&str>, written: u64) -> String {
    let body = json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}],
        "usageMetadata": {"promptTokenCount": 20, "candidatesTokenCount": written, "thoughtsTokenCount": 5},
        "modelVersion": "m"
    });
    format!("data: {body}\r\n\r\n")
}

fn whole() -> String {
    [
        record(json!([{"text": "hm", "thought": true}]), None, 0),
        record(json!([{"text": "Zwölf "}]), None, 2),
        "data: {\"usageMetadata\": {}, \"new\": [1]}\r\n\r\n".to_owned(),
        record(json!([{"text": "🍐."}, {"new": {}}]), Some("STOP"), 4),
    ]
    .concat()
}

fn end(finish: Finish) -> ChatEvent {
    let usage = Usage { input_tokens: 20, output_tokens: 9, cached_tokens: 0, reasoning_tokens: 5 };
    ChatEvent::End { finish, usage, warnings: Vec::new() }
}

async fn play(reply: Reply) -> (Vec<ChatEvent>, Result<(), ProviderError>) {
    let upstream = Upstream::start_replies([reply]).unwrap();
    streamed(&google(&upstream.url(), small()), question()).await
}

#[tokio::test]
async fn a_stream_is_the_same_wherever_its_bytes_are_cut() {
    let told = ("Zwölf 🍐.", end(Finish::Stop));
    same_wherever_it_is_cut(&whole(), |url| google(url, small()), question(), told).await;
}

#[tokio::test]
async fn a_stream_without_a_finish_reason_is_broken_and_what_it_cost_is_told() {
    let script = record(json!([{"text": "Zwölf Birnen"}]), None, 0);
    for reply in [stream(&script), Reply::event_stream().chunk(&script).close()] {
        let (events, outcome) = play(reply).await;
        let error = outcome.unwrap_err();
        assert_eq!((error.fault, text(&events).as_str()), (Fault::Unreachable, "Zwölf Birnen"));
        assert_eq!((error.usage.input_tokens, error.usage.output_tokens), (20, 5));
    }
    let uncounted = "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"12345678\"}]}}]}\n\n";
    let error = play(stream(uncounted)).await.1.unwrap_err();
    // The question has 18 characters.
    assert_eq!((error.usage.input_tokens, error.usage.output_tokens), (5, 2));
    assert_eq!(play(stream("")).await.1.unwrap_err().fault, Fault::Unreachable);
}

#[tokio::test]
async fn an_answer_that_said_why_it_stopped_is_whole_even_when_the_connection_breaks() {
    let (events, outcome) = play(Reply::event_stream().chunk(whole()).close()).await;
    outcome.unwrap();
    assert_eq!(events.last(), Some(&end(Finish::Stop)));
}

#[tokio::test]
async fn an_error_in_the_middle_ends_a_stream() {
    let error = json!({"error": {"code": 503, "message": "Busy", "status": "UNAVAILABLE"}});
    let script = record(json!([{"text": "A word"}]), None, 1) + &format!("data: {error}\n\n");
    let (events, outcome) = play(stream(&script)).await;
    let error = outcome.unwrap_err();
    assert_eq!(
        (error.fault, error.message.as_str(), text(&events).as_str()),
        (Fault::Overloaded, "Busy", "A word")
    );
    assert_eq!(error.usage.input_tokens, 20);
}

#[tokio::test]
async fn what_was_withheld_after_some_text_ends_the_stream_and_before_it_fails() {
    let (events, outcome) =
        play(stream(&(record(json!([{"text": "Well"}]), None, 1) + &record(json!([]), Some("SAFETY"), 4))))
            .await;
    outcome.unwrap();
    assert_eq!(events, [ChatEvent::Text("Well".into()), end(Finish::Refused)]);
    let (_, outcome) = play(stream(&record(json!([]), Some("SAFETY"), 0))).await;
    assert_eq!(outcome.unwrap_err().fault, Fault::Refused);
    let blocked = "data: {\"promptFeedback\": {\"blockReason\": \"SAFETY\"}}\n\n";
    assert_eq!(play(stream(blocked)).await.1.unwrap_err().fault, Fault::Refused);
}

async fn refused(status: u16, body: Value) -> ProviderError {
    let upstream = Upstream::start_replies([Reply::json(status, &body)]).unwrap();
    google(&upstream.url(), small()).chat(question()).await.unwrap_err()
}

fn error(code: u16, status: &str, details: Value) -> Value {
    json!({"error": {"code": code, "message": "Sorry", "status": status, "details": details}})
}

#[tokio::test]
async fn each_status_has_its_fault() {
    for (code, status, fault) in [
        (400, "INVALID_ARGUMENT", Fault::InvalidRequest),
        (400, "FAILED_PRECONDITION", Fault::InvalidRequest),
        (401, "UNAUTHENTICATED", Fault::Auth),
        (403, "PERMISSION_DENIED", Fault::Auth),
        (404, "NOT_FOUND", Fault::InvalidRequest),
        (429, "RESOURCE_EXHAUSTED", Fault::RateLimited),
        (500, "INTERNAL", Fault::Failed),
        (503, "UNAVAILABLE", Fault::Overloaded),
        (504, "DEADLINE_EXCEEDED", Fault::Failed),
    ] {
        let refusal = refused(code, error(code, status, json!([]))).await;
        assert_eq!((refusal.fault, refusal.message.as_str()), (fault, "Sorry"), "{status}");
        let listed = refused(code, json!([error(code, status, json!([]))])).await;
        assert_eq!(listed.fault, fault, "{status} in a list");
    }
}

#[tokio::test]
async fn a_key_that_is_not_valid_is_told_from_a_wrong_request() {
    let details = json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]);
    assert_eq!(refused(400, error(400, "INVALID_ARGUMENT", details)).await.fault, Fault::Auth);
}

#[tokio::test]
async fn a_daily_quota_is_told_from_a_rate_and_the_wait_is_heard() {
    let details = |quota: &str| {
        json!([
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3.5s"}
        ])
    };
    let rate = refused(429, error(429, "RESOURCE_EXHAUSTED", details("RequestsPerMinutePerProject"))).await;
    assert_eq!((rate.fault, rate.retry_after), (Fault::RateLimited, Some(Duration::from_millis(3_500))));
    let daily = refused(429, error(429, "RESOURCE_EXHAUSTED", details("RequestsPerDayPerProject"))).await;
    assert_eq!((daily.fault, daily.is_retryable()), (Fault::Billing, false));
}

#[tokio::test]
async fn an_error_never_shows_the_key() {
    let body = json!({"error": {"code": 400, "message": format!("bad key {KEY}"), "status": KEY}});
    let error = refused(400, body).await;
    assert!(!format!("{error:?} {error}").contains(KEY));
    assert!(!format!("{:?}", google("http://127.0.0.1:9", small())).contains(KEY));
}

#[tokio::test]
async fn texts_are_embedded_a_hundred_at_a_time_in_their_order() {
    let upstream = Upstream::start(|request| {
        let requests = request.json()["requests"].as_array().unwrap().clone();
        let vector = |request: &Value| {
            let text = request["content"]["parts"][0]["text"].as_str().unwrap();
            json!({"values": [text.parse::<f32>().unwrap(), 1]})
        };
        let embeddings: Vec<_> = requests.iter().map(vector).collect();
        Reply::json(200, &json!({"embeddings": embeddings, "usageMetadata": {"promptTokenCount": 3}}))
    })
    .unwrap();
    let texts = (0..250).map(|number| number.to_string()).collect();
    let request = EmbedRequest { model: "m".into(), texts, ..EmbedRequest::default() };
    let embeddings = google(&upstream.url(), small()).embed(request).await.unwrap();
    assert_eq!(embeddings.vectors.len(), 250);
    assert!(embeddings.vectors.iter().zip(0_u16..).all(|(vector, number)| vector[0] == f32::from(number)));
    assert_eq!((upstream.count(), embeddings.usage.input_tokens), (3, 9));
}

#[tokio::test]
async fn a_failure_of_a_later_portion_tells_what_the_earlier_ones_cost() {
    let good =
        json!({"embeddings": vec![json!({"values": [1]}); 100], "usageMetadata": {"promptTokenCount": 3}});
    let uneven = json!({"embeddings": [{"values": [1, 2]}], "usageMetadata": {"promptTokenCount": 4}});
    for (second, fault, tokens) in [
        (Reply::json(503, &json!({})), Fault::Overloaded, 3),
        (Reply::json(200, &uneven), Fault::Protocol, 7),
        (Reply::json(200, &json!({"embeddings": []})), Fault::Protocol, 4),
    ] {
        let upstream = Upstream::start_replies([Reply::json(200, &good), second]).unwrap();
        let texts = vec!["a".to_owned(); 101];
        let request = EmbedRequest { model: "m".into(), texts, ..EmbedRequest::default() };
        let error = google(&upstream.url(), small()).embed(request).await.unwrap_err();
        assert_eq!((error.fault, error.usage.input_tokens), (fault, tokens));
    }
}

fn made(kind: &str, bytes: &[u8]) -> Upstream {
    let data = json!({"inlineData": {"mimeType": kind, "data": BASE64_STANDARD.encode(bytes)}});
    let body = json!({"candidates": [{"content": {"parts": [data]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 2, "candidatesTokenCount": 8}});
    Upstream::start_replies([Reply::json(200, &body)]).unwrap()
}

#[tokio::test]
async fn a_picture_and_a_sound_come_as_files() {
    let upstream = made("image/png", b"\x89PNG\r\n");
    let request = ImageRequest { model: "m".into(), prompt: "a boat".into() };
    let answer = google(&upstream.url(), small()).image(request).await.unwrap();
    assert_eq!((answer.images[0].content_type.as_str(), answer.usage.total()), ("image/png", 10));
    assert_eq!(&answer.images[0].bytes[..], b"\x89PNG\r\n");
    let upstream = made("audio/L16;codec=pcm;rate=24000", &[1, 0, 2, 0]);
    let request = SpeechRequest { model: "m".into(), text: "Hi".into(), voice: None };
    let answer = google(&upstream.url(), small()).speech(request).await.unwrap();
    assert_eq!((answer.audio.content_type.as_str(), answer.usage.total()), ("audio/wav", 10));
    assert_eq!((&answer.audio.bytes[..4], &answer.audio.bytes[44..]), (&b"RIFF"[..], &[1, 0, 2, 0][..]));
}

#[tokio::test]
async fn a_list_is_read_page_by_page() {
    let model = |name: &str, methods: Value| {
        json!({"name": name, "displayName": name,
        "inputTokenLimit": 1000, "outputTokenLimit": 100, "supportedGenerationMethods": methods})
    };
    let first = json!({"models": [model("models/a", json!(["generateContent"])),
        model("models/live", json!(["bidiGenerateContent"]))], "nextPageToken": "t/2"});
    let last = json!({"models": [model("models/e", json!(["embedContent"]))], "nextPageToken": ""});
    let upstream = Upstream::start_replies([Reply::json(200, &first), Reply::json(200, &last)]).unwrap();
    let models = google(&upstream.url(), small()).list().await.unwrap();
    let found: Vec<_> = models.iter().map(|model| (model.model.as_str(), model.kind)).collect();
    assert_eq!(found, [("a", None), ("e", Some(ModelKind::TextToEmbedding))]);
    assert!(upstream.requests()[1].path.contains("pageToken=t%2F2"));
}

#[tokio::test]
async fn the_name_of_a_model_stays_one_segment_of_the_path() {
    let upstream = Upstream::start_replies([Reply::json(400, &json!({}))]).unwrap();
    for (name, path) in [
        ("../../v2/files?x=1#", "/v1/models/..%2F..%2Fv2%2Ffiles%3Fx=1%23:generateContent"),
        ("..", "/v1/models/..:generateContent"),
        ("é", "/v1/models/%C3%A9:generateContent"),
    ] {
        let request = ChatRequest { model: name.into(), ..question() };
        google(&upstream.url(), small()).chat(request).await.unwrap_err();
        assert_eq!(upstream.requests().pop().unwrap().path, path);
    }
}
