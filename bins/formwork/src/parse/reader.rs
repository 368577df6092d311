//! One file through a parser process.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use documents_core::{
    ContentStream, Document, DocumentParser as _, PageNumbers, ParseError, Recognition, Source,
};
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, stream};
use parser_pool::ParserPool;
use shared_core::{BoxError, DomainError as _};

use super::inputs::{Input, InputSource};
use super::ocr::Ocr;
use super::output::OutputFormat;

/// Bytes that are read at a time.
const PART: usize = 256 << 10;

/// What was read.
#[derive(Debug)]
pub(super) enum Content {
    /// A document.
    Document(Box<Document>),
    /// The text alone, with nothing dropped.
    Raw(String),
}

impl Content {
    /// What it leaves out of the file, for people; what is printed as JSON says it itself.
    pub(super) fn remarks(&self) -> Vec<String> {
        let Self::Document(document) = self else { return Vec::new() };
        let cut = document.metadata.truncated;
        let unread = document.pages_needing_ocr();
        let cut = cut.then(|| "only a part was read: it holds more than one document may".to_owned());
        let unread = (!unread.is_empty()).then(|| {
            let (are, were) = if unread.len() == 1 { ("needs", "was") } else { ("need", "were") };
            format!("{} {are} OCR and {were} not read", PageNumbers(unread))
        });
        cut.into_iter().chain(unread).collect()
    }
}

/// Why there is no result. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The system does not give the file's content.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// The parser does not read it.
    #[error("{0}")]
    Document(#[source] ParseError),
    /// It needs OCR, which cannot be used as it is set.
    #[error("{0:#}")]
    Ocr(#[source] anyhow::Error),
    /// The output folder does not take the result.
    #[error("{0} cannot be written: {1}")]
    Unwritten(String, #[source] io::Error),
    /// There is a file of this name already.
    #[error("{0} is there already; --overwrite replaces it")]
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

/// What reads files. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct FileReader {
    pub(super) pool: ParserPool,
    /// Reads pages that need OCR, where there is OCR.
    pub(super) ocr: Arc<Ocr>,
    /// Bytes of a file.
    pub(super) limit: u64,
}

impl FileReader {
    /// Reads a file in the form that is to be printed.
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

/// A file that can be read several times: OCR draws its pages one by one.
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
                // Pipes and devices do not say how much they hold.
                read_to_end(name, limit, move || File::open(path)).await
            }
        }
    }

    /// Its content. A file is read while it is sent on.
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

/// What must be read to its end to know its size.
async fn read_to_end<R: Read>(
    name: String,
    limit: u64,
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
) -> Result<RereadableFile, Failure> {
    let read = move || {
        let mut bytes = Vec::new();
        // One byte more than may be tells that there are too many.
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
