//! Tools and pictures of a request, and the calls of an answer.

use gen_core::scripted::ScriptedModel;
use gen_core::{
    ChatAnswer, ChatEvent, Fault, Finish, GenerateEvent, GenerateRequest, HistoryMessage, Part,
    ProviderError, Role, Tool, ToolCall, ToolCallDelta, ToolChoice, ToolSet, Usage,
};
use serde_json::{Value, json};
use shared_core::DomainError as _;

use crate::kit::{asking, generate, service, streamed, with_files};

const MODEL: &str = "m@openai";

fn tool(name: &str) -> Tool {
    Tool { name: name.into(), description: None, parameters: json!({"type": "object"}), strict: None }
}

fn weather() -> ToolSet {
    ToolSet { tools: vec![tool("weather")], ..ToolSet::default() }
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments: "{}".into() }
}

fn says(text: &str) -> Result<ChatAnswer, ProviderError> {
    Ok(ChatAnswer { text: text.into(), ..ChatAnswer::default() })
}

fn calls(calls: Vec<ToolCall>) -> Result<ChatAnswer, ProviderError> {
    Ok(ChatAnswer { tool_calls: calls, finish: Finish::ToolCalls, ..says("")? })
}

fn offering(set: ToolSet) -> GenerateRequest {
    GenerateRequest { tools: set, ..asking(MODEL, "Warm?") }
}

fn called(id: &str) -> HistoryMessage {
    HistoryMessage { tool_calls: vec![call(id, "weather")], ..HistoryMessage::text("assistant", "") }
}

fn result(id: &str, text: &str) -> HistoryMessage {
    HistoryMessage { tool_call_id: Some(id.into()), ..HistoryMessage::text("tool", text) }
}

#[test]
fn the_calls_of_the_model_are_passed_on_complete_and_streamed() {
    let (service, model, _) = service(ScriptedModel::new([calls(vec![call("a", "weather")])]));
    let answer = generate(&service, offering(weather())).unwrap();
    assert_eq!((answer.tool_calls, answer.finish), (vec![call("a", "weather")], Finish::ToolCalls));
    assert!(answer.warnings.is_empty(), "{:?}", answer.warnings);
    assert_eq!(model.asked()[0].tools, weather());
    let piece = |id: &str, name: &str, arguments: &str| {
        let (id, name, arguments) = (id.into(), name.into(), arguments.into());
        Ok(ChatEvent::ToolCall(ToolCallDelta { index: 0, id, name, arguments }))
    };
    let end = ChatEvent::End { finish: Finish::ToolCalls, usage: Usage::default(), warnings: Vec::new() };
    let pieces = [piece("a", "weather", "{"), piece("", "", "}"), Ok(end)];
    let (service, ..) = crate::kit::service(ScriptedModel::default().then_streams(pieces));
    let (texts, answer) = streamed(&service, offering(weather()));
    assert_eq!((texts.len(), answer.tool_calls), (0, vec![call("a", "weather")]));
}

#[test]
fn a_tool_that_was_invented_is_told() {
    let (service, ..) = service(ScriptedModel::new([calls(vec![call("a", "wether")])]));
    let answer = generate(&service, offering(weather())).unwrap();
    assert_eq!(answer.warnings, ["the model called 'wether', which is not one of 'tools'"]);
    assert_eq!(answer.tool_calls[0].name, "wether");
}

#[test]
fn calls_and_results_follow_the_prompt_and_its_sources() {
    let (service, model, _) = service(ScriptedModel::new([says("Cold [1].")]));
    let request = GenerateRequest {
        tools: weather(),
        messages: vec![HistoryMessage::text("user", "Hello"), HistoryMessage::text("assistant", "Hi")],
        tool_messages: vec![called("a"), result("a", "3 degrees")],
        ..with_files(MODEL, "Warm? When does the lease start?", &["1"])
    };
    let answer = generate(&service, request).unwrap();
    assert_eq!(answer.prompt, "Warm? When does the lease start?");
    let sent = &model.asked()[0].messages;
    let roles: Vec<Role> = sent.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User, Role::Assistant, Role::User]);
    assert!(matches!(&sent[2].parts[..], [Part::Document { .. }, Part::Text(_)]), "{sent:?}");
    assert!(matches!(&sent[3].parts[..], [Part::ToolCall(called)] if called.id == "a"), "{sent:?}");
    let [Part::ToolResult { id, name, text }] = &sent[4].parts[..] else { panic!("{sent:?}") };
    assert_eq!((id.as_str(), name.as_str(), text.as_str()), ("a", "weather", "3 degrees"));
}

#[test]
fn results_of_one_answer_are_one_message_with_what_the_user_says_next() {
    let (service, model, _) = service(ScriptedModel::new([says("Fine.")]));
    let both = HistoryMessage {
        tool_calls: vec![call("a", "weather"), call("b", "weather")],
        ..HistoryMessage::text("assistant", "Let me see.")
    };
    let messages = vec![
        HistoryMessage::text("user", "Warm?"),
        both,
        result("a", "3"),
        result("b", "4"),
        HistoryMessage::text("user", "Thanks"),
    ];
    generate(&service, GenerateRequest { messages, ..offering(weather()) }).unwrap();
    let sent = &model.asked()[0].messages;
    assert_eq!(sent.len(), 4, "{sent:?}");
    assert!(matches!(&sent[1].parts[..], [Part::Text(_), Part::ToolCall(_), Part::ToolCall(_)]));
    assert!(matches!(&sent[2].parts[..], [Part::ToolResult { .. }, Part::ToolResult { .. }, Part::Text(_)]));
}

#[test]
fn with_a_schema_the_model_may_call_first_and_answers_with_json_then() {
    let schema = json!({"type": "json_schema", "json_schema": {"name": "n", "schema": {
        "type": "object", "properties": {"c": {"type": "number"}}, "required": ["c"]}}});
    let bound =
        |request: GenerateRequest| GenerateRequest { response_format: Some(schema.clone()), ..request };
    let (service, ..) = service(ScriptedModel::new([calls(vec![call("a", "weather")]), says("{\"c\": 3}")]));
    let first = generate(&service, bound(offering(weather()))).unwrap();
    let script = ScriptedModel::new([calls(vec![call("a", "weather")])]);
    let (streaming, ..) = crate::kit::service(script);
    let events = futures_executor::block_on(async {
        let events = streaming.stream(&crate::kit::payer(), bound(offering(weather()))).await.unwrap();
        futures_util::StreamExt::collect::<Vec<_>>(events).await
    });
    assert!(matches!(&events[..], [Ok(GenerateEvent::ToolCall(_)), Ok(GenerateEvent::End(_))]), "{events:?}");
    assert_eq!((first.text.as_str(), first.tool_calls.len(), first.finish), ("", 1, Finish::ToolCalls));
    let after = vec![called("a"), result("a", "3 degrees")];
    let second = generate(&service, bound(GenerateRequest { tool_messages: after, ..offering(weather()) }));
    let second = second.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&second.text).unwrap(), json!({"c": 3}));
    assert!(second.tool_calls.is_empty() && second.finish == Finish::Stop);
}

#[test]
fn pictures_stand_before_the_text_of_their_message() {
    let (service, model, _) = service(ScriptedModel::new([says("A cat.")]));
    let earlier = HistoryMessage { pictures: vec!["5".into()], ..HistoryMessage::text("user", "") };
    let request = GenerateRequest {
        messages: vec![earlier, HistoryMessage::text("assistant", "A dog.")],
        pictures: vec!["6".into(), "7".into()],
        ..with_files(MODEL, "And this?", &["1"])
    };
    generate(&service, request).unwrap();
    let sent = &model.asked()[0].messages;
    let sizes = |at: usize| {
        let sizes = sent[at].parts.iter().map(|part| match part {
            Part::Picture(picture) => picture.bytes.len(),
            Part::Text(_) => 1,
            _ => 0,
        });
        sizes.collect::<Vec<_>>()
    };
    assert_eq!((sizes(0), sizes(2)), (vec![5], vec![0, 6, 7, 1]), "{sent:?}");
}

#[test]
fn a_model_that_sees_nothing_says_so_and_reads_no_picture() {
    let (service, ..) = service(ScriptedModel::default());
    let request = GenerateRequest {
        pictures: vec!["not read".into()],
        ..asking("extractive@formwork", "What is 2 + 2?")
    };
    let answer = generate(&service, request).unwrap();
    assert!(answer.warnings.iter().any(|warning| warning.starts_with("'images' was ignored")), "{answer:?}");
}

#[test]
fn a_picture_without_a_question_searches_no_knowledge_base() {
    let (service, _, shelf) = service(ScriptedModel::new([says("A cat.")]));
    let request =
        GenerateRequest { pictures: vec!["5".into()], knowledge: vec!["a".into()], ..asking(MODEL, " ") };
    let answer = generate(&service, request).unwrap();
    assert!(answer.warnings.iter().any(|warning| warning.contains("were not searched")), "{answer:?}");
    assert!(shelf.asked.lock().is_empty());
}

#[test]
fn a_fallback_that_sees_nothing_says_so() {
    let (service, ..) = service(ScriptedModel::new([Err(ProviderError::new(Fault::Failed, "down"))]));
    let fallback_models = vec!["extractive@formwork".into()];
    let request =
        GenerateRequest { pictures: vec!["5".into()], fallback_models, ..asking(MODEL, "What is 2 + 2?") };
    let answer = generate(&service, request).unwrap();
    assert!(answer.warnings.iter().any(|warning| warning.starts_with("'images' was ignored")), "{answer:?}");
}

#[test]
fn pictures_have_a_bound_in_all_and_each_failure_its_place() {
    let (service, ..) = service(ScriptedModel::default());
    let with = |pictures: &[&str]| GenerateRequest {
        pictures: pictures.iter().map(|picture| (*picture).to_owned()).collect(),
        ..asking(MODEL, "What?")
    };
    let error = generate(&service, with(&["14000000", "1000000"])).unwrap_err();
    assert_eq!((error.code(), error.violations()[0].path.as_str()), ("picture_too_large", "/images/1"));
    let error = generate(&service, with(&["1"; 33])).unwrap_err();
    assert_eq!((error.code(), error.violations()[0].path.as_str()), ("validation_failed", "/images"));
}

#[test]
fn each_broken_rule_of_tools_is_named_with_its_place() {
    let tools = |tools: Vec<Tool>, choice| offering(ToolSet { tools, choice, parallel: None });
    let auto = || ToolChoice::Auto;
    let before = |messages: Vec<HistoryMessage>| GenerateRequest { messages, ..offering(weather()) };
    let after = |tool_messages: Vec<HistoryMessage>| GenerateRequest { tool_messages, ..offering(weather()) };
    let nameless = HistoryMessage { tool_calls: vec![call("a", "")], ..called("a") };
    let pictured = HistoryMessage { pictures: vec!["1".into()], ..HistoryMessage::text("assistant", "x") };
    let calling = HistoryMessage { role: "user".into(), ..called("a") };
    let big = Tool { description: Some("x".repeat(400_000)), ..tool("a") };
    for (request, path) in [
        (tools(vec![tool("a b")], auto()), "/tools/0/name"),
        (tools(vec![tool("")], auto()), "/tools/0/name"),
        (tools(vec![tool(&"a".repeat(65))], auto()), "/tools/0/name"),
        (tools(vec![tool("a"), tool("a")], auto()), "/tools/1/name"),
        (
            tools(vec![Tool { parameters: json!({"type": "array"}), ..tool("a") }], auto()),
            "/tools/0/parameters",
        ),
        (tools(vec![Tool { parameters: json!([]), ..tool("a") }], auto()), "/tools/0/parameters"),
        (tools((0..129).map(|n| tool(&format!("t{n}"))).collect(), auto()), "/tools"),
        (tools(vec![big], auto()), "/tools"),
        (tools(vec![tool("a")], ToolChoice::Named("b".into())), "/toolChoice"),
        (tools(vec![], ToolChoice::Required), "/toolChoice"),
        (before(vec![result("a", "x")]), "/messages/0/toolCallId"),
        (before(vec![called("b"), result("a", "x")]), "/messages/1/toolCallId"),
        (before(vec![nameless]), "/messages/0/toolCalls/0/name"),
        (before(vec![called("")]), "/messages/0/toolCalls/0/id"),
        (before(vec![pictured]), "/messages/0/images"),
        (before(vec![calling]), "/messages/0/content"),
        (after(vec![HistoryMessage::text("user", "x")]), "/toolMessages/0/role"),
        (after(vec![called("a")]), "/toolMessages/0/role"),
    ] {
        let (service, model, _) = service(ScriptedModel::default());
        let error = generate(&service, request).unwrap_err();
        assert_eq!(error.code(), "validation_failed", "{path}");
        assert_eq!(error.violations()[0].path, path, "{error:?}");
        assert!(model.asked().is_empty());
    }
    let of_own = GenerateRequest { model_id: "extractive@formwork".into(), ..offering(weather()) };
    let fallback_models = vec!["extractive@formwork".into()];
    for request in [of_own, GenerateRequest { fallback_models, ..offering(weather()) }] {
        let (service, model, _) = service(ScriptedModel::default());
        let error = generate(&service, request).unwrap_err();
        assert_eq!((error.code(), error.violations()[0].path.as_str()), ("model_cannot", "/tools"));
        assert!(model.asked().is_empty());
    }
    // Tools that may not be called are no reason to refuse a model.
    let (service, ..) = service(ScriptedModel::default());
    let none = ToolSet { choice: ToolChoice::None, ..weather() };
    let request = GenerateRequest { tools: none, ..asking("extractive@formwork", "What is 2 + 2?") };
    assert!(generate(&service, request).is_ok());
}
