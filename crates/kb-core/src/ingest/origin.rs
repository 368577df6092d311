//! The original of an item as a document to read.

use async_trait::async_trait;
use document::{ContentStream, DocumentOrigin, Origin, OriginHandle, ReadError};
use files_core::{BlobKey, FilesService};
use futures_util::StreamExt as _;
use shared_core::{DomainError as _, Scope, WorkspaceId};

use crate::{Item, Source};

/// Reads the original of one item, through the item's own reference to it.
#[derive(Clone, Debug)]
pub(super) struct ItemOrigin {
    files: FilesService,
    workspace: WorkspaceId,
    origin: Origin,
    blob: BlobKey,
}

impl ItemOrigin {
    /// The original of an item; `None` when it has none, or belongs to another workspace.
    pub(super) fn of(files: &FilesService, scope: &Scope, item: &Item) -> Option<Self> {
        let content = item.content.as_ref().filter(|_| item.workspace == scope.workspace)?;
        let origin = Origin {
            handle: OriginHandle::default(),
            id: item.id.0.clone(),
            name: hint(item),
            bytes: content.bytes,
            sha256: content.sha256.clone(),
        };
        let (workspace, blob) = (item.workspace.clone(), content.blob.clone());
        Some(Self { files: files.clone(), workspace, origin, blob })
    }

    fn check(&self, scope: &Scope, id: &str) -> Result<(), ReadError> {
        if scope.workspace == self.workspace && id == self.origin.id {
            return Ok(());
        }
        Err(ReadError::unusable("knowledge_file_not_found", "there is no such file in a knowledge base"))
    }
}

/// The file name for the parser. A text whose title has no extension is Markdown.
fn hint(item: &Item) -> String {
    let extended = item.name.rsplit_once('.').is_some_and(|(_, extension)| {
        (2..=5).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphabetic())
    });
    match item.source {
        Source::Text if !extended => format!("{}.md", item.name),
        _ => item.name.clone(),
    }
}

#[async_trait]
impl DocumentOrigin for ItemOrigin {
    async fn find(&self, scope: &Scope, reference: &str) -> Result<Origin, ReadError> {
        self.check(scope, reference)?;
        Ok(self.origin.clone())
    }

    async fn open(&self, scope: &Scope, origin: &Origin) -> Result<ContentStream, ReadError> {
        self.check(scope, &origin.id)?;
        let content = self.files.open_blob(&self.blob).await;
        let content = content.map_err(|error| ReadError::unusable(error.code(), error.to_string()))?;
        Ok(content.map(|part| part.map_err(Into::into)).boxed())
    }
}
