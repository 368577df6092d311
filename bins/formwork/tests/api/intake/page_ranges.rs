//! Documents of groups that are some pages of a file.

use serde_json::{Value, json};

use super::upload_bundle;
use crate::delta::check_evidence;
use crate::kit::{Server, invoice_schema};

const PATH: &str = "/v1/agent/inv/workflow/delta";

fn group(url: &Value, pages: &str) -> Value {
    json!([{"url": url, "pages": pages}])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_reads_the_pages_that_are_meant_and_evidence_is_of_the_whole_file() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = upload_bundle(&server).await;
    let body = json!([group(&file["id"], "1-2"), group(&file["id"], "4"), group(&file["id"], "2, 4")]);
    let answer = server.post(&format!("{PATH}?evidence=true"), body).await.ok();
    let first = json!({"invoice_number": "A-1", "due_date": "2024-06-01", "total": 12.5});
    assert_eq!(answer["results"][0], first, "{answer}");
    assert_eq!(
        answer["results"][1],
        json!({"invoice_number": "B-2", "due_date": null, "total": 8.0}),
        "{answer}"
    );
    let page = |group: usize, field: &str| answer["evidence"][group][field]["page"].clone();
    assert_eq!(
        [page(0, "/invoice_number"), page(0, "/total"), page(1, "/total")],
        [1, 2, 4].map(|page| json!(page))
    );
    let sid = answer["sid"].as_i64().unwrap();
    let stored = server.get(&format!("{PATH}?context=true&sid={sid}")).await.ok();
    let text = stored[0]["context"].as_str().unwrap();
    assert!(text.contains("A-1") && text.contains("B-2"), "the whole file: {text}");
    for group in 0..3 {
        let (record, evidence) = (&answer["results"][group], &answer["evidence"][group]);
        assert!(check_evidence(record, evidence, &[("bundle.pdf", text)]) > 0, "{answer}");
    }
    let run = server.get(&format!("{PATH}/runs/{sid}")).await.ok();
    let pages: Vec<&Value> = (0..3).map(|group| &run["groups"][group]["documents"][0]["pages"]).collect();
    assert_eq!(pages, ["1-2", "4", "2,4"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_pages_are_other_work_and_the_same_pages_are_not_extracted_again() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = upload_bundle(&server).await;
    for pages in ["1-2", "4", "1,2"] {
        server.post(PATH, json!([group(&file["id"], pages)])).await.ok();
    }
    let stored = server.get(&format!("{PATH}?meta=true")).await.ok();
    let reused: Vec<bool> = (0..3).map(|place| stored[place]["meta"]["reused_from"].is_string()).collect();
    assert_eq!(reused, [true, false, false], "newest first: {stored}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_names_no_pages_is_refused_with_its_place() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = upload_bundle(&server).await;
    let many = (1..=10_000).map(|page| (2 * page).to_string()).collect::<Vec<_>>().join(",");
    for pages in
        [json!("0"), json!("5-2"), json!("x"), json!(""), json!("1-"), json!(many), json!(1), json!(["1"])]
    {
        let body = json!([[{"url": file["id"]}], [{"url": file["id"], "pages": pages}]]);
        server.post(PATH, body.clone()).await.fails_at(400, "validation_failed", "/1/0/pages");
        server.post(PATH, json!({"files": body})).await.fails_at(
            400,
            "validation_failed",
            "/files/1/0/pages",
        );
    }
    assert_eq!(server.get(&format!("{PATH}/runs")).await.ok()["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_a_document_does_not_have_are_an_error_of_that_document() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = upload_bundle(&server).await;
    let text = server.files(&[("a.txt", "Invoice No: C-3\nTotal: 4 EUR\n")]).await.remove(0);
    let body = json!([
        group(&file["id"], "4-5"),
        group(&text["id"], "1"),
        group(&file["id"], "4"),
        group(&file["id"], "3")
    ]);
    let answer = server.post(PATH, body).await.ok();
    let failed = answer["failed"].as_array().unwrap();
    let told: Vec<(&Value, &Value, &Value)> =
        failed.iter().map(|one| (&one["pages"], &one["error"]["code"], &one["error"]["class"])).collect();
    let (missing, without) = (json!("document_page_missing"), json!("document_without_pages"));
    let (range, one, class) = (json!("4-5"), json!("1"), json!("parse"));
    let (blank, empty) = (json!("3"), json!("document_without_text"));
    let expected = [(&range, &missing, &class), (&one, &without, &class), (&blank, &empty, &class)];
    assert_eq!(told, expected, "{answer}");
    assert_eq!(answer["results"].as_array().unwrap().len(), 1, "{answer}");
    let mixed = json!([[{"url": file["id"], "pages": "9"}, {"url": text["id"]}]]);
    let partial = server.post(&format!("{PATH}?partial=true"), mixed).await.ok();
    assert_eq!(partial["results"][0]["invoice_number"], "C-3", "{partial}");
}
