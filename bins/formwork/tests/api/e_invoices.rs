//! E-invoices: XML that is read as data, alone and inside a PDF.

use document_samples::invoices::{CII, UBL};
use document_samples::pdf::pdf_with_files;
use serde_json::{Value, json};

use crate::kit::{Parts, Server};

fn form() -> Value {
    json!({
        "invoice_number": {"type": "string", "description": "Invoice number"},
        "due_date": {"type": "date", "description": "Payment due date"},
        "seller": {"type": "string", "description": "Seller name"},
        "total": {"type": "number", "description": "Invoice total amount with VAT"}
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_disagrees_with_its_embedded_invoice_is_a_conflict_and_evidence_names_both() {
    let server = Server::start();
    server.agent("inv", form()).await;
    let page = [
        "Harbour Light Chandlers GmbH",
        "Invoice number: HL-2031",
        "Invoice total amount with VAT: 163.00 EUR",
    ];
    let bill = pdf_with_files(&page, &[("factur-x.xml", CII.as_bytes())]);
    let files =
        server.upload(Parts::new().file("bill.pdf", &bill).file("plain.xml", UBL.as_bytes())).await.ok();
    let answer = server.delta("inv", "?evidence=true", &[&[&files[0]["id"]], &[&files[1]["id"]]]).await;
    let [both, alone] = [0, 1].map(|group| &answer["results"][group]);
    assert_eq!((&both["invoice_number"], &both["due_date"]), (&json!("HL-2031"), &json!("2025-04-06")));
    let named = &answer["evidence"][0]["/due_date"];
    let place = ["document", "index", "file"].map(|key| named[key].clone());
    assert_eq!(place, [json!("bill.pdf#factur-x.xml"), json!(0), json!(files[0]["id"].to_string())]);
    let conflict =
        answer["conflicts"][0].as_array().unwrap().iter().find(|one| one["path"] == "/total").unwrap();
    let side = |value: &Value| (value["value"].clone(), value["evidence"]["document"].clone());
    let mut sides: Vec<(Value, Value)> = conflict["values"].as_array().unwrap().iter().map(side).collect();
    sides.sort_by_key(|(value, _)| value.to_string());
    assert_eq!(sides, [(json!(153.0), json!("bill.pdf#factur-x.xml")), (json!(163.0), json!("bill.pdf"))]);
    let record = json!({
        "invoice_number": "HL-2031", "due_date": "2025-04-06", "seller": "Harbour Light Chandlers GmbH", "total": 153.0
    });
    assert_eq!(alone, &record);
    assert_eq!(answer["evidence"][1]["/total"]["document"], "plain.xml");
    // Offsets of evidence are those of the file's text, which has the embedded invoice too.
    let parsed = json!({"urls": [files[0]["id"]]});
    let parsed = server.post("/v1/utilities/docparser", parsed).await.ok();
    let text = parsed[0].to_string();
    assert!(
        text.contains("163.00 EUR") && text.contains("factur-x.xml") && text.contains("2025-04-06"),
        "{text}"
    );
}
