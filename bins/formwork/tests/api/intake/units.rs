//! Rows, sections and parts of documents that give a record each.

use serde_json::{Value, json};

use super::upload_bundle;
use crate::delta::check_evidence;
use crate::kit::{Server, invoice_schema};

const PATH: &str = "/v1/agent/inv/workflow/delta";
const TABLE: &str = "Invoice No,Größe,Due date\nA-1,12.50 EUR,2024-06-01\nB-2,8.00 EUR,2024-07-01\n,,\nC-3,9.00 EUR,2024-08-01\n";
const SECTIONS: &str =
    "# First order\n\nInvoice No: D-4\n\nTotal: 5 EUR\n\n# Second order\n\nInvoice No: E-5\n\nTotal: 6 EUR\n";

fn numbers(answer: &Value) -> Vec<&Value> {
    answer["results"].as_array().unwrap().iter().map(|one| &one["invoice_number"]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_row_gives_a_record_with_evidence_of_the_whole_document() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("orders.csv", TABLE)]).await.remove(0);
    let body = json!([[{"url": file["id"]}]]);
    let answer = server.post(&format!("{PATH}?target=row&evidence=true"), body.clone()).await.ok();
    assert_eq!(numbers(&answer), ["A-1", "B-2", "C-3"], "{answer}");
    assert_eq!(answer["results"][2]["due_date"], "2024-08-01");
    assert_eq!(answer["warnings"], json!([]), "rows are not the same content");
    let rows: Vec<&Value> = (0..3).map(|place| &answer["sources"][place]["documents"][0]["row"]).collect();
    assert_eq!(rows, [1, 2, 3], "{answer}");
    let sid = &answer["sid"];
    let stored = server.get(&format!("{PATH}?context=true&sid={sid}")).await.ok();
    let text = stored[2]["context"].as_str().unwrap();
    for place in 0..3 {
        let (record, evidence) = (&answer["results"][place], &answer["evidence"][place]);
        assert!(check_evidence(record, evidence, &[("orders.csv", text)]) > 0, "{answer}");
    }
    let starts: Vec<u64> =
        (0..3).map(|place| answer["evidence"][place]["/invoice_number"]["start"].as_u64().unwrap()).collect();
    assert!(starts[0] < starts[1] && starts[1] < starts[2], "{starts:?}");
    let run = server.get(&format!("{PATH}/runs/{sid}")).await.ok();
    assert_eq!(run["groups"][2]["documents"][0]["row"], 3);
    // Each row is work of its own, and the same row is not extracted again.
    let again = server.post(&format!("{PATH}?target=row"), body.clone()).await.ok();
    assert_eq!(again["results"], answer["results"]);
    let reused = server.get(&format!("{PATH}?meta=true&sid={}", again["sid"])).await.ok();
    let origins: Vec<&Value> = (0..3).map(|place| &reused[place]["meta"]["reused_from"]).collect();
    let gids: Vec<&Value> = (0..3).map(|place| &stored[place]["gid"]).collect();
    assert_eq!(origins, gids, "{reused}");
    let estimate = server.post(&format!("{PATH}/estimate?target=row"), body).await.ok();
    assert_eq!((&estimate["groups"], estimate.get("left_out")), (&json!(3), None), "{estimate}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_section_and_each_part_gives_a_record_and_a_document_without_a_table_says_so() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("orders.md", SECTIONS)]).await.remove(0);
    let body = json!([[{"url": file["id"]}]]);
    let answer = server.post(&format!("{PATH}?target=section&evidence=true"), body.clone()).await.ok();
    assert_eq!(numbers(&answer), ["D-4", "E-5"], "{answer}");
    assert_eq!(answer["sources"][1]["documents"][0]["section"], 2);
    let stored = server.get(&format!("{PATH}?context=true&sid={}", answer["sid"])).await.ok();
    let text = stored[1]["context"].as_str().unwrap();
    assert!(check_evidence(&answer["results"][1], &answer["evidence"][1], &[("orders.md", text)]) > 0);
    let failed = server.post(&format!("{PATH}?target=row"), body).await.ok();
    let told = &failed["failed"][0];
    assert_eq!(
        (&told["error"]["code"], &told["error"]["class"]),
        (&json!("document_unit_missing"), &json!("parse"))
    );
    let bundle = upload_bundle(&server).await;
    let parts = server.post(&format!("{PATH}?target=part"), json!([[{"url": bundle["id"]}]])).await.ok();
    assert_eq!(numbers(&parts), ["A-1", "B-2"], "{parts}");
    let refused = server.post(&format!("{PATH}?target=rows"), json!([[{"url": "1"}]])).await;
    refused.fails_at(400, "validation_failed", "?target");
}
