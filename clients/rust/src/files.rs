//! Documents, and stored files.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use reqwest::multipart::Part;
use reqwest::{Body, Url};
use serde_json::{Value, json};
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;
use tokio_util::io::ReaderStream;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::pages::Items;
use crate::records::StoredFile;
use crate::request::{Request, segment};

/// Content in pieces. An error is the last item.
pub type ByteStream = BoxStream<'static, Result<Bytes>>;

/// Bounds of one upload, in files and bytes. A larger file is uploaded alone.
const FILES: usize = 20;
const BYTES: u64 = 32 * 1024 * 1024;

/// A document: a file of this machine, content in memory, a stored file, or a web page.
///
/// A text is a URL where it begins with `http://` or `https://`, and else a path. A number is the id of a stored file. A
/// pair is a name with its content.
#[derive(Clone, Debug)]
pub struct Document {
    place: Place,
    description: Option<String>,
}

#[derive(Clone, Debug)]
enum Place {
    New(Upload),
    /// A web URL or the id of a stored file.
    Known(String),
}

/// A file to be uploaded, as often as it takes.
#[derive(Clone, Debug)]
pub(crate) enum Upload {
    Path(PathBuf),
    Content(String, Bytes),
}

impl Document {
    /// A file of this machine. It is read when it is uploaded, and not held in memory.
    #[must_use]
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self { place: Place::New(Upload::Path(path.into())), description: None }
    }

    /// Content in memory with the name of a file.
    #[must_use]
    pub fn content(name: impl Into<String>, content: impl Into<Bytes>) -> Self {
        Self { place: Place::New(Upload::Content(name.into(), content.into())), description: None }
    }

    /// A file that is stored already.
    #[must_use]
    pub fn stored(id: i64) -> Self {
        Self { place: Place::Known(id.to_string()), description: None }
    }

    /// A document of the web, which the server fetches.
    #[must_use]
    pub fn url(url: impl Into<String>) -> Self {
        Self { place: Place::Known(url.into()), description: None }
    }

    /// Tells the model of an extraction what the document is, such as "the order".
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    pub(crate) fn into_upload(self) -> Result<Upload> {
        match self.place {
            Place::New(file) => Ok(file),
            Place::Known(place) => Err(Error::Invalid(format!("'{place}' is no file of this machine"))),
        }
    }
}

impl From<&str> for Document {
    fn from(text: &str) -> Self {
        match text.starts_with("http://") || text.starts_with("https://") {
            true => Self::url(text),
            false => Self::path(text),
        }
    }
}

impl From<String> for Document {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&Path> for Document {
    fn from(path: &Path) -> Self {
        Self::path(path)
    }
}

impl From<&PathBuf> for Document {
    fn from(path: &PathBuf) -> Self {
        Self::path(path)
    }
}

impl From<PathBuf> for Document {
    fn from(path: PathBuf) -> Self {
        Self::path(path)
    }
}

impl From<i64> for Document {
    fn from(id: i64) -> Self {
        Self::stored(id)
    }
}

impl From<&StoredFile> for Document {
    fn from(file: &StoredFile) -> Self {
        Self::stored(file.id)
    }
}

impl<N: Into<String>, C: Into<Bytes>> From<(N, C)> for Document {
    fn from((name, content): (N, C)) -> Self {
        Self::content(name, content)
    }
}

impl Upload {
    /// The file as a part of a multipart body. A path is opened anew, since an earlier attempt has read it.
    pub(crate) async fn part(&self) -> Result<Part> {
        match self {
            Self::Content(name, content) => Ok(Part::stream(content.clone()).file_name(name.clone())),
            Self::Path(path) => {
                let failed = |source| Error::File { path: path.clone(), source };
                let file = File::open(path).await.map_err(failed)?;
                let length = file.metadata().await.map_err(failed)?.len();
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
                let body = Body::wrap_stream(ReaderStream::new(file));
                Ok(Part::stream_with_length(body, length).file_name(name))
            }
        }
    }

    /// Size in bytes.
    async fn size(&self) -> Result<u64> {
        match self {
            Self::Content(_, content) => Ok(content.len() as u64),
            Self::Path(path) => {
                let failed = |source| Error::File { path: path.clone(), source };
                let found = tokio::fs::metadata(path).await.map_err(failed)?;
                match found.is_file() {
                    true => Ok(found.len()),
                    false => Err(failed(std::io::Error::other("it is not a file"))),
                }
            }
        }
    }
}

/// Stored files.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    client: &'a Client,
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

/// The files of each request.
async fn batches(files: Vec<Upload>) -> Result<Vec<Vec<Upload>>> {
    let mut batches: Vec<Vec<Upload>> = Vec::new();
    let mut total = 0;
    for file in files {
        let size = file.size().await?;
        match batches.last_mut() {
            Some(batch) if batch.len() < FILES && total + size <= BYTES => {
                batch.push(file);
                total += size;
            }
            _ => {
                batches.push(vec![file]);
                total = size;
            }
        }
    }
    Ok(batches)
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Document, Place, Upload, batches};

    #[test]
    fn a_text_is_a_url_or_a_path() {
        assert!(matches!(Document::from("https://a.example/b").place, Place::Known(_)));
        assert!(matches!(Document::from("httpd.conf").place, Place::New(Upload::Path(_))));
        assert!(matches!(Document::from(17).place, Place::Known(id) if id == "17"));
    }

    #[tokio::test]
    async fn uploads_are_bounded_in_files_and_bytes() {
        let file = |size: usize| Upload::Content("a".to_owned(), vec![0; size].into());
        let sizes = |batches: Vec<Vec<Upload>>| batches.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(batches((0..45).map(|_| file(1)).collect()).await.unwrap()), [20, 20, 5]);
        let large = usize::try_from(BYTES).unwrap();
        assert_eq!(
            sizes(batches(vec![file(1), file(large), file(large), file(1)]).await.unwrap()),
            [1, 1, 1, 1]
        );
        assert!(batches(Vec::new()).await.unwrap().is_empty());
    }
}
