//! The schema generator: phrases in, schemas that forms can have out, and what describes no form refused.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::Server;

const GENERATOR: &str = "/v1/utilities/schema_generator";
const VALIDATOR: &str = "/v1/utilities/schema_validator";

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
