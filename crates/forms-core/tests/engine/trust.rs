//! How values are judged: second readers by setting, the acceptable error, places and sums.

use std::sync::Arc;

use forms_core::{
    ExtractRequest, Extraction, ExtractionEngine, NoopAnswerStore, SecondReader, SecondReading, TrustOptions,
    UnsupportedPolicy,
};
use futures_executor::block_on;
use gen_core::scripted::ScriptedModel;
use gen_core::{ChatModel, Fault, GenService, ModelId, Provider, ProviderError};
use rules_engine::Extractive;
use serde_json::{Value, json};

use super::common::{document, form, payer, says, scripted};

const PAPER: &str = "Invoice No.: INV-2024-17\nInvoice date: 2024-03-04\nDue date: 2024-04-03\nCustomer: Alder Ltd\n\
     Net amount: 1,000.00\nVAT: 190.00\nTotal: 1,190.00\n";

fn fields() -> Value {
    json!({
        "invoice_number": {"type": "string"}, "invoice_date": {"type": "date"}, "due_date": {"type": "date"},
        "customer": {"type": "string"}, "net": {"type": "number"}, "tax": {"type": "number"},
        "total": {"type": "number"},
    })
}

fn truth() -> Value {
    json!({"invoice_number": "INV-2024-17", "invoice_date": "2024-03-04", "due_date": "2024-04-03",
           "customer": "Alder Ltd", "net": 1000.0, "tax": 190.0, "total": 1190.0})
}

fn model(name: &str, provider: Provider) -> ModelId {
    ModelId { model: name.into(), provider }
}

/// What comes of an answer beside the answer of a second model.
fn judged(answer: &Value, second: &Arc<ScriptedModel>, options: TrustOptions) -> Extraction {
    judged_beside(answer, Arc::new(Extractive), second, options)
}

/// The same with a stand-in for the built-in model.
fn judged_beside(
    answer: &Value,
    built_in: Arc<dyn ChatModel>,
    second: &Arc<ScriptedModel>,
    options: TrustOptions,
) -> Extraction {
    let generation = GenService::builder()
        .with_chat(Provider::Formwork, built_in)
        .with_chat(Provider::OpenAi, scripted(vec![says(answer.to_string())]))
        .with_chat(Provider::Mistral, second.clone())
        .build();
    let (schema, first) = (form(&fields()), model("m", Provider::OpenAi));
    let documents = [document("a.txt", PAPER)];
    let request = ExtractRequest {
        payer: &payer(),
        schema: &schema,
        instructions: "",
        model: &first,
        documents: &documents,
        answers: &NoopAnswerStore,
    };
    block_on(ExtractionEngine::new(generation).with_trust(options).extract(request)).unwrap()
}

fn alone(answer: &Value) -> Extraction {
    judged(answer, &scripted(vec![]), TrustOptions::default())
}

fn beside(when: SecondReading, acceptable_error: f64) -> TrustOptions {
    TrustOptions {
        second_reader: SecondReader::Model(model("cheap", Provider::Mistral)),
        second_reading: when,
        acceptable_error,
        ..TrustOptions::default()
    }
}

fn with(name: &str, value: Value) -> Value {
    let mut record = truth();
    record[name] = value;
    record
}

#[test]
fn a_second_model_that_reads_something_else_makes_a_value_less_sure_and_its_tokens_are_counted() {
    let sure = |total: f64| {
        let second = scripted(vec![says(with("total", json!(total)).to_string())]);
        let extraction = judged(&truth(), &second, beside(SecondReading::Always, 0.01));
        assert_eq!(extraction.usage.input_tokens, 20, "both models are paid for");
        assert_eq!(extraction.record["total"], json!(1190.0), "the first model's value stays");
        extraction.evidence["/total"].confidence
    };
    assert!(sure(1190.0) > sure(190.0));
}

#[test]
fn a_second_model_that_fails_changes_nothing() {
    let failing = scripted(vec![Err(ProviderError::new(Fault::Auth, "no"))]);
    let extraction = judged(&truth(), &failing, beside(SecondReading::Always, 0.01));
    assert_eq!(failing.asked().len(), 1);
    assert_eq!(extraction.evidence, alone(&truth()).evidence);
    let silent = scripted(vec![says("no JSON at all")]);
    let extraction = judged(&truth(), &silent, beside(SecondReading::Always, 0.01));
    assert_eq!(extraction.evidence, alone(&truth()).evidence);
}

#[test]
fn in_doubt_a_second_model_is_asked_only_where_a_value_would_not_be_accepted() {
    let asked = |answer: &Value, error: f64| {
        let second = scripted(vec![says(truth().to_string())]);
        judged(answer, &second, beside(SecondReading::Doubt, error));
        second.asked().len()
    };
    assert_eq!(asked(&truth(), 1.0), 0, "where any error is accepted, nothing is in doubt");
    assert_eq!(asked(&with("customer", json!("Nobody & Sons")), 0.01), 1);
}

#[test]
fn without_a_second_reader_nothing_is_read_twice() {
    for (second_reader, times) in [(SecondReader::Off, 0), (SecondReader::BuiltIn, 1)] {
        let built_in = scripted(vec![says(truth().to_string())]);
        let options = TrustOptions { second_reader, ..TrustOptions::default() };
        judged_beside(&truth(), built_in.clone(), &scripted(vec![]), options);
        assert_eq!(built_in.asked().len(), times);
    }
}

#[test]
fn what_is_accepted_follows_the_acceptable_error() {
    let record = with("customer", json!("Nobody & Sons"));
    let accepted = |error: f64| -> Vec<String> {
        let options = TrustOptions { acceptable_error: error, ..TrustOptions::default() };
        let extraction = judged(&record, &scripted(vec![]), options);
        let passes = |(path, evidence): (String, forms_core::Evidence)| {
            evidence.accepted.expect("every value is judged").then_some(path)
        };
        extraction.evidence.into_iter().filter_map(passes).collect()
    };
    let (strict, usual, loose) = (accepted(0.0), accepted(0.01), accepted(0.05));
    assert!(strict.len() <= usual.len() && usual.len() <= loose.len(), "{strict:?} {usual:?} {loose:?}");
    assert!(!loose.contains(&"/customer".to_owned()), "what nothing shows does not pass");
    assert!(usual.contains(&"/total".to_owned()), "{usual:?}");
}

#[test]
fn a_value_beside_the_label_of_another_field_is_less_sure() {
    let right = alone(&truth()).evidence["/due_date"].confidence;
    let wrong = alone(&with("due_date", json!("2024-03-04"))).evidence["/due_date"].confidence;
    assert!(wrong < 0.6 && right > 0.9, "{wrong} {right}");
    let swapped = alone(&with("total", json!(190.0))).evidence["/total"].confidence;
    assert!(swapped < 0.6, "{swapped}");
}

#[test]
fn what_nothing_shows_and_is_likely_wrong_is_taken_away_where_it_is_to_be() {
    let options = TrustOptions { unsupported: UnsupportedPolicy::Null, ..TrustOptions::default() };
    let record = with("customer", json!("Nobody & Sons"));
    let extraction = judged(&record, &scripted(vec![]), options);
    assert_eq!(extraction.record["customer"], Value::Null);
    assert_eq!(extraction.record["total"], json!(1190.0));
    assert_eq!(extraction.errors.len(), 1);
}
