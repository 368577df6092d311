//! Stored files.

use std::path::Path;

use futures_util::StreamExt as _;
use reqwest::Url;
use serde_json::{Value, json};
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

use crate::client::{ByteStream, Client};
use crate::document::{Document, Place, Upload, batches};
use crate::error::{Error, Result};
use crate::pages::Items;
use crate::records::StoredFile;
use crate::request::{Request, segment};

/// Operations on stored files.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    client: &'a Client,
}

impl Client {
    /// Operations on stored files.
    #[must_use]
    pub fn files(&self) -> Files<'_> {
        Files::new(self)
    }
}

impl<'a> Files<'a> {
    pub(crate) fn new(client: &'a Client) -> Self {
        Self { client }
    }

    /// Stores files and answers their records in the same order. Several are sent in one request, up to 20 and 32 MiB.
    ///
    /// # Errors
    /// [`Error::File`] when one cannot be read: then none is sent. [`Error::Invalid`] for a stored file or a URL. Else
    /// as [`Client::send`]; earlier requests of many files have stored theirs.
    pub async fn upload<D: Into<Document>>(
        &self,
        files: impl IntoIterator<Item = D>,
    ) -> Result<Vec<StoredFile>> {
        self.store(files.into_iter().map(|file| file.into().into_upload()).collect::<Result<_>>()?).await
    }

    async fn store(&self, files: Vec<Upload>) -> Result<Vec<StoredFile>> {
        let mut stored = Vec::with_capacity(files.len());
        for batch in batches(files).await? {
            let count = batch.len();
            let records: Vec<StoredFile> =
                self.client.send(Request::post("/v1/files").uploads(batch)).await?;
            if records.len() != count {
                return Err(Error::Decode(format!("{} records of {count} files", records.len())));
            }
            stored.extend(records);
        }
        Ok(stored)
    }

    /// The references of groups of documents, as requests take them, after what is new was uploaded.
    pub(crate) async fn references(&self, groups: Vec<Vec<Document>>) -> Result<Vec<Vec<Value>>> {
        let new = groups.iter().flatten().filter_map(|document| match &document.place {
            Place::New(file) => Some(file.clone()),
            Place::Known(_) => None,
        });
        let mut stored = self.store(new.collect()).await?.into_iter();
        let mut reference = |document: Document| {
            let url = match document.place {
                Place::Known(place) => place,
                // There is a record of each.
                Place::New(_) => stored.next().map(|file| file.id.to_string()).unwrap_or_default(),
            };
            match document.description {
                Some(description) => json!({"url": url, "description": description}),
                None => json!({"url": url}),
            }
        };
        Ok(groups.into_iter().map(|group| group.into_iter().map(&mut reference).collect()).collect())
    }

    /// All files, newest first.
    #[must_use]
    pub fn list(&self) -> Items<StoredFile> {
        self.client.list(Request::get("/v1/files"))
    }

    /// The record of a file.
    ///
    /// # Errors
    /// [`Error::NotFound`], and as [`Client::send`].
    pub async fn get(&self, id: i64) -> Result<StoredFile> {
        self.client.send(Request::get(format!("/v1/files/{}", segment(id)))).await
    }

    /// The content of a file, piece by piece.
    ///
    /// # Errors
    /// [`Error::NotFound`], and as [`Client::stream`].
    pub async fn download(&self, id: i64) -> Result<ByteStream> {
        let url = self.get(id).await?.url;
        let url =
            Url::parse(&url).map_err(|error| Error::Decode(format!("the URL of file {id}: {error}")))?;
        // The path alone: the key goes to no other server than the client's own.
        let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
        self.client.stream(Request::get(format!("{}{query}", url.path()))).await
    }

    /// Writes the content of a file to a path and answers its size in bytes. A file that breaks off stays in part.
    ///
    /// # Errors
    /// [`Error::File`] when it cannot be written, and as [`Files::download`].
    pub async fn download_to(&self, id: i64, path: impl AsRef<Path>) -> Result<u64> {
        let path = path.as_ref();
        let failed = |source| Error::File { path: path.to_owned(), source };
        let mut content = self.download(id).await?;
        let mut file = File::create(path).await.map_err(failed)?;
        let mut written = 0;
        while let Some(piece) = content.next().await.transpose()? {
            file.write_all(&piece).await.map_err(failed)?;
            written += piece.len() as u64;
        }
        file.flush().await.map_err(failed)?;
        Ok(written)
    }

    /// Deletes a file.
    ///
    /// # Errors
    /// [`Error::NotFound`], and as [`Client::send`].
    pub async fn delete(&self, id: i64) -> Result<()> {
        self.client.read(Request::delete(format!("/v1/files/{}", segment(id)))).await.map(drop)
    }
}
