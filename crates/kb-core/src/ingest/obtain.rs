//! Fetches a remote original once. It is stored, so that chunking it again does not need the web.

use document::{ContentStream, ReadError};
use files_core::{FilesError, StagedFile};
use futures_util::TryStreamExt as _;
use jobs_core::LeaseCell;
use shared_core::{DomainError as _, StoreError};

use super::retry::IngestFailure;
use crate::{Content, Item, KnowledgeService, Task};

/// Fetches the URL, stores its bytes and links them to the item.
pub(super) async fn obtain(
    service: &KnowledgeService,
    task: &Task,
    lease: &LeaseCell,
    url: &str,
) -> Result<Item, IngestFailure> {
    let ports = &service.ports;
    let origin = ports.web.find(&task.scope, url).await?;
    let content = ports.web.open(&task.scope, &origin).await?;
    let staged = keep(service, origin.name.clone(), content).await?;
    let (blob, sha256, bytes) = (staged.blob().clone(), staged.sha256().to_owned(), staged.bytes());
    let written = Content { blob, sha256, bytes };
    // A title that the user has set meanwhile stays.
    let name = (task.item.name == url).then_some(origin.name.as_str());
    let obtained = ports.ingest.set_content(task, lease.token(), &written, name, ports.clock.now()).await;
    let is_used = |item: &Item| item.content.as_ref().is_some_and(|content| content.blob == written.blob);
    if !obtained.as_ref().is_ok_and(is_used) {
        ports.files.remove_unreferenced(std::slice::from_ref(&written.blob)).await;
    }
    Ok(obtained?)
}

async fn keep(
    service: &KnowledgeService,
    name: String,
    mut content: ContentStream,
) -> Result<StagedFile, IngestFailure> {
    let mut upload = service.ports.files.begin_upload(name).await.map_err(to_storage_failure)?;
    loop {
        let failed = match content.try_next().await {
            Ok(Some(part)) => match upload.write(part).await {
                Ok(()) => continue,
                Err(error) => to_storage_failure(error),
            },
            Ok(None) => break,
            Err(error) => {
                let message = format!("the fetched content could not be read: {error}");
                ReadError::Transient { code: "fetch_failed", message, after: None }.into()
            }
        };
        upload.abort().await;
        return Err(failed);
    }
    upload.finish().await.map_err(to_storage_failure)
}

fn to_storage_failure(failure: FilesError) -> IngestFailure {
    match failure {
        FilesError::Store(error) => IngestFailure::Store(error),
        FilesError::Full => IngestFailure::Store(StoreError::Full),
        FilesError::BlobsUnavailable(_) => IngestFailure::Store(StoreError::Unavailable(failure.into())),
        other => ReadError::unusable(other.code(), other.to_string()).into(),
    }
}
