//! The generator with a text model in place of its own rules.

use std::sync::Arc;

use forms_core::validate_schema;
use futures_executor::block_on;
use gen_core::scripted::ScriptedModel;
use gen_core::{CallerContext, ChatAnswer, Finish, GenService, ModelId, Provider, ProviderError, Usage};
use rules_engine::schema::{GeneratorError, SchemaGenerator};
use serde_json::{Value, json};
use shared_core::{DomainError as _, ErrorKind, Scope, UserId, WorkspaceId};

/// Who pays in these tests.
fn payer() -> CallerContext {
    CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) })
}

fn generator(answer: Result<ChatAnswer, ProviderError>) -> (SchemaGenerator, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::new([answer]));
    let generation = GenService::builder().with_chat(Provider::OpenAi, model.clone()).build();
    (SchemaGenerator::new(generation, "m@openai".parse().unwrap()), model)
}

fn says(text: &str) -> Result<ChatAnswer, ProviderError> {
    let usage = Usage { input_tokens: 7, output_tokens: 3, ..Usage::default() };
    Ok(ChatAnswer { text: text.to_owned(), usage, ..ChatAnswer::default() })
}

#[test]
fn a_text_model_is_asked_once_under_a_fixed_schema() {
    let answer = json!({"fields": [
        {"name": "full_name", "type": "string", "list": false, "description": "Name as in the passport", "required": true,
         "options": null, "minimum": null, "maximum": null, "fields": null},
        {"name": "guests", "type": "object", "list": true, "description": "Who comes along", "required": null, "options": null,
         "minimum": null, "maximum": null, "fields": [
            {"name": "age", "type": "integer", "list": false, "description": "Age in years", "required": null, "options": null,
             "minimum": 0, "maximum": 130, "fields": null}]},
        {"name": "meal", "type": "string", "list": false, "description": "Meal", "required": false, "options": ["fish", "none"],
         "minimum": null, "maximum": null, "fields": null}]});
    let (generator, model) = generator(says(&answer.to_string()));
    let made = block_on(generator.generate(&payer(), "who comes to the party")).unwrap();
    assert_eq!(
        json!(made.schema),
        json!({
            "full_name": {"type": "string", "order": 1, "description": "Name as in the passport", "required": true},
            "guests": {"type": "array", "order": 2, "description": "Who comes along", "items": {"type": "object", "properties": {
                "age": {"type": "integer", "order": 1, "description": "Age in years", "minimum": 0, "maximum": 130}}}},
            "meal": {"type": "string", "order": 3, "description": "Meal", "required": false, "enum": ["fish", "none"]}
        })
    );
    assert_eq!(made.usage.input_tokens, 7);
    let asked = model.asked();
    assert_eq!(asked.len(), 1);
    let schema = &asked[0].response_schema.as_ref().unwrap().schema;
    assert_eq!(schema["properties"]["fields"]["type"], "array");
    assert_eq!(schema["properties"]["fields"]["items"]["additionalProperties"], false);
}

#[test]
fn an_answer_that_was_cut_off_is_asked_for_once_more_with_more_room() {
    let cut = ChatAnswer {
        finish: Finish::Length,
        ..says(r#"{"fields": [{"name": "cut", "type": "string"}, {"na"#).unwrap()
    };
    let (generator, model) = generator(Ok(cut));
    let made = block_on(generator.generate(&payer(), "anything")).unwrap();
    assert_eq!(made.schema.keys().collect::<Vec<_>>(), ["cut"], "the second ask fails, so the first counts");
    let asked = model.asked();
    assert_eq!((asked[0].max_tokens, asked[1].max_tokens), (Some(16_000), Some(32_000)));
}

#[test]
fn what_a_model_gets_wrong_is_mended_into_a_valid_schema() {
    for answer in [
        r#"Sure! ```json {"fields": [{"name": "E Mail!", "type": "E-Mail"}, {"name": "E Mail", "type": "wat", "options": ["a", "a", "", 1]}]} ```"#,
        r#"{"name": {"type": "string"}, "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}}}}}"#,
        r#"{"schema": {"a": "text", "b": {"type": "object", "properties": {}}, "c": {"type": "boolean", "enum": ["x"]}}}"#,
        r#"{"fields": [{"name": "n", "type": "number", "minimum": 9, "maximum": 1, "options": ["x"]}, {"type": "string"}, 5, null]}"#,
        r#"{"fields": [{"name": "cut", "type": "string"}, {"name": "off", "ty"#,
    ] {
        let (generator, _) = generator(says(answer));
        let made = block_on(generator.generate(&payer(), "anything")).unwrap();
        assert_eq!(validate_schema(&Value::Object(made.schema.clone())), [], "{answer}");
        assert!(!made.schema.is_empty() && !made.schema.contains_key("anything"), "{answer}");
    }
}

#[test]
fn an_answer_of_no_use_is_replaced_by_the_own_rules() {
    let refused = ChatAnswer { finish: Finish::Refused, ..says("{}").unwrap() };
    for answer in
        [says("I cannot do that."), says("{}"), says(r#"{"fields": []}"#), says("[1, 2]"), Ok(refused)]
    {
        let (generator, _) = generator(answer);
        let made = block_on(generator.generate(&payer(), "name, email")).unwrap();
        assert_eq!(made.schema.keys().collect::<Vec<_>>(), ["name", "email"]);
        assert_eq!(made.usage.output_tokens, 3);
    }
}

#[test]
fn a_model_that_fails_is_an_error_and_one_without_a_key_is_not() {
    let (failing, _) = generator(Err(ProviderError::timeout()));
    let error = block_on(failing.generate(&payer(), "name, email")).unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::ProviderTimeout, "provider_timeout"));
    for model in ["m@anthropic".parse().unwrap(), ModelId::extractive()] {
        let own = SchemaGenerator::new(GenService::builder().build(), model);
        assert_eq!(block_on(own.generate(&payer(), "name, email")).unwrap().schema.len(), 2);
    }
}

#[test]
fn a_description_that_breaks_a_rule_never_reaches_the_model() {
    let (generator, model) = generator(says("{}"));
    assert!(matches!(block_on(generator.generate(&payer(), " ")), Err(GeneratorError::Invalid(_))));
    assert!(model.asked().is_empty());
}
