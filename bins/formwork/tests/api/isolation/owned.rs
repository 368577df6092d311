//! A workspace with something of every kind, and every operation called on it.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::chat::kit::Conversations;
use crate::kit::{Answer, Parts, Server, description, invoice_schema, operations, settle};
use crate::search::{by_searxng, searxng};

/// What one workspace owns, to be named by others.
pub(super) struct Owned {
    pub(super) server: Server,
    /// A key that administers.
    pub(super) admin: String,
    key: String,
    member: String,
    workspace: String,
    pub(super) form: String,
    pub(super) file: String,
    pub(super) note: String,
    run: String,
    review: String,
    pub(super) set: String,
    evaluation: String,
    pub(super) base: String,
    questions: String,
    pub(super) item: String,
    pub(super) webhook: String,
    delivery: String,
    /// Hears what is sent to the webhook.
    receiver: Upstream,
    /// Who answers searches.
    _provider: Upstream,
}

impl Owned {
    pub(super) async fn new() -> Self {
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
        let conversations = Conversations::of(&server, "mine");
        conversations.submitted("session_mine", "submission_mine", json!({"total": 4})).await;
        let receiver = Upstream::start(|_| Reply::whole(204, "text/plain", "")).unwrap();
        let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
        let first = async |path: &str| {
            let list = server.request(Method::GET, path).key(&admin).send().await.ok();
            let rows = list.as_object().unwrap().values().find_map(Value::as_array).unwrap();
            rows[0]["id"].as_str().unwrap().to_owned()
        };
        let key = first("/v1/keys").await;
        let (member, workspace) = (first("/v1/members").await, first("/v1/workspaces").await);
        let (run, review, webhook, delivery) = Default::default();
        let (set, evaluation) = Default::default();
        let sets = format!("/knowledgebase/{base}/evaluation_sets");
        let set_of_questions = server.post(&sets, question_set("mine")).await.ok();
        let questions = set_of_questions["id"].as_str().unwrap().to_owned();
        let mut own = Self {
            admin,
            key,
            member,
            workspace,
            server,
            form,
            file,
            note,
            run,
            review,
            set,
            evaluation,
            base,
            questions,
            item,
            webhook,
            delivery,
            receiver,
            _provider: provider,
        };
        // The samples are good: what refuses them later is the key.
        let run = own.call(&Method::POST, "/v1/agent/{namespace}/workflow/delta", &own.server.key).await.ok();
        own.run = run["sid"].to_string();
        let all = json!({"namespace": "mine", "sid": run["sid"], "review": {"threshold": 1.0}});
        own.server.post("/v1/reviews", all).await.ok();
        let queue = own.server.get("/v1/reviews").await.ok();
        let set = json!({"name": "mine", "form_id": own.form});
        let set = own.server.post("/v1/evaluation_sets", set).await.ok();
        own.set = set["id"].as_str().unwrap().to_owned();
        let group = json!({"documents": [{"url": own.file}], "record": {"total": 4}});
        let groups = format!("/v1/evaluation_sets/{}/groups", own.set);
        own.server.post(&groups, json!({"groups": [group]})).await.ok();
        let evaluations = format!("/v1/evaluation_sets/{}/evaluations", own.set);
        let begun = own.server.post(&evaluations, json!({"namespace": "mine"})).await.ok();
        own.evaluation = begun["sid"].to_string();
        let scores = format!("{evaluations}/{}", own.evaluation);
        settle("the evaluation", async || own.server.get(&scores).await.ok()["open"] == 0).await;
        own.review = queue["reviews"][0]["id"].as_str().unwrap().to_owned();
        let booked = async || own.server.get("/v1/usage").await.ok()["total"]["requests"] == 2;
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
            ("{template_id}", "invoice"),
            ("{version}", "1"),
            ("{file_id}", &self.file),
            ("{namespace}", "mine"),
            ("{model}", "agent:mine"),
            ("{note_id}", &self.note),
            ("{sid}", &self.run),
            ("{resource}", "agent"),
            ("{resource_id}", "mine"),
            ("{knowledgeId}", &self.base),
            ("{vector_store_id}", &self.base),
            ("{evaluation_set_id}", &self.questions),
            ("{id}", &self.item),
            ("{session_id}", "session_mine"),
            ("{submission_id}", "submission_mine"),
            ("{review_id}", &self.review),
            ("{webhook_id}", &self.webhook),
            ("{delivery_id}", &self.delivery),
            ("{key_id}", &self.key),
            ("{member_id}", &self.member),
            ("{workspace_id}", &self.workspace),
        ];
        let shape = match shape.contains("{set_id}") {
            true => &shape.replace("{sid}", &self.evaluation).replace("{set_id}", &self.set),
            false => shape,
        };
        let path = known.iter().fold(shape.to_owned(), |path, (name, id)| path.replace(name, id));
        assert!(!path.contains('{'), "no sample for the path {shape}");
        let searches = SEARCHES.contains(&path.as_str()) || path.starts_with("/utilities/");
        if searches { format!("{path}?search_terms=cod") } else { path }
    }

    /// A body that would be taken from the owner.
    fn body(&self, method: &Method, shape: &str) -> Value {
        match (method.as_str(), unversioned(shape)) {
            ("POST", "/mcp") => json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
            ("POST", "/v2/generate") => {
                json!({"modelId": "extractive@formwork", "prompt": "What is the total?", "urls": [self.file]})
            }
            ("POST", "/openai/v1/chat/completions") => {
                let file = json!({"type": "file", "file": {"file_id": self.file}});
                let content = json!([{"type": "text", "text": "What is the total?"}, file]);
                json!({"model": "extractive@formwork", "messages": [{"role": "user", "content": content}]})
            }
            ("POST", "/anthropic/v1/messages") => {
                let file = json!({"type": "document", "source": {"type": "file", "file_id": self.file}});
                let content = json!([{"type": "text", "text": "What is the total?"}, file]);
                json!({"model": "extractive@formwork", "messages": [{"role": "user", "content": content}]})
            }
            ("POST", "/anthropic/v1/messages/count_tokens") => {
                let asked = json!({"role": "user", "content": "What is the total?"});
                json!({"model": "extractive@formwork", "messages": [asked]})
            }
            ("POST", "/openai/v1/responses" | "/openai/v1/responses/compact") => {
                let file = json!({"type": "input_file", "file_id": self.file});
                let content = json!([{"type": "input_text", "text": "What is the total?"}, file]);
                json!({"model": "extractive@formwork", "input": [{"role": "user", "content": content}]})
            }
            ("POST", "/openai/v1/vector_stores" | "/openai/v1/vector_stores/{vector_store_id}") => {
                json!({"name": "Theirs"})
            }
            ("POST", "/openai/v1/vector_stores/{vector_store_id}/files") => json!({"file_id": self.file}),
            ("POST", "/openai/v1/vector_stores/{vector_store_id}/search") => json!({"query": "total"}),
            ("POST", "/openai/v1/embeddings" | "/openai/v1/audio/speech") => {
                json!({"model": "extractive@formwork", "input": "total"})
            }
            ("POST", "/openai/v1/images/generations") => {
                json!({"model": "extractive@formwork", "prompt": "a harbour"})
            }
            ("POST", "/v1/utilities/schema_validator") => invoice_schema(),
            ("POST", "/v1/utilities/schema_converter") => {
                json!({"schema": {"type": "object", "properties": {"total": {"type": "number"}}}})
            }
            ("POST", "/v1/utilities/schema_generator") => json!({"text": "a form with name"}),
            ("POST", "/v1/utilities/schema_from_documents") => json!({"urls": [self.file]}),
            ("POST", "/v1/utilities/classifier" | "/v1/utilities/splitter") => {
                json!({"documents": [{"url": self.file}], "forms": [self.form]})
            }
            ("POST", "/v1/utilities/webparser") => json!({"urls": ["http://10.0.0.1/"]}),
            ("POST", "/v1/form") => json!({"title": "t", "schema": invoice_schema()}),
            ("PUT", "/v1/form/{form_id}") => json!({"title": "stolen", "schema": invoice_schema()}),
            ("POST", "/v1/form/{form_id}/versions/{version}/publish") => json!({}),
            ("PUT", "/v1/form/{form_id}/gate") => json!({"evaluation_set": self.set, "minimum": 0.5}),
            ("POST", "/v1/form/{form_id}/examples") => {
                json!({"namespace": "mine", "sid": self.run.parse::<i64>().unwrap_or_default(), "group": 0})
            }
            ("POST", "/v1/agent") => json!({"namespace": "other", "form_id": self.form}),
            ("PUT", "/v1/agent/{namespace}") => json!({"namespace": "stolen", "form_id": self.form}),
            (
                "POST",
                "/v1/agent/{namespace}/workflow/delta" | "/v1/agent/{namespace}/workflow/delta/estimate",
            ) => json!([[{"url": self.file}]]),
            ("POST", "/v1/agent/{namespace}/sessions/{session_id}/messages") => json!({"content": "hello"}),
            ("POST", "/v1/agent/{namespace}/chat") => json!({"message": "hello"}),
            ("POST", "/v1/agent/{namespace}/ag-ui") => {
                json!({"threadId": "t", "runId": "r", "messages": [{"role": "user", "content": "hello"}]})
            }
            ("POST", "/v1/agent/{namespace}/a2a") => {
                json!({"jsonrpc": "2.0", "id": 1, "method": "ListTasks", "params": {}})
            }
            ("POST", "/v1/notes") => {
                json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "mine"})
            }
            ("PUT", "/v1/notes/{note_id}") => json!({"content": "stolen", "role": "user"}),
            ("DELETE", "/v1/notes/{resource}/{resource_id}") => json!({"delete_all": true}),
            ("POST", "/v1/keys") => json!({"name": "other"}),
            ("PUT", "/v1/keys/{key_id}") => json!({"name": "stolen"}),
            ("POST", "/v1/keys/{key_id}/rotate") => json!({}),
            ("POST", "/v1/members") => json!({"name": "o", "email": "o@example.com", "role": "viewer"}),
            ("PUT", "/v1/members/{member_id}") => json!({"name": "stolen"}),
            ("PUT", "/v1/members/{member_id}/password") => json!({"password": "stolen at low tide"}),
            ("PUT", "/v1/me/password") => json!({"current_password": "", "password": "stolen at low tide"}),
            ("POST", "/v1/workspaces") => {
                json!({"name": "o", "owner": {"name": "o", "email": "o@example.com"}})
            }
            ("PUT", "/v1/workspaces/{workspace_id}") => json!({"name": "stolen"}),
            ("PUT", "/v1/workspaces/{workspace_id}/quotas") => json!({"files": 0}),
            ("POST", "/v1/reviews") => {
                json!({"namespace": "mine", "sid": self.run.parse::<i64>().unwrap_or_default()})
            }
            ("POST", "/v1/reviews/decisions") => {
                json!({"decisions": [{"review_id": self.review, "action": "accept"}]})
            }
            ("POST", "/v1/evaluation_sets") => json!({"name": "other", "form_id": self.form}),
            ("POST", "/v1/evaluation_sets/{set_id}/groups") => {
                json!({"groups": [{"documents": [{"url": self.file}], "record": {"total": 5}}]})
            }
            ("POST", "/v1/evaluation_sets/{set_id}/evaluations") => json!({"namespace": "mine"}),
            ("POST", "/v1/webhooks") => json!({"url": self.receiver.url()}),
            ("POST", "/knowledgebase") => json!({"name": "other"}),
            ("PUT", "/knowledgebase/{knowledgeId}") => json!({"name": "stolen"}),
            ("POST", "/knowledgebase/{knowledgeId}/files") => {
                json!({"texts": [{"title": "planted", "content": "planted"}]})
            }
            ("PUT", "/knowledgebase/files/{id}") => json!({"name": "stolen"}),
            ("DELETE", "/knowledgebase/{knowledgeId}/sources") => json!({"delete_all": true}),
            ("POST", "/knowledgebase/{knowledgeId}/search") => json!({"query": "total"}),
            ("POST", "/knowledgebase/search") => json!({"query": "total", "knowledge": [{"id": self.base}]}),
            ("POST", "/knowledgebase/{knowledgeId}/evaluation_sets") => question_set("other"),
            ("PUT", "/knowledgebase/{knowledgeId}/evaluation_sets/{evaluation_set_id}") => {
                question_set("stolen")
            }
            ("POST", "/knowledgebase/{knowledgeId}/evaluation_sets/{evaluation_set_id}/evaluate") => {
                json!({"settings": [{}]})
            }
            ("POST", shape) if SEARCHES.contains(&shape) => json!({"search_terms": ["cod"]}),
            ("POST", shape) if DOCUMENTS.contains(&shape) => json!({"urls": [self.file]}),
            _ => panic!("no sample for the body of {method} {shape}"),
        }
    }

    pub(super) async fn call(&self, method: &Method, shape: &str, key: &str) -> Answer {
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
    pub(super) async fn everything(&self) -> Vec<(&'static str, Value)> {
        let mut all = Vec::new();
        for (method, shape, operation) in keyed().filter(|(method, ..)| *method == Method::GET) {
            // The list of keys says when each was last used.
            if shape.starts_with("/v1/keys") {
                continue;
            }
            let key = if is_administration(operation) { &self.admin } else { &self.server.key };
            let answer = self.call(&method, shape, key).await;
            let is_json = answer.header("content-type").starts_with("application/json");
            all.push((shape, if is_json { answer.ok() } else { json!(answer.text()) }));
        }
        let url = self.server.get(&self.path("/v1/files/{file_id}")).await.ok()["url"].clone();
        let path = url.as_str().unwrap().strip_prefix(&self.server.url).unwrap();
        let content = self.server.request(Method::GET, path).open().send().await;
        all.push(("content", json!(content.text())));
        all
    }
}

/// A set of one question.
fn question_set(name: &str) -> Value {
    json!({"name": name, "questions": [{"query": "What is the total?", "answer": "4"}]})
}

/// The shape of a path that is there with a version and without, without it.
pub(super) fn unversioned(shape: &str) -> &str {
    shape.strip_prefix("/v1").filter(|own| own.starts_with("/knowledgebase")).unwrap_or(shape)
}

/// The operations that need a key.
pub(super) fn keyed() -> impl Iterator<Item = (Method, &'static str, &'static Value)> {
    operations().filter(|(_, shape, operation)| {
        // Secret keys may not call what is for public ones, which has tests of its own.
        let is_secret = !shape.starts_with("/v1/public/");
        is_secret && !operation["security"].as_array().unwrap().is_empty()
    })
}

/// Whether only owners may call the operation.
pub(super) fn is_administration(operation: &Value) -> bool {
    let is_gate = matches!(operation["operationId"].as_str(), Some("set_form_gate" | "remove_form_gate"));
    is_gate || operation["tags"][0] == "administration" && operation["operationId"] != "sign_out"
}

/// Operations on documents, each of which has an outcome of its own.
pub(super) const DOCUMENTS: [&str; 4] =
    ["/v1/utilities/docparser", "/v1/utilities/tables", "/v1/utilities/keyvalues", "/v1/utilities/thumbnail"];

/// Searches of the web and of the news.
pub(super) const SEARCHES: [&str; 2] = ["/v1/utilities/websearch", "/v1/utilities/news"];
