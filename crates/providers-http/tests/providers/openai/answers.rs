//! What answers mean.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gen_core::{
    ChatAnswer, ChatModel as _, ChatRequest, Fault, Finish, ImageModel as _, ImageRequest, ProviderError,
    ResponseSchema, SpeechModel as _, SpeechRequest, Usage,
};
use providers_http::OpenAiCompatible;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::kit::{Operation, completion, endpoint, openai, question, small};

async fn answer(body: Value) -> Result<ChatAnswer, ProviderError> {
    let upstream = Upstream::start_replies([Reply::json(200, &body)]).unwrap();
    openai(&upstream).chat(question()).await
}

#[tokio::test]
async fn a_chat_answer_has_its_text_and_its_tokens() {
    let mut body = completion("Five.", "stop");
    body["usage"]["prompt_tokens_details"] = json!({"cached_tokens": 8, "audio_tokens": 0});
    body["usage"]["completion_tokens_details"] = json!({"reasoning_tokens": 4});
    let answer = answer(body).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.finish), ("Five.", Finish::Stop));
    let usage = Usage { input_tokens: 11, output_tokens: 7, cached_tokens: 8, reasoning_tokens: 4 };
    assert_eq!(answer.usage, usage);
}

#[tokio::test]
async fn each_reason_of_the_end_has_its_meaning() {
    for (reason, finish) in [
        ("stop", Finish::Stop),
        ("tool_calls", Finish::ToolCalls),
        ("something new", Finish::Other),
        ("length", Finish::Length),
        ("model_length", Finish::Length),
        ("content_filter", Finish::Refused),
    ] {
        assert_eq!(answer(completion("a", reason)).await.unwrap().finish, finish, "{reason}");
    }
    let error = answer(completion("", "content_filter")).await.unwrap_err();
    assert_eq!((error.fault, error.usage.output_tokens), (Fault::Refused, 7));
    assert_eq!(answer(completion("a", "error")).await.unwrap_err().fault, Fault::Failed);
}

#[tokio::test]
async fn a_structured_answer_is_in_the_schema_that_was_asked_for() {
    let upstream =
        Upstream::start_replies([Reply::json(200, &completion(r#"{"a": null, "b": "x"}"#, "stop"))]).unwrap();
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}});
    let asked = Some(ResponseSchema { name: "bill".into(), schema });
    let answer = openai(&upstream).chat(ChatRequest { response_schema: asked, ..question() }).await.unwrap();
    // The vendor must name every property; null stands for one that may be missing.
    assert_eq!(serde_json::from_str::<Value>(&answer.text).unwrap(), json!({"b": "x"}));
}

#[tokio::test]
async fn a_refusal_is_no_answer_though_its_words_are_kept() {
    let mut body = completion("", "stop");
    body["choices"][0]["message"] = json!({"role": "assistant", "content": null, "refusal": "I will not."});
    let answer = answer(body).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.finish), ("I will not.", Finish::Refused));
}

#[tokio::test]
async fn tokens_that_a_server_does_not_count_are_estimated() {
    let body = json!({"choices": [{"message": {"content": "12345"}, "finish_reason": "stop"}]});
    let usage = answer(body).await.unwrap().usage;
    // The question has 18 characters.
    assert_eq!((usage.input_tokens, usage.output_tokens), (5, 2));
    let nonsense = json!({"choices": [{"message": {"content": "12345"}}],
        "usage": {"prompt_tokens": -1, "completion_tokens": "many", "prompt_tokens_details": null}});
    let usage = answer(nonsense).await.unwrap().usage;
    assert_eq!((usage.input_tokens, usage.output_tokens), (5, 2));
}

#[tokio::test]
async fn an_answer_without_a_choice_is_none() {
    for body in [json!({}), json!({"choices": []}), json!({"choices": null}), json!([]), json!(7)] {
        assert_eq!(answer(body.clone()).await.unwrap_err().fault, Fault::Protocol, "{body}");
    }
}

#[tokio::test]
async fn an_error_in_a_successful_answer_is_an_error() {
    for operation in Operation::ALL {
        let body = json!({"error": {"message": "out of credits", "code": "insufficient_quota"}});
        let upstream = Upstream::start_replies([Reply::json(200, &body)]).unwrap();
        let error = operation.call(&openai(&upstream)).await.unwrap_err();
        assert_eq!(
            (error.fault, error.message.as_str()),
            (Fault::Billing, "out of credits"),
            "{operation:?}"
        );
    }
}

#[tokio::test]
async fn a_picture_is_given_with_the_type_that_it_has() {
    let png = [0x89, b'P', b'N', b'G', 13, 10, 26, 10];
    let body = json!({
        "data": [{"b64_json": STANDARD.encode(png), "revised_prompt": "a tabby cat"}],
        "usage": {"input_tokens": 5, "output_tokens": 272, "total_tokens": 277}
    });
    let upstream = Upstream::start_replies([Reply::json(200, &body)]).unwrap();
    let request = ImageRequest { model: "i".into(), prompt: "a cat".into() };
    let answer = openai(&upstream).image(request).await.unwrap();
    assert_eq!(
        (answer.images[0].content_type.as_str(), answer.images[0].bytes.as_ref()),
        ("image/png", &png[..])
    );
    assert_eq!(answer.text, "a tabby cat");
    assert_eq!((answer.usage.input_tokens, answer.usage.output_tokens), (5, 272));
}

#[tokio::test]
async fn what_is_no_picture_is_refused() {
    for body in [
        json!({"data": []}),
        json!({"data": [{"url": "https://example.com/a.png"}]}),
        json!({"data": [{"b64_json": "***"}]}),
        json!({"data": [{"b64_json": STANDARD.encode("<svg onload=x>")}]}),
    ] {
        let upstream = Upstream::start_replies([Reply::json(200, &body)]).unwrap();
        let error = Operation::Image.call(&openai(&upstream)).await.unwrap_err();
        assert_eq!(error.fault, Fault::Protocol, "{body}");
    }
}

#[tokio::test]
async fn speech_comes_as_a_file_or_in_json() {
    let encoded = json!({"audio_data": STANDARD.encode("sound")});
    for (reply, content_type) in [
        (Reply::whole(200, "audio/wav", "sound"), "audio/wav"),
        (Reply::whole(200, "application/octet-stream", "sound"), "audio/mpeg"),
        (Reply::json(200, &encoded), "audio/mpeg"),
    ] {
        let upstream = Upstream::start_replies([reply]).unwrap();
        let request = SpeechRequest { model: "s".into(), text: "hello".into(), voice: None };
        let audio = openai(&upstream).speech(request).await.unwrap().audio;
        assert_eq!((audio.content_type.as_str(), audio.bytes.as_ref()), (content_type, &b"sound"[..]));
    }
}

#[tokio::test]
async fn a_cut_answer_of_llama_cpp_is_unusable_and_missing_embeddings_are_unsupported() {
    let upstream = Upstream::start(|request| {
        if request.path.ends_with("/embeddings") {
            let body = json!({"error": {"code": 501, "message": "start it with embeddings", "type": "not_supported_error"}});
            return Reply::json(501, &body);
        }
        let said = "The model produced output that does not match the expected peg-native format";
        Reply::json(500, &json!({"error": {"code": 500, "message": said, "type": "server_error"}}))
    })
    .unwrap();
    let client = OpenAiCompatible::self_hosted(endpoint(&upstream.url(), small()));
    for (operation, fault) in [
        (Operation::Chat, Fault::Protocol),
        (Operation::Stream, Fault::Protocol),
        (Operation::Embed, Fault::Unsupported),
    ] {
        let error = operation.call(&client).await.unwrap_err();
        assert_eq!((error.fault, error.is_retryable()), (fault, false), "{operation:?}");
    }
    let cut = ChatRequest { max_tokens: Some(64), ..question() };
    let usage = client.chat(cut).await.unwrap_err().usage;
    assert_eq!((usage.input_tokens, usage.output_tokens), (5, 64));
}

#[tokio::test]
async fn an_answer_of_llama_cpp_that_breaks_off_under_a_schema_was_cut_by_its_bound() {
    let said = "The model produced output that does not match the expected peg-native format";
    let cut = json!({"error": {"code": 500, "message": said, "type": "server_error"}});
    let failed = json!({"error": {"code": 500, "message": "out of memory", "type": "server_error"}});
    let upstream = Upstream::start_replies([Reply::json(500, &cut), Reply::json(500, &failed)]).unwrap();
    let client = OpenAiCompatible::self_hosted(endpoint(&upstream.url(), small()));
    let schema = json!({"type": "object", "properties": {"total": {"type": "number"}}});
    let response_schema = Some(ResponseSchema { name: "receipt".into(), schema });
    let asked = ChatRequest { max_tokens: Some(64), response_schema, ..question() };
    let answer = client.chat(asked.clone()).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.finish, answer.usage.output_tokens), ("", Finish::Length, 64));
    assert_eq!(client.chat(asked).await.unwrap_err().fault, Fault::Failed);
}
