//! Ready forms of common documents.

use serde::Deserialize;

use crate::client::Client;
use crate::error::Result;
use crate::records::Template;
use crate::request::{Request, segment};

/// Ready forms of common documents. Languages are codes such as `en` (ISO 639-1).
#[derive(Clone, Copy, Debug)]
pub struct Templates<'a> {
    client: &'a Client,
}

#[derive(Deserialize)]
struct TemplateList {
    templates: Vec<Template>,
}

impl Client {
    /// Ready forms of common documents.
    #[must_use]
    pub fn templates(&self) -> Templates<'_> {
        Templates::new(self)
    }
}

impl<'a> Templates<'a> {
    pub(crate) fn new(client: &'a Client) -> Self {
        Self { client }
    }

    /// All templates, without their fields.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn list(&self, language: &str) -> Result<Vec<Template>> {
        let request = Request::get("/v1/templates").query("language", language);
        Ok(self.client.send::<TemplateList>(request).await?.templates)
    }

    /// A template with its fields and a sample.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound), and as [`Client::send`].
    pub async fn get(&self, template_id: &str, language: &str) -> Result<Template> {
        let path = format!("/v1/templates/{}", segment(template_id));
        self.client.send(Request::get(path).query("language", language)).await
    }
}
