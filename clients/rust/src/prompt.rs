//! What is said to an agent or a model.

use serde_json::{Map, Value};

use crate::client::Client;
use crate::document::Document;
use crate::error::Result;

/// A message for an agent or a prompt for a model, with its documents and options.
///
/// ```
/// use formwork_client::Prompt;
///
/// let prompt = Prompt::new("When is it due?").file("invoice.pdf").option("topK", 5);
/// ```
#[derive(Clone, Debug)]
pub struct Prompt {
    text: String,
    files: Vec<Document>,
    options: Map<String, Value>,
}

impl Prompt {
    /// A prompt of a text alone.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), files: Vec::new(), options: Map::new() }
    }

    /// Adds a document, which is uploaded if it is not stored yet.
    #[must_use]
    pub fn file(mut self, file: impl Into<Document>) -> Self {
        self.files.push(file.into());
        self
    }

    /// Sets a key of the body of the request, such as `system`, `knowledge` or `response_format`.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.options.insert(name.into(), value.into());
        self
    }

    /// The body of a request, with the text under `key`. Documents join those of the option `urls`.
    pub(crate) async fn body(self, client: &Client, key: &str) -> Result<Map<String, Value>> {
        let mut body = self.options;
        let references = client.files().references(vec![self.files]).await?;
        let mut urls =
            references.into_iter().flatten().map(|mut reference| reference["url"].take()).peekable();
        if urls.peek().is_some() {
            let given = body.remove("urls").and_then(|given| given.as_array().cloned()).unwrap_or_default();
            body.insert("urls".to_owned(), given.into_iter().chain(urls).collect());
        }
        body.insert(key.to_owned(), self.text.into());
        Ok(body)
    }
}

impl From<&str> for Prompt {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Prompt {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}
