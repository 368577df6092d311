//! An invoice as pages and as XML: two documents of one prompt, which agree or disagree.

use std::sync::Arc;

use document::{Attachment, Document};
use forms_core::{DocumentGroup, Extraction};
use gen_core::Part;
use serde_json::{Value, json};

use crate::common::{form, run, says, scripted};

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

fn extract(lines: &[Value]) -> (Extraction, Vec<Part>) {
    let model = scripted((0..4).map(|_| says(json!({"lines": lines}).to_string())).collect());
    let found = run(model.clone(), "gpt-6-luna@openai", &form(&schema()), group().documents()).unwrap();
    (found, model.asked().remove(0).messages.remove(0).parts)
}

#[test]
fn the_xml_of_an_invoice_is_a_document_of_the_prompt_beside_its_pages() {
    let (_, parts) = extract(&[line("Mooring rope", 12, 30.0)]);
    let documents: Vec<(&str, &str)> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Document { name, text, .. } => Some((name.as_str(), text.as_ref())),
            _ => None,
        })
        .collect();
    let [(page, page_text), (xml, xml_text)] = documents[..] else { panic!("{documents:?}") };
    assert_eq!((page, xml), ("invoice.pdf", "invoice.pdf#factur-x.xml"));
    assert!(page_text.contains("110.00") && !page_text.contains("100.00"), "{page_text}");
    assert!(xml_text.contains("100.00") && !xml_text.contains("110.00"), "{xml_text}");
}

#[test]
fn a_cell_that_the_page_prints_otherwise_is_a_conflict_and_the_rows_are_listed_once() {
    let xml = [line("Mooring rope", 12, 30.0), line("Deck lamp", 4, 100.0)];
    let page = [line("Mooring rope", 12, 30.0), line("Deck lamp", 4, 110.0)];
    let (found, _) = extract(&[xml.as_slice(), page.as_slice()].concat());
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
