//! Getting the original of an item that is elsewhere, once: it is kept, so that cutting it anew needs no web.

use documents_core::{ContentStream, ReadError};
use files_core::{FilesError, Staged};
use futures_util::TryStreamExt as _;
use jobs_core::LeaseCell;
use shared_core::{DomainError as _, StoreError};

use super::retry::Setback;
use crate::{Content, Item, KnowledgeService, Task};

/// Gets what is under the address, keeps its bytes and gives them to the item.
pub(super) async fn obtain(
    service: &KnowledgeService,
    task: &Task,
    lease: &LeaseCell,
    url: &str,
) -> Result<Item, Setback> {
    let ports = &service.ports;
    let origin = ports.web.find(&task.scope, url).await?;
    let content = ports.web.open(&task.scope, &origin).await?;
    let staged = keep(service, origin.name.clone(), content).await?;
    let (blob, sha256, bytes) = (staged.blob().clone(), staged.sha256().to_owned(), staged.bytes());
    let written = Content { blob, sha256, bytes };
    // A title that the user gave meanwhile stays.
    let name = (task.item.name == url).then_some(origin.name.as_str());
    let obtained = ports.items.obtained(task, lease.token(), &written, name, ports.clock.now()).await;
    let is_used = |item: &Item| item.content.as_ref().is_some_and(|content| content.blob == written.blob);
    if !obtained.as_ref().is_ok_and(is_used) {
        ports.files.release(std::slice::from_ref(&written.blob)).await;
    }
    Ok(obtained?)
}

async fn keep(
    service: &KnowledgeService,
    name: String,
    mut content: ContentStream,
) -> Result<Staged, Setback> {
    let mut upload = service.ports.files.begin(name).await.map_err(unkept)?;
    loop {
        let failed = match content.try_next().await {
            Ok(Some(part)) => match upload.write(part).await {
                Ok(()) => continue,
                Err(error) => unkept(error),
            },
            Ok(None) => break,
            Err(error) => {
                let message = format!("what was fetched could not be read: {error}");
                ReadError::Passing { code: "fetch_failed", message, after: None }.into()
            }
        };
        upload.abort().await;
        return Err(failed);
    }
    upload.finish().await.map_err(unkept)
}

fn unkept(failure: FilesError) -> Setback {
    match failure {
        FilesError::Store(error) => Setback::Store(error),
        FilesError::Full => Setback::Store(StoreError::Full),
        other => ReadError::unusable(other.code(), other.to_string()).into(),
    }
}
