//! Answers that fall short as vendors' do: cut off, empty, copied, of wrong kinds, refused. No wrong value is a record,
//! and what is missing is told for what it is.

use crate::common::{document, form, run, says, scripted};
use forms_core::{Extraction, FormSchema};
use gen_core::{ChatAnswer, Finish, ProviderError};
use serde_json::{Value, json};

const TEXT: &str = "Order: PO-1044/2\nTotal: 2150.75\nPaid: yes\nPlaced on: 3 May 2024\n";

fn order() -> FormSchema {
    form(&json!({"order": {"type": "string"}, "total": {"type": "number"}, "paid": {"type": "boolean"}}))
}

fn cut(text: &str, finish: Finish) -> Result<ChatAnswer, ProviderError> {
    says(text).map(|answer| ChatAnswer { finish, ..answer })
}

fn ask(schema: &FormSchema, answers: Vec<Result<ChatAnswer, ProviderError>>) -> Extraction {
    run(scripted(answers), "m@openai", schema, &[document("a.txt", TEXT)]).unwrap()
}

fn told(extraction: &Extraction) -> String {
    extraction.errors.iter().map(|error| format!("{}: {}\n", error.path, error.message)).collect()
}

/// Answers that end within a value.
const CUTS: [&str; 14] = [
    r#"{"order": "PO-1"#,
    r#"{"order": "PO-1\"#,
    r#"{"total": 215"#,
    r#"{"total": 2150."#,
    r#"{"total": 2,"#,
    r#"{total: 215"#,
    r#"{"paid": tru"#,
    "```json\n{\"order\": \"PO-1",
    "```json\n{\"total\": 215\n```",
    "Here it is: {\"total\": 215",
    r#"[{"order": "PO-1"#,
    r#""order": "PO-1"#,
    "order: PO-1",
    "Total: 2",
];

#[test]
fn what_is_open_at_the_end_of_an_answer_is_asked_for_again() {
    let whole = json!({"order": "PO-1044/2", "total": 2150.75, "paid": true});
    for text in CUTS {
        for finish in [Finish::Stop, Finish::Length] {
            let extraction = ask(&order(), vec![cut(text, finish), says(whole.to_string())]);
            assert_eq!(Value::Object(extraction.record.clone()), whole, "{text}");
            assert_eq!(told(&extraction), "", "{text}");
        }
    }
}

#[test]
fn what_stays_cut_off_is_null_and_told_so() {
    let schema = form(&json!({"order": {"type": "string", "required": true}, "total": {"type": "number"}}));
    for text in [r#"{"order": "PO-1"#, r#"{"total": 215"#, "order: PO-1"] {
        let extraction =
            ask(&schema, vec![cut(text, Finish::Stop), cut(text, Finish::Stop), cut(text, Finish::Stop)]);
        assert_eq!(Value::Object(extraction.record.clone()), json!({"order": null, "total": null}), "{text}");
        let told = told(&extraction);
        assert!(
            told.contains("/order: 'order' is missing, since the model's answer was cut off"),
            "{text}: {told}"
        );
        assert!(!told.contains("do not state"), "{told}");
    }
}

#[test]
fn wherever_an_answer_is_cut_no_wrong_value_comes_of_it() {
    let schema = form(&json!({"order": {"type": "string"}, "seller": {"type": "object", "properties": {
        "name": {"type": "string"}, "founded": {"type": "integer"}}},
        "rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "price": {"type": "number"}}}}, "total": {"type": "number"}}));
    let text = "Order PO-1044/2 of Iron Ltd, founded 1985\nBolt M8 12.50\nHinge 1,200.75\nTotal 1213.25\n";
    let whole = json!({"order": "PO-1044/2", "seller": {"name": "Iron Ltd", "founded": 1985},
        "rows": [{"what": "Bolt M8", "price": 12.5}, {"what": "Hinge", "price": 1200.75}], "total": 1213.25});
    let written = whole.to_string();
    for (at, _) in written.char_indices().skip(1) {
        for finish in [Finish::Stop, Finish::Length] {
            // The answer is cut, and the further questions are not answered.
            let model = scripted(vec![cut(&written[..at], finish)]);
            let Ok(extraction) = run(model, "m@openai", &schema, &[document("a.txt", text)]) else {
                continue;
            };
            let record = Value::Object(extraction.record.clone());
            assert!(is_within(&record, &whole), "{} gave {record}", &written[..at]);
            assert!(told(&extraction).contains("cut off"), "{}: {}", &written[..at], told(&extraction));
        }
    }
}

/// Whether every value of a record is one of the whole.
fn is_within(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Null, _) => true,
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(name, value)| whole.get(name).is_some_and(|known| is_within(value, known)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() <= whole.len() && part.iter().zip(whole).all(|(part, whole)| is_within(part, whole))
        }
        _ => part == whole || part.as_f64().is_some_and(|number| Some(number) == whole.as_f64()),
    }
}

#[test]
fn json_within_a_text_that_is_cut_is_no_list() {
    let schema = form(&json!({"codes": {"type": "array", "items": {"type": "string"}}}));
    let extraction = ask(&schema, vec![says(r#"{"codes": "[\"PO-1044/2\", \"PO-1"}"#)]);
    assert_eq!(extraction.record["codes"], Value::Null);
    assert!(told(&extraction).contains("cut off"), "{}", told(&extraction));
}

#[test]
fn an_answer_without_a_field_is_asked_for_again_and_then_told() {
    let schema = form(&json!({"order": {"type": "string", "required": true}, "total": {"type": "number"}}));
    for answer in ["{}", r#"{"total": NaN}"#, r#"{"order": undefined, "total": Infinity}"#, r#"{"other": 1}"#]
    {
        let whole = says(r#"{"order": "PO-1044/2", "total": 2150.75}"#);
        let extraction = ask(&schema, vec![says(answer), whole]);
        assert_eq!(Value::Object(extraction.record.clone()), json!({"order": "PO-1044/2", "total": 2150.75}));
        let extraction = ask(&schema, vec![says(answer), says(answer), says(answer)]);
        let told = told(&extraction);
        assert!(told.contains("/order: the model's answer leaves 'order' out"), "{answer}: {told}");
        assert!(told.contains("/total: ") && !told.contains("do not state"), "{answer}: {told}");
    }
    let extraction =
        ask(&schema, vec![says(r#"{"order": null, "total": "NaN"}"#), says(r#"{"total": null}"#)]);
    assert_eq!(told(&extraction), "/order: 'order' is required, and the documents do not state it\n");
}

#[test]
fn empty_cells_that_a_model_leaves_out_of_rows_cost_no_further_question() {
    let schema = form(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string", "required": true}, "price": {"type": "number"}}}}}));
    let model = scripted(vec![says(r#"{"rows": [{"what": "Order"}]}"#), says("{}")]);
    let extraction = run(model.clone(), "m@openai", &schema, &[document("a.txt", TEXT)]).unwrap();
    assert_eq!(extraction.record["rows"], json!([{"what": "Order", "price": null}]));
    assert_eq!((told(&extraction).as_str(), model.asked().len()), ("", 1));
}

#[test]
fn a_further_question_that_is_not_answered_leaves_a_list_that_says_so() {
    let schema = form(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "price": {"type": "number"}}}}}));
    let text = "| what | price |\n| --- | --- |\n| Pen | 1.00 |\n| Ink | 2.00 |\n";
    for more in ["{}", r#"{"rows": [{"what": "In"#, r#"{"rows": "#] {
        let model = scripted(vec![says(r#"{"rows": [{"what": "Pen", "price": 1}]}"#), says(more)]);
        let extraction = run(model, "m@openai", &schema, &[document("a.md", text)]).unwrap();
        assert_eq!(extraction.record["rows"].as_array().unwrap().len(), 1);
        assert!(
            told(&extraction).contains("may not be complete") || told(&extraction).contains("cut off"),
            "{more}"
        );
    }
}

#[test]
fn two_documents_in_one_file_are_a_conflict() {
    let invoice = |number: &str, day: &str, total: &str| {
        format!("Northern Iron Ltd\nInvoice No: {number}\nDate: {day}\nBolts 10 2.00 20.00\nTotal: {total}\n")
    };
    let schema =
        form(&json!({"number": {"type": "string"}, "date": {"type": "date"}, "total": {"type": "number"}}));
    let text = invoice("A-17", "3 May 2024", "20.00 EUR") + &invoice("A-18", "9 May 2024", "35.50 EUR");
    let answer = || says(r#"{"number": "A-17", "date": "2024-05-03", "total": 20}"#);
    let extraction = run(scripted(vec![answer()]), "m@openai", &schema, &[document("a.pdf", &text)]).unwrap();
    let told: Vec<(&str, Vec<&Value>)> = extraction
        .conflicts
        .iter()
        .map(|conflict| (conflict.path.as_str(), conflict.values.iter().map(|side| &side.value).collect()))
        .collect();
    assert_eq!(
        told,
        [
            ("/number", vec![&json!("A-17"), &json!("A-18")]),
            ("/date", vec![&json!("2024-05-03"), &json!("2024-05-09")]),
            ("/total", vec![&json!(20), &json!(35.5)]),
        ]
    );
    let second = &extraction.conflicts[0].values[1].evidence;
    assert_eq!(second.start, text.find("A-18"));
    // A copy says the same, and the blocks of two parties are not two documents.
    let copy = invoice("A-17", "3 May 2024", "20.00 EUR").repeat(2);
    let extraction = run(scripted(vec![answer()]), "m@openai", &schema, &[document("a.pdf", &copy)]).unwrap();
    assert_eq!(extraction.conflicts, []);
    let schema = form(&json!({"seller": {"type": "string"}}));
    let text = "Invoice No: A-17\nName: Iron Ltd\nVAT: 1\nName: Steel AG\nVAT: 2\n";
    let answer = says(r#"{"seller": "Iron Ltd"}"#);
    let extraction = run(scripted(vec![answer]), "m@openai", &schema, &[document("a.pdf", text)]).unwrap();
    assert_eq!(extraction.conflicts, []);
}

#[test]
fn two_documents_behind_a_cover_letter_are_a_conflict_and_the_blocks_of_two_parties_are_not() {
    let schema =
        form(&json!({"number": {"type": "string"}, "date": {"type": "date"}, "total": {"type": "number"}}));
    let invoice = |number: &str, day: &str, total: &str| {
        format!("Northern Iron Ltd\nInvoice No: {number}\nDate: {day}\nTotal: {total}\n")
    };
    let text = "To: Harbour Office\nSubject: your orders\nDear Ms Grey, please find two invoices.\n"
        .to_owned()
        + &invoice("A-17", "3 May 2024", "20.00 EUR")
        + &invoice("A-18", "9 May 2024", "35.50 EUR");
    let answer = || says(r#"{"number": "A-17", "date": "2024-05-03", "total": 20}"#);
    let extraction = run(scripted(vec![answer()]), "m@openai", &schema, &[document("a.pdf", &text)]).unwrap();
    let told: Vec<&str> = extraction.conflicts.iter().map(|conflict| conflict.path.as_str()).collect();
    assert_eq!(told, ["/number", "/date", "/total"]);

    let schema = form(&json!({
        "name": {"type": "string"}, "street": {"type": "string"}, "vat": {"type": "string"},
        "total": {"type": "number"}
    }));
    let text = "Invoice No: A-17\nName: Iron Ltd\nStreet: Forge Lane\nVAT: GB1\n\
                Name: Steel AG\nStreet: Mill Road\nVAT: GB2\nTotal: 20.00\n";
    let answer = says(r#"{"name": "Iron Ltd", "street": "Forge Lane", "vat": "GB1", "total": 20}"#);
    let extraction = run(scripted(vec![answer]), "m@openai", &schema, &[document("a.pdf", text)]).unwrap();
    assert_eq!(extraction.conflicts, []);
}

#[test]
fn a_model_that_copies_its_question_back_gives_no_value() {
    let told = "These values cannot be used:\n- /order: the model's answer leaves 'order' out\n\
        Answer again with the fields of the schema only. Use null for what the documents do not state.";
    let extraction = ask(&order(), vec![says("{}"), says(told), says(told)]);
    assert_eq!(extraction.record.get("order"), Some(&Value::Null));
    assert!(extraction.errors.iter().any(|error| error.path == "/order"), "{}", self::told(&extraction));
}
