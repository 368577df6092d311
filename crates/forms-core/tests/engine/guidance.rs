//! What a form teaches: rules between fields, computed fields, aliases and examples.

use std::sync::Arc;

use crate::built_in::read;
use crate::common::{document, form, run, says, scripted};
use forms_core::{FormExample, FormSchema, Support};
use gen_core::{ChatAnswer, ChatModel, ChatRequest, Part, ProviderError, Role};
use serde_json::{Value, json};

const INVOICE: &str = "ACME GmbH\nPens 12.50\nPaper 30.00\nNet amount: 42.50\nTax: 8.08\nTotal: 50.58\n\
                       Issued: 2024-03-01\nDue: 2024-03-15\nOld net amount: 40.00";

fn invoice() -> FormSchema {
    form(&json!({
        "rows": {"type": "array", "items": {"type": "object", "properties": {
            "name": {"type": "string"}, "amount": {"type": "number"}}}},
        "net": {"type": "number", "rules": ["rows.sum(amount) == net"]},
        "tax": {"type": "number"},
        "total": {"type": "number", "rules": [
            {"check": "net + tax == total", "tolerance": 0.01, "message": "net and tax are not the total"}]}
    }))
}

fn rows() -> Value {
    json!([{"name": "Pens", "amount": 12.5}, {"name": "Paper", "amount": 30}])
}

fn problems(extraction: &forms_core::Extraction) -> Vec<(&str, &str)> {
    extraction.errors.iter().map(|violation| (violation.path.as_str(), violation.message.as_str())).collect()
}

#[test]
fn the_fields_of_a_broken_rule_are_asked_for_again() {
    let wrong = json!({"rows": rows(), "net": 40, "tax": 8.08, "total": 50.58});
    let right = json!({"rows": rows(), "net": 42.5, "tax": 8.08, "total": 50.58});
    let model = scripted(vec![says(wrong.to_string()), says(right.to_string())]);
    let extraction = run(model.clone(), "m@openai", &invoice(), &[document("a.txt", INVOICE)]).unwrap();
    assert_eq!((&extraction.record["net"], problems(&extraction)), (&json!(42.5), vec![]));
    let asked = model.asked();
    assert_eq!(asked.len(), 2);
    let Some(Part::Text(told)) = asked[1].messages.last().unwrap().parts.first() else { panic!("a text") };
    assert!(told.contains("- /net: the rule rows.sum(amount) == net does not hold (42.5 and 40)"), "{told}");
    assert!(told.contains("- /total: net and tax are not the total (48.08 and 50.58)"), "{told}");
    assert_eq!(
        asked[1].response_schema.as_ref().unwrap().schema["required"],
        json!(["rows", "net", "tax", "total"])
    );
}

#[test]
fn values_that_only_fulfil_the_rule_are_not_taken() {
    let wrong = json!({"rows": rows(), "net": 40, "tax": 8.08, "total": 50.58});
    // 37.77 is not printed; a list without its second row fits the rule, too.
    for invented in [
        json!({"rows": [{"name": "Pens", "amount": 10}, {"name": "Paper", "amount": 30}], "net": 40, "tax": 10.58, "total": 50.58}),
        json!({"rows": [{"name": "Paper", "amount": 30}], "net": 30, "tax": 8.08, "total": 50.58}),
    ] {
        let model = scripted(vec![says(wrong.to_string()), says(invented.to_string())]);
        let extraction = run(model.clone(), "m@openai", &invoice(), &[document("a.txt", INVOICE)]).unwrap();
        assert_eq!(json!(extraction.record), wrong, "{invented}");
        let paths: Vec<&str> = problems(&extraction).iter().map(|(path, _)| *path).collect();
        assert_eq!((paths, model.asked().len()), (vec!["/net", "/total"], 2));
        // Nothing that a broken rule depends on is accepted without a look.
        for pointer in ["/rows/0/amount", "/net", "/tax", "/total"] {
            assert_eq!(extraction.evidence[pointer].accepted, Some(false), "{pointer}");
        }
    }
}

#[test]
fn a_rule_of_which_a_value_is_missing_is_not_broken() {
    let answer = json!({"rows": rows(), "net": null, "tax": 8.08, "total": 50.58});
    let model = scripted(vec![says(answer.to_string())]);
    let extraction = run(model.clone(), "m@openai", &invoice(), &[document("a.txt", INVOICE)]).unwrap();
    assert_eq!((problems(&extraction), model.asked().len()), (vec![], 1));
}

#[test]
fn a_rule_of_a_row_concerns_that_row_alone() {
    let schema = form(&json!({
        "latest": {"type": "date"},
        "stays": {"type": "array", "items": {"type": "object", "properties": {
            "from": {"type": "date", "rules": ["from <= to", "to <= latest"]}, "to": {"type": "date"}}}}
    }));
    let text = "2024-01-01 2024-01-03\n2024-02-09 2024-02-05\nlatest 2024-12-31";
    let answer = json!({"latest": "2024-12-31", "stays": [
        {"from": "2024-01-01", "to": "2024-01-03"}, {"from": "2024-02-09", "to": "2024-02-05"}]});
    let model = scripted(vec![says(answer.to_string()), says(answer.to_string())]);
    let extraction = run(model, "m@openai", &schema, &[document("a.txt", text)]).unwrap();
    let message = "the rule from <= to does not hold (\"2024-02-09\" and \"2024-02-05\")";
    assert_eq!(problems(&extraction), [("/stays/1/from", message)]);
    let [broken] = &schema.broken_rules(&extraction.record)[..] else { panic!("one rule is broken") };
    for (pointer, is_involved) in [
        ("/stays/1/to", true),
        ("/stays/1/from", true),
        ("/stays/0/to", false),
        ("/stays/10/to", false),
        ("/latest", false),
    ] {
        assert_eq!(broken.depends_on(pointer, &schema.definition_path(pointer)), is_involved, "{pointer}");
    }
    assert_eq!(extraction.evidence["/stays/1/to"].accepted, Some(false));
}

#[test]
fn computed_fields_are_never_asked_for_and_stand_in_their_places() {
    let schema = form(&json!({
        "count": {"type": "integer", "computed": "rows.count()"},
        "rows": {"type": "array", "items": {"type": "object", "properties": {
            "amount": {"type": "number", "computed": "pieces * price"},
            "pieces": {"type": "integer"}, "price": {"type": "number"}}}},
        "total": {"type": "number", "computed": "rows.sum(amount)"},
        "large": {"type": "boolean", "computed": "total > 100"}
    }));
    let text = "3 x 19.99\n2 x 30.01";
    let answer = json!({"rows": [{"pieces": 3, "price": 19.99}, {"pieces": 2, "price": 30.01}]});
    let model = scripted(vec![says(answer.to_string())]);
    let extraction = run(model.clone(), "m@openai", &schema, &[document("a.txt", text)]).unwrap();
    let expected = json!({
        "count": 2,
        "rows": [{"amount": 59.97, "pieces": 3, "price": 19.99}, {"amount": 60.02, "pieces": 2, "price": 30.01}],
        "total": 119.99, "large": true
    });
    assert_eq!(serde_json::to_string(&extraction.record).unwrap(), expected.to_string());
    let asked = model.asked()[0].response_schema.as_ref().unwrap().schema.clone();
    assert_eq!(asked["required"], json!(["rows"]));
    assert_eq!(asked["properties"]["rows"]["items"]["required"], json!(["pieces", "price"]));
    let total = &extraction.evidence["/total"];
    assert_eq!((total.support, &total.document), (Support::Computed, &None));
    let inputs = ["/rows/0/pieces", "/rows/0/price", "/rows/1/pieces", "/rows/1/price"];
    let least = inputs.iter().map(|pointer| extraction.evidence[*pointer].confidence).fold(1.0, f32::min);
    assert!(total.confidence <= least, "{} {least}", total.confidence);
}

#[test]
fn an_alias_is_a_label_of_the_built_in_model() {
    let text = "Belegkennung: 4711-B\nAktenzeichen: 99/2024\n";
    let plain = json!({"order_number": {"type": "string"}});
    let named = json!({"order_number": {"type": "string", "aliases": ["Belegkennung"]}});
    let found =
        |schema: &Value| read(&form(schema), &[document("a.txt", text)]).record["order_number"].clone();
    assert_eq!((found(&plain), found(&named)), (Value::Null, json!("4711-B")));
}

fn example() -> FormExample {
    let text = "Vorgangskürzel: KX-100\nKulanz bis: 01.02.2023\n";
    let record = json!({"reference": "KX-100", "grace": "2023-02-01"});
    FormExample { text: text.to_owned(), record: record.as_object().unwrap().clone() }
}

fn taught() -> FormSchema {
    form(&json!({"reference": {"type": "string"}, "grace": {"type": "date"}})).with_examples(vec![example()])
}

#[test]
fn an_example_teaches_the_built_in_model_its_labels() {
    let text = "Kundennummer: 12345\nVorgangskürzel: KX-207\nKulanz bis: 05.06.2024\n";
    let extraction = read(&taught(), &[document("a.txt", text)]);
    assert_eq!(json!(extraction.record), json!({"reference": "KX-207", "grace": "2024-06-05"}));
}

#[test]
fn an_example_is_shown_to_the_model_and_its_values_never_leak() {
    let model = scripted(vec![says(r#"{"reference": "KX-100", "grace": "2024-06-05"}"#)]);
    let text = "Kulanz bis: 05.06.2024\n";
    let extraction = run(model.clone(), "m@openai", &taught(), &[document("a.txt", text)]).unwrap();
    assert_eq!(json!(extraction.record), json!({"reference": null, "grace": "2024-06-05"}));
    assert_eq!(
        problems(&extraction),
        [("/reference", "the value given for 'reference' is an example of the form")]
    );
    let system = model.asked()[0].system.clone().unwrap();
    assert!(system.contains("Vorgangskürzel: KX-100\nKulanz bis: 01.02.2023"), "{system}");
    assert!(
        system.contains(r#"<record number="1">{"reference":"KX-100","grace":"2023-02-01"}</record>"#),
        "{system}"
    );
    // What a document states is no leak, although an example has it too.
    let model = scripted(vec![says(r#"{"reference": "KX-100", "grace": null}"#)]);
    let extraction =
        run(model, "m@openai", &taught(), &[document("a.txt", "Vorgangskürzel: KX-100")]).unwrap();
    assert_eq!(extraction.record["reference"], "KX-100");
}

#[test]
fn examples_of_a_field_do_not_leak_either() {
    let schema = form(
        &json!({"code": {"type": "string", "examples": ["AB-12"]}, "size": {"type": "integer", "examples": [7]}}),
    );
    let model = scripted(vec![says(r#"{"code": "AB-12", "size": 7}"#)]);
    let extraction = run(model, "m@openai", &schema, &[document("a.txt", "Nothing of that kind.")]).unwrap();
    assert_eq!(json!(extraction.record), json!({"code": null, "size": null}));
}

/// Reads what a prompt shows, and takes the old net amount for the net amount where it shows both.
#[derive(Debug, Default)]
struct Careless(parking_lot::Mutex<Vec<String>>);

#[async_trait::async_trait]
impl ChatModel for Careless {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let parts = || request.messages.iter().flat_map(|message| &message.parts);
        let shown: String = parts()
            .filter_map(|part| match part {
                Part::Document { text, .. } => Some(text.to_string()),
                _ => None,
            })
            .collect();
        let is_asked_again = request.messages.iter().any(|message| message.role == Role::Assistant);
        let net = if is_asked_again { "\nNet amount: " } else { "\nOld net amount: " };
        let value = |label: &str| -> Value {
            let after = shown.split_once(label).map(|(_, after)| after.lines().next().unwrap_or_default());
            after.and_then(|text| text.parse::<f64>().ok()).map_or(Value::Null, Value::from)
        };
        let record = json!({"net": value(net), "tax": value("\nTax: "), "total": value("\nTotal: ")});
        self.0.lock().push(shown);
        Ok(ChatAnswer { text: record.to_string(), ..ChatAnswer::default() })
    }
}

#[test]
fn a_rule_about_values_of_several_prompts_is_asked_about_with_their_places() {
    let filler = "Nothing that anybody needs to know stands in this line of the report.\n".repeat(1_500);
    let text = format!(
        "Report\nNet amount: 42.50\nOld net amount: 40.00\n{filler}\nTax: 8.08\n{filler}\nTotal: 50.58\n{filler}"
    );
    let schema = form(&json!({
        "net": {"type": "number"}, "tax": {"type": "number"},
        "total": {"type": "number", "rules": [{"check": "net + tax == total", "tolerance": 0.01}]}
    }));
    let model = Arc::new(Careless::default());
    let extraction = run(model.clone(), "m@openai", &schema, &[document("a.txt", &text)]).unwrap();
    assert_eq!(json!(extraction.record), json!({"net": 42.5, "tax": 8.08, "total": 50.58}));
    assert_eq!(problems(&extraction), []);
    let shown = model.0.lock();
    let last = shown.last().unwrap();
    assert!(shown.len() > 3 && last.len() < 8_000, "{} prompts, the last of {}", shown.len(), last.len());
}
