//! A document of which a page is a picture: what is answered from its text says which page was not read.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Parts, Server, invoice_schema, page_and_scan, settle};

const NAME: &str = "invoice.pdf";
const TOLD: &str = "page 2 needs OCR and was not read";

/// A server without OCR, with the document.
async fn with_document() -> (Server, Value) {
    let server = Server::with("[ocr]\nprogram = \"off\"\n");
    server.agent("inv", invoice_schema()).await;
    let records = server.upload(Parts::new().file(NAME, &page_and_scan())).await.ok();
    let file = records[0].clone();
    (server, file)
}

/// Whether a list of warnings, sentences or objects with a message, names the document and its page.
fn names_the_page(warnings: &Value) -> bool {
    let told = |warning: &Value| warning.as_str().or_else(|| warning["message"].as_str()).map(str::to_owned);
    let mut told = warnings.as_array().into_iter().flatten().filter_map(told);
    told.any(|told| told.contains(TOLD))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_tells_which_page_of_which_document_was_not_read() {
    let (server, file) = with_document().await;
    let note = server.files(&[("note.txt", "Thank you.\n")]).await.remove(0);
    let answer = server.delta("inv", "", &[&[&note["id"], &file["id"]]]).await;
    assert_eq!(answer["results"][0]["invoice_number"], "A-77", "{answer}");
    let warning = &answer["warnings"][0];
    let expected =
        (json!("pages_not_read"), json!(NAME), json!(file["id"].to_string()), json!(1), json!([2]));
    let told = |name: &str| warning[name].clone();
    assert_eq!(
        (told("code"), told("document"), told("file"), told("index"), told("pages")),
        expected,
        "{answer}"
    );
    assert_eq!(warning["group"], 0, "{answer}");
    assert!(names_the_page(&answer["warnings"]), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn generation_and_the_parser_tell_it() {
    let (server, file) = with_document().await;
    let body = json!({
        "modelId": "extractive@formwork", "prompt": "What is the invoice number?", "urls": [file["id"]]
    });
    let answer = server.post("/v2/generate", body).await.ok();
    assert!(names_the_page(&answer["warnings"]), "{answer}");
    let parsed = server.post("/v1/utilities/docparser", json!({"urls": [file["id"]]})).await.ok();
    assert!(names_the_page(&parsed[0]["warnings"]), "{parsed}");
    assert_eq!(parsed[0]["pages"][1]["needsOcr"], true, "{parsed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_chat_tells_it() {
    let (server, file) = with_document().await;
    let messages =
        [json!({"message": "Here it is."}), json!({"message": "Here it is.", "response_format": "json"})];
    for mut body in messages {
        body["urls"] = json!([file["id"]]);
        let answer = server.post("/v1/agent/inv/chat", body).await.ok();
        assert!(names_the_page(&answer["warnings"]), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_a_knowledge_base_tells_it() {
    let (server, _) = with_document().await;
    let base = server.post("/knowledgebase", json!({"name": "Papers"})).await.ok();
    let path = format!("/knowledgebase/{}/files", base["knowledgeId"].as_str().unwrap());
    let parts = Parts::new().file(NAME, &page_and_scan());
    let added = server.request(Method::POST, &path).multipart(parts).send().await.ok();
    let item = format!("/knowledgebase/files/{}", added["files"][0]["id"].as_str().unwrap());
    settle("the work on the file", async || server.get(&item).await.ok()["status"] == "ready").await;
    let item = server.get(&item).await.ok();
    assert!(item.to_string().contains(TOLD), "{item}");
}
