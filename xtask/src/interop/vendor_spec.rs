//! Validates requests against OpenAI's own OpenAPI document, if a copy is available.

use anyhow::Context as _;
use jsonschema::Validator;
use serde_json::{Value, json};

/// The document that `FORMWORK_OPENAI_SPEC` names.
pub(super) struct VendorSpec(Value);

impl VendorSpec {
    /// Reads it; `None` when the variable is not set.
    pub(super) fn from_env() -> anyhow::Result<Option<Self>> {
        let Some(path) = std::env::var_os("FORMWORK_OPENAI_SPEC") else { return Ok(None) };
        let text = std::fs::read_to_string(path).context("FORMWORK_OPENAI_SPEC")?;
        Ok(Some(Self(serde_json::from_str(&text).context("FORMWORK_OPENAI_SPEC is not JSON")?)))
    }

    /// The violations of a body that was sent to a path such as `/chat/completions`.
    pub(super) fn violations(&self, path: &str, body: &Value) -> anyhow::Result<Vec<String>> {
        let errors = self.validator(path)?;
        Ok(errors.iter_errors(body).map(|error| format!("{}: {error}", error.instance_path())).collect())
    }

    fn validator(&self, path: &str) -> anyhow::Result<Validator> {
        let body = &self.0["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        anyhow::ensure!(body.is_object(), "the description has no {path}");
        // References in the document start at its root.
        let schema = json!({"allOf": [body], "components": self.0["components"]});
        Ok(jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(&schema)?)
    }
}
