//! What gives one record of a run: a group, a document or a page.

use serde_json::{Value, json};

use super::upload_bundle;
use crate::kit::{Server, invoice_schema};

const PATH: &str = "/v1/agent/inv/workflow/delta";

fn sources(answer: &Value) -> Vec<(u64, String, Value)> {
    let source = |source: &Value| {
        let document = &source["documents"][0];
        let url = document["url"].as_str().unwrap().to_owned();
        (source["group"].as_u64().unwrap(), url, document["pages"].clone())
    };
    answer["sources"].as_array().unwrap().iter().map(source).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_document_or_each_page_can_give_a_record_of_its_own() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = upload_bundle(&server).await;
    let text = server.files(&[("a.txt", "Invoice No: C-3\nTotal: 4 EUR\n")]).await.remove(0);
    let (bundle, note) = (file["id"].to_string(), text["id"].to_string());
    let body = json!([[{"url": bundle, "pages": "1-2,4"}, {"url": note}]]);
    let answer = server.post(&format!("{PATH}?target=page"), body.clone()).await.ok();
    let numbers: Vec<&Value> =
        answer["results"].as_array().unwrap().iter().map(|one| &one["invoice_number"]).collect();
    assert_eq!(numbers, [&json!("A-1"), &Value::Null, &json!("B-2"), &json!("C-3")], "{answer}");
    assert_eq!(answer["warnings"], json!([]), "{answer}");
    let expected = [(0, json!("1")), (1, json!("2")), (2, json!("4"))]
        .map(|(group, pages)| (group, bundle.clone(), pages));
    assert_eq!(sources(&answer)[..3], expected);
    assert_eq!(sources(&answer)[3], (3, note.clone(), Value::Null));

    let answer = server.post(&format!("{PATH}?target=document"), body.clone()).await.ok();
    assert_eq!(answer["meta"]["total"], 2, "{answer}");
    assert_eq!(sources(&answer), [(0, bundle, json!("1-2,4")), (1, note, Value::Null)]);
    let answer = server.post(&format!("{PATH}?target=group"), body).await.ok();
    assert_eq!((&answer["meta"]["total"], answer.get("sources")), (&json!(1), None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_comes_again_in_a_run_is_warned_of() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let (one, two) = (upload_bundle(&server).await, upload_bundle(&server).await);
    let body = json!([
        [{"url": one["id"], "pages": "4"}], [{"url": one["id"]}, {"url": two["id"], "pages": "4"}], [{"url": two["id"]}]
    ]);
    let answer = server.post(PATH, body).await.ok();
    let told: Vec<Value> = answer["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| json!([warning["code"], warning["group"], warning["index"], warning["duplicate_of"]]))
        .collect();
    let code = "duplicate_document";
    let first = json!([code, 1, 1, {"group": 0, "index": 0}]);
    assert_eq!(told, [first, json!([code, 2, 0, {"group": 1, "index": 0}])], "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_cannot_be_read_fails_as_its_own_group() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = upload_bundle(&server).await;
    let body =
        json!([[{"url": "999"}, {"url": file["id"], "pages": "3-9"}, {"url": file["id"], "pages": "4"}]]);
    let answer = server.post(&format!("{PATH}?target=page"), body).await.ok();
    let failed: Vec<&Value> =
        answer["failed"].as_array().unwrap().iter().map(|one| &one["error"]["code"]).collect();
    assert_eq!(failed, ["file_not_found", "document_page_missing"], "{answer}");
    assert_eq!(answer["results"][0]["invoice_number"], "B-2", "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_is_unknown_or_makes_too_many_groups_is_refused() {
    let server = Server::with("[limits]\ngroups_per_run = 3\n");
    server.agent("inv", invoice_schema()).await;
    let file = upload_bundle(&server).await;
    let whole = json!([[{"url": file["id"]}]]);
    for target in ["rows", "pages", ""] {
        let path = format!("{PATH}?target={target}");
        server.post(&path, whole.clone()).await.fails_at(400, "validation_failed", "?target");
    }
    server.post(&format!("{PATH}?target=page"), whole).await.fails_at(400, "validation_failed", "");
    let four: Vec<Value> = (0..4).map(|_| json!({"url": file["id"]})).collect();
    server.post(&format!("{PATH}?target=document"), json!([four])).await.fails_at(
        400,
        "validation_failed",
        "",
    );
    let blank = json!({"files": [[{"url": " "}]]});
    server.post(&format!("{PATH}?target=page"), blank).await.fails_at(
        400,
        "validation_failed",
        "/files/0/0/url",
    );
    let unknown = server.post("/v1/agent/none/workflow/delta?target=page", json!([[{"url": "1"}]])).await;
    unknown.fails(404, "agent_not_found");
    assert_eq!(server.get(&format!("{PATH}/runs")).await.ok()["meta"]["total_items"], 0);
}
