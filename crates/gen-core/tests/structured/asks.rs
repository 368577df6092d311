//! Asking until the answer fits, with a scripted model.

use gen_core::structured::{Dialect, StructuredError};
use gen_core::{Fault, Finish, Part, ProviderError, Role, Usage};
use serde_json::{Value, json};
use shared_core::{DomainError as _, ErrorKind};

use crate::common::{Chance, Script, cut, run, run_within, says, schema};

fn wanted() -> Value {
    json!({"type": "object", "properties": {"name": {"type": "string", "minLength": 1}, "age": {"type": "integer", "maximum": 150}},
           "required": ["name", "age"], "additionalProperties": false})
}

#[test]
fn an_answer_that_fits_is_taken_at_once() {
    let script = Script::new(Dialect::OpenAi, vec![says("```json\n{\"name\": \"Ada\", \"age\": 36,}\n```")]);
    let answer = run(&script, &wanted()).unwrap();
    assert_eq!(answer.value, json!({"name": "Ada", "age": 36}));
    assert_eq!((answer.usage.total(), answer.warnings.len(), script.asks()), (11, 0, 1));
    let asked = script.asked.lock();
    assert_eq!(asked[0].response_schema.as_ref().unwrap().schema, wanted());
    assert_eq!(asked[0].system.as_deref(), Some("Be exact."));
}

#[test]
fn a_violation_is_told_to_the_model_and_all_tokens_are_counted() {
    let script = Script::new(
        Dialect::OpenAi,
        vec![says(r#"{"name": "Ada", "age": 200}"#), says("Sorry!"), says(r#"{"name": "Ada", "age": 36}"#)],
    );
    let answer = run(&script, &wanted()).unwrap();
    assert_eq!((answer.value["age"].clone(), answer.usage.input_tokens, script.asks()), (json!(36), 30, 3));
    let asked = script.asked.lock();
    let roles: Vec<Role> = asked[1].messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
    assert!(
        matches!(&asked[1].messages[2].parts[0], Part::Text(text) if text.contains("- /age: must be at most 150"))
    );
    assert_eq!(asked[2].messages.len(), 3, "the conversation does not grow with every ask");
}

#[test]
fn what_never_fits_is_an_error_with_its_violations_after_three_asks() {
    let script = Script::new(Dialect::OpenAi, (0..9).map(|_| says(r#"{"name": "", "age": "x"}"#)).collect());
    let error = run(&script, &wanted()).unwrap_err();
    assert_eq!(
        (error.kind(), error.code(), script.asks()),
        (ErrorKind::ProviderFailed, "schema_violation", 3)
    );
    assert_eq!((error.violations().len(), error.usage().total()), (2, 33));
    assert_eq!(
        error.to_string(),
        "the model's answer does not fit the schema: '/name' must have at least 1 characters"
    );
}

#[test]
fn what_was_cut_off_is_asked_for_once_more_with_twice_the_room() {
    let whole = || says(r#"{"name": "Ada", "age": 36}"#);
    let script = Script::new(Dialect::OpenAi, vec![cut(r#"{"name": "A"#), whole()]);
    let answer = run(&script, &wanted()).unwrap();
    assert_eq!((answer.usage.total(), script.asked.lock()[1].max_tokens), (22, Some(2)));
    assert_eq!(answer.warnings, ["the answer was truncated, and requested again with at most 2 tokens"]);
    let script = Script::new(Dialect::OpenAi, vec![cut("{"), cut("{"), whole()]);
    let error = run(&script, &wanted()).unwrap_err();
    assert_eq!((error.code(), error.usage().total(), script.asks()), ("answer_cut_off", 22, 2));
    let refuses = ProviderError::new(Fault::InvalidRequest, "too many tokens");
    let error = run(&Script::new(Dialect::OpenAi, vec![cut("{"), Err(refuses)]), &wanted()).unwrap_err();
    assert_eq!(error.code(), "answer_cut_off");
    let script = Script::new(Dialect::OpenAi, vec![cut(r#"{"name": "Ada", "age": 36}"#)]);
    assert!(run(&script, &wanted()).is_ok(), "a whole answer is whole");
}

#[test]
fn an_answer_that_ends_within_a_value_is_never_taken_for_whole() {
    let number = json!({"type": "number"});
    let object =
        json!({"type": "object", "properties": {"total": {"type": "number"}, "order": {"type": "string"}}});
    for (schema, text, whole) in [
        (&object, r#"{"total": 215"#, r#"{"total": 2150.75}"#),
        (&object, r#"{"order": "PO-1"#, r#"{"order": "PO-1044"}"#),
        (&object, "```json\n{\"total\": 215\n```", r#"{"total": 2150.75}"#),
        (&number, "215", "2150.75"),
    ] {
        let wanted: Value = serde_json::from_str(whole).unwrap();
        let script = Script::new(Dialect::Gemini, vec![cut(text), says(whole)]);
        assert_eq!(run(&script, schema).unwrap().value, wanted, "{text}");
        if schema == &object {
            let script = Script::new(Dialect::Gemini, vec![says(text), says(whole)]);
            assert_eq!(run(&script, schema).unwrap().value, wanted, "{text}");
        }
    }
}

#[test]
fn the_callers_own_limit_of_tokens_is_not_passed_over() {
    let script = Script::new(Dialect::OpenAi, vec![cut(r#"{"name": "A"#), says(r#"{"name": "Ada"}"#)]);
    let error = run_within(&script, &wanted(), Some(1)).unwrap_err();
    assert_eq!((error.code(), script.asks()), ("answer_cut_off", 1));
}

#[test]
fn refusals_and_failures_end_at_once() {
    let mut refusal = says("no").unwrap();
    refusal.finish = Finish::Refused;
    let error = run(&Script::new(Dialect::OpenAi, vec![Ok(refusal)]), &wanted()).unwrap_err();
    assert_eq!((error.code(), error.usage().total()), ("model_refused", 11));
    let mut failure = ProviderError::timeout();
    failure.usage = Usage { input_tokens: 5, ..Usage::default() };
    let error = run(&Script::new(Dialect::OpenAi, vec![says("x"), Err(failure)]), &wanted()).unwrap_err();
    assert_eq!((error.kind(), error.usage().total()), (ErrorKind::ProviderTimeout, 16));
}

#[test]
fn a_wide_schema_is_split_and_its_answers_are_merged() {
    let properties: serde_json::Map<String, Value> =
        (0..100).map(|n| (format!("n{n}"), json!({"type": ["number", "null"]}))).collect();
    let required: Vec<_> = properties.keys().cloned().collect();
    let wide = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let part = |from: usize, to: usize| {
        let members: serde_json::Map<_, _> = (from..to).map(|n| (format!("n{n}"), json!(n))).collect();
        says(Value::Object(members).to_string())
    };
    let script = Script::new(Dialect::Anthropic, vec![part(0, 40), part(40, 80), part(80, 100)]);
    let answer = run(&script, &wide).unwrap();
    assert_eq!((answer.value["n99"].clone(), answer.usage.total(), script.asks()), (json!(99), 33, 3));
    assert!(answer.value.as_object().unwrap().keys().eq(&required));
    assert_eq!(answer.warnings, ["the schema was split into 3 requests, as it exceeds the model's limits"]);
    let bare = wide.as_object().unwrap().clone();
    let mut bound = Value::Object(bare);
    bound["maxProperties"] = json!(99);
    let script = Script::new(Dialect::Anthropic, vec![part(0, 40), part(40, 80), part(80, 100)]);
    assert_eq!(run(&script, &bound).unwrap_err().code(), "schema_violation", "the whole is checked as well");
}

#[test]
fn a_schema_that_the_model_cannot_be_held_to_stands_in_the_prompt() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let script = Script::new(Dialect::OpenAi, vec![says(r#"{"a": "1"}"#), says(r#"{"a": 1}"#)]);
    let answer = run(&script, &map).unwrap();
    assert_eq!((answer.value, answer.warnings.len()), (json!({"a": 1}), 1));
    let asked = script.asked.lock();
    assert!(asked.iter().all(|request| request.response_schema.is_none()));
    let system = asked[1].system.as_deref().unwrap();
    assert!(system.starts_with("Be exact.\n\n") && system.ends_with(&map.to_string()));
    let lenient = Script::new(Dialect::Lenient, vec![says(r#"{"a": 1}"#)]);
    run(&lenient, &map).unwrap();
    let asked = lenient.asked.lock();
    assert!(
        asked[0].response_schema.is_some() && asked[0].system.as_deref().unwrap().ends_with(&map.to_string())
    );
}

#[test]
fn null_for_what_may_be_left_out_is_mended_without_another_ask() {
    let optional = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string", "format": "date"}}});
    for (said, value) in [
        (r#"{"a": null, "b": "2024-01-01"}"#, json!({"b": "2024-01-01"})),
        (r#"{"a": 1, "b": ""}"#, json!({"a": 1})),
    ] {
        let script = Script::new(Dialect::Lenient, vec![says(said)]);
        assert_eq!(run(&script, &optional).unwrap().value, value);
    }
}

/// An answer that is damaged, cut, wrapped in prose, off the schema, or anything at all.
fn garbage(chance: &mut Chance) -> String {
    let good = r#"{"name": "Ada \"of\" B", "age": 36, "tags": [{"n": 1.5, "s": null}, {"n": -2, "s": "x"}]}"#;
    let odd = [
        "null",
        "[]",
        "",
        "{",
        "}{",
        "{\"name\": 1201e5328924474747474}",
        "\u{feff}{\"age\": NaN}",
        "{'name': 'x', age: 1,}",
        "{\"name\": \"\\ud800\", \"age\": 1}",
        "```json\n{\"name\": \"x\", \"age\": 7}\n```",
        "{\"name\":\"a\",\"age\":1}{\"name\":\"a\",\"age\":1}",
        "// no\n{\"age\": 0E4749210000010000}",
        "I think {that} is it",
        "\0\0",
        "[[[[[[",
    ];
    match chance.below(6) {
        0 => chance.of(&odd).to_owned(),
        1 => good.chars().take(chance.below(good.len())).collect(),
        2 => format!("Here: {good} Bye {}", chance.of(&odd)),
        3 => {
            let (at, with) =
                (chance.below(good.len()), chance.of(&['"', '{', '}', ',', ':', '\\', 'x', '\u{0}']));
            good.char_indices().map(|(n, c)| if n == at { with } else { c }).collect()
        }
        4 => (0..chance.below(200))
            .map(|_| chance.of(&['{', '}', '[', ']', '"', ':', ',', '1', 'a', '\\', ' ', 'é']))
            .collect(),
        _ => "{\"name\":[".repeat(chance.below(3000)),
    }
}

#[test]
fn over_two_hundred_seeds_of_garbage_every_value_fits_or_is_a_clear_error() {
    let wanted = json!({"type": "object", "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": ["integer", "null"]},
        "tags": {"type": "array", "maxItems": 5, "items": {"type": "object", "properties": {"n": {"type": "number"}, "s": {"type": ["string", "null"]}},
        "required": ["n"]}}}, "required": ["name", "age"]});
    let checked = schema(&wanted);
    let (mut fitting, mut failed) = (0, 0);
    for seed in 0..200 {
        let mut chance = Chance::new(seed);
        let dialect = chance.of(&[Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini, Dialect::Lenient]);
        let answers = (0..8)
            .map(|_| if chance.is(4) { cut(&garbage(&mut chance)) } else { says(garbage(&mut chance)) });
        let script = Script::new(dialect, answers.collect());
        match run(&script, &wanted) {
            Ok(answer) => {
                assert_eq!(checked.validate(&answer.value), [], "{seed}");
                assert_eq!(answer.usage.total(), 11 * script.asks() as u64);
                fitting += 1;
            }
            Err(StructuredError::Violation { violations, usage }) => {
                assert!(!violations.is_empty() && usage.total() == 11 * script.asks() as u64, "{seed}");
                failed += 1;
            }
            Err(error) => {
                assert_eq!(
                    (error.code(), error.usage().total()),
                    ("answer_cut_off", 22.max(11 * script.asks() as u64)),
                    "{seed}"
                );
                failed += 1;
            }
        }
        assert!(script.asks() <= 4, "{seed}");
    }
    assert!(fitting > 40 && failed > 40, "{fitting} fitted and {failed} failed");
}
