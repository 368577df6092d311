//! The schema generator: phrases in, schemas that forms can have out, and what describes no form refused.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::Server;

const GENERATOR: &str = "/v1/utilities/schema_generator";
const VALIDATOR: &str = "/v1/utilities/schema_validator";
const CONVERTER: &str = "/v1/utilities/schema_converter";

#[tokio::test(flavor = "multi_thread")]
async fn a_phrase_becomes_a_schema_that_a_form_can_have() {
    let server = Server::start();
    let phrase = "a form for a job applicant with name, email, years of experience (number), and preferred contact: \
                  phone or email";
    let schema = server.post(GENERATOR, json!({"content": phrase, "extra": 1})).await.ok();
    assert_eq!(
        schema,
        json!({
            "name": {"type": "string", "order": 1, "description": "Name"},
            "email": {"type": "email", "order": 2, "description": "Email"},
            "years_of_experience": {"type": "number", "order": 3, "description": "Years of experience"},
            "preferred_contact": {
                "type": "string", "order": 4, "description": "Preferred contact", "enum": ["phone", "email"]
            }
        })
    );
    let names: Vec<&String> = schema.as_object().unwrap().keys().collect();
    assert_eq!(names, ["name", "email", "years_of_experience", "preferred_contact"]);
    assert_eq!(server.post(VALIDATOR, schema.clone()).await.ok(), json!(true));
    let form = server.post("/v1/form", json!({"title": "Applicant", "schema": schema})).await.ok();
    assert_eq!(form["schema"], schema);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_describes_no_form_is_refused_with_its_place() {
    let server = Server::start();
    let long = "name, ".repeat(10_000);
    for body in
        [json!({"content": 5}), json!({"content": ""}), json!({"content": "🎉 !?"}), json!({"content": long})]
    {
        server.post(GENERATOR, body).await.fails_at(400, "validation_failed", "/content");
    }
    for body in [json!({}), json!(["content"]), Value::Null] {
        server.post(GENERATOR, body).await.fails_at(400, "validation_failed", "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn generating_needs_a_writing_key_since_a_model_may_be_paid_for_it() {
    let server = Server::start();
    let read = server.home.told(&["keys", "create", "--scope", "read"]);
    let body = json!({"content": "name, email"});
    let call = || server.request(Method::POST, GENERATOR);
    call().key(&read).json(&body).send().await.fails(403, "read_only_key");
    call().open().json(&body).send().await.fails(401, "invalid_key");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_description_without_fields_is_told() {
    let server = Server::start();
    let made = server.post(GENERATOR, json!({"content": "name, email"})).await;
    assert_eq!(made.headers.get("x-schema-warning"), None);
    let made = server
        .post(GENERATOR, json!({"content": "I run a dog grooming salon and want to book appointments"}))
        .await;
    assert!(made.header("x-schema-warning").contains("template"), "{made:?}");
    assert!(made.ok().get("preferred_date").is_some());
    let made = server.post(GENERATOR, json!({"content": "I teach yoga and sell courses"})).await;
    assert!(made.header("x-schema-warning").contains("no kind of form"), "{made:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_json_schema_becomes_a_form_and_a_form_a_json_schema() {
    let server = Server::start();
    let schema = json!({
        "$defs": {"Line": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
        "type": "object",
        "properties": {
            "number": {"type": "string"},
            "issued": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": null},
            "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
            "rates": {"type": "object", "additionalProperties": {"type": "number"}}
        },
        "required": ["number"]
    });
    let made = server.post(CONVERTER, json!({"schema": schema})).await.ok();
    assert_eq!(made["warnings"][0]["path"], "/schema/properties/rates");
    assert_eq!(made["schema"]["issued"], json!({"type": "date"}));
    let form = server.post("/v1/form", json!({"title": "Invoice", "schema": made["schema"]})).await.ok();
    assert_eq!(form.get("warnings"), None);
    let path = format!("/v1/form/{}/json_schema", form["form_id"].as_str().unwrap());
    let back = server.get(&path).await.ok();
    assert_eq!(back["properties"]["issued"], json!({"type": ["string", "null"], "format": "date"}));
    assert_eq!(back["required"], json!(["number"]));
    assert_eq!(server.post(CONVERTER, json!({"schema": back})).await.ok()["schema"], form["schema"]);
    server.get("/v1/form/none/json_schema").await.fails(404, "form_not_found");
    for (schema, place) in [
        (json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}), "/schema/properties/a"),
        (json!({"type": "string"}), "/schema"),
        (json!([1]), "/schema"),
    ] {
        server.post(CONVERTER, json!({"schema": schema})).await.fails_at(400, "validation_failed", place);
    }
    server.post(CONVERTER, json!({})).await.fails_at(400, "validation_failed", "");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_most_likely_meant_is_told() {
    let server = Server::start();
    let schema = json!({"total": {"type": "number", "requird": true}});
    let made = server.post("/v1/form", json!({"title": "Slip", "schema": schema})).await.ok();
    assert_eq!(
        made["warnings"],
        json!([{"path": "/schema/total/requird", "message": "'requird' is not a key of a field; did you mean 'required'?"}])
    );
    let path = format!("/v1/form/{}", made["form_id"].as_str().unwrap());
    assert_eq!(server.get(&path).await.ok().get("warnings"), None);
    assert_eq!(server.put(&path, json!({"title": "Slips"})).await.ok()["warnings"], made["warnings"]);
    assert_eq!(server.post(VALIDATOR, schema.clone()).await.ok(), json!(true));
    let strict = format!("{VALIDATOR}?strict=true");
    server.post(&strict, schema).await.fails_at(400, "validation_failed", "/total/requird");
    assert_eq!(
        server.post(&strict, json!({"total": {"type": "number", "required": true}})).await.ok(),
        json!(true)
    );
    let body =
        json!({"title": "Pasted", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}});
    let told = server.post("/v1/form", body).await;
    told.fails_at(400, "validation_failed", "/schema");
    let told = told.fails(400, "validation_failed");
    assert!(told["message"].as_str().unwrap().contains("this is a JSON Schema"), "{told}");
    let told = server.post(VALIDATOR, json!({"age": {"type": "int"}})).await.fails(400, "validation_failed");
    assert!(told["message"].as_str().unwrap().ends_with("did you mean 'integer'?"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn slips_in_bodies_and_paths_are_told() {
    let server = Server::start();
    let told = server.post("/v1/form", json!({"titel": "Invoice", "schema": {"a": {"type": "date"}}})).await;
    let told = told.fails_at(400, "validation_failed", "");
    let message = "'title' is a required property; 'titel' was sent, did you mean 'title'?";
    assert_eq!((&told["message"], &told["errors"][0]["message"]), (&json!(message), &json!(message)));
    let told = server.post("/v1/form", json!({"name": "Invoice", "schema": {"a": {"type": "date"}}})).await;
    assert_eq!(told.fails(400, "validation_failed")["message"], "'title' is a required property");
    let told = server.get("/v1/forms").await.fails(404, "unknown_route");
    assert_eq!(told["message"], "there is no operation at this path; did you mean /v1/form?");
    let told = server.get("/v1/nothing/of/the/sort").await.fails(404, "unknown_route");
    assert_eq!(told["message"], "there is no operation at this path");
    let form = server.post("/v1/form", json!({"title": "F", "schema": {"a": {"type": "date"}}})).await.ok();
    server.post("/v1/agent", json!({"namespace": "inv", "form_id": form["form_id"]})).await.ok();
    let told = server.post("/v1/agent/inv/workflow/delta", json!([{"url": "17"}])).await;
    let message = told.fails_at(400, "validation_failed", "/0")["message"].clone();
    assert!(message.as_str().unwrap().contains("a list of documents, as in [[{"), "{message}");
    let when = json!({"pet": {"type": "boolean"}, "kind": {"type": "string", "when": {"pets": true}}});
    let told = server.post(VALIDATOR, when).await.fails_at(400, "validation_failed", "/kind/when/pets");
    assert!(told["message"].as_str().unwrap().ends_with("did you mean 'pet'?"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_template_makes_a_form_and_its_sample_is_read() {
    let server = Server::start();
    let list = server.get("/v1/templates").await.ok();
    assert!(list["templates"].as_array().unwrap().len() >= 30, "{list}");
    for language in list["languages"].as_array().unwrap() {
        let path = format!("/v1/templates/receipt?language={}", language.as_str().unwrap());
        let template = server.get(&path).await.ok();
        assert_eq!(
            server.post("/v1/utilities/schema_validator?strict=true", template["schema"].clone()).await.ok(),
            json!(true)
        );
    }
    let template = server.get("/v1/templates/receipt").await.ok();
    assert_eq!(template["record"]["total_amount"], 7.0);
    assert!(template["sample"].as_str().unwrap().contains("Merchant: Corner Bakery"), "{template}");
    let form =
        server.post("/v1/form", json!({"title": template["title"], "schema": template["schema"]})).await.ok();
    let agent = json!({"namespace": "receipts", "form_id": form["form_id"]});
    server.post("/v1/agent", agent).await.ok();
    let file = server.files(&[("receipt.txt", template["sample"].as_str().unwrap())]).await.remove(0);
    let run = json!([[{"url": file["id"].to_string()}]]);
    let answer = server.post("/v1/agent/receipts/workflow/delta", run).await.ok();
    let (mut found, mut wanted) = (answer["results"][0].clone(), template["record"].clone());
    // 7 and 7.0 are one number, and two for `Value`.
    assert_eq!(found["total_amount"].take().as_f64(), wanted["total_amount"].take().as_f64(), "{answer}");
    assert_eq!(found, wanted);
    server.get("/v1/templates/reciept").await.fails(404, "template_not_found");
    server.get("/v1/templates?language=xx").await.fails_at(400, "validation_failed", "?language");
    server.get("/v1/templates/receipt?language=xx").await.fails_at(400, "validation_failed", "?language");
}
