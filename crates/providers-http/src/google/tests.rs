//! Bodies and records written for these tests, in both directions.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use gen_core::{
    ChatAnswer, ChatEvent, ChatRequest, EmbedPurpose, Fault, Finish, Message, ModelKind, Part, ProviderError,
    Role, SpeechRequest, Usage,
};
use serde_json::{Value, json};

use super::answer::AnswerState;
use super::map::{self, GoogleStructured};
use super::wire;

fn whole(response: wire::GenerateResponse) -> Result<ChatAnswer, ProviderError> {
    map::answer(response, false)
}

fn ask(parts: Vec<Part>) -> ChatRequest {
    let messages = vec![Message { role: Role::User, parts }];
    ChatRequest { model: "m".into(), messages, ..ChatRequest::default() }
}

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn body(request: &ChatRequest, structured: GoogleStructured) -> Value {
    serde_json::to_value(map::request(request, None, structured).unwrap()).unwrap()
}

fn response(value: Value) -> wire::GenerateResponse {
    serde_json::from_value(value).unwrap()
}

fn answered(reason: Value, parts: Value) -> wire::GenerateResponse {
    response(json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason}],
        "usageMetadata": {"promptTokenCount": 4, "candidatesTokenCount": 2}}))
}

fn answer(reason: Value, parts: Value) -> Result<ChatAnswer, ProviderError> {
    whole(answered(reason, parts))
}

#[test]
fn a_bare_question_is_sent_bare() {
    let request = ask(vec![text("Hello"), text(" ")]);
    let expected = json!({"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]});
    assert_eq!(body(&request, GoogleStructured::default()), expected);
}

#[test]
fn documents_are_written_into_the_prompt_in_their_place() {
    let document = Part::Document { name: "bill".into(), description: None, text: "Total 5".into() };
    let body = body(&ask(vec![document, text("What?")]), GoogleStructured::default());
    let parts = body["contents"][0]["parts"].as_array().unwrap();
    assert!(parts[0]["text"].as_str().unwrap().contains("Total 5"));
    assert_eq!(parts[1], json!({"text": "What?"}));
}

#[test]
fn a_schema_is_asked_for_in_the_form_that_is_set() {
    let schema = json!({"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}});
    let request = ask(vec![text("Read")]);
    let config = |structured| {
        let body = map::request(&request, Some(&schema), structured).unwrap();
        serde_json::to_value(body).unwrap()["generationConfig"].clone()
    };
    let json_schema = json!({"responseMimeType": "application/json", "responseJsonSchema": schema});
    assert_eq!(config(GoogleStructured::JsonSchema), json_schema);
    assert_eq!(
        config(GoogleStructured::ResponseFormat),
        json!({"responseFormat": [{"text": {"mimeType": "APPLICATION_JSON", "schema": schema}}]})
    );
}

#[test]
fn a_request_without_text_is_told_before_it_is_sent() {
    let error = map::request(&ask(vec![text("")]), None, GoogleStructured::default()).unwrap_err();
    assert_eq!(error.fault, Fault::Unsupported);
}

#[test]
fn thoughts_are_counted_but_not_shown() {
    let answer = whole(response(json!({
        "candidates": [{
            "content": {"role": "model", "parts": [
                {"text": "hm", "thought": true}, {"text": "One, "}, {"new": {}}, {"text": "two."}
            ]},
            "finishReason": "STOP", "index": 0, "safetyRatings": []
        }, {"content": 7}],
        "usageMetadata": {"promptTokenCount": 10, "toolUsePromptTokenCount": 1, "candidatesTokenCount": 5,
            "thoughtsTokenCount": 20, "cachedContentTokenCount": 4, "totalTokenCount": 36},
        "modelVersion": "m", "responseId": "r"
    })))
    .unwrap();
    assert_eq!((answer.text.as_str(), answer.finish), ("One, two.", Finish::Stop));
    let usage = Usage { input_tokens: 11, output_tokens: 25, cached_tokens: 4, reasoning_tokens: 20 };
    assert_eq!(answer.usage, usage);
}

#[test]
fn every_finish_reason_has_its_meaning() {
    let text = json!([{"text": "x"}]);
    for (reason, finish) in [
        ("STOP", Finish::Stop),
        ("MAX_TOKENS", Finish::Length),
        ("CONTINUATION", Finish::Length),
        ("SAFETY", Finish::Refused),
        ("RECITATION", Finish::Refused),
    ] {
        assert_eq!(answer(json!(reason), text.clone()).unwrap().finish, finish, "{reason}");
    }
    for (reason, fault) in [
        ("SAFETY", Fault::Refused),
        ("LANGUAGE", Fault::Refused),
        ("SPII", Fault::Refused),
        ("MALFORMED_FUNCTION_CALL", Fault::Failed),
        ("OTHER", Fault::Failed),
        ("FROM_THE_FUTURE", Fault::Failed),
        ("", Fault::Protocol),
        ("FINISH_REASON_UNSPECIFIED", Fault::Protocol),
    ] {
        let error = answer(json!(reason), Value::Null).unwrap_err();
        assert_eq!((error.fault, error.usage.total()), (fault, 6), "{reason}");
    }
    assert!(answer(json!("SAFETY"), Value::Null).unwrap_err().message.contains("SAFETY"));
    assert!(!answer(json!("my-secret KEY"), Value::Null).unwrap_err().message.contains("KEY"));
    assert_eq!(answer(json!("MAX_TOKENS"), Value::Null).unwrap().text, "");
}

#[test]
fn a_blocked_prompt_is_a_refusal_and_an_answer_of_nothing_is_a_fault() {
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
        "usageMetadata": {"promptTokenCount": 9}});
    let error = whole(response(blocked)).unwrap_err();
    assert_eq!((error.fault, error.usage.input_tokens), (Fault::Refused, 9));
    assert_eq!(error.message, "the provider blocked the prompt (PROHIBITED_CONTENT)");
    for value in [json!({}), json!({"candidates": []}), json!({"candidates": null})] {
        assert_eq!(whole(response(value)).unwrap_err().fault, Fault::Protocol);
    }
}

#[test]
fn answers_with_other_types_are_not_read() {
    for value in [
        json!("text"),
        json!({"candidates": {}}),
        json!({"candidates": [null]}),
        json!({"candidates": [{"finishReason": 7}]}),
        json!({"candidates": [{"content": {"parts": {}}}]}),
        json!({"candidates": [{"content": {"parts": [{"text": 7}]}}]}),
        json!({"candidates": [{"content": {"parts": [{"inlineData": {"data": 7, "mimeType": "x"}}]}}]}),
        json!({"candidates": [], "usageMetadata": {"promptTokenCount": -1}}),
        json!({"candidates": [], "usageMetadata": 7}),
        json!({"promptFeedback": "blocked"}),
    ] {
        assert!(serde_json::from_value::<wire::GenerateResponse>(value.clone()).is_err(), "{value}");
    }
}

#[test]
fn records_of_a_stream_are_one_answer() {
    let mut answering = AnswerState::default();
    let record = |value: Value| response(value);
    let first = json!({"candidates": [{"content": {"parts": [{"text": "One, "}]}}],
        "usageMetadata": {"promptTokenCount": 8, "candidatesTokenCount": 1}});
    assert_eq!(answering.read(record(first)), "One, ");
    assert!(!answering.has_finished());
    let last = json!({"candidates": [{"content": {"parts": [{"text": "two."}]}, "finishReason": "STOP"}],
        "usageMetadata": {"candidatesTokenCount": 3}});
    assert_eq!(answering.read(record(last)), "two.");
    let usage = Usage { input_tokens: 8, output_tokens: 3, ..Usage::default() };
    let end = ChatEvent::End { finish: Finish::Stop, usage, warnings: Vec::new() };
    assert_eq!(answering.end().unwrap(), end);
}

fn file(kind: &str, bytes: &[u8]) -> Value {
    json!({"inlineData": {"mimeType": kind, "data": BASE64_STANDARD.encode(bytes)}})
}

#[test]
fn pictures_come_with_what_is_said_beside_them() {
    let parts = json!([{"text": "A boat."}, file("image/png", b"one"), file("image/jpeg", b"two")]);
    let answer = map::images(answered(json!("STOP"), parts)).unwrap();
    assert_eq!((answer.text.as_str(), answer.usage.total()), ("A boat.", 6));
    let kinds: Vec<_> = answer.images.iter().map(|image| image.content_type.as_str()).collect();
    assert_eq!(kinds, ["image/png", "image/jpeg"]);
    assert_eq!(&answer.images[1].bytes[..], b"two");
}

#[test]
fn an_answer_without_a_picture_is_a_refusal_that_still_costs() {
    let words = json!([{"text": "I would rather not."}]);
    let error = map::images(answered(json!("STOP"), words)).unwrap_err();
    assert_eq!((error.fault, error.usage.total()), (Fault::Refused, 6));
    let error = map::images(answered(json!("IMAGE_SAFETY"), Value::Null)).unwrap_err();
    assert_eq!(error.fault, Fault::Refused);
    let error = map::images(answered(json!("STOP"), json!([file("text/html", b"x")]))).unwrap_err();
    assert_eq!((error.fault, error.usage.total()), (Fault::Protocol, 6));
}

#[test]
fn speech_is_asked_for_with_a_voice_and_comes_as_a_wav_file() {
    let mut request = SpeechRequest { model: "m".into(), text: "Hi".into(), voice: None };
    let voice = |request: &SpeechRequest| {
        let body = serde_json::to_value(map::speech_request(request, "Kore")).unwrap();
        body["generationConfig"]["speechConfig"]["voiceConfig"]["prebuiltVoiceConfig"]["voiceName"].clone()
    };
    assert_eq!(voice(&request), "Kore");
    request.voice = Some("Puck".into());
    assert_eq!(voice(&request), "Puck");
    let parts = json!([file("audio/L16;codec=pcm;rate=16000", &[1, 2, 3, 4])]);
    let answer = map::speech(answered(json!("STOP"), parts)).unwrap();
    assert_eq!((answer.audio.content_type.as_str(), answer.usage.total()), ("audio/wav", 6));
    assert_eq!((&answer.audio.bytes[..4], &answer.audio.bytes[44..]), (&b"RIFF"[..], &[1, 2, 3, 4][..]));
}

#[test]
fn speech_that_was_cut_or_withheld_is_no_answer() {
    let sound = || json!([file("audio/L16;rate=16000", &[1, 2])]);
    for (reason, parts, fault) in [
        ("MAX_TOKENS", sound(), Fault::ContextTooLong),
        ("SAFETY", sound(), Fault::Refused),
        ("STOP", json!([{"text": "No."}]), Fault::Refused),
        ("OTHER", Value::Null, Fault::Failed),
    ] {
        assert_eq!(map::speech(answered(json!(reason), parts)).unwrap_err().fault, fault, "{reason}");
    }
}

#[test]
fn texts_are_embedded_for_their_purpose() {
    let texts = ["one".to_owned(), "two".to_owned()];
    let body = |purpose| serde_json::to_value(map::embed_request("models/m", &texts, purpose, None)).unwrap();
    let query = body(EmbedPurpose::Query);
    assert_eq!(query["requests"][1]["taskType"], "RETRIEVAL_QUERY");
    assert_eq!(query["requests"][0].get("outputDimensionality"), None);
    assert_eq!(body(EmbedPurpose::Document)["requests"][0]["taskType"], "RETRIEVAL_DOCUMENT");
}

#[test]
fn tokens_of_embedded_texts_are_estimated_where_they_are_not_told() {
    let texts = ["123456".to_owned(), "7ß9".to_owned()];
    let usage = |told: Value| map::embed_usage(serde_json::from_value(told).unwrap(), &texts).input_tokens;
    assert_eq!(usage(json!({"promptTokenCount": 8})), 8);
    assert_eq!((usage(json!({})), usage(Value::Null)), (3, 3));
}

#[test]
fn vectors_are_as_many_as_texts_of_one_length_and_finite() {
    let read = |json: &str, texts, before| {
        // With some of its features, the JSON parser itself rejects a number out of range.
        let response = serde_json::from_str(json).ok().ok_or(Fault::Protocol)?;
        map::vectors(response, texts, before).map_err(|error| error.fault)
    };
    let two = r#"{"embeddings": [{"values": [1, 2.5]}, {"values": [3, -4e-9]}]}"#;
    assert_eq!(read(two, 2, None), Ok(vec![vec![1.0, 2.5], vec![3.0, -4e-9]]));
    for (json, texts, before) in [
        (two, 1, None),
        (two, 3, None),
        (two, 2, Some(3)),
        (r#"{"embeddings": [{"values": []}]}"#, 1, None),
        (r#"{"embeddings": [{"values": [1]}, {"values": [1, 2]}]}"#, 2, None),
        (r#"{"embeddings": [{"values": [1e39]}]}"#, 1, None),
    ] {
        assert_eq!(read(json, texts, before), Err(Fault::Protocol), "{json}");
    }
    let long = json!({"embeddings": [{"values": vec![0; wire::DIMENSIONS + 9]}]}).to_string();
    assert_eq!(read(&long, 1, None), Err(Fault::Protocol));
}

#[test]
fn models_that_cannot_be_called_here_are_not_listed() {
    let model = |methods: Value| {
        let info = json!({"name": "models/m", "displayName": "M", "inputTokenLimit": 1_048_576,
            "outputTokenLimit": 65_536, "supportedGenerationMethods": methods, "version": "001"});
        map::model(serde_json::from_value(info).unwrap())
    };
    let listed = model(json!(["generateContent", "countTokens"])).unwrap();
    assert_eq!((listed.model.as_str(), listed.name.as_deref(), listed.kind), ("m", Some("M"), None));
    assert_eq!((listed.context_tokens, listed.output_tokens), (Some(1_048_576), Some(65_536)));
    let kind = |methods: Value| model(methods).map(|model| model.kind);
    assert_eq!(kind(json!(["embedContent"])), Some(Some(ModelKind::TextToEmbedding)));
    assert_eq!(kind(json!(["bidiGenerateContent"])), None);
    assert_eq!(kind(json!(["predict"])), None);
    assert_eq!(kind(Value::Null), Some(None));
}
