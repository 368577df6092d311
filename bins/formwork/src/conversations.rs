//! Adapters of conversations with agents. An agent's stored responses serve as its memory.

use agents_core::Agent;
use agents_core::chat::AgentMemory;
use async_trait::async_trait;
use delta_core::{DeltaError, RunService, StoredResponse};
use futures_util::StreamExt as _;
use gen_core::SourceDocument;
use serde_json::Value;
use shared_core::{DomainError as _, Scope, StoreError};

/// Maximum number of stored responses that a question searches, the latest first.
const MAX_RESPONSES: usize = 500;
/// Maximum size of the searched responses in bytes.
const MAX_BYTES: usize = 1 << 20;

/// An agent's memory: the stored responses of its batch extraction.
#[derive(Clone, Debug)]
pub(crate) struct StoredResponses(pub(crate) RunService);

#[async_trait]
impl AgentMemory for StoredResponses {
    async fn search(&self, scope: &Scope, agent: &Agent, _: &str) -> Result<Vec<SourceDocument>, StoreError> {
        if agent.form_id.is_none() {
            return Ok(Vec::new());
        }
        let found = self.0.responses(scope, &agent.namespace, None, 0, 0).await;
        let (_, mut responses) = found.map_err(store)?;
        let (mut documents, mut bytes) = (Vec::new(), 0);
        while let Some(response) = responses.next().await {
            let document = document(response.map_err(store)?);
            bytes += document.text.len();
            if documents.len() == MAX_RESPONSES || bytes > MAX_BYTES {
                break;
            }
            documents.push(document);
        }
        Ok(documents)
    }
}

fn store(error: DeltaError) -> StoreError {
    match error {
        DeltaError::Store(error) => error,
        other => StoreError::Failed(format!("{}: {other}", other.code()).into()),
    }
}

/// A response as a document: one line per value.
fn document(response: StoredResponse) -> SourceDocument {
    let names: Vec<&str> = response.response.sources.iter().map(|source| source.name.as_str()).collect();
    let title = if names.is_empty() { response.response.gid.clone() } else { names.join(", ") };
    let mut lines = Vec::new();
    for (name, value) in &response.response.record {
        collect(&name.replace('_', " "), value, &mut lines);
    }
    SourceDocument::new(response.response.gid, title, lines.join("\n"))
}

fn collect(name: &str, value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::Object(parts) => {
            for (part, value) in parts {
                collect(&format!("{name}, {}", part.replace('_', " ")), value, lines);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (index, item) in items.iter().enumerate() {
                collect(&format!("{name} {}", index + 1), item, lines);
            }
        }
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(plain_value).collect();
            lines.push(format!("{name}: {}", texts.join(", ")));
        }
        other => lines.push(format!("{name}: {}", plain_value(other))),
    }
}

fn plain_value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
