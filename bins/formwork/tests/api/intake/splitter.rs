//! The division of files with several documents.

use serde_json::{Value, json};

use super::upload_bundle;
use crate::kit::{Server, invoice_schema};

const PATH: &str = "/v1/utilities/splitter";

async fn template(server: &Server, id: &str) -> String {
    let template = server.get(&format!("/v1/templates/{id}")).await.ok();
    let form = json!({"title": template["title"], "schema": template["schema"]});
    server.post("/v1/form", form).await.ok()["form_id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_is_divided_and_its_parts_are_documents_of_groups() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let (invoice, resume) = (template(&server, "invoice").await, template(&server, "resume").await);
    let file = upload_bundle(&server).await;
    let body = json!({"documents": [{"url": file["id"]}], "forms": [resume, invoice]});
    let answer = server.post(PATH, body).await.ok();
    let parts = answer[0]["parts"].as_array().unwrap();
    let pages: Vec<&Value> = parts.iter().map(|part| &part["pages"]).collect();
    assert_eq!((pages, &answer[0]["blank"]), (vec![&json!("1-2"), &json!("4")], &json!("3")), "{answer}");
    assert_eq!(parts[0]["probability"], 1.0);
    let likely = parts[1]["probability"].as_f64().unwrap();
    assert!((0.5..=1.0).contains(&likely), "{answer}");
    for part in parts {
        assert_eq!(part["classification"]["form_id"], invoice, "{answer}");
    }
    let quote = &parts[1]["classification"]["candidates"][0]["evidence"][0];
    assert_eq!(quote["page"], 4, "{answer}");
    let boundaries: Vec<&Value> =
        answer[0]["boundaries"].as_array().unwrap().iter().map(|one| &one["page"]).collect();
    assert_eq!(boundaries, [2, 4], "{answer}");
    let groups: Vec<Value> =
        parts.iter().map(|part| json!([{"url": part["url"], "pages": part["pages"]}])).collect();
    let run = server.post("/v1/agent/inv/workflow/delta", json!(groups)).await.ok();
    let numbers: Vec<&Value> = (0..2).map(|group| &run["results"][group]["invoice_number"]).collect();
    assert_eq!(numbers, ["A-1", "B-2"], "{run}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_pages_that_are_meant_are_divided_and_documents_without_pages_are_one_part() {
    let server = Server::start();
    let file = upload_bundle(&server).await;
    let text = server.files(&[("a.txt", "Total: 4 EUR\n")]).await.remove(0);
    let documents = json!([
        {"url": file["id"], "pages": "2-4"}, {"url": text["id"]}, {"url": "999"}, {"url": file["id"], "pages": "9"},
        {"url": text["id"], "pages": "1"}
    ]);
    let answer = server.post(PATH, json!({"documents": documents})).await.ok();
    let pages = |place: usize| -> Vec<Value> {
        answer[place]["parts"].as_array().unwrap().iter().map(|part| part["pages"].clone()).collect()
    };
    assert_eq!(pages(0), ["2", "4"], "{answer}");
    assert_eq!(pages(1), [Value::Null], "{answer}");
    let codes: Vec<&Value> = (2..5).map(|place| &answer[place]["error"]["code"]).collect();
    assert_eq!(codes, ["file_not_found", "document_page_missing", "document_without_pages"], "{answer}");
    assert_eq!(answer[0]["parts"][0].get("classification"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_file_twice_is_told() {
    let server = Server::start();
    let (one, two) = (upload_bundle(&server).await, upload_bundle(&server).await);
    let documents = json!([{"url": one["id"]}, {"url": two["id"]}, {"url": one["id"], "pages": "4"}]);
    let answer = server.post(PATH, json!({"documents": documents})).await.ok();
    let told: Vec<Option<&Value>> = (0..3).map(|place| answer[place].get("duplicate_of")).collect();
    assert_eq!(told, [None, Some(&json!(0)), None], "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_a_rule_is_refused_with_its_place() {
    let server = Server::start();
    let many: Vec<Value> = (0..101).map(|_| json!({"url": "1"})).collect();
    for (body, place) in [
        (json!({}), ""),
        (json!({"documents": []}), "/documents"),
        (json!({"documents": many}), "/documents"),
        (json!({"documents": [{"url": "1", "pages": "0"}]}), "/documents/0/pages"),
        (json!({"documents": [{"url": "1"}], "forms": []}), "/forms"),
        (json!({"documents": [{"url": "1"}], "modelId": "extractive@formwork"}), "/modelId"),
    ] {
        server.post(PATH, body).await.fails_at(400, "validation_failed", place);
    }
    let unknown = json!({"documents": [{"url": "1"}], "forms": ["form_none"]});
    server.post(PATH, unknown).await.fails(404, "form_not_found");
}
