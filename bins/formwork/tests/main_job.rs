//! The real binary over HTTP: the main job, errors, isolation, the description, and `kill -9`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

/// A running server; killed when dropped.
struct Server {
    process: Child,
    url: String,
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
    fn start(data: &Path) -> (Self, String) {
        let mut process = formwork(data)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = lines.next().unwrap().unwrap().rsplit(' ').next().unwrap().to_owned();
        let key = std::fs::read_to_string(data.join("data/first-key")).unwrap().trim().to_owned();
        (Self { process, url, client: Client::builder().no_proxy().build().unwrap() }, key)
    }

    async fn send(&self, method: Method, path: &str, key: &str, body: Option<Value>) -> (StatusCode, Value) {
        let mut request =
            self.client.request(method, format!("{}{path}", self.url)).header("x-service-key", key);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        (answer.status(), answer.json().await.unwrap_or(Value::Null))
    }

    async fn post(&self, path: &str, key: &str, body: Value) -> Value {
        let (status, answer) = self.send(Method::POST, path, key, Some(body)).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    async fn get(&self, path: &str, key: &str) -> Value {
        let (status, answer) = self.send(Method::GET, path, key, None).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    async fn upload(&self, key: &str, files: &[(&str, &str)]) -> Vec<Value> {
        let form = files.iter().fold(Form::new(), |form, (name, content)| {
            form.part("files", Part::text((*content).to_owned()).file_name((*name).to_owned()))
        });
        let request = self.client.post(format!("{}/v1/files", self.url)).bearer_auth(key).multipart(form);
        let answer: Value = request.send().await.unwrap().error_for_status().unwrap().json().await.unwrap();
        answer.as_array().unwrap().clone()
    }

    /// A key of another workspace.
    fn stranger(data: &Path) -> String {
        let run = |arguments: &[&str]| {
            let output = formwork(data).args(arguments).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        run(&["users", "create", "--name", "Eve", "--email", "eve@example.com", "--new-workspace", "Other"]);
        run(&["keys", "create", "--email", "eve@example.com"]).trim().to_owned()
    }
}

async fn agent(server: &Server, key: &str) -> String {
    let schema = json!({
        "invoice_number": {"type": "string", "order": 1},
        "due_date": {"type": "date", "order": 3},
        "total": {"type": "number", "order": 2, "required": true}
    });
    let form = server.post("/v1/form", key, json!({"title": "Invoice", "schema": schema})).await;
    assert_eq!(form["schema"], schema);
    let form_id = form["form_id"].as_str().unwrap().to_owned();
    server.post("/v1/agent", key, json!({"namespace": "inv", "form_id": form_id})).await;
    form_id
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_go_in_and_checked_records_with_evidence_come_out() {
    let data = tempfile::tempdir().unwrap();
    let (server, key) = Server::start(data.path());
    let form_id = agent(&server, &key).await;
    let files = server
        .upload(
            &key,
            &[
                ("../../a.txt", "Invoice No: A-1\nTotal: 1,234.50 EUR\n"),
                ("b.html", "<p>Rechnungsnummer: 77-1</p><p>Gesamtbetrag: 99,90</p>"),
                ("c.txt", "A letter about nothing.\n"),
            ],
        )
        .await;
    assert_eq!(files[0]["name"], "../../a.txt");
    let groups = json!([
        [{"description": "", "url": files[0]["url"]}],
        [{"url": "https://example.com/x.pdf"}],
        [{"url": files[1]["id"]}],
        [{"url": files[2]["id"].to_string()}],
        [{"url": "999"}]
    ]);
    let path = "/v1/agent/inv/workflow/delta";
    let answer = server.post(&format!("{path}?evidence=true"), &key, groups.clone()).await;
    assert_eq!(
        answer["results"],
        json!([
            {"invoice_number": "A-1", "due_date": null, "total": 1234.5},
            {"invoice_number": "77-1", "due_date": null, "total": 99.9},
            {"invoice_number": null, "due_date": null, "total": null}
        ])
    );
    assert_eq!(answer["failed"][0]["error"]["code"], "fetch_unavailable");
    assert_eq!(
        (&answer["failed"][1]["error"]["code"], &answer["failed"][1]["group"]),
        (&json!("file_not_found"), &json!(4))
    );
    let meta = &answer["meta"];
    assert_eq!((&meta["total"], &meta["successful"], &meta["failed"]), (&json!(5), &json!(3), &json!(2)));
    assert_eq!(answer["errors"][2][0]["path"], "/total");
    let wrapped = server.post(path, &key, json!({"files": groups})).await;
    assert_eq!(wrapped["results"], answer["results"]);

    let kept =
        server.get(&format!("{path}?context=true&meta=true&evidence=true&sid={}", answer["sid"]), &key).await;
    assert_eq!(kept.as_array().unwrap().len(), 3);
    let context: Vec<char> = kept[0]["context"].as_str().unwrap().chars().collect();
    let evidence = &kept[0]["evidence"]["/total"];
    let at = |end: &str| usize::try_from(evidence[end].as_u64().unwrap()).unwrap();
    let quoted: String = context[at("start")..at("end")].iter().collect();
    assert_eq!((quoted.as_str(), &evidence["quote"]), ("1,234.50", &json!("1,234.50")));
    assert_eq!(kept[0]["meta"]["files"], json!(["../../a.txt"]));
    let plain = server.get(&format!("{path}?limit=1&page=2"), &key).await;
    assert!(
        plain[0].get("context").is_none() && plain[0].get("meta").is_none() && plain[0]["gid"].is_string()
    );

    let (status, refused) = server.send(Method::DELETE, &format!("/v1/form/{form_id}"), &key, None).await;
    assert_eq!((status.as_u16(), &refused["code"]), (409, &json!("form_in_use")));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_told_in_one_shape_with_its_place() {
    let data = tempfile::tempdir().unwrap();
    let (server, key) = Server::start(data.path());
    agent(&server, &key).await;
    let path = "/v1/agent/inv/workflow/delta";
    for (method, path, body, status, code, place) in [
        (Method::POST, "/v1/form", json!({"title": 5, "schema": {}}), 400, "validation_failed", "/title"),
        (
            Method::POST,
            "/v1/form",
            json!({"title": "x", "schema": {"a": {}}}),
            400,
            "validation_failed",
            "/schema/a",
        ),
        (Method::POST, "/v1/form", json!([1]), 400, "validation_failed", ""),
        (Method::POST, "/v1/agent", json!({"namespace": "inv"}), 409, "namespace_taken", ""),
        (
            Method::POST,
            "/v1/agent",
            json!({"namespace": "b", "form_id": "nope"}),
            400,
            "unknown_form",
            "/form_id",
        ),
        (
            Method::POST,
            "/v1/agent",
            json!({"namespace": "b", "modelId": "x@y"}),
            400,
            "unknown_model",
            "/modelId",
        ),
        (Method::POST, path, json!([]), 400, "validation_failed", ""),
        (Method::POST, path, json!({"files": [[{"url": "1"}], []]}), 400, "validation_failed", "/files/1"),
        (Method::POST, path, json!([[{"url": ""}]]), 400, "validation_failed", "/0/0/url"),
        (Method::POST, "/v1/agent/none/workflow/delta", json!([[{"url": "1"}]]), 404, "agent_not_found", ""),
        (Method::GET, "/v1/form/none", Value::Null, 404, "form_not_found", ""),
        (Method::GET, "/v1/files/x", Value::Null, 404, "file_not_found", ""),
        (Method::GET, "/v1/form?limit=101", Value::Null, 400, "validation_failed", "?limit"),
        (Method::GET, "/v1/form?page=x", Value::Null, 400, "validation_failed", "?page"),
        (Method::GET, "/v1/nothing", Value::Null, 404, "unknown_route", ""),
        (Method::PATCH, "/v1/form", Value::Null, 405, "method_not_allowed", ""),
    ] {
        let body = Some(body).filter(|body| !body.is_null());
        let (found, answer) = server.send(method, path, &key, body).await;
        assert_eq!((found.as_u16(), &answer["code"]), (status, &json!(code)), "{path}: {answer}");
        assert_eq!(answer["status"], "failure");
        if !place.is_empty() {
            assert_eq!(answer["errors"][0]["path"], place, "{answer}");
        }
    }
    let raw = async |body: String, kind: &str| {
        let request = server.client.post(format!("{}/v1/form", server.url)).header("x-service-key", &key);
        request.header("content-type", kind).body(body).send().await.unwrap().status().as_u16()
    };
    assert_eq!(raw("[".repeat(100_000), "application/json").await, 400);
    assert_eq!(raw("{}".into(), "text/plain").await, 415);
    assert_eq!(raw("x".repeat(3 << 20), "application/json").await, 413);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_checked_and_workspaces_do_not_see_each_other() {
    let data = tempfile::tempdir().unwrap();
    let (server, key) = Server::start(data.path());
    let form_id = agent(&server, &key).await;
    let file = server.upload(&key, &[("a.txt", "hello")]).await.remove(0);
    let stranger = Server::stranger(data.path());
    for path in [format!("/v1/form/{form_id}"), "/v1/agent/inv".into(), format!("/v1/files/{}", file["id"])] {
        for method in [Method::GET, Method::DELETE] {
            assert_eq!(server.send(method, &path, &stranger, None).await.0, 404, "{path}");
        }
        server.get(&path, &key).await;
    }
    assert_eq!(server.get("/v1/files", &stranger).await["files"], json!([]));
    let read = formwork(data.path()).args(["keys", "create", "--scope", "read"]).output().unwrap();
    let read = String::from_utf8(read.stdout).unwrap().trim().to_owned();
    assert_eq!(server.send(Method::GET, "/v1/me", &read, None).await.0, 200);
    assert_eq!(server.send(Method::POST, "/v1/form", &read, Some(json!({}))).await.0, 403);
    assert!(formwork(data.path()).args(["keys", "revoke", &read[..11]]).status().unwrap().success());
    for bad in [read.as_str(), "", "fw_nonsense"] {
        assert_eq!(server.send(Method::GET, "/v1/me", bad, None).await.0, 401, "{bad}");
    }
    let both = server
        .client
        .get(format!("{}/v1/me", server.url))
        .header("x-service-key", &key)
        .bearer_auth(&stranger);
    assert_eq!(both.send().await.unwrap().status(), 401);

    let content = async |range: Option<&str>| {
        let mut request = server.client.get(file["url"].as_str().unwrap());
        if let Some(range) = range {
            request = request.header("range", range);
        }
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    assert_eq!(content(None).await, (200, "hello".to_owned()));
    assert_eq!(content(Some("bytes=1-2")).await, (206, "el".to_owned()));
    assert_eq!(server.send(Method::DELETE, &format!("/v1/files/{}", file["id"]), &key, None).await.0, 200);
    assert_eq!(content(None).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_description_is_whole_and_every_reference_in_it_resolves() {
    let data = tempfile::tempdir().unwrap();
    let (server, key) = Server::start(data.path());
    let document = server.get("/openapi.json", &key).await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(parts) => {
                found.extend(parts.get("$ref").and_then(Value::as_str).map(str::to_owned));
                parts.values().for_each(|part| references(part, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 10);
    for reference in found {
        assert!(document.pointer(reference.strip_prefix('#').unwrap()).is_some(), "{reference}");
    }
    let mut ids = std::collections::HashSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert!(ids.insert(operation["operationId"].clone()), "{path} {method}");
            let path = path.replace("{file_id}", "1").replace(['{', '}'], "");
            let method: Method = method.to_uppercase().parse().unwrap();
            let (_, answer) = server.send(method, &path, "", None).await;
            assert_ne!(answer["code"], "unknown_route", "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_acknowledged_write_survives_kill_nine() {
    let data = tempfile::tempdir().unwrap();
    let mut acknowledged: Vec<String> = Vec::new();
    for _ in 0..5 {
        let (mut server, key) = Server::start(data.path());
        let stored = async || {
            let list = server.get("/v1/form?limit=1", &key).await;
            list["meta"]["total_items"].as_u64().unwrap()
        };
        let before = stored().await;
        let writers = (0..16).map(|_| {
            let (client, url, key) = (server.client.clone(), format!("{}/v1/form", server.url), key.clone());
            tokio::spawn(async move {
                let mut stored = Vec::new();
                let body = json!({"title": "t", "schema": {"a": {"type": "string"}}});
                while let Ok(answer) =
                    client.post(&url).header("x-service-key", &key).json(&body).send().await
                {
                    let Ok(answer) = answer.json::<Value>().await else { break };
                    stored.push(answer["form_id"].as_str().unwrap().to_owned());
                }
                stored
            })
        });
        let writers: Vec<_> = writers.collect();
        // Wait until writes flow, then kill in the middle of them.
        while stored().await < before + 60 {}
        server.process.kill().unwrap();
        for writer in writers {
            acknowledged.extend(writer.await.unwrap());
        }
    }
    let (server, key) = Server::start(data.path());
    // Of sixty stored in each round, at most sixteen were on their way to their writers.
    assert!(acknowledged.len() >= 5 * 44, "{}", acknowledged.len());
    for id in &acknowledged {
        server.get(&format!("/v1/form/{id}"), &key).await;
    }
}

#[test]
fn a_start_that_cannot_succeed_says_why_in_one_sentence() {
    let data = tempfile::tempdir().unwrap();
    let fails = |arguments: &[&str]| {
        let output = formwork(data.path()).args(arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.lines().count() == 1, "{arguments:?}: {text}");
        text
    };
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert!(fails(&["--listen", &address]).contains("already in use"));
    assert!(fails(&["--blobs", "/proc/nowhere", "--listen", "127.0.0.1:0"]).contains("cannot be used"));
    std::fs::write(data.path().join("odd.toml"), "nope = 1").unwrap();
    assert!(fails(&["--config", "odd.toml"]).contains("nope"));
    assert!(fails(&["--config", "none.toml"]).contains("none.toml"));
    assert!(fails(&["--database-url", "mysql://x"]).contains("sqlite:// or postgres://"));
}
