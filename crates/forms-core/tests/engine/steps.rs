//! The steps of the engine from answer to record, with a scripted model.

use crate::common::{document, form, run, says, scripted};
use forms_core::ExtractError;
use gen_core::{Finish, Part, ProviderError, Role};
use serde_json::{Value, json};
use shared_core::{DomainError as _, ErrorKind};

const TEXT: &str = "Invoice of ACME GmbH\nDate: 12.03.2024\nTotal: 1.234,50 €\nPaid: ja";

fn errors(extraction: &forms_core::Extraction) -> Vec<(&str, &str)> {
    extraction.errors.iter().map(|violation| (violation.path.as_str(), violation.message.as_str())).collect()
}

#[test]
fn values_come_out_in_the_types_of_the_form_and_in_its_written_order() {
    let schema = form(&json!({
        "total": {"type": "number", "order": 4}, "date": {"type": "date", "order": 1},
        "paid": {"type": "boolean", "order": 3}, "vendor": {"type": "string"}, "iban": {"type": "string"},
        "parts": {"type": "object", "properties": {"b": {"type": "integer", "order": 2}, "a": {"type": "string", "order": 1}}}
    }));
    let answer = r#"{"date": "12.03.2024", "paid": "ja", "total": "1.234,50 €", "vendor": "ACME GmbH", "iban": "",
                     "parts": {"a": null, "b": "12"}}"#;
    let model = scripted(vec![says(answer)]);
    let extraction = run(model.clone(), "m@openai", &schema, &[document("a.txt", TEXT)]).unwrap();
    let expected = json!({"total": 1234.5, "date": "2024-03-12", "paid": true, "vendor": "ACME GmbH", "iban": null,
                          "parts": {"b": 12, "a": null}});
    assert_eq!(serde_json::to_string(&extraction.record).unwrap(), expected.to_string());
    assert_eq!(extraction.errors, []);
    assert_eq!((extraction.usage.input_tokens, model.asked().len()), (10, 1));
}

#[test]
fn the_model_is_given_instructions_documents_and_schema() {
    let schema = form(&json!({"b": {"type": "string"}, "a": {"type": "string", "order": 1}}));
    let mut described = document("x.pdf", "text of x");
    described.description = Some("the order".into());
    let model = scripted(vec![says("{}")]);
    run(model.clone(), "m@openai", &schema, &[described, document("y.pdf", "text of y")]).unwrap();
    let asked = model.asked();
    assert!(asked[0].system.as_ref().unwrap().ends_with("Be exact."));
    let wanted = asked[0].response_schema.as_ref().unwrap();
    assert_eq!(wanted.schema["required"], json!(["a", "b"]));
    let documents: Vec<(&str, Option<&str>, &str)> = asked[0].messages[0]
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Document { name, description, text } => {
                Some((name.as_str(), description.as_deref(), &**text))
            }
            _ => None,
        })
        .collect();
    assert_eq!(documents, [("x.pdf", Some("the order"), "text of x"), ("y.pdf", None, "text of y")]);
}

#[test]
fn only_what_failed_is_asked_for_again_and_no_more_than_twice() {
    let schema = form(&json!({
        "total": {"type": "number"}, "vendor": {"type": "string"}, "mail": {"type": "email", "required": true}
    }));
    let model = scripted(vec![
        says(r#"{"total": "much", "vendor": "ACME GmbH", "mail": "nobody"}"#),
        says(r#"{"total": 1234.5, "vendor": "another", "mail": "still nobody"}"#),
        says(r#"{"total": 1, "vendor": "third", "mail": "nobody either"}"#),
        says(r#"{"mail": "a@b.co"}"#),
    ]);
    let extraction = run(model.clone(), "m@openai", &schema, &[document("a.txt", TEXT)]).unwrap();
    assert_eq!(
        Value::Object(extraction.record.clone()),
        json!({"total": 1234.5, "vendor": "ACME GmbH", "mail": null})
    );
    assert_eq!(errors(&extraction), [("/mail", "'mail' must be an e-mail address, not 'nobody'")]);
    assert_eq!(extraction.usage.input_tokens, 30);
    let asked = model.asked();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[2].response_schema.as_ref().unwrap().schema["required"], json!(["mail"]));
    assert_eq!(asked[1].response_schema.as_ref().unwrap().schema["required"], json!(["total", "mail"]));
    let last = asked[1].messages.last().unwrap();
    assert_eq!(last.role, Role::User);
    assert!(
        matches!(&last.parts[0], Part::Text(text) if text.contains("/total: 'total' must be a number, not 'much'"))
    );
}

#[test]
fn a_second_question_that_fails_costs_nothing_of_the_first_answer() {
    let schema = form(&json!({"total": {"type": "number"}, "vendor": {"type": "string"}}));
    let model =
        scripted(vec![says(r#"{"total": "much", "vendor": "ACME GmbH"}"#), Err(ProviderError::timeout())]);
    let extraction = run(model, "m@openai", &schema, &[document("a.txt", TEXT)]).unwrap();
    assert_eq!(Value::Object(extraction.record), json!({"total": null, "vendor": "ACME GmbH"}));
    assert_eq!(extraction.errors.len(), 1);
}

#[test]
fn the_built_in_model_is_not_asked_again_and_reads_each_document_by_itself() {
    let schema = form(&json!({"total": {"type": "number"}}));
    let model = scripted(vec![says(r#"{"total": "much"}"#), says(r#"{"total": 7}"#)]);
    let documents = [document("a.txt", "nothing"), document("b.txt", "Total 7.00")];
    let extraction = run(model.clone(), "extractive@formwork", &schema, &documents).unwrap();
    assert_eq!(Value::Object(extraction.record), json!({"total": 7}));
    assert_eq!(extraction.evidence["/total"].document.as_deref(), Some("b.txt"));
    assert_eq!((model.asked().len(), extraction.usage.output_tokens), (2, 2));
}

#[test]
fn a_missing_required_field_is_null_and_listed() {
    let schema = form(&json!({
        "mail": {"type": "email", "required": true},
        "rows": {"type": "array", "required": true, "items": {"type": "object", "properties": {
            "sku": {"type": "string", "required": true}, "n": {"type": "integer"}}}}
    }));
    let answer = says(r#"{"mail": null, "rows": [{"sku": null, "n": 2}, {"sku": null, "n": null}, null]}"#);
    let extraction = run(scripted(vec![answer]), "m@openai", &schema, &[document("a.txt", "2")]).unwrap();
    assert_eq!(
        Value::Object(extraction.record.clone()),
        json!({"mail": null, "rows": [{"sku": null, "n": 2}]})
    );
    let paths: Vec<&str> = errors(&extraction).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["/mail", "/rows/0/sku"]);
}

#[test]
fn an_empty_list_is_kept_and_a_list_of_nothing_is_nothing() {
    let list =
        json!({"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}});
    let schema = form(&json!({"a": list, "b": list, "c": list, "d": list, "e": list}));
    let answer = r#"{"a": [], "b": [null, {"n": null}], "c": {"n": 1}, "d": "[{\"n\": 2}]", "e": null}"#;
    let extraction =
        run(scripted(vec![says(answer)]), "m@openai", &schema, &[document("a.txt", "1 2")]).unwrap();
    let expected = json!({"a": [], "b": null, "c": [{"n": 1}], "d": [{"n": 2}], "e": null});
    assert_eq!(Value::Object(extraction.record), expected);
}

#[test]
fn a_default_is_never_filled_in() {
    let schema = form(&json!({"a": {"type": "string", "default": "x", "examples": ["y"]}}));
    let extraction = run(scripted(vec![says("{}")]), "m@openai", &schema, &[document("a.txt", "x")]).unwrap();
    assert_eq!(Value::Object(extraction.record), json!({"a": null}));
}

#[test]
fn rules_are_enforced_after_the_model() {
    let schema = form(&json!({
        "age": {"type": "integer", "minimum": 0, "maximum": 150}, "code": {"type": "string", "pattern": "^[A-Z]{2}$"},
        "plan": {"type": "string", "enum": ["", "Basic", "Pro Plus"]}, "tags": {"type": "array", "maxItems": 1,
        "items": {"type": "string", "maxLength": 3}}
    }));
    let answer = r#"{"age": 200, "code": "abc", "plan": "pro plus", "tags": ["a", "long one"]}"#;
    let model = scripted(vec![says(answer), says(answer)]);
    let extraction = run(model, "m@openai", &schema, &[document("a.txt", "a")]).unwrap();
    assert_eq!(
        Value::Object(extraction.record.clone()),
        json!({"age": null, "code": null, "plan": "Pro Plus", "tags": ["a", null]})
    );
    assert_eq!(
        errors(&extraction),
        [
            ("/age", "'age' must be at most 150, not 200"),
            ("/code", "'code' must match the pattern ^[A-Z]{2}$, not 'abc'"),
            ("/tags", "'tags' must have at most 1 entries, not 2"),
            ("/tags/1", "an entry of 'tags' must have at most 3 characters, not 'long one'"),
        ]
    );
}

#[test]
fn what_was_cut_off_is_asked_for_again() {
    let schema =
        form(&json!({"vendor": {"type": "string"}, "total": {"type": "number"}, "date": {"type": "date"}}));
    let mut cut = says(r#"{"vendor": "ACME GmbH", "total": 12"#).unwrap();
    cut.finish = Finish::Length;
    let model = scripted(vec![Ok(cut), says(r#"{"total": 1234.5, "date": "2024-03-12"}"#)]);
    let extraction = run(model, "m@openai", &schema, &[document("a.txt", TEXT)]).unwrap();
    assert_eq!(
        Value::Object(extraction.record),
        json!({"vendor": "ACME GmbH", "total": 1234.5, "date": "2024-03-12"})
    );
}

#[test]
fn a_list_that_was_cut_off_is_asked_for_again_with_more_room() {
    let schema =
        form(&json!({"vendor": {"type": "string"}, "rows": {"type": "array", "items": {"type": "object",
        "properties": {"n": {"type": "integer"}, "what": {"type": "string"}}}}}));
    let text = "ACME\n1 bolt\n2 nut\n3 nail";
    let whole = r#"{"rows": [{"n": 1, "what": "bolt"}, {"n": 2, "what": "nut"}, {"n": 3, "what": "nail"}]}"#;
    for answer in [
        r#"{"vendor": "ACME", "rows": [{"n": 1, "what": "bolt"}, {"n": 2, "wh"#,
        r#"{"record": {"vendor": "ACME", "rows": [{"n": 1, "what": "bolt"}, {"n": 2, "#,
    ] {
        let mut cut = says(answer).unwrap();
        cut.finish = Finish::Length;
        cut.usage.output_tokens = 500;
        let model = scripted(vec![Ok(cut.clone()), says(whole)]);
        let extraction = run(model.clone(), "m@openai", &schema, &[document("a.txt", text)]).unwrap();
        assert_eq!(extraction.record["rows"].as_array().unwrap().len(), 3);
        assert_eq!((extraction.record["vendor"].clone(), errors(&extraction)), (json!("ACME"), vec![]));
        assert_eq!(model.asked()[1].max_tokens, Some(1000));
        let model = scripted(vec![Ok(cut), Err(ProviderError::timeout())]);
        let extraction = run(model, "m@openai", &schema, &[document("a.txt", text)]).unwrap();
        assert_eq!(extraction.record["rows"].as_array().unwrap().len(), 1);
        assert_eq!(
            errors(&extraction),
            [("/rows", "'rows' is not complete, since the model's answer was cut off")]
        );
    }
}

#[test]
fn a_wide_form_is_filled_by_several_questions_in_its_order() {
    let fields: serde_json::Map<String, Value> =
        (0..90).map(|n| (format!("f{n}"), json!({"type": "integer"}))).collect();
    let schema = form(&Value::Object(fields.clone()));
    let part = |from: usize, to: usize| {
        let members: serde_json::Map<_, _> = (from..to).map(|n| (format!("f{n}"), json!(n))).collect();
        says(Value::Object(members).to_string())
    };
    let mut members: serde_json::Map<_, _> = (40..80).map(|n| (format!("f{n}"), Value::Null)).collect();
    members.insert("f40".to_owned(), json!("x"));
    let broken = says(Value::Object(members).to_string());
    let model = scripted(vec![part(0, 40), broken, part(80, 90), part(40, 41)]);
    let text = (0..90).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
    let extraction = run(model.clone(), "m@openai", &schema, &[document("a.txt", &text)]).unwrap();
    assert!(extraction.record.keys().eq(fields.keys()));
    assert_eq!(
        (&extraction.record["f39"], &extraction.record["f40"], &extraction.record["f89"]),
        (&json!(39), &json!(40), &json!(89))
    );
    assert_eq!((&extraction.record["f41"], extraction.usage.input_tokens), (&Value::Null, 40));
    let asked = model.asked();
    let wanted =
        |at: usize| asked[at].response_schema.as_ref().unwrap().schema["required"].as_array().unwrap().len();
    assert_eq!([wanted(0), wanted(1), wanted(2), wanted(3)], [40, 40, 10, 1]);
    assert_eq!(asked[0].system, asked[3].system, "all parts share their beginning, so that caches hit");
    let own = scripted(vec![says("{}")]);
    run(own.clone(), "extractive@formwork", &schema, &[document("a.txt", &text)]).unwrap();
    assert_eq!(own.asked().len(), 1);
}

#[test]
fn garbage_twice_fails_with_what_was_spent() {
    let schema = form(&json!({"a": {"type": "string"}}));
    for garbage in ["", "I am sorry.", "[1,2,3]", "\0\0\0", "null", "{{{{{{", "}"] {
        let model = scripted(vec![says(garbage), says(garbage)]);
        let error = run(model, "m@openai", &schema, &[document("a.txt", "x")]).unwrap_err();
        assert!(matches!(error, ExtractError::Unusable { .. }), "{garbage:?}");
        assert_eq!((error.usage().input_tokens, error.kind()), (20, ErrorKind::ProviderFailed));
        assert_eq!(error.code(), "model_answer_unusable");
    }
    let model = scripted(vec![says("I am sorry."), says(r#"{"a": "x"}"#)]);
    assert_eq!(run(model, "m@openai", &schema, &[document("a.txt", "x")]).unwrap().record["a"], "x");
}

#[test]
fn a_refusal_and_a_provider_failure_fail_at_once() {
    let schema = form(&json!({"a": {"type": "string"}}));
    let mut refusal = says("no").unwrap();
    refusal.finish = Finish::Refused;
    let error = run(scripted(vec![Ok(refusal)]), "m@openai", &schema, &[document("a.txt", "x")]).unwrap_err();
    assert_eq!((error.code(), error.usage().output_tokens), ("model_refused", 1));
    let model = scripted(vec![Err(ProviderError::timeout())]);
    let error = run(model, "m@openai", &schema, &[document("a.txt", "x")]).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("provider_timeout", ErrorKind::ProviderTimeout));
    assert_eq!(error.to_string(), "OpenAI: the provider did not answer in time");
}

#[test]
fn odd_values_end_as_null_and_never_as_a_panic() {
    let kinds = ["string", "number", "integer", "boolean", "email", "date", "url"];
    let mut fields: serde_json::Map<String, Value> =
        kinds.iter().map(|kind| ((*kind).to_owned(), json!({"type": kind}))).collect();
    fields.insert("array".into(), json!({"type": "array", "items": {"type": "number"}}));
    fields.insert("object".into(), json!({"type": "object", "properties": {"x": {"type": "date"}}}));
    let schema = form(&Value::Object(fields.clone()));
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let bomb = "[".repeat(5_000);
    let odd = [
        "1e999",
        "-1e999",
        "0E4749210000010000",
        "1201e5328924474747474",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "{}",
        "[]",
        "[{}]",
        "{\"x\": {\"x\": 1}}",
        "\"\u{202e}\u{1F600}\"",
        "true",
        "-0",
        "\"٣\"",
        "\"९९/९९/९९९९\"",
        "\"%\"",
        "\"ﷺﷺﷺ\"",
        "18446744073709551616",
        "\"1,2,3,4\"",
        "\"1/1/1\"",
        "\"((((\"",
        &deep,
        &bomb,
    ];
    for value in odd {
        let members: Vec<String> = fields.keys().map(|key| format!("\"{key}\": {value}")).collect();
        let answer = format!("{{{}}}", members.join(", "));
        let text = format!("é {value} ٣ \u{0} 日本語 {value}").chars().take(500).collect::<String>();
        let model = scripted(vec![says(answer.clone()), says(answer)]);
        match run(model, "m@openai", &schema, &[document("a.txt", &text)]) {
            Ok(extraction) => assert!(extraction.record.keys().eq(fields.keys()), "{value:.40}"),
            Err(error) => assert!(matches!(error, ExtractError::Unusable { .. }), "{value:.40}"),
        }
    }
}

#[test]
fn a_record_in_a_wrapper_or_under_sloppy_names_is_found() {
    let schema = form(&json!({"due_date": {"type": "date"}, "Total (EUR)": {"type": "number"}}));
    for answer in [
        r#"{"record": {"due_date": "2024-03-12", "Total (EUR)": 1234.5}}"#,
        r#"{"dueDate": "2024-03-12", "total_eur": 1234.5}"#,
        "```json\n{\"due_date\": \"12. März 2024\", \"Total (EUR)\": \"1,234.50\"}\n```",
    ] {
        let extraction =
            run(scripted(vec![says(answer)]), "m@openai", &schema, &[document("a.txt", TEXT)]).unwrap();
        assert_eq!(
            Value::Object(extraction.record),
            json!({"due_date": "2024-03-12", "Total (EUR)": 1234.5}),
            "{answer}"
        );
    }
}

#[test]
fn the_documents_convention_decides_what_can_be_read_in_two_ways() {
    let schema = form(&json!({"day": {"type": "date"}, "sum": {"type": "number"}}));
    for (text, day, sum) in [
        ("31/12/2024 5,50 € 03/04/2024 1.234 €", "2024-04-03", json!(1234)),
        ("12/31/2024 $5.50 03/04/2024 1.234", "2024-03-04", json!(1.234)),
    ] {
        let model = scripted(vec![says(r#"{"day": "03/04/2024", "sum": "1.234"}"#)]);
        let extraction = run(model, "m@openai", &schema, &[document("a.txt", text)]).unwrap();
        assert_eq!(Value::Object(extraction.record), json!({"day": day, "sum": sum}));
    }
}

#[test]
fn without_documents_nobody_is_asked() {
    let schema = form(
        &json!({"a": {"type": "string", "required": true}, "b": {"type": "array", "items": {"type": "date"}}}),
    );
    let model = scripted(vec![]);
    let extraction = run(model.clone(), "m@openai", &schema, &[]).unwrap();
    assert_eq!(Value::Object(extraction.record), json!({"a": null, "b": null}));
    assert_eq!((extraction.errors.len(), model.asked().len()), (1, 0));
}
