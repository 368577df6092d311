//! Tools and pictures: what each vendor is sent, and the calls in its answers.

use gen_core::{
    ChatAnswer, ChatEvent, ChatModel, ChatRequest, Finish, Media, Message, Part, Role, StreamingChatModel,
    Tool, ToolCall, ToolCalls, ToolChoice, ToolSet,
};
use providers_http::OpenAiCompatible;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::common::{small, stream, streamed, user};
use crate::openai::kit::{endpoint, openai};
use crate::vendors::kit::{anthropic, google};

fn weather() -> ToolSet {
    let parameters =
        json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let description = Some("Weather of a city.".to_owned());
    let tools = vec![Tool { name: "weather".into(), description, parameters, strict: None }];
    ToolSet { tools, ..ToolSet::default() }
}

fn call(id: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: "weather".into(), arguments: arguments.into() }
}

fn asking() -> ChatRequest {
    ChatRequest {
        model: "m".into(),
        messages: vec![user("Warm?")],
        tools: weather(),
        ..ChatRequest::default()
    }
}

/// A question with a picture, two calls, and their results.
fn continued() -> ChatRequest {
    let picture = Media { bytes: vec![1, 2, 3].into(), content_type: "image/png".into() };
    let result =
        |id: &str, text: &str| Part::ToolResult { id: id.into(), name: "weather".into(), text: text.into() };
    let messages = vec![
        Message { role: Role::User, parts: vec![Part::Picture(picture), Part::Text("Warm?".into())] },
        Message {
            role: Role::Assistant,
            parts: vec![
                Part::ToolCall(call("call_1.signature.c2ln", "{\"city\":\"Oslo\"}")),
                Part::ToolCall(call("call_2", "no JSON")),
            ],
        },
        Message {
            role: Role::User,
            parts: vec![result("call_1.signature.c2ln", "{\"c\":3}"), result("call_2", "cold")],
        },
    ];
    ChatRequest { messages, ..asking() }
}

/// The body that was sent for a request.
async fn sent(client: impl FnOnce(&Upstream) -> Box<dyn ChatModel>, request: ChatRequest) -> Value {
    // An answer that no vendor gives: the body is all that counts.
    let upstream = Upstream::start_replies([Reply::json(500, &json!({}))]).unwrap();
    let client = client(&upstream);
    assert!(client.chat(request).await.is_err());
    upstream.requests().remove(0).json()
}

fn of_openai(upstream: &Upstream) -> Box<dyn ChatModel> {
    Box::new(openai(upstream))
}

fn of_mistral(upstream: &Upstream) -> Box<dyn ChatModel> {
    Box::new(OpenAiCompatible::mistral(endpoint(&upstream.url(), small())))
}

fn of_anthropic(upstream: &Upstream) -> Box<dyn ChatModel> {
    Box::new(anthropic(&upstream.url(), small()))
}

fn of_google(upstream: &Upstream) -> Box<dyn ChatModel> {
    Box::new(google(&upstream.url(), small()))
}

fn with_choice(choice: ToolChoice, parallel: Option<bool>) -> ChatRequest {
    ChatRequest { tools: ToolSet { choice, parallel, ..weather() }, ..asking() }
}

#[tokio::test]
async fn openai_gets_functions_calls_results_and_pictures() {
    let body = sent(of_openai, continued()).await;
    let parameters = &weather().tools[0].parameters;
    assert_eq!(
        body["tools"],
        json!([{"type": "function", "function": {
            "name": "weather", "description": "Weather of a city.", "parameters": parameters}}])
    );
    assert!(body.get("tool_choice").is_none() && body.get("parallel_tool_calls").is_none(), "{body}");
    let function = |arguments: &str| json!({"name": "weather", "arguments": arguments});
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AQID"}},
                {"type": "text", "text": "Warm?"}
            ]},
            {"role": "assistant", "tool_calls": [
                {"id": "call_1", "type": "function", "function": function("{\"city\":\"Oslo\"}")},
                {"id": "call_2", "type": "function", "function": function("no JSON")}
            ]},
            {"role": "tool", "tool_call_id": "call_1", "content": "{\"c\":3}"},
            {"role": "tool", "tool_call_id": "call_2", "content": "cold"}
        ])
    );
    for (choice, parallel, told) in [
        (ToolChoice::None, None, json!("none")),
        (ToolChoice::Required, Some(false), json!("required")),
        (
            ToolChoice::Named("weather".into()),
            Some(true),
            json!({"type": "function", "function": {"name": "weather"}}),
        ),
    ] {
        let body = sent(of_openai, with_choice(choice, parallel)).await;
        assert_eq!((&body["tool_choice"], body["parallel_tool_calls"].as_bool()), (&told, parallel));
    }
    let plain = sent(of_openai, ChatRequest { tools: ToolSet::default(), ..asking() }).await;
    assert!(plain.get("tools").is_none() && plain["messages"][0]["content"] == "Warm?", "{plain}");
}

#[tokio::test]
async fn mistral_gets_its_own_word_for_a_required_call_and_ids_of_nine_characters() {
    let body = sent(of_mistral, with_choice(ToolChoice::Required, None)).await;
    assert_eq!(body["tool_choice"], "any");
    let body = sent(of_mistral, continued()).await;
    let ids: Vec<&str> =
        (0..2).map(|at| body["messages"][1]["tool_calls"][at]["id"].as_str().unwrap()).collect();
    assert!(
        ids.iter().all(|id| id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())),
        "{ids:?}"
    );
    assert_ne!(ids[0], ids[1]);
    assert_eq!(
        (&body["messages"][2]["tool_call_id"], &body["messages"][3]["tool_call_id"]),
        (&json!(ids[0]), &json!(ids[1]))
    );
}

#[tokio::test]
async fn anthropic_gets_tools_blocks_and_pictures() {
    let body = sent(of_anthropic, continued()).await;
    let parameters = &weather().tools[0].parameters;
    assert_eq!(
        body["tools"],
        json!([{"name": "weather", "description": "Weather of a city.", "input_schema": parameters}])
    );
    assert!(body.get("tool_choice").is_none(), "{body}");
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AQID"}},
                {"type": "text", "text": "Warm?"}
            ]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "call_1", "name": "weather", "input": {"city": "Oslo"}},
                {"type": "tool_use", "id": "call_2", "name": "weather", "input": {"arguments": "no JSON"}}
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "call_1", "content": "{\"c\":3}"},
                {"type": "tool_result", "tool_use_id": "call_2", "content": "cold"}
            ]}
        ])
    );
    for (choice, parallel, told) in [
        (ToolChoice::None, Some(false), json!({"type": "none"})),
        (ToolChoice::Auto, Some(false), json!({"type": "auto", "disable_parallel_tool_use": true})),
        (ToolChoice::Required, None, json!({"type": "any"})),
        (ToolChoice::Named("weather".into()), None, json!({"type": "tool", "name": "weather"})),
    ] {
        let body = sent(of_anthropic, with_choice(choice, parallel)).await;
        assert_eq!(body["tool_choice"], told);
    }
    let mut untyped = asking();
    untyped.tools.tools[0].parameters = json!({"properties": {}});
    let body = sent(of_anthropic, untyped).await;
    assert_eq!(body["tools"][0]["input_schema"], json!({"properties": {}, "type": "object"}));
}

#[tokio::test]
async fn google_gets_declarations_calls_with_their_signature_and_pictures() {
    let body = sent(of_google, continued()).await;
    let parameters = &weather().tools[0].parameters;
    assert_eq!(
        body["tools"],
        json!([{"functionDeclarations": [{
            "name": "weather", "description": "Weather of a city.", "parametersJsonSchema": parameters}]}])
    );
    assert!(body.get("toolConfig").is_none(), "{body}");
    let response = |value: Value| json!({"functionResponse": {"name": "weather", "response": value}});
    assert_eq!(
        body["contents"],
        json!([
            {"role": "user", "parts": [
                {"inlineData": {"mimeType": "image/png", "data": "AQID"}}, {"text": "Warm?"}
            ]},
            {"role": "model", "parts": [
                {"functionCall": {"name": "weather", "args": {"city": "Oslo"}}, "thoughtSignature": "c2ln"},
                {"functionCall": {"name": "weather", "args": {"arguments": "no JSON"}}}
            ]},
            {"role": "user", "parts": [response(json!({"c": 3})), response(json!({"result": "cold"}))]}
        ])
    );
    for (choice, told) in [
        (ToolChoice::None, json!({"mode": "NONE"})),
        (ToolChoice::Required, json!({"mode": "ANY"})),
        (ToolChoice::Named("weather".into()), json!({"mode": "ANY", "allowedFunctionNames": ["weather"]})),
    ] {
        let body = sent(of_google, with_choice(choice, None)).await;
        assert_eq!(body["toolConfig"]["functionCallingConfig"], told);
    }
    let mut foreign = continued();
    let Part::ToolCall(first) = &mut foreign.messages[1].parts[0] else { panic!("a call") };
    first.id = "call_1".into();
    let body = sent(of_google, foreign).await;
    let parts = &body["contents"][1]["parts"];
    assert_eq!(parts[0]["thoughtSignature"], "skip_thought_signature_validator");
    assert!(parts[1].get("thoughtSignature").is_none(), "{parts}");
}

/// The answer of a client to a reply.
async fn answer(client: impl FnOnce(&Upstream) -> Box<dyn ChatModel>, reply: Value) -> ChatAnswer {
    let upstream = Upstream::start_replies([Reply::json(200, &reply)]).unwrap();
    client(&upstream).chat(asking()).await.unwrap()
}

fn completion(message: Value, finish: &str) -> Value {
    json!({"choices": [{"message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 3}})
}

#[tokio::test]
async fn the_calls_of_complete_answers_are_read() {
    let entry = json!({"id": "call_9", "type": "function",
        "function": {"name": "weather", "arguments": "{\"city\":\"Oslo\"}"}});
    let wanted = call("call_9", "{\"city\":\"Oslo\"}");
    for (message, finish) in [
        (json!({"role": "assistant", "content": null, "tool_calls": [entry]}), "tool_calls"),
        // Some own servers say that the answer is complete, and give the arguments as an object.
        (
            json!({"content": "", "tool_calls": [{"id": "call_9", "function": {
                "name": "weather", "arguments": {"city": "Oslo"}}}]}),
            "stop",
        ),
    ] {
        let answer = answer(of_openai, completion(message, finish)).await;
        assert_eq!((answer.tool_calls, answer.finish), (vec![wanted.clone()], Finish::ToolCalls));
        assert_eq!(answer.text, "");
    }
    // Several calls without indices; one without an id gets one.
    let several = json!({"content": "Let me see.", "tool_calls": [entry, {"function": {"name": "weather", "arguments": "{"}}]});
    let several = answer(of_openai, completion(several, "length")).await;
    assert_eq!(
        (several.text.as_str(), several.finish, several.tool_calls.len()),
        ("Let me see.", Finish::Length, 2)
    );
    assert!(several.tool_calls[1].id.starts_with("call_") && several.tool_calls[1].arguments == "{");
    let said = answer(
        of_anthropic,
        json!({"content": [
            {"type": "text", "text": "Let me see."},
            {"type": "tool_use", "id": "call_9", "name": "weather", "input": {"city": "Oslo"}}
        ], "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 3}}),
    )
    .await;
    assert_eq!((said.text.as_str(), said.finish), ("Let me see.", Finish::ToolCalls));
    assert_eq!(said.tool_calls[0].arguments_object(), json!({"city": "Oslo"}));
    let part =
        json!({"functionCall": {"name": "weather", "args": {"city": "Oslo"}}, "thoughtSignature": "c2ln"});
    let reply = json!({"candidates": [{"content": {"parts": [part, {"functionCall": {"name": "weather"}}]},
        "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 3}});
    let said = answer(of_google, reply).await;
    assert_eq!((said.finish, said.tool_calls.len()), (Finish::ToolCalls, 2));
    assert_eq!(said.tool_calls[0].arguments_object(), json!({"city": "Oslo"}));
    assert!(said.tool_calls[0].id.ends_with(".signature.c2ln"), "{said:?}");
    assert_ne!(said.tool_calls[0].id, said.tool_calls[1].id);
}

#[tokio::test]
async fn calls_of_tools_that_were_not_offered_are_none() {
    let entry = json!({"id": "call_9", "function": {"name": "weather", "arguments": "{}"}});
    let reply = completion(json!({"content": "No tool.", "tool_calls": [entry]}), "stop");
    for set in [ToolSet::default(), ToolSet { choice: ToolChoice::None, ..weather() }] {
        let upstream = Upstream::start_replies([Reply::json(200, &reply)]).unwrap();
        let answer = openai(&upstream).chat(ChatRequest { tools: set, ..asking() }).await.unwrap();
        assert!(answer.tool_calls.is_empty() && answer.finish == Finish::Stop, "{answer:?}");
    }
}

/// The text, the calls and the reason of a streamed answer.
async fn told(client: &dyn StreamingChatModel) -> (String, Vec<ToolCall>, Finish) {
    let (events, outcome) = streamed(client, asking()).await;
    outcome.unwrap();
    let (mut text, mut calls, mut reason) = (String::new(), ToolCalls::default(), None);
    for event in events {
        match event {
            ChatEvent::Text(piece) => text.push_str(&piece),
            ChatEvent::ToolCall(delta) => calls.push(&delta),
            ChatEvent::End { finish, .. } => reason = Some(finish),
        }
    }
    (text, calls.into_vec(), reason.unwrap())
}

#[tokio::test]
async fn the_calls_of_streamed_answers_are_assembled_however_they_are_numbered() {
    let chunk = |calls: Value| json!({"choices": [{"delta": {"tool_calls": calls}}]}).to_string();
    let begun = |index: Value, id: &str, arguments: &str| {
        let function = json!({"name": "weather", "arguments": arguments});
        json!({"index": index, "id": id, "type": "function", "function": function})
    };
    let more = |index: Value, arguments: &str| json!({"index": index, "function": {"arguments": arguments}});
    let numbered = vec![
        chunk(json!([begun(json!(0), "a", "")])),
        chunk(json!([more(json!(0), "{\"city\":")])),
        chunk(json!([begun(json!(1), "b", "{}")])),
        chunk(json!([more(json!(0), "\"Oslo\"}")])),
    ];
    let all_zero = vec![
        chunk(json!([begun(json!(0), "a", "{\"city\":\"Oslo\"}")])),
        chunk(json!([begun(json!(0), "b", "{}")])),
    ];
    let unnumbered = vec![
        chunk(json!([begun(Value::Null, "a", "{\"city\":")])),
        chunk(json!([more(Value::Null, "\"Oslo\"}")])),
        chunk(json!([begun(Value::Null, "b", "{}")])),
    ];
    let wanted = vec![call("a", "{\"city\":\"Oslo\"}"), call("b", "{}")];
    for pieces in [numbered, all_zero, unnumbered] {
        let last = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}).to_string();
        let script = pieces.into_iter().chain([last, "[DONE]".to_owned()]);
        let upstream = Upstream::start_replies([Reply::events(script)]).unwrap();
        assert_eq!(told(&openai(&upstream)).await, (String::new(), wanted.clone(), Finish::ToolCalls));
    }
    let record = |value: Value| format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap());
    let script: String = [
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 5}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Let me see."}}),
        json!({"type": "content_block_start", "index": 1,
            "content_block": {"type": "tool_use", "id": "a", "name": "weather", "input": {}}}),
        json!({"type": "content_block_delta", "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": "{\"city\":"}}),
        json!({"type": "content_block_delta", "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": "\"Oslo\"}"}}),
        json!({"type": "content_block_start", "index": 2,
            "content_block": {"type": "tool_use", "id": "b", "name": "weather", "input": {}}}),
        json!({"type": "content_block_delta", "index": 2,
            "delta": {"type": "input_json_delta", "partial_json": "{}"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 3}}),
        json!({"type": "message_stop"}),
    ]
    .into_iter()
    .map(record)
    .collect();
    let upstream = Upstream::start_replies([stream(&script)]).unwrap();
    let client = anthropic(&upstream.url(), small());
    assert_eq!(told(&client).await, ("Let me see.".to_owned(), wanted.clone(), Finish::ToolCalls));
    let parts = |parts: Value, finish: Value| {
        format!(
            "data: {}\n\n",
            json!({"candidates": [{"content": {"parts": parts}, "finishReason": finish}]})
        )
    };
    let oslo = json!({"functionCall": {"name": "weather", "args": {"city": "Oslo"}}});
    let empty = json!({"functionCall": {"name": "weather", "args": {}}});
    let script =
        parts(json!([{"text": "Let me see."}, oslo]), Value::Null) + &parts(json!([empty]), json!("STOP"));
    let upstream = Upstream::start_replies([stream(&script)]).unwrap();
    let (text, calls, finish) = told(&google(&upstream.url(), small())).await;
    let arguments: Vec<&str> = calls.iter().map(|call| call.arguments.as_str()).collect();
    assert_eq!(
        (text.as_str(), arguments, finish),
        ("Let me see.", vec!["{\"city\":\"Oslo\"}", "{}"], Finish::ToolCalls)
    );
}
