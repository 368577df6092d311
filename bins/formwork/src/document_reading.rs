//! Adapters for the ports of gen-core: documents as context, and generated media as files. kb-core implements
//! the port of knowledge bases.

use std::sync::Arc;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use document::{Document, DocumentReader, ReadDocument, ReadError};
use files_core::{FilesError, FilesService};
use gen_core::{DocumentSource, Media, MediaStore, SourceDocument, SourceError, picture_type};
use kb_core::DocumentLayout;
use shared_core::{Scope, StoreError};
use tracing::Instrument as _;

/// Codes of documents that could not be passed to a parser: the server's failure, not the document's.
const UNREACHABLE_PARSER: [&str; 2] = ["parser_unavailable", "document_source_failed"];

/// Documents by file id, own file URL or web URL.
#[derive(Clone, Debug)]
pub struct ReadDocuments(pub DocumentReader);

#[async_trait]
impl DocumentSource for ReadDocuments {
    async fn read(&self, scope: &Scope, reference: &str) -> Result<SourceDocument, SourceError> {
        Ok(source_document(self.0.read(scope, reference).await.map_err(to_source_error)?))
    }

    async fn picture(&self, scope: &Scope, reference: &str, most: u64) -> Result<Media, SourceError> {
        let bytes = match reference.strip_prefix("data:") {
            Some(data) => Some(inline_bytes(data)?),
            None => self.0.content(scope, reference, most).await.map_err(to_source_error)?,
        };
        let Some(bytes) = bytes.filter(|bytes| bytes.len() as u64 <= most) else {
            let message = format!("the pictures of a request may have at most {} MiB in all", most >> 20);
            return Err(SourceError::Unusable { code: "picture_too_large", message });
        };
        // The type that was declared may be wrong, and vendors refuse such a picture.
        let Some(content_type) = picture_type(&bytes) else {
            let message = "the picture is not a PNG, JPEG, WebP or GIF file".to_owned();
            return Err(SourceError::Unusable { code: "unsupported_picture", message });
        };
        Ok(Media { bytes: bytes.into(), content_type: content_type.to_owned() })
    }
}

/// A document as context.
pub(crate) fn source_document(read: ReadDocument) -> SourceDocument {
    let title = read.document.metadata.title.clone().filter(|title| !title.trim().is_empty());
    SourceDocument {
        id: read.origin.id,
        title: title.unwrap_or(read.origin.name),
        pages: page_starts(&read.document),
        unread: read.document.unread_notice(),
        text: read.document.text.as_str().into(),
        sha256: Some(read.origin.sha256),
        layout: Some(Arc::new(DocumentLayout(read.document))),
    }
}

/// The content of a data URL (RFC 2397) after its scheme, in base64.
fn inline_bytes(data: &str) -> Result<Vec<u8>, SourceError> {
    let encoded = data.split_once(',').filter(|(head, _)| head.ends_with(";base64"));
    encoded.and_then(|(_, encoded)| STANDARD.decode(encoded).ok()).ok_or_else(|| SourceError::Unusable {
        code: "unsupported_picture",
        message: "a picture in a data URL must be in base64: data:image/png;base64,…".to_owned(),
    })
}

fn to_source_error(error: ReadError) -> SourceError {
    match error {
        ReadError::Unusable { code, ref message } | ReadError::Transient { code, ref message, .. }
            if error.is_unreadable() =>
        {
            SourceError::Unreadable { code, message: message.clone() }
        }
        // A request with an `Idempotency-Key` must not store such an answer.
        ReadError::Transient { code, message, .. } => SourceError::NotReady { code, message },
        ReadError::Unusable { code, message } if UNREACHABLE_PARSER.contains(&code) => {
            SourceError::NotReady { code, message }
        }
        ReadError::Unusable { code, message } => SourceError::Unusable { code, message },
        ReadError::Store(error) => SourceError::Store(error),
    }
}

/// Byte offset at which each page begins. Pages count characters.
fn page_starts(document: &Document) -> Vec<usize> {
    let mut wanted = document.pages.iter().map(|page| page.start).peekable();
    let mut starts = Vec::with_capacity(document.pages.len());
    for (count, (at, _)) in document.text.char_indices().enumerate() {
        while wanted.next_if(|start| *start <= count).is_some() {
            starts.push(at);
        }
        if wanted.peek().is_none() {
            break;
        }
    }
    starts.extend(wanted.map(|_| document.text.len()));
    starts
}

/// Stores generated media as files.
#[derive(Clone, Debug)]
pub struct FilesAsMedia(pub FilesService);

#[async_trait]
impl MediaStore for FilesAsMedia {
    async fn store(&self, scope: &Scope, name: &str, media: Media) -> Result<String, StoreError> {
        // Runs to its end when the client disconnects: half of the work would leave bytes behind.
        let keeping = keep(self.0.clone(), scope.clone(), name.to_owned(), media);
        let kept = tokio::spawn(keeping.in_current_span())
            .await
            .map_err(|error| StoreError::Failed(error.into()))?;
        kept.map_err(|error| match error {
            FilesError::Store(error) => error,
            FilesError::BlobsUnavailable(_) => StoreError::Unavailable(error.into()),
            other => StoreError::Failed(other.into()),
        })
    }
}

async fn keep(files: FilesService, scope: Scope, name: String, media: Media) -> Result<String, FilesError> {
    let staged = files.store_blob(name, media.bytes).await?;
    let kept = files.store(&scope, vec![staged]).await?;
    kept.first().map(|file| files.url(file)).ok_or(FilesError::NotFound)
}

#[cfg(test)]
mod tests {
    use document::Page;

    use super::*;

    #[test]
    fn pages_that_count_characters_begin_at_bytes() {
        let page =
            |number, start, end| Page { number, width: 1.0, height: 1.0, start, end, ..Page::default() };
        let document = Document {
            text: "äö\nü\n".to_owned(),
            pages: vec![page(1, 0, 3), page(2, 3, 3), page(3, 3, 5), page(4, 5, 5)],
            ..Document::default()
        };
        assert_eq!(page_starts(&document), [0, 5, 5, 8]);
    }
}
