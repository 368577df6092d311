//! The engine with the built-in model: no script, no network.

use std::sync::Arc;

use crate::common::{check, document, form, payer, says, scripted};
use forms_core::{
    ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument, NoopAnswerStore, Support,
};
use futures_executor::block_on;
use gen_core::{GenService, ModelId, Provider};
use rules_engine::Extractive;
use serde_json::json;

/// The record by the built-in model; evidence is checked against the texts.
pub(crate) fn read(schema: &FormSchema, documents: &[GroupDocument]) -> Extraction {
    let generation = GenService::builder().with_chat(Provider::Formwork, Arc::new(Extractive)).build();
    let request = ExtractRequest {
        payer: &payer(),
        schema,
        instructions: "",
        model: &ModelId::extractive(),
        documents,
        answers: &NoopAnswerStore,
    };
    let extraction = block_on(ExtractionEngine::new(generation).extract(request)).unwrap();
    check(&extraction, documents);
    extraction
}

#[test]
fn labelled_values_come_out_typed_and_with_their_places() {
    let schema = form(&json!({
        "invoice_number": {"type": "string", "description": "Number of the invoice"},
        "invoice_date": {"type": "date"},
        "total": {"type": "number", "description": "Grand total"},
        "email": {"type": "email"},
        "iban": {"type": "string", "description": "IBAN of the seller", "required": true}
    }));
    let text = "Invoice number: INV-2024-17\nInvoice date: 12 March 2024\nE-mail: billing@example.com\n\
                Subtotal: 1,000.00\nTotal: 1,190.00\n";
    let documents = [document("invoice.txt", text)];
    let extraction = read(&schema, &documents);
    assert_eq!(
        json!(extraction.record),
        json!({"invoice_number": "INV-2024-17", "invoice_date": "2024-03-12", "total": 1190.0,
               "email": "billing@example.com", "iban": null})
    );
    assert_eq!(extraction.errors.len(), 1);
    for evidence in extraction.evidence.values() {
        assert!(matches!(evidence.support, Support::Exact | Support::Normalised), "{evidence:?}");
    }
}

#[test]
fn signs_magnitudes_and_years_are_read_as_the_engine_reads_them() {
    let schema = form(&json!({
        "revenue": {"type": "number", "description": "Revenue of the year"},
        "adjustment": {"type": "number", "description": "Adjustment"},
        "balance": {"type": "number", "description": "Balance"}
    }));
    let text = "Adjustment: (1,234.50)\nBalance: 1,200.00-\n\nIn fiscal year 2023 the revenue rose by a lot.\n\
                Revenue: 4.2 million\n";
    let documents = [document("report.txt", text)];
    let extraction = read(&schema, &documents);
    let expected = json!({"revenue": 4_200_000.0, "adjustment": -1234.5, "balance": -1200.0});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(extraction.record[name].as_f64(), value.as_f64(), "{name}: {:?}", extraction.record);
    }
    for evidence in extraction.evidence.values() {
        assert!(matches!(evidence.support, Support::Exact | Support::Normalised), "{evidence:?}");
    }
}

#[test]
fn a_printed_account_number_with_a_wrong_check_digit_is_kept_with_a_warning() {
    let schema = form(&json!({"iban": {"type": "string", "description": "IBAN of the seller"}}));
    let documents = [document("invoice.txt", "Invoice 12\nIBAN: DE88 3704 0044 0532 0130 00\n")];
    let extraction = read(&schema, &documents);
    assert_eq!(json!(extraction.record), json!({"iban": "DE88 3704 0044 0532 0130 00"}));
    let told: Vec<_> =
        extraction.errors.iter().map(|error| (error.path.as_str(), error.message.as_str())).collect();
    assert_eq!(told, [("/iban", "'iban' is kept as printed, but has a wrong check digit")]);
}

#[test]
fn the_built_in_model_reads_a_second_time_and_only_what_another_model_states() {
    let schema = form(&json!({
        "invoice_number": {"type": "string"}, "total": {"type": "number"}, "due_date": {"type": "date"}
    }));
    let text = "Invoice number: INV-2024-17\nTotal: 1,190.00\nReference 1190.50\n";
    let documents = [document("invoice.txt", text)];
    let sure = |total: f64, reader: bool| {
        let answer = json!({"invoice_number": "INV-2024-17", "total": total, "due_date": null}).to_string();
        let vendor = scripted(vec![says(answer)]);
        let second = scripted(vec![says(r#"{"invoice_number": "INV-2024-17", "total": 1190.0}"#)]);
        let mut generation = GenService::builder().with_chat(Provider::OpenAi, vendor);
        if reader {
            generation = generation.with_chat(Provider::Formwork, second.clone());
        }
        let model = ModelId { model: "m".into(), provider: Provider::OpenAi };
        let request = ExtractRequest {
            payer: &payer(),
            schema: &schema,
            instructions: "",
            model: &model,
            documents: &documents,
            answers: &NoopAnswerStore,
        };
        let extraction = block_on(ExtractionEngine::new(generation.build()).extract(request)).unwrap();
        assert_eq!(extraction.usage.input_tokens, 10, "the second reader costs nothing");
        if let Some(asked) = second.asked().first() {
            let wanted = asked.response_schema.as_ref().unwrap();
            assert_eq!(wanted.schema["required"], json!(["invoice_number", "total"]));
        }
        extraction.evidence["/total"].confidence
    };
    let (agrees, silent, disagrees) = (sure(1190.0, true), sure(1190.0, false), sure(1190.5, true));
    assert!(agrees > silent && silent > disagrees, "{agrees} {silent} {disagrees}");
}
