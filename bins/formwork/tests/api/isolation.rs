//! Every described operation, called with a key of another workspace, a key that may only read, and a
//! key that is revoked. An operation that is new here fails until its sample is written down.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Parts, Server, description, invoice_schema, operations, settle};

/// What one workspace owns, to be named by others.
struct Owned {
    server: Server,
    form: String,
    file: String,
    note: String,
}

impl Owned {
    async fn new() -> Self {
        let server = Server::start();
        let form = server.agent("mine", invoice_schema()).await;
        let file = server.files(&[("a.txt", "Total: 4")]).await[0]["id"].to_string();
        let new = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "mine"});
        let note = server.post("/v1/notes", new).await.ok()["noteId"].as_str().unwrap().to_owned();
        let own = Self { server, form, file, note };
        // The samples are good: what refuses them later is the key.
        own.call(&Method::POST, "/v1/agent/{namespace}/workflow/delta", &own.server.key).await.ok();
        let booked = async || own.server.get("/v1/usage").await.ok()["total"]["requests"] == 1;
        settle("the booking of the call", booked).await;
        own
    }

    /// A path with the owner's ids.
    fn path(&self, shape: &str) -> String {
        let known = [
            ("{form_id}", self.form.as_str()),
            ("{version}", "1"),
            ("{file_id}", &self.file),
            ("{namespace}", "mine"),
            ("{note_id}", &self.note),
            ("{resource}", "agent"),
            ("{resource_id}", "mine"),
        ];
        let path = known.iter().fold(shape.to_owned(), |path, (name, id)| path.replace(name, id));
        assert!(!path.contains('{'), "no sample for the path {shape}");
        path
    }

    /// A body that would be taken from the owner.
    fn body(&self, method: &Method, shape: &str) -> Value {
        match (method.as_str(), shape) {
            ("POST", "/v1/utilities/schema_validator") => invoice_schema(),
            ("POST", "/v1/utilities/schema_generator") => json!({"text": "a form with name"}),
            ("POST", "/v1/form") => json!({"title": "t", "schema": invoice_schema()}),
            ("PUT", "/v1/form/{form_id}") => json!({"title": "stolen", "schema": invoice_schema()}),
            ("POST", "/v1/agent") => json!({"namespace": "other", "form_id": self.form}),
            ("PUT", "/v1/agent/{namespace}") => json!({"namespace": "stolen", "form_id": self.form}),
            ("POST", "/v1/agent/{namespace}/workflow/delta") => json!([[{"url": self.file}]]),
            ("POST", "/v1/notes") => {
                json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "mine"})
            }
            ("PUT", "/v1/notes/{note_id}") => json!({"content": "stolen", "role": "user"}),
            ("DELETE", "/v1/notes/{resource}/{resource_id}") => json!({"delete_all": true}),
            _ => panic!("no sample for the body of {method} {shape}"),
        }
    }

    async fn call(&self, method: &Method, shape: &str, key: &str) -> Answer {
        let call = self.server.request(method.clone(), &self.path(shape)).key(key);
        let item = &description()["paths"][shape][method.as_str().to_lowercase()]["requestBody"]["content"];
        let call = match item.as_object().and_then(|contents| contents.keys().next()).map(String::as_str) {
            None => call,
            Some("multipart/form-data") => call.multipart(Parts::new().file("b.txt", b"b")),
            Some(_) => call.json(&self.body(method, shape)),
        };
        call.send().await
    }

    /// All that the owner can read.
    async fn everything(&self) -> Vec<(&'static str, Value)> {
        let mut all = Vec::new();
        for (method, shape, _) in keyed().filter(|(method, ..)| *method == Method::GET) {
            all.push((shape, self.call(&method, shape, &self.server.key).await.ok()));
        }
        all
    }
}

/// The operations that need a key.
fn keyed() -> impl Iterator<Item = (Method, &'static str, &'static Value)> {
    operations().filter(|(_, _, operation)| !operation["security"].as_array().unwrap().is_empty())
}

/// Operations that name nothing of a workspace, or whose sample names none.
const WITHOUT_IDS: [&str; 10] = [
    "GET /v1/usage",
    "GET /v1/me",
    "GET /v1/models",
    "POST /v1/utilities/schema_validator",
    "POST /v1/utilities/schema_generator",
    "POST /v1/form",
    "GET /v1/form",
    "POST /v1/files",
    "GET /v1/files",
    "GET /v1/agent",
];

#[tokio::test(flavor = "multi_thread")]
async fn what_another_workspace_owns_is_unknown_to_every_operation() {
    let owned = Owned::new().await;
    let stranger = owned.server.stranger();
    let before = owned.everything().await;
    let mut tried = 0;
    for (method, shape, _) in keyed() {
        if WITHOUT_IDS.contains(&format!("{method} {shape}").as_str()) {
            continue;
        }
        let answer = owned.call(&method, shape, &stranger).await;
        // An unknown form in a body is a broken rule of the body.
        let named = if shape.starts_with("/v1/agent") && answer.status == 400 { "unknown_form" } else { "" };
        let expected = if named.is_empty() { 404 } else { 400 };
        assert_eq!(answer.status, expected, "{method} {shape}: {answer:?}");
        assert_ne!(answer.value()["code"], "unknown_route", "{method} {shape}");
        assert!(named.is_empty() || answer.value()["code"] == named, "{method} {shape}: {answer:?}");
        tried += 1;
    }
    assert!(tried >= 17, "{tried}");
    assert_eq!(owned.everything().await, before);
    for list in ["/v1/form", "/v1/files", "/v1/agent"] {
        let answer = owned.server.request(Method::GET, list).key(&stranger).send().await;
        let rows = answer.ok();
        assert!(!rows.to_string().contains(&owned.form) && !rows.to_string().contains("mine"), "{rows}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_may_only_read_is_refused_by_every_writing_operation() {
    let owned = Owned::new().await;
    let read = owned.server.home.told(&["keys", "create", "--scope", "read"]);
    let before = owned.everything().await;
    for (method, shape, _) in keyed() {
        // The validator computes and writes nothing.
        if method == Method::GET || shape == "/v1/utilities/schema_validator" {
            assert_eq!(owned.call(&method, shape, &read).await.status, 200, "{method} {shape}");
        } else {
            owned.call(&method, shape, &read).await.fails(403, "read_only_key");
        }
    }
    assert_eq!(owned.everything().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_is_refused_by_every_operation() {
    let owned = Owned::new().await;
    let revoked = owned.server.home.told(&["keys", "create"]);
    owned.call(&Method::GET, "/v1/me", &revoked).await.ok();
    owned.server.home.told(&["keys", "revoke", &revoked[..11]]);
    let before = owned.everything().await;
    for (method, shape, _) in keyed() {
        owned.call(&method, shape, &revoked).await.fails(401, "invalid_key");
    }
    assert_eq!(owned.everything().await, before);
}
