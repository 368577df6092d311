//! Files that are uploaded to the splitter and the classifier.

use reqwest::Method;
use serde_json::{Value, json};

use super::BUNDLE;
use crate::kit::{Parts, Server, pages_pdf};

const SPLITTER: &str = "/v1/utilities/splitter";
const CLASSIFIER: &str = "/v1/utilities/classifier";

async fn form(server: &Server, id: &str) -> String {
    let template = server.get(&format!("/v1/templates/{id}")).await.ok();
    let form = json!({"title": template["title"], "schema": template["schema"]});
    server.post("/v1/form", form).await.ok()["form_id"].as_str().unwrap().to_owned()
}

fn parts() -> Parts {
    let text =
        "Curriculum vitae\n\nName: Ada Marsh\nEmail: ada@example.com\nPhone: 555 0100\nSkills: sailing\n";
    Parts::new().file("bundle.pdf", &pages_pdf(&BUNDLE)).file("cv.txt", text.as_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_are_divided_and_classified_without_becoming_files() {
    let server = Server::start();
    let (invoice, resume) = (form(&server, "invoice").await, form(&server, "resume").await);
    let send = async |path: &str| server.request(Method::POST, path).multipart(parts()).send().await;
    let plain = send(SPLITTER).await.ok();
    let pages: Vec<&Value> =
        plain[0]["parts"].as_array().unwrap().iter().map(|part| &part["pages"]).collect();
    assert_eq!(
        (pages, &plain[0]["url"]),
        (vec![&json!("1-2"), &json!("4")], &json!("bundle.pdf")),
        "{plain}"
    );
    assert_eq!(plain[0]["parts"][0].get("classification"), None);
    let split = send(&format!("{SPLITTER}?forms={invoice},{resume}")).await.ok();
    let of_part = |place: usize| &split[place]["parts"][0]["classification"]["form_id"];
    assert_eq!([of_part(0), of_part(1)], [&json!(invoice), &json!(resume)], "{split}");
    let classified = send(&format!("{CLASSIFIER}?forms={invoice},{resume}")).await.ok();
    let chosen: Vec<&Value> = (0..2).map(|place| &classified[place]["classification"]["form_id"]).collect();
    assert_eq!(chosen, [&invoice, &resume], "{classified}");
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 0);
    // Once for a key.
    let path = format!("{CLASSIFIER}?forms={invoice}");
    let keyed =
        || server.request(Method::POST, &path).header("idempotency-key", "k").multipart(parts()).send();
    let (first, second) = (keyed().await, keyed().await);
    assert_eq!(second.header("idempotency-replayed"), "true");
    assert_eq!(second.ok(), first.ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_that_break_a_rule_are_refused_with_its_place() {
    let server = Server::start();
    let send =
        async |path: &str, parts: Parts| server.request(Method::POST, path).multipart(parts).send().await;
    send(CLASSIFIER, parts()).await.fails_at(400, "validation_failed", "?forms");
    let many = vec!["x"; 51].join(",");
    send(&format!("{CLASSIFIER}?forms={many}"), parts()).await.fails_at(400, "validation_failed", "?forms");
    send(&format!("{SPLITTER}?modelId=m@openai"), parts()).await.fails_at(
        400,
        "validation_failed",
        "?modelId",
    );
    send(&format!("{SPLITTER}?forms=none"), parts()).await.fails(404, "form_not_found");
    send(SPLITTER, Parts::new()).await.fails_at(400, "validation_failed", "/files");
    let broken = send(SPLITTER, Parts::new().file("a.pdf", b"%PDF-1.7\nnothing")).await.ok();
    assert!(broken[0]["error"]["code"].is_string() && broken[0]["parts"] == json!([]), "{broken}");
}
