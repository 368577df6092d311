//! Requests that change something, each with an effect that can be counted.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Call, Parts, Server, invoice, invoice_schema};

/// A request with an effect that can be counted.
pub(crate) struct Request {
    pub(crate) name: &'static str,
    /// The request; each call with another number is another request.
    pub(crate) call: fn(&Server, usize) -> Call,
    /// Where the effects are listed.
    pub(crate) list: &'static str,
    /// The number of effects in the list.
    pub(crate) count: fn(&Answer) -> u64,
}

impl Request {
    /// The answer to a request that is sent until it is known what became of it.
    ///
    /// # Errors
    /// The server died before it answered.
    pub(crate) async fn answer(&self, server: &Server, n: usize, key: &str) -> reqwest::Result<Answer> {
        for _ in 0..600 {
            let answer = (self.call)(server, n).header("idempotency-key", key).try_send().await?;
            if answer.status != 409 {
                return Ok(answer);
            }
            answer.fails(409, "request_still_running");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{}: a retry was never answered", self.name);
    }

    /// The number of effects.
    pub(crate) async fn effects(&self, server: &Server) -> u64 {
        (self.count)(&server.get(self.list).await)
    }
}

pub(crate) const REQUESTS: &[Request] = &[
    Request {
        name: "a form",
        call: |server, _| {
            post(server, "/v1/form", json!({"title": "F", "schema": {"a": {"type": "string"}}}))
        },
        list: "/v1/form",
        count: total,
    },
    Request {
        name: "a note",
        call: |server, _| {
            let note = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "inv"});
            post(server, "/v1/notes", note)
        },
        list: "/v1/notes/agent/inv",
        count: total,
    },
    Request {
        name: "an agent",
        call: |server, n| post(server, "/v1/agent", json!({"namespace": format!("agent-{n}")})),
        list: "/v1/agent",
        count: total,
    },
    Request {
        name: "a webhook",
        call: |server, _| {
            post(
                server,
                "/v1/webhooks",
                json!({"url": "https://example.com/hook", "events": ["run.finished"]}),
            )
        },
        list: "/v1/webhooks",
        count: total,
    },
    Request {
        name: "a knowledge base",
        call: |server, n| post(server, "/v1/knowledgebase", json!({"name": format!("base {n}")})),
        list: "/v1/knowledgebases",
        count: total,
    },
    Request {
        name: "texts in a knowledge base",
        call: |server, n| {
            let texts = json!([{"title": "t", "content": format!("text {n}")}]);
            post(server, &format!("/v1/knowledgebase/{}/files", base(server)), json!({"texts": texts}))
        },
        list: "/v1/knowledgebase/files",
        count: total,
    },
    Request {
        name: "a file",
        call: |server, n| upload(server, Parts::new().file("a.txt", format!("content {n}").as_bytes())),
        list: "/v1/files",
        count: total,
    },
    Request {
        name: "a file for a knowledge base",
        call: |server, n| {
            let parts = Parts::new().file("b.txt", format!("knowledge {n}").as_bytes());
            upload(server, parts.field("knowledgeId", &base(server)))
        },
        list: "/v1/files",
        count: total,
    },
    Request {
        name: "a run that nobody waits for",
        call: |server, _| {
            post(server, "/v1/agent/inv/workflow/delta?async=true", json!([[{"url": paper(server)}]]))
        },
        list: "/v1/agent/inv/workflow/delta/runs",
        count: total,
    },
    Request {
        name: "a run",
        call: |server, _| post(server, "/v1/agent/inv/workflow/delta", json!([[{"url": paper(server)}]])),
        list: "/v1/agent/inv/workflow/delta/runs",
        count: total,
    },
    Request {
        name: "a message",
        call: |server, _| {
            post(server, "/v1/agent/inv/chat", json!({"message": "The invoice number is N-7."}))
        },
        list: "/v1/agent/inv/sessions",
        count: total,
    },
    Request {
        name: "a streamed message",
        call: |server, _| {
            let message = json!({"message": "The invoice number is N-8.", "stream": true});
            post(server, "/v1/agent/inv/chat", message)
        },
        list: "/v1/agent/inv/sessions",
        count: total,
    },
];

fn total(list: &Answer) -> u64 {
    list.value()["meta"]["total_items"].as_u64().unwrap()
}

fn post(server: &Server, path: &str, body: Value) -> Call {
    server.request(Method::POST, path).json(&body)
}

fn upload(server: &Server, parts: Parts) -> Call {
    server.request(Method::POST, "/v1/files").multipart(parts)
}

/// The id of the knowledge base.
fn base(server: &Server) -> String {
    std::fs::read_to_string(server.home.path("base")).unwrap()
}

/// The id of the invoice.
fn paper(server: &Server) -> u64 {
    std::fs::read_to_string(server.home.path("paper")).unwrap().parse().unwrap()
}

/// Makes the agent, the invoice and the knowledge base of the requests.
pub(crate) async fn prepare(server: &Server) {
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    std::fs::write(server.home.path("paper"), file["id"].to_string()).unwrap();
    let base = server.post("/v1/knowledgebase", json!({"name": "base"})).await.ok();
    std::fs::write(server.home.path("base"), base["knowledgeId"].as_str().unwrap()).unwrap();
}

/// What an answer says, without the times and figures of the work on it.
pub(crate) fn content(answer: &Answer) -> Value {
    let Ok(mut body) = serde_json::from_slice::<Value>(&answer.body) else {
        return json!(answer.text());
    };
    if let Some(body) = body.as_object_mut() {
        for of_the_work in ["meta", "state", "successful", "failed", "usage", "started_at", "finished_at"] {
            body.remove(of_the_work);
        }
        for item in body.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
            *item = json!(item["id"]);
        }
    }
    body
}
