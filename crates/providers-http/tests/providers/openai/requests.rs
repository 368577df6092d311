//! What is sent, to the byte.

use gen_core::{
    ChatModel as _, ChatRequest, EmbedModel as _, EmbedRequest, Fault, ImageModel as _, ImageRequest,
    Message, ModelList as _, Part, ResponseSchema, Role, SpeechModel as _, SpeechRequest,
    StreamingChatModel as _,
};
use providers_http::OpenAiCompatible;
use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::kit::{KEY, completion, endpoint, last_piece, openai, question, small};

fn full() -> ChatRequest {
    let document = Part::Document { name: "bill.pdf".into(), description: None, text: "Total 5".into() };
    ChatRequest {
        model: "gpt-4.1".into(),
        system: Some("Be short.".into()),
        messages: vec![
            Message { role: Role::User, parts: vec![document, Part::Text("How much?".into())] },
            Message { role: Role::Assistant, parts: vec![Part::Text("5".into())] },
        ],
        response_schema: Some(ResponseSchema {
            name: "bill".into(),
            schema: json!({"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}}),
        }),
        max_tokens: Some(99),
        temperature: Some(0.2),
        top_p: Some(0.9),
        seed: Some(7),
        stop: vec!["END".into()],
        ..ChatRequest::default()
    }
}

fn answering() -> Upstream {
    Upstream::start_replies([Reply::json(200, &completion("5", "stop"))]).unwrap()
}

const CONVERSATION: &str = concat!(
    r#"[{"role":"system","content":"Be short."},"#,
    r#"{"role":"user","content":"<document number=\"1\" name=\"bill.pdf\">\nTotal 5\n</document>\n\nHow much?"},"#,
    r#"{"role":"assistant","content":"5"}]"#,
);

/// The schema closed, with every property required and none without null, as the strict mode wants it.
const FORMAT: &str = concat!(
    r#"{"type":"json_schema","json_schema":{"name":"bill","strict":true,"#,
    r#""schema":{"type":"object","additionalProperties":false,"#,
    r#""properties":{"b":{"type":["string","null"]},"a":{"type":["string","null"]}},"required":["b","a"]}}}"#,
);

fn sent(upstream: &Upstream) -> String {
    let request = upstream.requests().remove(0);
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(request.header("content-type"), Some("application/json"));
    format!("{} {} {}", request.method, request.path, String::from_utf8(request.body).unwrap())
}

#[tokio::test]
async fn a_chat_request_of_openai_is_exactly_this() {
    let upstream = answering();
    openai(&upstream).chat(full()).await.unwrap();
    assert_eq!(
        sent(&upstream),
        format!(
            "POST /v1/chat/completions {{\"model\":\"gpt-4.1\",\"messages\":{CONVERSATION},\
             \"max_completion_tokens\":99,\"temperature\":0.2,\"top_p\":0.9,\"seed\":7,\"stop\":[\"END\"],\"response_format\":{FORMAT}}}"
        )
    );
}

#[tokio::test]
async fn a_chat_request_of_mistral_is_exactly_this() {
    let upstream = answering();
    let client = OpenAiCompatible::mistral(endpoint(&upstream.url(), small()));
    client.chat(full()).await.unwrap();
    assert_eq!(
        sent(&upstream),
        format!(
            "POST /v1/chat/completions {{\"model\":\"gpt-4.1\",\"messages\":{CONVERSATION},\
             \"max_tokens\":99,\"temperature\":0.2,\"top_p\":0.9,\"random_seed\":7,\"stop\":[\"END\"],\"response_format\":{FORMAT}}}"
        )
    );
}

#[tokio::test]
async fn a_streamed_chat_asks_for_its_tokens_where_that_is_understood() {
    let chat = r#"POST /v1/chat/completions {"model":"gpt-4.1","messages":[{"role":"user","content":"What is the total?"}],"stream":true"#;
    let upstream =
        Upstream::start_replies([Reply::events([last_piece("stop"), "[DONE]".to_owned()])]).unwrap();
    openai(&upstream).stream(question()).await.map(drop).unwrap();
    assert_eq!(sent(&upstream), format!("{chat},\"stream_options\":{{\"include_usage\":true}}}}"));
    assert_eq!(upstream.requests()[0].header("accept"), Some("text/event-stream"));

    let upstream =
        Upstream::start_replies([Reply::events([last_piece("stop"), "[DONE]".to_owned()])]).unwrap();
    let client = OpenAiCompatible::mistral(endpoint(&upstream.url(), small()));
    client.stream(question()).await.map(drop).unwrap();
    assert_eq!(sent(&upstream), format!("{chat}}}"));
}

#[tokio::test]
async fn a_reasoning_model_is_sent_no_temperature_and_a_warning_says_so() {
    let upstream = answering();
    let request = ChatRequest { model: "gpt-6-luna".into(), ..full() };
    let answer = openai(&upstream).chat(request).await.unwrap();
    let sent = upstream.requests()[0].json();
    let given = ["temperature", "top_p", "stop", "seed"].map(|name| sent.get(name).is_some());
    assert_eq!(given, [false, false, false, true]);
    let dropped = ["temperature", "topP", "stop"];
    assert_eq!(
        answer.warnings,
        dropped.map(|name| format!("'{name}' was left out: gpt-6-luna does not take it"))
    );
}

#[tokio::test]
async fn texts_are_embedded_in_portions_in_base64() {
    // One float, 1.0, for each text.
    let script = |request: &testkit::upstream::ReceivedRequest| {
        let count = request.json()["input"].as_array().unwrap().len();
        let data: Vec<_> = (0..count).map(|at| json!({"index": at, "embedding": "AACAPw=="})).collect();
        Reply::json(200, &json!({"data": data, "usage": {"prompt_tokens": count, "total_tokens": count}}))
    };
    let upstream = Upstream::start(script).unwrap();
    let texts = vec!["x".repeat(100); 3000];
    let request = EmbedRequest { model: "e".into(), texts, dimensions: Some(1), ..Default::default() };
    let answer = openai(&upstream).embed(request).await.unwrap();
    assert_eq!((answer.vectors.len(), answer.usage.input_tokens), (3000, 3000));
    let sizes: Vec<_> =
        upstream.requests().iter().map(|sent| sent.json()["input"].as_array().unwrap().len()).collect();
    assert_eq!(sizes, [1024, 1024, 952]);
    let first = upstream.requests()[0].json();
    assert_eq!((&first["encoding_format"], &first["dimensions"]), (&json!("base64"), &json!(1)));
}

#[tokio::test]
async fn no_texts_need_no_call() {
    let upstream = answering();
    let request = EmbedRequest { model: "e".into(), ..Default::default() };
    assert!(openai(&upstream).embed(request).await.unwrap().vectors.is_empty());
    assert_eq!(upstream.count(), 0);
}

#[tokio::test]
async fn an_image_request_names_the_format_only_to_own_servers() {
    let picture = Reply::json(200, &json!({"data": [{"b64_json": "iVBORw0KGgo="}]}));
    let request = || ImageRequest { model: "i".into(), prompt: "a cat".into() };
    let upstream = Upstream::start_replies([picture.clone()]).unwrap();
    openai(&upstream).image(request()).await.unwrap();
    assert_eq!(sent(&upstream), r#"POST /v1/images/generations {"model":"i","prompt":"a cat"}"#);
    let upstream = Upstream::start_replies([picture]).unwrap();
    OpenAiCompatible::self_hosted(endpoint(&upstream.url(), small())).image(request()).await.unwrap();
    assert_eq!(upstream.requests()[0].json()["response_format"], "b64_json");
}

#[tokio::test]
async fn a_speech_request_has_the_voice_of_the_request_the_settings_or_the_vendor() {
    let speech = |voice: Option<&str>| SpeechRequest {
        model: "s".into(),
        text: "Good day".into(),
        voice: voice.map(str::to_owned),
    };
    let upstream = Upstream::start_replies([Reply::whole(200, "audio/mpeg", "sound")]).unwrap();
    openai(&upstream).speech(speech(None)).await.unwrap();
    assert_eq!(
        sent(&upstream),
        r#"POST /v1/audio/speech {"model":"s","input":"Good day","voice":"alloy","response_format":"mp3"}"#
    );
    openai(&upstream).with_voice("echo").speech(speech(None)).await.unwrap();
    openai(&upstream).with_voice("echo").speech(speech(Some("nova"))).await.unwrap();
    let mistral = OpenAiCompatible::mistral(endpoint(&upstream.url(), small()));
    mistral.clone().with_voice("anna").speech(speech(None)).await.unwrap();
    mistral.speech(speech(None)).await.unwrap();
    let voices: Vec<_> = upstream.requests()[1..].iter().map(|sent| sent.json()).collect();
    assert_eq!((&voices[0]["voice"], &voices[1]["voice"]), (&json!("echo"), &json!("nova")));
    assert_eq!((voices[2].get("voice"), &voices[2]["voice_id"]), (None, &json!("anna")));
    assert_eq!((voices[3].get("voice"), voices[3].get("voice_id")), (None, None));
}

#[tokio::test]
async fn what_a_vendor_does_not_do_is_not_sent() {
    let upstream = answering();
    let mistral = OpenAiCompatible::mistral(endpoint(&upstream.url(), small()));
    let image = mistral.image(ImageRequest { model: "m".into(), prompt: "a cat".into() }).await;
    assert_eq!(image.unwrap_err().fault, Fault::Unsupported);
    let request = SpeechRequest { model: "s".into(), text: "a".repeat(4097), voice: None };
    assert_eq!(openai(&upstream).speech(request).await.unwrap_err().fault, Fault::Unsupported);
    assert_eq!(upstream.count(), 0);
}

#[tokio::test]
async fn a_list_of_models_is_read_page_by_page() {
    let upstream = Upstream::start_replies([
        Reply::json(
            200,
            &json!({"data": [{"id": "gpt-a"}, {"id": "gpt-b"}], "has_more": true, "last_id": "gpt-b"}),
        ),
        Reply::json(200, &json!({"data": [{"id": "gpt-b"}, {"id": "gpt-c"}], "has_more": false})),
    ])
    .unwrap();
    let models = openai(&upstream).list().await.unwrap();
    assert_eq!(
        models.iter().map(|model| model.model.as_str()).collect::<Vec<_>>(),
        ["gpt-a", "gpt-b", "gpt-c"]
    );
    let paths: Vec<_> = upstream.requests().into_iter().map(|sent| sent.path).collect();
    assert_eq!(paths, ["/v1/models", "/v1/models?after=gpt-b"]);
}

#[tokio::test]
async fn a_list_that_never_ends_is_read_no_further() {
    let upstream = Upstream::start(|request| {
        // A new last id each time, so that no page looks like the one before.
        let id = format!("gpt-{}", request.path.len());
        Reply::json(
            200,
            &json!({"data": [{"id": id}], "has_more": true, "last_id": "x".repeat(request.path.len())}),
        )
    })
    .unwrap();
    openai(&upstream).list().await.unwrap();
    assert!(upstream.count() <= 100);
}
