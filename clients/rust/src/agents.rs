//! Agents.

use serde_json::{Map, Value};

use crate::client::Client;
use crate::error::Result;
use crate::pages::Items;
use crate::records::{Agent, RunRecord};
use crate::request::{Request, segment};

/// Operations on agents.
#[derive(Clone, Copy, Debug)]
pub struct Agents<'a> {
    client: &'a Client,
}

impl Client {
    /// Operations on agents.
    #[must_use]
    pub fn agents(&self) -> Agents<'_> {
        Agents::new(self)
    }
}

impl<'a> Agents<'a> {
    pub(crate) fn new(client: &'a Client) -> Self {
        Self { client }
    }

    /// Creates an agent. Settings are keys of the body of `POST /v1/agent`: `form_id`, `name`, `description`,
    /// `instructions`, `modelId`, `knowledge`.
    ///
    /// # Errors
    /// [`Error::Api`](crate::Error::Api) with `namespace_taken`, and as [`Client::send`].
    pub async fn create(&self, namespace: &str, mut settings: Map<String, Value>) -> Result<Agent> {
        settings.insert("namespace".to_owned(), namespace.into());
        self.client.send(Request::post("/v1/agent").json(&settings.into())).await
    }

    /// All agents, newest first.
    #[must_use]
    pub fn list(&self) -> Items<Agent> {
        self.client.list(Request::get("/v1/agent"))
    }

    /// Reads an agent.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound), and as [`Client::send`].
    pub async fn get(&self, namespace: &str) -> Result<Agent> {
        self.client.send(Request::get(path(namespace))).await
    }

    /// Changes the given settings of an agent.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn update(&self, namespace: &str, settings: Map<String, Value>) -> Result<Agent> {
        let request = Request::new(reqwest::Method::PUT, path(namespace));
        self.client.send(request.json(&settings.into())).await
    }

    /// Deletes an agent with its runs and sessions.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn delete(&self, namespace: &str) -> Result<()> {
        self.client.read(Request::delete(path(namespace))).await.map(drop)
    }

    /// The runs of an agent, newest first.
    #[must_use]
    pub fn runs(&self, namespace: &str) -> Items<RunRecord> {
        self.client.list(Request::get(runs_path(namespace)))
    }
}

pub(crate) fn path(namespace: &str) -> String {
    format!("/v1/agent/{}", segment(namespace))
}

/// The runs of an agent.
pub(crate) fn runs_path(namespace: &str) -> String {
    format!("{}/workflow/delta/runs", path(namespace))
}
