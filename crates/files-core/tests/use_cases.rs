//! Use cases over the ports in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

use std::sync::Arc;

use bytes::Bytes;
use files_core::{
    BlobStore as _, FileId, FileUrls, FilesConfig, FilesError, FilesService, MemoryBlobs, MemoryFiles,
    ReferenceTarget, StagedFile,
};
use futures_executor::block_on;
use futures_util::StreamExt as _;
use shared_core::{FixedClock, Scope, SeededRng, UserId, WorkspaceId};

fn service(blobs: &MemoryBlobs) -> FilesService {
    let sniff =
        |head: &[u8], _: &str| if head.starts_with(b"%PDF") { "application/pdf" } else { "text/plain" };
    FilesService::new(
        Arc::new(MemoryFiles::default()),
        Arc::new(blobs.clone()),
        Arc::new(FixedClock::default()),
        Arc::new(SeededRng::new(1)),
        FilesConfig { max_bytes: 10, sniff, urls: FileUrls::new("http://127.0.0.1:8080") },
    )
}

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

async fn stage(service: &FilesService, name: &str, content: &'static str) -> Result<StagedFile, FilesError> {
    let mut upload = service.begin_upload(name.into()).await?;
    upload.write(Bytes::from(content)).await?;
    upload.finish().await
}

async fn blob_count(blobs: &MemoryBlobs) -> usize {
    blobs.list().await.unwrap().count().await
}

#[test]
fn an_uploaded_file_is_typed_by_content_and_read_back_by_its_url() {
    let blobs = MemoryBlobs::default();
    let service = service(&blobs);
    block_on(async {
        let staged = stage(&service, "liar.txt", "%PDF-1.7").await.unwrap();
        let file = service.store(&scope(), vec![staged]).await.unwrap().remove(0);
        assert_eq!((file.content_type.as_str(), file.bytes), ("application/pdf", 8));
        let ReferenceTarget::Token(token) = service.locate(&service.url(&file)) else { panic!("own URL") };
        assert_eq!(service.get_by_token(&token).await.unwrap(), file);
        let content: Vec<_> = service.content(&file, Some(1..4)).await.unwrap().collect().await;
        assert_eq!(content[0].as_ref().unwrap().as_ref(), b"PDF");
    });
}

#[test]
fn a_file_over_the_limit_is_refused_and_leaves_nothing() {
    let blobs = MemoryBlobs::default();
    let service = service(&blobs);
    let refused = block_on(stage(&service, "a", "eleven byte"));
    assert!(matches!(refused, Err(FilesError::TooLarge(10))));
    assert_eq!(block_on(blob_count(&blobs)), 0);
}

#[test]
fn equal_content_is_kept_once_and_goes_with_its_last_file() {
    let blobs = MemoryBlobs::default();
    let service = service(&blobs);
    block_on(async {
        let staged =
            vec![stage(&service, "a", "same").await.unwrap(), stage(&service, "b", "same").await.unwrap()];
        let files = service.store(&scope(), staged).await.unwrap();
        assert_eq!(blob_count(&blobs).await, 1);
        service.delete(&scope(), files[0].id).await.unwrap();
        assert_eq!(blob_count(&blobs).await, 1);
        service.delete(&scope(), files[1].id).await.unwrap();
        assert_eq!(blob_count(&blobs).await, 0);
        assert!(matches!(service.delete(&scope(), files[1].id).await, Err(FilesError::NotFound)));
    });
}

#[test]
fn discarded_uploads_and_swept_orphans_are_removed() {
    let blobs = MemoryBlobs::default();
    let service = service(&blobs);
    block_on(async {
        let lost = stage(&service, "lost", "lost").await.unwrap();
        let kept = stage(&service, "kept", "kept").await.unwrap();
        let kept = service.store(&scope(), vec![kept]).await.unwrap();
        drop(lost);
        assert_eq!(service.sweep(60).await.unwrap(), 1);
        assert_eq!(service.get(&scope(), kept[0].id).await.unwrap(), kept[0]);
        let gone = stage(&service, "gone", "gone").await.unwrap();
        service.discard(vec![gone]).await;
        assert_eq!(blob_count(&blobs).await, 1);
    });
}

#[test]
fn a_name_without_or_with_too_many_characters_is_refused() {
    let service = service(&MemoryBlobs::default());
    for name in [String::new(), "n".repeat(1_025)] {
        let error = block_on(service.begin_upload(name)).unwrap_err();
        assert_eq!(error.to_string(), "a file name must have 1 to 1024 characters");
    }
    assert!(matches!(block_on(service.get(&scope(), FileId(9))), Err(FilesError::NotFound)));
}
