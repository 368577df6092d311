//! Uploads that are not stored as files, as documents to read.

use std::sync::Arc;

use async_trait::async_trait;
use document::{ContentStream, DocumentOrigin, Origin, OriginHandle, ReadError};
use files_core::{FilesService, StagedFile};
use futures_util::StreamExt as _;
use shared_core::{DomainError as _, Scope};

use crate::PictureSource;

/// Resolves the uploads of one call by their index.
#[derive(Clone, Debug)]
pub(crate) struct UploadOrigin {
    pub(crate) files: FilesService,
    pub(crate) staged: Arc<[StagedFile]>,
}

impl UploadOrigin {
    fn staged(&self, place: &str) -> Result<&StagedFile, ReadError> {
        let found = place.parse::<usize>().ok().and_then(|place| self.staged.get(place));
        found.ok_or_else(|| ReadError::unusable("file_not_found", "there is no such upload in the request"))
    }
}

#[async_trait]
impl DocumentOrigin for UploadOrigin {
    async fn find(&self, _: &Scope, reference: &str) -> Result<Origin, ReadError> {
        let staged = self.staged(reference)?;
        Ok(Origin {
            handle: OriginHandle::default(),
            id: reference.to_owned(),
            name: staged.name().to_owned(),
            bytes: staged.bytes(),
            sha256: staged.sha256().to_owned(),
        })
    }

    async fn open(&self, _: &Scope, origin: &Origin) -> Result<ContentStream, ReadError> {
        let content = self.files.open_blob(self.staged(&origin.id)?.blob()).await;
        let content = content.map_err(|error| ReadError::unusable(error.code(), error.to_string()))?;
        Ok(content.map(|part| part.map_err(Into::into)).boxed())
    }
}

/// An upload is rendered itself.
#[async_trait]
impl PictureSource for UploadOrigin {
    async fn fallback(&self, _: &Scope, _: &Origin) -> Option<Origin> {
        None
    }
}
