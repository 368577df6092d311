//! Documents, and how they are uploaded.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use reqwest::Body;
use reqwest::multipart::Part;
use tokio::fs::File;
use tokio_util::io::ReaderStream;

use crate::error::{Error, Result};
use crate::records::StoredFile;

/// Bounds of one upload, in files and bytes. A larger file is uploaded alone.
const FILES: usize = 20;
const BYTES: u64 = 32 * 1024 * 1024;

/// A document: a file of this machine, content in memory, a stored file, or a web page.
///
/// A text is a URL where it begins with `http://` or `https://`, and else a path. A number is the id of a stored file. A
/// pair is a name with its content.
#[derive(Clone, Debug)]
pub struct Document {
    pub(crate) place: Place,
    pub(crate) description: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) enum Place {
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

/// The files of each request.
pub(crate) async fn batches(files: Vec<Upload>) -> Result<Vec<Vec<Upload>>> {
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
