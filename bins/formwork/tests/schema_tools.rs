//! The schema utilities over HTTP, on the real binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::Client;
use serde_json::{Value, json};

const GENERATOR: &str = "/v1/utilities/schema_generator";
const VALIDATOR: &str = "/v1/utilities/schema_validator";

/// A running server; killed when dropped.
struct Server {
    process: Child,
    url: String,
    key: String,
    client: Client,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

fn formwork(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwork"));
    command.current_dir(data).arg("--data-dir").arg(data.join("data"));
    command
}

impl Server {
    fn start(data: &Path, settings: &[&str]) -> Self {
        let mut process = formwork(data)
            .args(["--listen", "127.0.0.1:0"])
            .args(settings)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = lines.next().unwrap().unwrap().rsplit(' ').next().unwrap().to_owned();
        let key = std::fs::read_to_string(data.join("data/first-key")).unwrap().trim().to_owned();
        Self { process, url, key, client: Client::builder().no_proxy().build().unwrap() }
    }

    async fn post(&self, path: &str, key: &str, body: &Value) -> (u16, Value) {
        let request = self.client.post(format!("{}{path}", self.url)).header("x-service-key", key).json(body);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phrase_becomes_a_schema_that_a_form_can_have() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path(), &[]);
    let phrase = "a form for a job applicant with name, email, years of experience (number), and preferred contact: \
                  phone or email";
    let (status, schema) = server.post(GENERATOR, &server.key, &json!({"content": phrase, "extra": 1})).await;
    assert_eq!(status, 200);
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
    assert_eq!(server.post(VALIDATOR, &server.key, &schema).await, (200, json!(true)));
    let form = server.post("/v1/form", &server.key, &json!({"title": "Applicant", "schema": schema})).await;
    assert_eq!((form.0, &form.1["schema"]), (200, &schema));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_describes_no_form_is_refused_with_its_place() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path(), &[]);
    let long = "name, ".repeat(10_000);
    for (body, place) in [
        (json!({}), ""),
        (json!({"content": 5}), "/content"),
        (json!({"content": ""}), "/content"),
        (json!({"content": "🎉 !?"}), "/content"),
        (json!({"content": long}), "/content"),
        (json!(["content"]), ""),
    ] {
        let (status, answer) = server.post(GENERATOR, &server.key, &body).await;
        assert_eq!((status, &answer["code"]), (400, &json!("validation_failed")), "{answer}");
        assert_eq!((&answer["status"], &answer["errors"][0]["path"]), (&json!("failure"), &json!(place)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn generating_needs_a_writing_key_and_checking_a_reading_one() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path(), &[]);
    let read = formwork(data.path()).args(["keys", "create", "--scope", "read"]).output().unwrap();
    let read = String::from_utf8(read.stdout).unwrap().trim().to_owned();
    let body = json!({"content": "name, email"});
    assert_eq!(server.post(GENERATOR, &read, &body).await.0, 403);
    assert_eq!(server.post(GENERATOR, "", &body).await.0, 401);
    assert_eq!(server.post(VALIDATOR, &read, &json!({"a": {"type": "string"}})).await, (200, json!(true)));
    let (status, answer) = server.post(VALIDATOR, &read, &json!({"a": {}})).await;
    assert_eq!((status, &answer["status"]), (400, &json!("failure")));
    assert_eq!(answer["message"], "'type' is a required property");
}
