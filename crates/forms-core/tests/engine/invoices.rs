//! An invoice as pages and as XML: two documents of one prompt, which agree or disagree.

use std::sync::Arc;

use document::{Attachment, Document};
use forms_core::{DocumentGroup, ExtractRequest, Extraction, ExtractionEngine, NoopAnswerStore};
use futures_executor::block_on;
use gen_core::{ChatRequest, GenService, Part, Provider};
use serde_json::{Value, json};

use crate::common::{form, payer, says};
use crate::reader::{Answers, shown};

const PAGE: &str = "Invoice HL-2031\nMooring rope  12  30.00\nDeck lamp  4  110.00\nTotal 140.00\n";
const XML: &str = "Invoice number: HL-2031\n\n| Item name | Quantity | Net amount |\n| --- | --- | --- |\n\
                   | Mooring rope | 12 | 30.00 |\n| Deck lamp | 4 | 100.00 |\n\nNet: 130.00\n";

fn group() -> DocumentGroup {
    let text = format!("{PAGE}\n# factur-x.xml\n\n{XML}");
    let start = PAGE.chars().count() + 1;
    let attachment = Attachment { name: "factur-x.xml".into(), start, end: text.chars().count() };
    let document = Document { text, attachments: vec![attachment], ..Document::default() };
    let mut group = DocumentGroup::default();
    group.add("invoice.pdf".into(), None, Arc::new(document));
    group
}

fn schema() -> Value {
    let item = json!({"type": "object", "properties": {
        "name": {"type": "string"}, "quantity": {"type": "integer"}, "amount": {"type": "number"}
    }});
    json!({"lines": {"type": "array", "items": item}})
}

fn line(name: &str, quantity: u32, amount: f64) -> Value {
    json!({"name": name, "quantity": quantity, "amount": amount})
}

/// The record, and the documents of all prompts with their texts.
fn extract(page: &[Value], xml: &[Value]) -> (Extraction, Vec<(String, String)>) {
    let (page, xml) = (page.to_vec(), xml.to_vec());
    let model = Arc::new(Answers::new(move |request: &ChatRequest| {
        let lines = if shown(request).contains("Item name") { &xml } else { &page };
        says(json!({"lines": lines}).to_string())
    }));
    let generation = GenService::builder().with_chat(Provider::OpenAi, model.clone()).build();
    let group = group();
    let request = ExtractRequest {
        payer: &payer(),
        schema: &form(&schema()),
        instructions: "",
        model: &"gpt-6-luna@openai".parse().unwrap(),
        documents: group.documents(),
        answers: &NoopAnswerStore,
    };
    let found = block_on(ExtractionEngine::new(generation).extract(request)).unwrap();
    let asked = model.asked();
    let parts = asked.iter().flat_map(|request| &request.messages).flat_map(|message| &message.parts);
    let documents = parts.filter_map(|part| match part {
        Part::Document { name, text, .. } => Some((name.clone(), text.to_string())),
        _ => None,
    });
    let documents = documents.collect();
    (found, documents)
}

#[test]
fn the_xml_of_an_invoice_is_a_document_of_its_own_in_the_prompts() {
    let lines = [line("Mooring rope", 12, 30.0), line("Deck lamp", 4, 100.0)];
    let (found, documents) = extract(&lines, &lines);
    let [(page, page_text), (xml, xml_text)] = &documents[..] else { panic!("{documents:?}") };
    assert_eq!((page.as_str(), xml.as_str()), ("invoice.pdf", "invoice.pdf#factur-x.xml"));
    assert!(page_text.contains("110.00") && !page_text.contains("100.00"), "{page_text}");
    assert!(xml_text.contains("100.00") && !xml_text.contains("110.00"), "{xml_text}");
    assert_eq!((found.record["lines"].as_array().unwrap().len(), found.conflicts.len()), (2, 0), "{found:?}");
}

#[test]
fn a_cell_that_the_page_prints_otherwise_is_a_conflict_and_the_rows_are_listed_once() {
    let xml = [line("Mooring rope", 12, 30.0), line("Deck lamp", 4, 100.0)];
    let page = [line("Mooring rope", 12, 30.0), line("Deck lamp", 4, 110.0)];
    let (found, _) = extract(&page, &xml);
    let names: Vec<&Value> =
        found.record["lines"].as_array().unwrap().iter().map(|line| &line["name"]).collect();
    assert_eq!(names, ["Mooring rope", "Deck lamp"], "{found:?}");
    let told: Vec<(&str, Vec<&Value>)> = found
        .conflicts
        .iter()
        .map(|conflict| (conflict.path.as_str(), conflict.values.iter().map(|side| &side.value).collect()))
        .collect();
    assert_eq!(told, [("/lines/1/amount", vec![&json!(100.0), &json!(110.0)])]);
    let documents: Vec<_> =
        found.conflicts[0].values.iter().map(|side| side.evidence.document.as_deref()).collect();
    assert_eq!(documents, [Some("invoice.pdf#factur-x.xml"), Some("invoice.pdf")]);
}
