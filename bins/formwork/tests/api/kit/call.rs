//! Requests.

use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;

use super::description::check_taken;
use super::{Answer, Server};

/// A request that is being put together. It carries the server's first key unless told otherwise.
pub(crate) struct Call {
    client: Client,
    builder: RequestBuilder,
    key: Option<String>,
    method: Method,
    path: String,
}

impl Call {
    pub(crate) fn new(server: &Server, method: Method, path: &str) -> Self {
        let builder = server.client.request(method.clone(), format!("{}{path}", server.url));
        let client = server.client.clone();
        Self { client, builder, key: Some(server.key.clone()), method, path: path.to_owned() }
    }

    /// The path with its query.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Without a key.
    pub(crate) fn open(mut self) -> Self {
        self.key = None;
        self
    }

    pub(crate) fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.builder = self.builder.header(name, value.as_ref());
        self
    }

    /// With a time-out of the client.
    pub(crate) fn within(mut self, limit: std::time::Duration) -> Self {
        self.builder = self.builder.timeout(limit);
        self
    }

    pub(crate) fn json(mut self, body: &Value) -> Self {
        self.builder = self.builder.json(body);
        self
    }

    pub(crate) fn body(self, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let mut call = self.header("content-type", kind);
        call.builder = call.builder.body(body.into());
        call
    }

    pub(crate) fn multipart(self, parts: Parts) -> Self {
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        self.body(&kind, parts.end())
    }

    /// Sends it; the answer has what every answer must have, and it and a body that was taken are as the
    /// description says.
    pub(crate) async fn send(self) -> Answer {
        let path = self.path.clone();
        self.try_send().await.unwrap_or_else(|error| panic!("{path}: {error:?}"))
    }

    /// The same, where the server may die before it answers.
    pub(crate) async fn try_send(self) -> reqwest::Result<Answer> {
        let mut builder = self.builder;
        if let Some(key) = self.key {
            builder = builder.header("x-service-key", key);
        }
        let request = builder.build().unwrap();
        let parts = request
            .headers()
            .get("content-type")
            .is_some_and(|kind| kind.to_str().is_ok_and(|kind| kind.starts_with("multipart/")));
        let sent = request.body().and_then(|body| body.as_bytes()).map(<[u8]>::to_vec).filter(|_| !parts);
        let answer = self.client.execute(request).await?;
        let answer = Answer::read(&self.method, &self.path, answer).await?;
        if let (200 | 202, Some(sent)) = (answer.status, sent) {
            check_taken(&self.method, &self.path, &sent);
        }
        Ok(answer)
    }
}

const BOUNDARY: &str = "----sample-boundary";

/// A multipart body, with the names written exactly as given.
#[derive(Default)]
pub(crate) struct Parts(Vec<u8>);

impl Parts {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A part with its headers as given.
    pub(crate) fn part(mut self, headers: &str, content: &[u8]) -> Self {
        self.0.extend_from_slice(format!("--{BOUNDARY}\r\n{headers}\r\n\r\n").as_bytes());
        self.0.extend_from_slice(content);
        self.0.extend_from_slice(b"\r\n");
        self
    }

    /// A file, its name written as HTTP libraries do: quotes and line ends percent-encoded,
    /// backslashes doubled.
    pub(crate) fn file(self, name: &str, content: &[u8]) -> Self {
        self.named("files", name, content)
    }

    /// As [`Parts::file`], in a part of another name.
    pub(crate) fn named(self, part: &str, name: &str, content: &[u8]) -> Self {
        let name = name.replace('\\', "\\\\").replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        self.part(&format!("Content-Disposition: form-data; name=\"{part}\"; filename=\"{name}\""), content)
    }

    pub(crate) fn field(self, name: &str, value: &str) -> Self {
        self.part(&format!("Content-Disposition: form-data; name=\"{name}\""), value.as_bytes())
    }

    pub(crate) fn end(mut self) -> Vec<u8> {
        self.0.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        self.0
    }
}
