//! Files as a source of documents.

use async_trait::async_trait;
use document::{ContentStream, DocumentOrigin, Origin, OriginHandle, ReadError};
use futures_util::StreamExt as _;
use shared_core::{DomainError as _, Scope};

use crate::{File, FileId, FilesError, FilesService, ReferenceTarget};

/// Finds documents among the files: by id or by own URL.
#[derive(Clone, Debug)]
pub struct FileOrigin(pub FilesService);

impl FileOrigin {
    /// The file that a reference names.
    ///
    /// # Errors
    /// When the workspace has no such file, or the store fails.
    pub async fn file(&self, scope: &Scope, reference: &str) -> Result<File, ReadError> {
        let found = match self.0.locate(reference) {
            ReferenceTarget::File(id) => self.0.get(scope, id).await,
            // A token grants reading, but not use in another workspace.
            ReferenceTarget::Token(token) => match self.0.get_by_token(&token).await {
                Ok(file) if file.workspace != scope.workspace => Err(FilesError::NotFound),
                other => other,
            },
            ReferenceTarget::Web(_) => {
                let rule = "web URLs are not fetched here";
                return Err(ReadError::unusable("fetch_unavailable", rule));
            }
            ReferenceTarget::Invalid(rule) => return Err(ReadError::unusable("invalid_url", rule)),
        };
        found.map_err(to_read_error)
    }
}

fn to_read_error(error: FilesError) -> ReadError {
    let (code, message) = (error.code(), error.to_string());
    match error {
        FilesError::Store(error) => ReadError::Store(error),
        FilesError::BlobsUnavailable(_) => ReadError::Transient { code, message, after: None },
        _ => ReadError::unusable(code, message),
    }
}

#[async_trait]
impl DocumentOrigin for FileOrigin {
    async fn find(&self, scope: &Scope, reference: &str) -> Result<Origin, ReadError> {
        let file = self.file(scope, reference).await?;
        Ok(Origin {
            id: file.id.0.to_string(),
            name: file.name,
            bytes: file.bytes,
            sha256: file.sha256,
            handle: OriginHandle::default(),
        })
    }

    async fn open(&self, scope: &Scope, origin: &Origin) -> Result<ContentStream, ReadError> {
        let id = origin.id.parse().map(FileId);
        let id = id.map_err(|error| ReadError::unusable("invalid_url", format!("not a file id: {error}")))?;
        let file = self.0.get(scope, id).await.map_err(to_read_error)?;
        let content = self.0.content(&file, None).await;
        let content = content.map_err(to_read_error)?;
        Ok(content.map(|part| part.map_err(Into::into)).boxed())
    }
}
