//! Long documents read in parts: what the parts say of one field, and what is asked of the model.

use std::sync::Arc;

use crate::common::{check, document, form, payer, says};
use crate::reader::{Answers, shown};
use forms_core::{
    AnswerStore, ExtractError, ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument,
    MemoryAnswerStore, NoopAnswerStore, Support,
};
use futures_executor::block_on;
use gen_core::{ChatAnswer, ChatRequest, Fault, Finish, GenService, Part, Provider, ProviderError};
use serde_json::{Map, Value, json};
use shared_core::{DomainError as _, ErrorKind};

fn ask(
    model: &Arc<Answers>,
    schema: &FormSchema,
    documents: &[GroupDocument],
    answers: &dyn AnswerStore,
) -> Result<Extraction, ExtractError> {
    let generation = GenService::builder().with_chat(Provider::OpenAi, model.clone()).build();
    let id = "gpt-6-luna@openai".parse().unwrap();
    let request =
        ExtractRequest { payer: &payer(), schema, instructions: "", model: &id, documents, answers };
    let extraction = block_on(ExtractionEngine::new(generation).extract(request))?;
    check(&extraction, documents);
    Ok(extraction)
}

/// Text of about so many tokens that says nothing.
fn filler(tokens: usize) -> String {
    "Nothing of interest stands in this line of words.\n".repeat(tokens * 4 / 50)
}

/// A model that fills in what stands behind a field's name and a colon in what it is shown.
fn labels() -> Arc<Answers> {
    Arc::new(Answers::new(|request: &ChatRequest| {
        let text = shown(request);
        let wanted = request.response_schema.as_ref().map(|schema| schema.schema.clone()).unwrap_or_default();
        fn fill(schema: &Value, text: &str) -> Value {
            let read = |(name, schema): (&String, &Value)| {
                let found = text.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
                let value = match schema.get("properties") {
                    Some(_) => fill(schema, text),
                    None if schema.get("items").is_some() => {
                        let rows = text.lines().filter(|line| line.starts_with("row "));
                        rows.map(|line| fill(&schema["items"], &line.replace("; ", "\n"))).collect()
                    }
                    None => json!(found),
                };
                (name.clone(), value)
            };
            Value::Object(schema["properties"].as_object().unwrap().iter().map(read).collect())
        }
        says(fill(&wanted, &text).to_string())
    }))
}

#[test]
fn parts_of_a_document_are_named_described_and_read_with_the_same_beginning() {
    let mut long = document("long.pdf", &filler(30_000));
    long.description = Some("the contract".into());
    let model = labels();
    let schema = form(&json!({"a": {"type": "string"}}));
    ask(&model, &schema, &[document("short.pdf", "a: 1\n"), long], &NoopAnswerStore).unwrap();
    let asked = model.asked();
    let part = |request: &ChatRequest| match request.messages[0].parts.iter().rev().nth(1) {
        Some(Part::Document { name, description, .. }) => (name.clone(), description.clone()),
        _ => unreachable!(),
    };
    assert!(asked.len() >= 3);
    assert_eq!(
        part(&asked[1]),
        (format!("long.pdf (part 2 of {})", asked.len()), Some("the contract".into()))
    );
    assert!(asked.iter().all(|request| request.system == asked[0].system));
}

#[test]
fn of_several_values_the_one_that_is_found_most_often_is_taken_and_all_are_told() {
    let schema =
        form(&json!({"law": {"type": "string"}, "day": {"type": "date"}, "name": {"type": "string"}}));
    let sides = [
        "law: Texas\nday: 2 May 2024\nname: ACME Ltd.\n",
        "law: Delaware\nday: 2024-05-02\nname: Acme ltd\n",
        "law: Delaware\nday: 02.05.2024\n",
    ];
    let text: String = sides.iter().map(|side| format!("{side}{}", filler(11_000))).collect();
    let extraction = ask(&labels(), &schema, &[document("long.pdf", &text)], &NoopAnswerStore).unwrap();
    assert_eq!(
        Value::Object(extraction.record.clone()),
        json!({"law": "Delaware", "day": "2024-05-02", "name": "ACME Ltd."})
    );
    assert_eq!(extraction.conflicts.len(), 1, "{:?}", extraction.conflicts);
    let told: Vec<(&Value, Option<usize>)> =
        extraction.conflicts[0].values.iter().map(|side| (&side.value, side.evidence.start)).collect();
    assert_eq!(told[0].0, "Delaware");
    assert_eq!(told[1], (&json!("Texas"), Some(5)));
}

#[test]
fn what_a_part_is_shown_from_above_is_no_evidence() {
    let schema = form(&json!({"title": {"type": "string"}, "place": {"type": "string"}}));
    let text = format!(
        "# Charter of Altona\n\n{}\nplace: Hamburg\n",
        "Some words of a clause, then more.\n\n".repeat(3_000)
    );
    let parsed = documents_core::parse(text.as_bytes(), "a.md", &documents_core::Limits::default()).unwrap();
    let group =
        [GroupDocument { name: "a.md".into(), description: None, document: Arc::new(parsed), host: None }];
    let model = Arc::new(Answers::new(|request: &ChatRequest| {
        let is_last = shown(request).contains("Hamburg");
        assert!(shown(request).contains("# Charter of Altona"), "every part shows its heading");
        says(if is_last { r#"{"title": "Charter of Altona", "place": "Hamburg"}"# } else { "{}" })
    }));
    let extraction = ask(&model, &schema, &group, &NoopAnswerStore).unwrap();
    assert!(model.asked().len() > 1);
    assert_eq!(extraction.evidence["/title"].support, Support::Unsupported);
    assert_eq!(extraction.evidence["/place"].start, Some(text.chars().count() - 8));
}

#[test]
fn what_running_text_names_again_in_another_part_is_listed_once() {
    let schema = form(&json!({"parties": {"type": "array", "items": {"type": "string"}}}));
    let text =
        format!("between Acme Ltd and Ann Bell\n{}then ACME ltd agrees with Bob Cole\n", filler(16_000));
    let model = Arc::new(Answers::new(|request: &ChatRequest| {
        let text = shown(request);
        let names = ["Acme Ltd", "Ann Bell", "ACME ltd", "Bob Cole"];
        let named: Vec<&str> = names.into_iter().filter(|name| text.contains(name)).collect();
        says(json!({"parties": named}).to_string())
    }));
    let extraction = ask(&model, &schema, &[document("a.txt", &text)], &NoopAnswerStore).unwrap();
    assert_eq!(extraction.record["parties"], json!(["Acme Ltd", "Ann Bell", "Bob Cole"]));
}

#[test]
fn objects_and_entries_of_many_values_are_asked_for_in_parts_and_put_together() {
    // A form with long descriptions, which parts do not repeat, is worth more calls.
    let description =
        "What the document says about this value, in the words in which it is printed there, whole";
    let field = json!({"type": "string", "description": description});
    let many = |count: usize| -> Map<String, Value> {
        (0..count).map(|n| (format!("f{n:02}"), field.clone())).collect()
    };
    let schema = form(&json!({
        "wide": {"type": "object", "properties": many(90)},
        "rows": {"type": "array", "items": {"type": "object", "properties": many(60)}}
    }));
    let line = |row: usize| {
        let cells: Vec<String> = (0..60).map(|n| format!("f{n:02}: r{row}c{n}")).collect();
        format!("row {row}; {}\n", cells.join("; "))
    };
    let wide: String = (0..90).map(|n| format!("f{n:02}: w{n}\n")).collect();
    let text = format!("{wide}{}{}{}", line(0), line(1), line(2));
    let model = labels();
    let extraction = ask(&model, &schema, &[document("a.txt", &text)], &NoopAnswerStore).unwrap();
    let row = |row: usize| -> Map<String, Value> {
        (0..60).map(|n| (format!("f{n:02}"), json!(format!("r{row}c{n}")))).collect()
    };
    let whole: Map<String, Value> = (0..90).map(|n| (format!("f{n:02}"), json!(format!("w{n}")))).collect();
    assert_eq!(extraction.record["wide"], json!(whole));
    assert_eq!(extraction.record["rows"], json!([row(0), row(1), row(2)]));
    assert_eq!(model.asked().len(), 5);
}

#[test]
fn a_part_that_fails_fails_the_group_and_no_token_is_lost() {
    let schema = form(&json!({"a": {"type": "string"}}));
    let text: String = (0..6).map(|n| format!("a: {n}\n{}", filler(9_500))).collect();
    let documents = [document("a.txt", &text)];
    let kept = MemoryAnswerStore::default();
    let breaks = Arc::new(Answers::new(|request: &ChatRequest| match shown(request).contains("a: 4") {
        true => Err(ProviderError::timeout()),
        false => says(r#"{"a": "1"}"#),
    }));
    let error = ask(&breaks, &schema, &documents, &kept).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ProviderTimeout);
    let answered = u64::try_from(kept.count()).unwrap();
    assert!(answered >= 4, "{answered}");
    assert_eq!(error.usage().input_tokens, answered * 10);
    let model = labels();
    let extraction = ask(&model, &schema, &documents, &kept).unwrap();
    let calls = model.asked().len();
    assert_eq!(extraction.usage.input_tokens, (answered + calls as u64) * 10);
    assert!(calls <= 2, "{calls}");
}

#[test]
fn an_answer_that_leaves_rows_out_is_kept_before_they_are_asked_for() {
    let schema = form(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "price": {"type": "number"}}}}}));
    let text = "| what | price |\n| --- | --- |\n| Pen | 1.00 |\n| Ink | 2.00 |\n| Nib | 3.00 |\n";
    let documents = [document("a.md", text)];
    let kept = MemoryAnswerStore::default();
    let first = r#"{"rows": [{"what": "Pen", "price": 1}, {"what": "Nib", "price": 3}]}"#;
    let breaks = Arc::new(Answers::new(move |request: &ChatRequest| match shown(request).contains("Pen") {
        true => says(first),
        false => Err(ProviderError::timeout()),
    }));
    let extraction = ask(&breaks, &schema, &documents, &kept).unwrap();
    assert_eq!(extraction.record["rows"].as_array().unwrap().len(), 2);
    assert!(extraction.errors[0].message.contains("may not be complete"), "{:?}", extraction.errors);
    assert_eq!(kept.count(), 1);
    let mends = Arc::new(Answers::new(|request: &ChatRequest| {
        assert!(!shown(request).contains("Pen") && shown(request).contains("| what | price |"));
        says(r#"{"rows": [{"what": "Ink", "price": 2}]}"#)
    }));
    let extraction = ask(&mends, &schema, &documents, &kept).unwrap();
    let names: Vec<&str> = extraction.record["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["what"].as_str().unwrap())
        .collect();
    assert_eq!((names, mends.asked().len()), (vec!["Pen", "Ink", "Nib"], 1));
    assert!(extraction.errors.is_empty());
}

#[test]
fn a_list_that_stays_incomplete_says_so() {
    let schema = form(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "price": {"type": "number"}}}}}));
    let text = "| what | price |\n| --- | --- |\n| Pen | 1.00 |\n| Ink | 2.00 |\n| Nib | 3.00 |\n";
    let first = r#"{"rows": [{"what": "Pen", "price": 1}]}"#;
    for (more, is_complete) in [(r#"{"rows": [{"what": "#, false), (r#"{"rows": null}"#, true)] {
        let model =
            Arc::new(Answers::new(move |request: &ChatRequest| match shown(request).contains("Pen") {
                true => says(first),
                false => says(more).map(|answer| ChatAnswer {
                    finish: if is_complete { Finish::Stop } else { Finish::Length },
                    ..answer
                }),
            }));
        let extraction = ask(&model, &schema, &[document("a.md", text)], &NoopAnswerStore).unwrap();
        assert_eq!(extraction.record["rows"].as_array().unwrap().len(), 1);
        // What the model looks at again and finds nothing in is no row.
        assert_eq!((extraction.errors.is_empty(), model.asked().len()), (is_complete, 2));
    }
}

#[test]
fn lists_of_parts_are_counted_together() {
    let schema =
        form(&json!({"names": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "string"}}}));
    let text: String = (0..4).map(|n| format!("name {n}\n{}", filler(9_000))).collect();
    let model = Arc::new(Answers::new(|request: &ChatRequest| {
        let text = shown(request);
        let named: Vec<&str> = text.lines().filter(|line| line.starts_with("name ")).collect();
        says(json!({"names": named}).to_string())
    }));
    let extraction = ask(&model, &schema, &[document("a.txt", &text)], &NoopAnswerStore).unwrap();
    assert_eq!(extraction.record["names"], json!(["name 0", "name 1", "name 2", "name 3"]));
    assert_eq!(extraction.errors[0].message, "'names' must have at most 3 entries, not 4");
    assert_eq!(model.asked().len(), 4, "no part is asked again for having few");
}

#[test]
fn documents_that_are_too_long_for_the_model_are_refused_before_anything_is_asked() {
    let schema = form(&json!({"a": {"type": "string"}}));
    let generation = labels();
    let service = GenService::builder().with_chat(Provider::OpenAi, generation.clone()).build();
    let id = "unheard-of@openai".parse().unwrap();
    let documents: Vec<GroupDocument> =
        (0..4).map(|n| document(&format!("{n}"), &"日".repeat(2_000_000))).collect();
    let request = ExtractRequest {
        payer: &payer(),
        schema: &schema,
        instructions: "",
        model: &id,
        documents: &documents,
        answers: &NoopAnswerStore,
    };
    let error = block_on(ExtractionEngine::new(service).extract(request)).unwrap_err();
    assert_eq!(
        (error.code(), error.kind(), generation.asked().len()),
        ("documents_too_long", ErrorKind::TooLarge, 0)
    );
}

#[test]
fn a_model_with_a_smaller_window_than_is_known_is_shown_less() {
    let schema = form(&json!({"a": {"type": "string"}}));
    let text = format!("a: 1\n{}a: 2\n", filler(8_000));
    let model = Arc::new(Answers::new(|request: &ChatRequest| match shown(request).len() > 12_000 {
        true => Err(ProviderError::new(Fault::ContextTooLong, "too long")),
        false => says(if shown(request).contains("a: 1") { r#"{"a": "1"}"# } else { r#"{"a": null}"# }),
    }));
    let extraction = ask(&model, &schema, &[document("a.txt", &text)], &NoopAnswerStore).unwrap();
    assert_eq!(extraction.record["a"], "1");
    assert!(model.asked().len() < 12, "{}", model.asked().len());
    let never =
        Arc::new(Answers::new(|_: &ChatRequest| Err(ProviderError::new(Fault::ContextTooLong, "too long"))));
    let error = ask(&never, &schema, &[document("a.txt", &text)], &NoopAnswerStore).unwrap_err();
    assert_eq!(error.code(), "context_too_long");
}
