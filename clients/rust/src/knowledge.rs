//! Knowledge bases.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::document::Document;
use crate::error::Result;
use crate::pages::Items;
use crate::records::{KnowledgeBase, KnowledgeFile, Passage};
use crate::request::{Request, segment};

/// Pause between two looks at a file that is being indexed.
const PAUSE: Duration = Duration::from_millis(250);

/// Knowledge bases. They are indexed in the background; the option `wait_for` of a search waits for that.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a> {
    client: &'a Client,
}

#[derive(Deserialize)]
struct AddedFiles {
    files: Vec<KnowledgeFile>,
}

#[derive(Deserialize)]
struct SearchAnswer {
    results: Vec<Passage>,
}

impl Client {
    /// Operations on knowledge bases.
    #[must_use]
    pub fn knowledge(&self) -> Knowledge<'_> {
        Knowledge::new(self)
    }
}

impl<'a> Knowledge<'a> {
    pub(crate) fn new(client: &'a Client) -> Self {
        Self { client }
    }

    /// Creates a knowledge base. Settings are keys of the body of `POST /v1/knowledgebase`: `description`,
    /// `embeddingModel`, `chunking`.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn create(&self, name: &str, mut settings: Map<String, Value>) -> Result<KnowledgeBase> {
        settings.insert("name".to_owned(), name.into());
        self.client.send(Request::post("/v1/knowledgebase").json(&settings.into())).await
    }

    /// All knowledge bases, newest first.
    #[must_use]
    pub fn list(&self) -> Items<KnowledgeBase> {
        self.client.list(Request::get("/v1/knowledgebases"))
    }

    /// A knowledge base.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound), and as [`Client::send`].
    pub async fn get(&self, id: &str) -> Result<KnowledgeBase> {
        self.client.send(Request::get(path(id))).await
    }

    /// Deletes a knowledge base with its files.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn delete(&self, id: &str) -> Result<()> {
        self.client.read(Request::delete(path(id))).await.map(drop)
    }

    /// Adds documents, which are uploaded if they are not stored yet.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) when one cannot be read, and as [`Client::send`].
    pub async fn add<D: Into<Document>>(
        &self,
        id: &str,
        files: impl IntoIterator<Item = D>,
    ) -> Result<Vec<KnowledgeFile>> {
        let group = files.into_iter().map(Into::into).collect();
        let references = self.client.files().references(vec![group]).await?;
        let urls: Value =
            references.into_iter().flatten().map(|mut reference| reference["url"].take()).collect();
        self.add_body(id, &json!({"urls": urls})).await
    }

    /// Adds a document as a text, plain or Markdown. `meta` is for filters of searches; at most 16 KiB as JSON.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn add_text(
        &self,
        id: &str,
        title: &str,
        content: &str,
        meta: Map<String, Value>,
    ) -> Result<Vec<KnowledgeFile>> {
        self.add_body(id, &json!({"texts": [{"title": title, "content": content, "meta": meta}]})).await
    }

    async fn add_body(&self, id: &str, body: &Value) -> Result<Vec<KnowledgeFile>> {
        let request = Request::post(format!("{}/files", path(id))).json(body);
        Ok(self.client.send::<AddedFiles>(request).await?.files)
    }

    /// A file of a knowledge base.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound), and as [`Client::send`].
    pub async fn file(&self, file_id: &str) -> Result<KnowledgeFile> {
        self.client.send(Request::get(format!("/v1/knowledgebase/files/{}", segment(file_id)))).await
    }

    /// Waits until a file is `ready` or `failed`.
    ///
    /// # Errors
    /// As [`Knowledge::file`].
    pub async fn settled(&self, file_id: &str) -> Result<KnowledgeFile> {
        loop {
            let file = self.file(file_id).await?;
            if !matches!(file.status.as_str(), "queued" | "processing") {
                return Ok(file);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The best passages for a query, best first. Options are keys of the body of the search: `limit`, `mode`,
    /// `filter`, `minScore`, `neighbours`, `wait_for` and others.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn search(
        &self,
        id: &str,
        query: &str,
        mut options: Map<String, Value>,
    ) -> Result<Vec<Passage>> {
        options.insert("query".to_owned(), query.into());
        let request = Request::post(format!("{}/search", path(id))).json(&options.into());
        Ok(self.client.send::<SearchAnswer>(request).await?.results)
    }
}

fn path(id: &str) -> String {
    format!("/v1/knowledgebase/{}", segment(id))
}
