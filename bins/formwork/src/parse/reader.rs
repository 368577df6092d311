//! Reads one file with a parser process.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use document::{ContentStream, Document, DocumentParser as _, PageNumbers, ParseError, Recognition, Source};
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, stream};
use parser_pool::ParserPool;
use shared_core::{BoxError, DomainError as _};

use super::format::OutputFormat;
use super::inputs::{Input, InputSource};
use super::ocr::Ocr;

/// Size of a chunk in bytes.
const PART: usize = 256 << 10;

/// The content of a file.
#[derive(Debug)]
pub(super) enum Content {
    /// The parsed document with its structure.
    Document(Box<Document>),
    /// The complete text.
    Raw(String),
}

impl Content {
    /// Remarks for people on what was not read. JSON output has this information itself.
    pub(super) fn remarks(&self) -> Vec<String> {
        let Self::Document(document) = self else { return Vec::new() };
        let cut = document.metadata.truncated;
        let unread = document.pages_needing_ocr();
        let cut = cut.then(|| "only a part was read: the file exceeds the limits of a document".to_owned());
        let unread = (!unread.is_empty()).then(|| {
            let (are, were) = if unread.len() == 1 { ("needs", "was") } else { ("need", "were") };
            format!("{} {are} OCR and {were} not read", PageNumbers(unread))
        });
        cut.into_iter().chain(unread).collect()
    }
}

/// Why a file has no result. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The operating system cannot read the file.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// The parser cannot read the document.
    #[error("{0}")]
    Document(#[source] ParseError),
    /// The document needs OCR, which cannot be used as configured.
    #[error("{0:#}")]
    Ocr(#[source] anyhow::Error),
    /// The result cannot be written to the output folder.
    #[error("{0} cannot be written: {1}")]
    Unwritten(String, #[source] io::Error),
    /// An output file of this name exists.
    #[error("{0} already exists; use --overwrite to replace it")]
    Taken(String),
}

impl Failure {
    /// A stable code, for programs.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "file_unreadable",
            Self::Document(error) => error.code(),
            Self::Ocr(_) => "ocr_unusable",
            Self::Unwritten(..) => "output_unwritable",
            Self::Taken(_) => "output_exists",
        }
    }
}

/// Reads files. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct FileReader {
    pub(super) pool: ParserPool,
    /// Reads pages that need OCR, if OCR is available.
    pub(super) ocr: Arc<Ocr>,
    /// Maximum size of a file in bytes.
    pub(super) limit: u64,
}

impl FileReader {
    /// Reads a file for the output format.
    pub(super) async fn read(&self, input: &Input, form: OutputFormat) -> Result<Content, Failure> {
        let opened = RereadableFile::of(input, self.limit).await?;
        let source = opened.source().map_err(Failure::Unreadable)?;
        if form == OutputFormat::Raw {
            return self.pool.raw_text(source).await.map(Content::Raw).map_err(Failure::Document);
        }
        let parsed = self.pool.parse(source).await;
        let document = match self.recognition_for(&parsed).await? {
            None => parsed,
            Some(recognition) => {
                let again = || -> BoxFuture<'_, Result<Source, ParseError>> {
                    Box::pin(async { opened.source().map_err(|error| ParseError::Source(error.into())) })
                };
                recognition.recognise_pages(parsed, &again).await.map(|recognised| recognised.document)
            }
        };
        document.map(|document| Content::Document(Box::new(document))).map_err(Failure::Document)
    }

    async fn recognition_for(
        &self,
        parsed: &Result<Document, ParseError>,
    ) -> Result<Option<&Recognition>, Failure> {
        let needed = match parsed {
            Ok(document) => !document.pages_needing_ocr().is_empty(),
            Err(error) => matches!(error, ParseError::NeedsOcr(_)),
        };
        if needed { self.ocr.recognition().await.map_err(Failure::Ocr) } else { Ok(None) }
    }
}

/// A file that can be read several times, because OCR renders its pages one by one.
enum RereadableFile {
    File { path: PathBuf, name: String },
    Held { content: Bytes, name: String },
}

impl RereadableFile {
    async fn of(input: &Input, limit: u64) -> Result<Self, Failure> {
        match &input.place {
            InputSource::Unreadable(_, error) => {
                Err(Failure::Unreadable(io::Error::new(error.kind(), error.to_string())))
            }
            InputSource::Input(name) => read_to_end(name.clone(), limit, || Ok(io::stdin())).await,
            InputSource::Path(path) => {
                let known = std::fs::metadata(path).map_err(Failure::Unreadable)?;
                let name =
                    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let path = path.clone();
                if known.is_file() {
                    return Ok(Self::File { path, name });
                }
                // Pipes and devices do not report their size.
                read_to_end(name, limit, move || File::open(path)).await
            }
        }
    }

    /// Its content. A file is streamed.
    fn source(&self) -> io::Result<Source> {
        match self {
            Self::File { path, name } => {
                let file = File::open(path)?;
                let bytes = file.metadata()?.len();
                let content: ContentStream = stream::iter(Parts(file)).boxed();
                Ok(Source { name: name.clone(), bytes, content })
            }
            Self::Held { content, name } => {
                let (bytes, content) = (content.len() as u64, content.clone());
                Ok(Source { name: name.clone(), bytes, content: stream::iter([Ok(content)]).boxed() })
            }
        }
    }
}

/// Reads a source without a known size to its end.
async fn read_to_end<R: Read>(
    name: String,
    limit: u64,
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
) -> Result<RereadableFile, Failure> {
    let read = move || {
        let mut bytes = Vec::new();
        // One byte more than the limit shows that it is exceeded.
        open()?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let read = tokio::task::spawn_blocking(read).await.map_err(|error| Failure::Unreadable(error.into()))?;
    let bytes: Vec<u8> = read.map_err(Failure::Unreadable)?;
    Ok(RereadableFile::Held { content: bytes.into(), name })
}

struct Parts(File);

impl Iterator for Parts {
    type Item = Result<Bytes, BoxError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut part = Vec::with_capacity(PART);
        match (&mut self.0).take(PART as u64).read_to_end(&mut part) {
            Ok(0) => None,
            Ok(_) => Some(Ok(part.into())),
            Err(error) => Some(Err(error.into())),
        }
    }
}
