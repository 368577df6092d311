//! Schemas that are proposed from sample documents.

use serde_json::{Value, json};

use crate::generate::kit::{said, settings};
use crate::kit::Server;
use testkit::upstream::{Reply, Upstream};

const PATH: &str = "/v1/utilities/schema_from_documents";

async fn samples(server: &Server) -> Vec<Value> {
    let texts = [
        "Invoice number: A-1\nDate: 02.05.2024\nTotal: 12,50 EUR\nRemark: thanks\n",
        "Invoice number: A-2\nDate: 13.05.2024\nTotal: 8,00 EUR\n",
        "Invoice number: B-7\nDate: 24.05.2024\nTotal: 100,00 EUR\nGate: 4\n",
    ];
    let named: Vec<(String, &str)> =
        texts.iter().enumerate().map(|(n, text)| (format!("{n}.txt"), *text)).collect();
    let files: Vec<(&str, &str)> = named.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    server.files(&files).await.iter().map(|file| file["id"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_that_recur_become_the_fields_of_a_form_that_reads_the_documents() {
    let server = Server::start();
    let ids = samples(&server).await;
    let made = server.post(PATH, json!({"urls": ids})).await.ok();
    assert_eq!(
        made["schema"],
        json!({
            "invoice_number": {"type": "string", "order": 1, "description": "Invoice number"},
            "date": {"type": "date", "order": 2, "description": "Date"},
            "total": {"type": "money", "order": 3, "description": "Total"}
        })
    );
    let date = json!({"path": "/date", "label": "Date", "documents": 3, "examples": ["02.05.2024", "13.05.2024", "24.05.2024"]});
    assert_eq!((&made["fields"][1], &made["warnings"]), (&date, &json!([])));
    assert_eq!(server.post("/v1/utilities/schema_validator", made["schema"].clone()).await.ok(), json!(true));
    server.agent("inv", made["schema"].clone()).await;
    let run = server.post("/v1/agent/inv/workflow/delta", json!([[{"url": ids[2]}]])).await.ok();
    let record = &run["results"][0];
    assert_eq!(record["invoice_number"], "B-7", "{run}");
    assert_eq!(record["total"], json!({"amount": 100.0, "currency": "EUR"}), "{run}");
    assert_eq!(record["date"], "2024-05-24", "{run}");
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_that_cannot_be_read_are_named_and_none_at_all_is_refused() {
    let server = Server::start();
    let mut urls = samples(&server).await;
    urls.push(json!("999999"));
    let made = server.post(PATH, json!({"urls": urls})).await.ok();
    assert_eq!(made["warnings"][0]["path"], "/urls/3", "{made}");
    assert_eq!(made["schema"].as_object().unwrap().len(), 3);
    let broken = server.files(&[("a.pdf", "%PDF-1.7 no more")]).await.remove(0);
    let refused = server.post(PATH, json!({"urls": [broken["id"]]})).await;
    assert_eq!(refused.status, 422, "{refused:?}");
    server.post(PATH, json!({"urls": ["999999"]})).await.fails(404, "file_not_found");
    let one = server.post(PATH, json!({"urls": [urls[0]]})).await.ok();
    assert_eq!(
        (&one["fields"][0]["documents"], &one["warnings"][0]["path"]),
        (&json!(1), &json!("")),
        "{one}"
    );
    for (body, place) in [
        (json!({"urls": []}), "/urls"),
        (json!({"urls": vec!["1"; 21]}), "/urls"),
        (json!({"urls": "1"}), "/urls"),
        (json!({}), ""),
    ] {
        server.post(PATH, body).await.fails_at(400, "validation_failed", place);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_model_is_asked_and_its_answer_mended() {
    let answer = json!({"fields": [
        {"name": "Invoice number", "type": "string", "list": false, "description": "Invoice number"},
        {"name": "2 total", "type": "amount of gold", "list": false, "description": "Total", "options": [1, 1]}
    ]});
    let vendor = Upstream::start_replies([
        said(&format!("Here: {answer}")),
        said("no idea"),
        Reply::json(500, &json!({})),
    ])
    .unwrap();
    let server = Server::with(&settings(&vendor.url(), "default = \"m@openai\""));
    let ids = samples(&server).await;
    let made = server.post(PATH, json!({"urls": ids})).await.ok();
    assert_eq!(server.post("/v1/utilities/schema_validator", made["schema"].clone()).await.ok(), json!(true));
    let names: Vec<&String> = made["schema"].as_object().unwrap().keys().collect();
    assert_eq!(names[0], "invoice_number", "{made}");
    assert_eq!(made["fields"][0]["examples"], json!(["A-1", "A-2", "B-7"]));
    let asked = vendor.requests()[0].json().to_string();
    assert!(asked.contains("sample 1") && asked.contains("B-7"), "{asked}");
    // Without a usable answer the labels decide.
    let ruled = server.post(PATH, json!({"urls": ids})).await.ok();
    assert_eq!(ruled["schema"]["total"]["type"], "money", "{ruled}");
    server.post(PATH, json!({"urls": ids})).await.fails(502, "provider_failed");
}
