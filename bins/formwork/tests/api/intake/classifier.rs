//! The classification of documents to forms, by rules and with a model.

use serde_json::{Value, json};

use crate::generate::kit::{playing, refused, said};
use crate::kit::Server;

const PATH: &str = "/v1/utilities/classifier";
const MODEL: &str = "m@openai";
const INVOICE: &str =
    "Harbour Ltd\n\nRechnung\n\nRechnungsnummer: 77-1\nRechnungsdatum: 2.5.2024\nGesamtbetrag: 99,90\n";
const RESUME: &str = "Curriculum vitae\n\nName: Ada Marsh\nEmail: ada@example.com\nPhone: 555 0100\n\nEducation\nSkills: sailing\n";
const NEITHER: &str = "The tide was low that evening, and nobody spoke of the storm any more.\n";

/// The ids of the forms of an invoice and of a resume, and of three files.
async fn material(server: &Server) -> ([String; 2], Vec<Value>) {
    let mut forms = Vec::new();
    for id in ["invoice", "resume"] {
        let template = server.get(&format!("/v1/templates/{id}")).await.ok();
        let form = json!({"title": template["title"], "schema": template["schema"]});
        forms.push(server.post("/v1/form", form).await.ok()["form_id"].as_str().unwrap().to_owned());
    }
    let files = server.files(&[("a.txt", INVOICE), ("b.txt", RESUME), ("c.txt", NEITHER)]).await;
    let ids = files.iter().map(|file| json!({"url": file["id"]})).collect();
    (forms.try_into().unwrap(), ids)
}

fn chosen(answer: &Value) -> Vec<Value> {
    answer.as_array().unwrap().iter().map(|item| item["classification"]["form_id"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_classified_by_rules_in_other_languages_than_the_forms_too() {
    let server = Server::start();
    let (forms, mut documents) = material(&server).await;
    documents.push(json!({"url": "999"}));
    documents.push(documents[0].clone());
    let answer = server.post(PATH, json!({"documents": documents, "forms": forms})).await.ok();
    let none = Value::Null;
    let expected = [json!(forms[0]), json!(forms[1]), none.clone(), none, json!(forms[0])];
    assert_eq!(chosen(&answer), expected, "{answer}");
    assert_eq!(answer[3]["error"]["code"], "file_not_found", "{answer}");
    assert_eq!((answer[0].get("duplicate_of"), &answer[4]["duplicate_of"]), (None, &json!(0)), "{answer}");
    for item in [0, 1, 2] {
        let told = &answer[item]["classification"];
        let all = told["candidates"].as_array().unwrap();
        let sum: f64 = all.iter().map(|one| one["probability"].as_f64().unwrap()).sum();
        assert!((sum + told["none"].as_f64().unwrap() - 1.0).abs() < 0.001, "{answer}");
    }
    let evidence = answer[0]["classification"]["candidates"][0]["evidence"].as_array().unwrap();
    assert!(evidence.iter().any(|quote| quote["quote"] == "Rechnung"), "{answer}");
    for quote in evidence {
        let at = |key: &str| usize::try_from(quote[key].as_u64().unwrap()).unwrap();
        let text: String = INVOICE.chars().skip(at("start")).take(at("end") - at("start")).collect();
        assert_eq!(quote["quote"], text, "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_asked_and_what_it_invents_counts_for_little() {
    let (server, vendor) = playing([said(r#"{"form": "form_of_nobody", "quotes": []}"#)]);
    let (forms, documents) = material(&server).await;
    let body = json!({"documents": [documents[0]], "forms": forms, "modelId": MODEL});
    let answer = server.post(PATH, body).await.ok();
    assert_eq!(chosen(&answer), [json!(forms[0])], "by the rules: {answer}");
    assert_eq!(vendor.requests().len(), 1);
    let asked = vendor.requests()[0].json().to_string();
    assert!(asked.contains("Rechnungsnummer: 77-1") && asked.contains(&forms[1]), "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_proves_by_a_quote_is_told_with_it() {
    // The ids of forms are not known before the server runs, so the answer is "none", with a quote.
    let (server, _vendor) = playing([said(r#"{"form": "none", "quotes": ["nobody spoke of the storm"]}"#)]);
    let (forms, documents) = material(&server).await;
    let body = json!({"documents": [documents[2]], "forms": forms, "modelId": MODEL});
    let answer = server.post(PATH, body).await.ok();
    assert_eq!(chosen(&answer), [Value::Null], "{answer}");
    assert!(answer[0]["classification"]["none"].as_f64().unwrap() > 0.95, "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_fails_fails_the_call() {
    let (server, _vendor) = playing([refused(500, "server_error", "no")]);
    let (forms, documents) = material(&server).await;
    let body = |model: &str| json!({"documents": [documents[0]], "forms": forms, "modelId": model});
    server.post(PATH, body(MODEL)).await.fails(502, "provider_failed");
    server.post(PATH, body("x")).await.fails_at(400, "unknown_model", "/modelId");
    let server = Server::start();
    let (forms, documents) = material(&server).await;
    let body = json!({"documents": [documents[0]], "forms": forms, "modelId": MODEL});
    server.post(PATH, body).await.fails(503, "provider_not_configured");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_a_rule_is_refused_with_its_place_and_foreign_forms_are_unknown() {
    let server = Server::start();
    let (forms, documents) = material(&server).await;
    let many = vec!["form_x"; 51];
    for (body, place) in [
        (json!({"documents": documents}), ""),
        (json!({"documents": [], "forms": forms}), "/documents"),
        (json!({"documents": documents, "forms": []}), "/forms"),
        (json!({"documents": documents, "forms": many}), "/forms"),
        (json!({"documents": [{"url": "1", "pages": "5-2"}], "forms": forms}), "/documents/0/pages"),
        (json!({"documents": [{"url": "x".repeat(9_000)}], "forms": forms}), "/documents"),
    ] {
        server.post(PATH, body).await.fails_at(400, "validation_failed", place);
    }
    let body = json!({"documents": documents, "forms": [forms[0], "form_none"]});
    let told = server.post(PATH, body).await.fails(404, "form_not_found");
    assert!(told["message"].as_str().unwrap().contains("form_none"), "{told}");
    let stranger = server.stranger();
    let foreign = server.request(reqwest::Method::POST, PATH).key(&stranger);
    foreign.json(&json!({"documents": documents, "forms": forms})).send().await.fails(404, "form_not_found");
}
