//! Every described operation, called with a key of another workspace, a key that may only read, and a
//! key that is revoked. An operation that is new here fails until its sample is written down.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::kit::{Answer, Parts, Server, description, invoice_schema, operations, settle};
use crate::search::{by_searxng, searxng};

/// What one workspace owns, to be named by others.
struct Owned {
    server: Server,
    form: String,
    file: String,
    note: String,
    run: String,
    base: String,
    item: String,
    webhook: String,
    delivery: String,
    /// Hears what is sent to the webhook.
    receiver: Upstream,
    /// Who answers searches.
    _provider: Upstream,
}

impl Owned {
    async fn new() -> Self {
        let provider = searxng();
        let server = Server::with(&format!("{}\n[fetch]\nallow = \"127.0.0.1\"", by_searxng(&provider)));
        let form = server.agent("mine", invoice_schema()).await;
        let file = server.files(&[("a.txt", "Total: 4")]).await[0]["id"].to_string();
        let new = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "mine"});
        let note = server.post("/v1/notes", new).await.ok()["noteId"].as_str().unwrap().to_owned();
        let base = server.post("/knowledgebase", json!({"name": "Mine"})).await.ok();
        let base = base["knowledgeId"].as_str().unwrap().to_owned();
        // It failed, so that it can be tried again.
        let web = json!({"urls": ["https://10.0.0.1/"], "texts": [{"title": "mine", "content": "Total: 4"}]});
        let added = server.post(&format!("/knowledgebase/{base}/files"), web).await.ok();
        let item = added["files"][0]["id"].as_str().unwrap().to_owned();
        let ready = format!("/knowledgebase/files/{}", added["files"][1]["id"].as_str().unwrap());
        let failed = format!("/knowledgebase/files/{item}");
        settle("the failure", async || server.get(&failed).await.ok()["status"] == "failed").await;
        settle("the file of the base", async || server.get(&ready).await.ok()["status"] == "ready").await;
        let receiver = Upstream::start(|_| Reply::whole(204, "text/plain", "")).unwrap();
        let (run, webhook, delivery) = Default::default();
        let mut own = Self {
            server,
            form,
            file,
            note,
            run,
            base,
            item,
            webhook,
            delivery,
            receiver,
            _provider: provider,
        };
        // The samples are good: what refuses them later is the key.
        let run = own.call(&Method::POST, "/v1/agent/{namespace}/workflow/delta", &own.server.key).await.ok();
        own.run = run["sid"].to_string();
        let booked = async || own.server.get("/v1/usage").await.ok()["total"]["requests"] == 1;
        settle("the booking of the call", booked).await;
        own.hook().await;
        own
    }

    /// A webhook with a delivery that was heard. It asks for what no longer happens here.
    async fn hook(&mut self) {
        let new = json!({"url": self.receiver.url(), "events": ["run.finished"]});
        let made = self.server.post("/v1/webhooks", new).await.ok();
        self.webhook = made["id"].as_str().unwrap().to_owned();
        let sent = self.server.post(&format!("/v1/webhooks/{}/test", self.webhook), json!({})).await.ok();
        self.delivery = sent["id"].as_str().unwrap().to_owned();
        let sent = format!("/v1/webhooks/{}/deliveries", self.webhook);
        let heard = async || self.server.get(&sent).await.ok()["deliveries"][0]["status"] == "delivered";
        settle("the delivery", heard).await;
    }

    /// A path with the owner's ids.
    fn path(&self, shape: &str) -> String {
        let known = [
            ("{form_id}", self.form.as_str()),
            ("{version}", "1"),
            ("{file_id}", &self.file),
            ("{namespace}", "mine"),
            ("{note_id}", &self.note),
            ("{sid}", &self.run),
            ("{resource}", "agent"),
            ("{resource_id}", "mine"),
            ("{knowledgeId}", &self.base),
            ("{id}", &self.item),
            ("{webhook_id}", &self.webhook),
            ("{delivery_id}", &self.delivery),
        ];
        let path = known.iter().fold(shape.to_owned(), |path, (name, id)| path.replace(name, id));
        assert!(!path.contains('{'), "no sample for the path {shape}");
        let searches = SEARCHES.contains(&path.as_str()) || path.starts_with("/utilities/");
        if searches { format!("{path}?search_terms=cod") } else { path }
    }

    /// A body that would be taken from the owner.
    fn body(&self, method: &Method, shape: &str) -> Value {
        match (method.as_str(), shape) {
            ("POST", "/v2/generate") => {
                json!({"modelId": "extractive@formwork", "prompt": "What is the total?", "urls": [self.file]})
            }
            ("POST", "/v1/utilities/schema_validator") => invoice_schema(),
            ("POST", "/v1/utilities/schema_generator") => json!({"text": "a form with name"}),
            ("POST", "/v1/utilities/webparser") => json!({"urls": ["http://10.0.0.1/"]}),
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
            ("POST", "/v1/webhooks") => json!({"url": self.receiver.url()}),
            ("POST", "/knowledgebase") => json!({"name": "other"}),
            ("PUT", "/knowledgebase/{knowledgeId}") => json!({"name": "stolen"}),
            ("POST", "/knowledgebase/{knowledgeId}/files") => {
                json!({"texts": [{"title": "planted", "content": "planted"}]})
            }
            ("PUT", "/knowledgebase/files/{id}") => json!({"name": "stolen"}),
            ("DELETE", "/knowledgebase/{knowledgeId}/sources") => json!({"delete_all": true}),
            ("POST", "/knowledgebase/{knowledgeId}/search") => json!({"query": "total"}),
            ("POST", shape) if SEARCHES.contains(&shape) => json!({"search_terms": ["cod"]}),
            ("POST", shape) if DOCUMENTS.contains(&shape) => json!({"urls": [self.file]}),
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
            let answer = self.call(&method, shape, &self.server.key).await;
            let events = answer.header("content-type") == "text/event-stream";
            all.push((shape, if events { json!(answer.text()) } else { answer.ok() }));
        }
        let url = self.server.get(&self.path("/v1/files/{file_id}")).await.ok()["url"].clone();
        let path = url.as_str().unwrap().strip_prefix(&self.server.url).unwrap();
        let content = self.server.request(Method::GET, path).open().send().await;
        all.push(("content", json!(content.text())));
        all
    }
}

/// The operations that need a key.
fn keyed() -> impl Iterator<Item = (Method, &'static str, &'static Value)> {
    operations().filter(|(_, _, operation)| !operation["security"].as_array().unwrap().is_empty())
}

/// Operations on documents, each of which has an outcome of its own.
const DOCUMENTS: [&str; 4] =
    ["/v1/utilities/docparser", "/v1/utilities/tables", "/v1/utilities/keyvalues", "/v1/utilities/thumbnail"];

/// Searches of the web and of the news.
const SEARCHES: [&str; 2] = ["/v1/utilities/websearch", "/v1/utilities/news"];

/// Operations that name nothing of a workspace, or whose sample names none.
const WITHOUT_IDS: [&str; 22] = [
    "POST /v1/webhooks",
    "GET /v1/webhooks",
    "POST /v1/utilities/websearch",
    "GET /utilities/websearch",
    "GET /v1/utilities/websearch",
    "POST /v1/utilities/news",
    "GET /utilities/news",
    "GET /v1/utilities/news",
    "GET /v1/usage",
    "GET /v1/me",
    "GET /v1/models",
    "POST /v1/utilities/schema_validator",
    "POST /v1/utilities/schema_generator",
    "POST /v1/utilities/webparser",
    "POST /v1/form",
    "GET /v1/form",
    "POST /v1/files",
    "GET /v1/files",
    "GET /v1/agent",
    "POST /knowledgebase",
    "GET /knowledgebases",
    "GET /knowledgebase/files",
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
        if (method.as_str(), shape) == ("POST", "/v1/agent") {
            // Its path names nothing; an unknown form in its body is a broken rule of the body.
            answer.fails_at(400, "unknown_form", "/form_id");
        } else if shape == "/v2/generate" {
            answer.fails_at(400, "file_not_found", "/urls/0");
        } else if DOCUMENTS.contains(&shape) {
            let items = answer.ok();
            assert_eq!(items[0]["error"]["code"], "file_not_found", "{shape}: {items}");
            let mut told = items[0]
                .as_object()
                .unwrap()
                .iter()
                .filter(|(name, _)| !["url", "error"].contains(&name.as_str()));
            let empty = [Value::Null, json!(""), json!([])];
            assert!(told.all(|(_, value)| empty.contains(value)), "{shape}: {items}");
        } else {
            assert_eq!(answer.status, 404, "{method} {shape}: {answer:?}");
            assert_ne!(answer.value()["code"], "unknown_route", "{method} {shape}");
        }
        tried += 1;
    }
    assert!(tried >= 22, "{tried}");
    assert_eq!(owned.everything().await, before);
    owned.call(&Method::PUT, "/v1/notes/{note_id}", &owned.server.key).await.ok();
    assert_ne!(owned.everything().await, before, "what the owner reads would show a change");
    for list in
        ["/v1/form", "/v1/files", "/v1/agent", "/knowledgebases", "/knowledgebase/files", "/v1/webhooks"]
    {
        let answer = owned.server.request(Method::GET, list).key(&stranger).send().await;
        let rows = answer.ok().to_string();
        for own in [&owned.form, &owned.base, &owned.item, &owned.webhook, "mine"] {
            assert!(!rows.contains(own), "{rows}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_another_workspace_gets_into_an_own_base_or_out_of_theirs() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let before = owned.everything().await;
    let send = async |method, path: &str, body| with_key(server, &stranger, method, path, &body).await;
    let base = send(Method::POST, "/knowledgebase", json!({"name": "Theirs"})).await.ok();
    let base = base["knowledgeId"].as_str().unwrap();
    let files = format!("/knowledgebase/{base}/files");
    let url = server.get(&format!("/v1/files/{}", owned.file)).await.ok()["url"].clone();
    for (body, place) in [
        (json!({"file_ids": [owned.file]}), "/file_ids/0"),
        (json!({"urls": [owned.file]}), "/urls/0"),
        // The URL grants reading, not use in the work of others.
        (json!({"urls": [url]}), "/urls/0"),
    ] {
        send(Method::POST, &files, body).await.fails_at(400, "file_not_found", place);
    }
    // The same content is an item of its own.
    let text = json!({"texts": [{"title": "theirs", "content": "Total: 4"}]});
    let item = send(Method::POST, &files, text).await.ok()["files"][0].clone();
    assert_eq!((&item["name"], &item["knowledgeId"]), (&json!("theirs"), &json!(base)));
    let sources = json!({"ids": [owned.item]});
    let done = send(Method::DELETE, &format!("/knowledgebase/{base}/sources"), sources).await.ok();
    assert!(done["message"].as_str().unwrap().starts_with("0 files were deleted"), "{done}");
    let agent = json!({"namespace": "spy", "knowledge": [owned.base]});
    send(Method::POST, "/v1/agent", agent).await.fails_at(400, "unknown_knowledge_base", "/knowledge/0");
    let ask = json!({"modelId": "extractive@formwork", "prompt": "total?", "knowledgeId": owned.base});
    send(Method::POST, "/v2/generate", ask).await.fails(400, "unknown_knowledge_base");
    let note =
        json!({"content": "c", "role": "user", "resource": "knowledgebase", "resource_id": owned.base});
    send(Method::POST, "/v1/notes", note).await.fails(404, "knowledge_base_not_found");
    assert_eq!(owned.everything().await, before);
}

/// A request with the key of a workspace.
async fn with_key(server: &Server, key: &str, method: Method, path: &str, body: &Value) -> Answer {
    let call = server.request(method.clone(), path).key(key);
    if method == Method::GET { call.send().await } else { call.json(body).send().await }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_own_agent_takes_no_form_of_another_workspace_and_stays_as_it_is() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let before = owned.everything().await;
    let send = async |method, path: &str, body| with_key(server, &stranger, method, path, &body).await;
    let form = json!({"title": "t", "schema": {"a": {"type": "string"}}});
    let form = send(Method::POST, "/v1/form", form).await.ok()["form_id"].clone();
    let own = send(Method::POST, "/v1/agent", json!({"namespace": "mine", "form_id": form})).await.ok();

    let named = json!({"name": "changed", "form_id": owned.form});
    send(Method::PUT, "/v1/agent/mine", named).await.fails_at(400, "unknown_form", "/form_id");
    assert_eq!(send(Method::GET, "/v1/agent/mine", Value::Null).await.ok(), own);
    let named = json!({"namespace": "second", "form_id": owned.form});
    send(Method::POST, "/v1/agent", named).await.fails_at(400, "unknown_form", "/form_id");
    send(Method::GET, "/v1/agent/second", Value::Null).await.fails(404, "agent_not_found");

    assert_eq!(owned.everything().await, before);
    // Nor does a failed attempt hold the form fast.
    server.delete("/v1/agent/mine").await.ok();
    server.delete(&format!("/v1/form/{}", owned.form)).await.ok();
    assert_eq!(send(Method::GET, "/v1/agent/mine", Value::Null).await.ok(), own);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_another_workspace_is_no_document_of_an_own_run() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let before = owned.everything().await;
    let send = async |method, path: &str, body| with_key(server, &stranger, method, path, &body).await;
    let form = json!({"title": "t", "schema": {"total": {"type": "number"}}});
    let form = send(Method::POST, "/v1/form", form).await.ok()["form_id"].clone();
    send(Method::POST, "/v1/agent", json!({"namespace": "reader", "form_id": form})).await.ok();
    let groups = json!([[{"url": owned.file}]]);
    let run = send(Method::POST, "/v1/agent/reader/workflow/delta", groups).await.ok();
    assert_eq!((&run["results"], &run["meta"]["failed"]), (&json!([]), &json!(1)), "{run}");
    assert_eq!(run["failed"][0]["error"]["code"], "file_not_found", "{run}");
    assert_eq!(owned.everything().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_for_an_unknown_knowledge_base_stores_nothing() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let (before, blobs) = (owned.everything().await, server.stored("blobs"));
    for key in [&server.key, &stranger] {
        for (at, id) in [(0, "unknown"), (1, "mine"), (0, "\u{0}")] {
            // The field may come before the file or after it.
            let parts = match at {
                0 => Parts::new().field("knowledgeId", id).file("b.txt", b"never stored"),
                _ => Parts::new().file("b.txt", b"never stored").field("knowledgeId", id),
            };
            let call = server.request(Method::POST, "/v1/files").key(key).multipart(parts);
            call.send().await.fails(404, "knowledge_base_not_found");
        }
    }
    assert_eq!((owned.everything().await, server.stored("blobs")), (before, blobs));
    let theirs = with_key(server, &stranger, Method::GET, "/v1/files", &Value::Null).await.ok();
    assert_eq!(theirs["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_note_is_put_on_what_another_workspace_owns() {
    let owned = Owned::new().await;
    let (server, stranger) = (&owned.server, owned.server.stranger());
    let on_file = json!({"content": "c", "role": "user", "resource": "file", "resource_id": owned.file});
    let kept = server.post("/v1/notes", on_file.clone()).await.ok()["noteId"].clone();
    let before = owned.everything().await;
    let send = async |method, path: &str, body| with_key(server, &stranger, method, path, &body).await;
    let file = format!("/v1/notes/file/{}", owned.file);
    let on_agent = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "mine"});
    for (body, path, code) in
        [(on_file, file.as_str(), "file_not_found"), (on_agent, "/v1/notes/agent/mine", "agent_not_found")]
    {
        send(Method::POST, "/v1/notes", body).await.fails(404, code);
        send(Method::GET, path, Value::Null).await.fails(404, code);
        send(Method::DELETE, path, json!({"delete_all": true})).await.fails(404, code);
        send(Method::DELETE, path, json!({"values": [kept, owned.note]})).await.fails(404, code);
    }
    assert_eq!(owned.everything().await, before);
    let notes = server.get(&file).await.ok();
    assert_eq!((&notes["meta"]["total_items"], &notes["notes"][0]["noteId"]), (&json!(1), &kept));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_may_only_read_is_refused_by_every_writing_operation() {
    let owned = Owned::new().await;
    let read = owned.server.home.told(&["keys", "create", "--scope", "read"]);
    let before = owned.everything().await;
    for (method, shape, _) in keyed() {
        // The validator computes, a search looks and documents are read; a picture is stored.
        let reads = shape != "/v1/utilities/thumbnail" && DOCUMENTS.contains(&shape)
            || SEARCHES.contains(&shape)
            || [
                "/v1/utilities/schema_validator",
                "/v1/utilities/webparser",
                "/knowledgebase/{knowledgeId}/search",
            ]
            .contains(&shape);
        if method == Method::GET || reads {
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
