//! The batch that the cluster works through.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::vendor::delivery_note;

use super::clients::Clients;
use super::engines::Engines;

/// Files of one upload.
const TOGETHER: usize = 100;
/// The operation of the batch.
const PATH: &str = "/v1/agent/notes/workflow/delta";

/// A batch with one delivery note for each group, and the knowledge base that clients use meanwhile.
#[derive(Clone, Debug)]
pub(crate) struct BatchRun {
    pub(crate) sid: u64,
    pub(crate) groups: usize,
    pub(super) base: String,
    pub(super) webhook: String,
}

impl BatchRun {
    /// Creates form, agent, knowledge base and webhook, uploads the documents and starts the run.
    pub(crate) async fn start(clients: &Clients, engines: &Engines, groups: usize) -> anyhow::Result<Self> {
        let form = json!({"title": "Delivery note", "schema": delivery_note::schema()});
        let form = clients.change(Method::POST, "/v1/form", &form).await?;
        let agent = json!({"namespace": "notes", "form_id": form["form_id"]});
        clients.change(Method::POST, "/v1/agent", &agent).await?;
        let base = clients.change(Method::POST, "/v1/knowledgebase", &json!({"name": "Signals"})).await?;
        let hook = json!({"url": engines.receiver.url(), "events": ["run.finished"]});
        let hook = clients.change(Method::POST, "/v1/webhooks", &hook).await?;
        let texts: Vec<String> = (0..groups).map(delivery_note::text).collect();
        let mut documents = Vec::new();
        for part in texts.chunks(TOGETHER) {
            let ids = clients.upload(part).await?;
            documents.extend(ids.iter().map(|id| json!([{"url": id.parse::<u64>().unwrap_or_default()}])));
        }
        let run =
            clients.change(Method::POST, &format!("{PATH}?async=true"), &Value::from(documents)).await?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let sid = run["sid"].as_u64().unwrap_or_default();
        Ok(Self { sid, groups, base: text(&base["knowledgeId"]), webhook: text(&hook["id"]) })
    }

    /// The run as it stands.
    pub(crate) async fn look(&self, clients: &Clients) -> anyhow::Result<Value> {
        clients.get(&format!("{PATH}/runs/{}?limit=1", self.sid)).await
    }

    /// Whether the run is over.
    pub(crate) async fn is_over(&self, clients: &Clients) -> anyhow::Result<bool> {
        Ok(self.look(clients).await?["state"] != "running")
    }

    /// The stored records of all groups.
    pub(super) async fn records(&self, clients: &Clients) -> anyhow::Result<Vec<Value>> {
        Ok(clients.get(&format!("{PATH}?sid={}", self.sid)).await?.as_array().cloned().unwrap_or_default())
    }
}
