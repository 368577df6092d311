//! Answers of models.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::events::EventStream;
use crate::extraction::schema_of;
use crate::fit;
use crate::prompt::Prompt;
use crate::records::Generation;
use crate::request::Request;

const PATH: &str = "/v2/generate";

impl Client {
    /// An answer of a model, `model@provider`. Options of the prompt are the keys of the body of `POST /v2/generate`.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn generate(&self, model: &str, prompt: impl Into<Prompt>) -> Result<Generation> {
        let body = prompt.into().option("modelId", model).body(self, "prompt").await?;
        self.send(Request::post(PATH).json(&body.into())).await
    }

    /// As [`Client::generate`], piece by piece: events `delta` with pieces of the text, then `done` with the whole
    /// answer as JSON.
    ///
    /// # Errors
    /// As [`Client::events`].
    pub async fn generate_stream(&self, model: &str, prompt: impl Into<Prompt>) -> Result<EventStream> {
        let prompt = prompt.into().option("modelId", model).option("stream", true);
        let body = prompt.body(self, "prompt").await?;
        self.events(Request::post(PATH).json(&body.into())).await
    }

    /// An answer as a value of a type: the server gives the model the type's JSON Schema and checks what it writes.
    ///
    /// # Errors
    /// [`Error::Decode`] when the answer does not fit the type, and as [`Client::send`].
    pub async fn generate_value<T: DeserializeOwned + JsonSchema>(
        &self,
        model: &str,
        prompt: impl Into<Prompt>,
    ) -> Result<T> {
        let schema = schema_of::<T>();
        let format = json!({"type": "json_schema", "schema": schema});
        let answer = self.generate(model, prompt.into().option("responseFormat", format)).await?;
        let value = serde_json::from_str(&answer.text).map_err(|error| Error::Decode(error.to_string()))?;
        serde_json::from_value(fit::fitted(value, &schema)).map_err(|error| Error::Decode(error.to_string()))
    }
}
