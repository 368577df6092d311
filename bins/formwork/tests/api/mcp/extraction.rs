//! Documents in the arguments, and extraction without an agent.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;
use testkit::upstream::Upstream;

use super::kit::Client;
use crate::generate::kit::{refused, said, settings};
use crate::kit::{Parts, Server, invoice, invoice_schema};
use crate::page_pictures::{calls, record, scan};

#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_extracted_with_its_evidence_from_documents_of_every_kind() {
    let server = Server::start();
    let client = Client::new(&server);
    let file = server.files(&[("a.txt", &invoice("A-77", "12.50"))]).await.remove(0);
    let form = server.form(invoice_schema()).await;
    let blobs = server.stored("blobs");
    let inline = invoice("A-77", "12.50");
    let encoded = BASE64_STANDARD.encode(&inline);
    for (arguments, reference) in [
        (json!({"form_id": form, "urls": [file["id"]]}), file["id"].to_string()),
        (
            json!({"schema": invoice_schema(), "urls": [file["url"]]}),
            file["url"].as_str().unwrap().to_owned(),
        ),
        (json!({"form_id": form, "documents": [{"name": "b.txt", "text": inline}]}), "b.txt".to_owned()),
        (json!({"form_id": form, "documents": [{"base64": encoded}]}), "document-1".to_owned()),
    ] {
        let found = client.done("extract_record", arguments).await;
        let record = &found["record"];
        assert_eq!((&record["invoice_number"], &record["total"]), (&json!("A-77"), &json!(12.5)), "{found}");
        let evidence = &found["evidence"]["/total"];
        assert_eq!((&evidence["file"], &evidence["index"]), (&json!(reference), &json!(0)), "{found}");
        assert!(evidence["quote"].as_str().unwrap().contains("12.50"), "{found}");
        assert_eq!(found["model"], "extractive@formwork");
    }
    // What was sent with a call is not kept.
    crate::kit::settle("the removal", async || server.stored("blobs") == blobs).await;
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_extraction_that_cannot_be_done_says_why() {
    let server = Server::start();
    let client = Client::new(&server);
    let form = server.form(invoice_schema()).await;
    let text = json!([{"text": "Total: 4"}]);
    for (arguments, told) in [
        (json!({"form_id": form}), "'urls' or 'documents' must have a document"),
        (json!({"documents": text}), "either 'form_id' or 'schema' is needed"),
        (
            json!({"form_id": form, "schema": invoice_schema(), "documents": text}),
            "either 'form_id' or 'schema'",
        ),
        (json!({"form_id": "form_unheard", "documents": text}), "form_not_found"),
        (json!({"schema": {"a": {"type": "colour"}}, "documents": text}), "/schema/a"),
        (json!({"form_id": form, "urls": [4]}), "file_not_found"),
        (
            json!({"form_id": form, "documents": [{"text": "a", "base64": "YQ=="}]}),
            "either 'text' or 'base64'",
        ),
        (json!({"form_id": form, "documents": [{"base64": "?"}]}), "'base64' cannot be decoded"),
        (json!({"form_id": form, "documents": [{"text": ""}]}), "document_empty"),
        (json!({"form_id": form, "documents": text, "model": "unheard"}), "/model"),
        (json!({"form_id": form, "documents": vec![json!({"text": "a"}); 101]}), "at most 100 entries"),
    ] {
        let found = client.failed("extract_record", arguments.clone()).await;
        assert!(found.contains(told), "{arguments}: {found}");
    }
    assert_eq!(server.stored("blobs"), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_in_the_arguments_are_parsed_like_files() {
    let server = Server::start();
    let client = Client::new(&server);
    let file = server.files(&[("a.txt", "Vendor: Harbour Works")]).await.remove(0);
    let documents = json!([{"name": "prices \"ä\".csv", "text": "fish,price\ncod,4\n"}]);
    let both = json!({"urls": [file["id"]], "documents": documents});
    let parsed = client.done("parse_documents", both.clone()).await;
    let names: Vec<&str> =
        parsed["items"].as_array().unwrap().iter().map(|item| item["url"].as_str().unwrap()).collect();
    assert_eq!(names, [&file["id"].to_string(), "prices \"ä\".csv"]);
    assert!(parsed["items"][0]["body"].as_str().unwrap().contains("Harbour Works"), "{parsed}");
    let tables = client.done("extract_tables", json!({"documents": documents})).await;
    assert_eq!(tables["items"][0]["tables"][0]["rows"], json!([["fish", "price"], ["cod", "4"]]));
    let pairs = client.done("extract_key_values", both).await;
    assert_eq!(pairs["items"][0]["pairs"][0]["value"], "Harbour Works");
    let told = client.failed("parse_documents", json!({})).await;
    assert!(told.contains("urls"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_is_seen_by_the_model_of_a_call() {
    let vendor = Upstream::start(|_| said(&record())).unwrap();
    let server = Server::with(&format!("{}[ocr]\nprogram = \"off\"\n", settings(&vendor.url(), "")));
    let client = Client::new(&server);
    let file = server.upload(Parts::new().file("scan.png", &scan(300))).await.ok()[0]["id"].clone();
    let encoded = BASE64_STANDARD.encode(scan(310));
    let (referenced, sent) = (json!([file]), json!([{"name": "b.png", "base64": encoded}]));
    let asked = |model: &str| json!({"schema": invoice_schema(), "model": model});
    for (urls, documents) in
        [(Some(&referenced), None), (None, Some(&sent)), (Some(&referenced), Some(&sent))]
    {
        let mut arguments = asked("gpt-4o@openai");
        urls.into_iter().for_each(|urls| arguments["urls"] = urls.clone());
        documents.into_iter().for_each(|sent| arguments["documents"] = sent.clone());
        let before = calls(&vendor).len();
        let count = usize::from(urls.is_some()) + usize::from(documents.is_some());
        let found = client.done("extract_record", arguments).await;
        assert_eq!(found["record"]["total"], 77.25, "{found}");
        assert_eq!(found["evidence"]["/total"]["support"], "pictured", "{found}");
        assert_eq!(found["warnings"], json!([]), "{found}");
        assert_eq!(calls(&vendor)[before..], [count]);
    }
    // A model that sees nothing cannot read it.
    let mut arguments = asked("extractive@formwork");
    arguments["urls"] = referenced;
    let found = client.failed("extract_record", arguments).await;
    assert!(found.contains("document_needs_ocr"), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_whose_pictures_are_refused_fails_as_one_that_nobody_sees() {
    let vendor = Upstream::start(|_| refused(400, "invalid_request_error", "no image input")).unwrap();
    let server = Server::with(&format!("{}[ocr]\nprogram = \"off\"\n", settings(&vendor.url(), "")));
    let client = Client::new(&server);
    let encoded = BASE64_STANDARD.encode(scan(300));
    let arguments = json!({
        "schema": invoice_schema(), "model": "gpt-4o@openai", "documents": [{"name": "b.png", "base64": encoded}]
    });
    let found = client.failed("extract_record", arguments).await;
    assert!(found.contains("document_needs_ocr") && found.contains("/documents/0"), "{found}");
}
