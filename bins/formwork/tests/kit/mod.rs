//! The real binary over HTTP.
#![allow(dead_code, reason = "each test program uses its part")]
#![allow(clippy::print_stderr, reason = "what is skipped is said aloud")]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method};
use serde_json::{Value, json};

/// A running server; killed when dropped.
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) url: String,
    pub(crate) key: String,
    pub(crate) client: Client,
    pub(crate) data: tempfile::TempDir,
}

/// An answer's status and body.
#[derive(Debug)]
pub(crate) struct Answer(pub(crate) u16, pub(crate) Value);

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl Answer {
    pub(crate) fn ok(self) -> Value {
        assert_eq!(self.0, 200, "{self:?}");
        self.1
    }

    pub(crate) fn fails(self, status: u16, code: &str) -> Value {
        assert_eq!((self.0, &self.1["code"]), (status, &json!(code)), "{self:?}");
        self.1
    }

    pub(crate) fn fails_at(self, place: &str) -> Value {
        let body = self.fails(400, "validation_failed");
        assert_eq!(body["errors"][0]["path"], place, "{body}");
        body
    }
}

fn command(data: &tempfile::TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_formwork"));
    command.current_dir(data.path()).arg("--data-dir").arg(data.path().join("data"));
    command
}

impl Server {
    /// A fresh server with an agent called `a`.
    pub(crate) async fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let server = Self::in_folder(data);
        server.post("/v1/agent", json!({"namespace": "a"})).await.ok();
        server
    }

    pub(crate) fn in_folder(data: tempfile::TempDir) -> Self {
        let mut process = command(&data)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = lines.next().unwrap().unwrap().rsplit(' ').next().unwrap().to_owned();
        let key = std::fs::read_to_string(data.path().join("data/first-key")).unwrap().trim().to_owned();
        Self { process, url, key, client: Client::builder().no_proxy().build().unwrap(), data }
    }

    pub(crate) fn told(&self, arguments: &[&str]) -> String {
        let output = command(&self.data).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// A key of another workspace.
    pub(crate) fn stranger(&self) -> String {
        self.told(&[
            "users",
            "create",
            "--name",
            "Eve",
            "--email",
            "eve@example.com",
            "--new-workspace",
            "Other",
        ]);
        self.told(&["keys", "create", "--email", "eve@example.com"])
    }

    pub(crate) async fn send(&self, method: Method, path: &str, key: &str, body: Option<&Value>) -> Answer {
        let mut request =
            self.client.request(method, format!("{}{path}", self.url)).header("x-service-key", key);
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await.unwrap();
        Answer(answer.status().as_u16(), answer.json().await.unwrap())
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &self.key, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, &self.key, Some(&body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, &self.key, Some(&body)).await
    }

    pub(crate) async fn delete(&self, path: &str, body: Value) -> Answer {
        self.send(Method::DELETE, path, &self.key, Some(&body)).await
    }

    /// Uploads a file and gives its id as text.
    pub(crate) async fn file(&self, content: &str) -> String {
        let form = Form::new().part("files", Part::text(content.to_owned()).file_name("a.txt"));
        let request = self.client.post(format!("{}/v1/files", self.url)).bearer_auth(&self.key);
        let answer: Value = request.multipart(form).send().await.unwrap().json().await.unwrap();
        answer[0]["id"].to_string()
    }

    /// Adds a note and gives its id.
    pub(crate) async fn note(&self, resource: &str, id: &str, content: &str) -> String {
        let body = json!({"content": content, "role": "user", "resource": resource, "resource_id": id});
        self.post("/v1/notes", body).await.ok()["noteId"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn count(&self, resource: &str, id: &str) -> u64 {
        let list = self.get(&format!("/v1/notes/{resource}/{id}")).await.ok();
        list["meta"]["total_items"].as_u64().unwrap()
    }
}

/// A part of the open corpus, or `None` after saying what is skipped.
#[expect(clippy::disallowed_methods, reason = "tests are told where the corpus is by the environment")]
pub(crate) fn corpus(below: &str) -> Option<std::path::PathBuf> {
    let Ok(root) = std::env::var("FORMWORK_CORPUS") else {
        eprintln!("FORMWORK_CORPUS is not set: {below} is SKIPPED");
        return None;
    };
    let path = std::path::PathBuf::from(root).join(below);
    assert!(path.exists(), "{} is not there", path.display());
    Some(path)
}
