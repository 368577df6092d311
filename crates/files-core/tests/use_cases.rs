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
    BlobKey, BlobStore as _, BlobStream, FileId, FileRepository as _, FileUrls, FilesConfig, FilesError,
    FilesService, MemoryBlobs, MemoryFiles, NewFile, ReferenceTarget, StagedFile, UrlQuery, UrlSigning,
};
use futures_executor::block_on;
use futures_util::StreamExt as _;
use shared_core::{FixedClock, PageRequest, Scope, SeededRng, Timestamp, UserId, WorkspaceId};

fn service(blobs: &MemoryBlobs) -> FilesService {
    service_with(blobs, 10, FileUrls::new("http://127.0.0.1:8080"))
}

fn service_with(blobs: &MemoryBlobs, max_bytes: u64, urls: FileUrls) -> FilesService {
    let sniff = |head: &[u8], _: &str| match head {
        [b'%', b'P', b'D', b'F', ..] => "application/pdf",
        head if head.len() == 8_192 => "long/head",
        _ => "text/plain",
    };
    FilesService::new(
        Arc::new(MemoryFiles::default()),
        Arc::new(blobs.clone()),
        Arc::new(FixedClock::default()),
        Arc::new(SeededRng::new(1)),
        FilesConfig { max_bytes, sniff, urls },
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
        assert_eq!(service.delete(&scope(), files[0].id).await.unwrap(), files[0]);
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

async fn read(content: BlobStream) -> Vec<u8> {
    let parts: Vec<_> = content.map(|part| part.unwrap()).collect().await;
    parts.concat()
}

#[test]
fn a_file_of_the_largest_size_is_measured_hashed_and_read_back_however_it_was_sent() {
    let service = service(&MemoryBlobs::default());
    block_on(async {
        let mut upload = service.begin_upload("n".repeat(1_024)).await.unwrap();
        for part in ["ten ", "bytes."] {
            upload.write(Bytes::from(part)).await.unwrap();
        }
        let staged = upload.finish().await.unwrap();
        assert_eq!((staged.name().len(), staged.bytes()), (1_024, 10));
        // By `printf "ten bytes." | sha256sum`.
        let hash = "eeae8cf618cc849d815e087991bf2a5f7fc061ba08ef666e7483fb1e5d26f014";
        assert_eq!(staged.sha256(), hash);
        let blob = staged.blob().clone();
        let file = service.store(&scope(), vec![staged]).await.unwrap().remove(0);
        assert_eq!((file.sha256.as_str(), &file.blob), (hash, &blob));
        assert_eq!(read(service.open_blob(&blob).await.unwrap()).await, b"ten bytes.");
        assert_eq!(read(service.open_blob_range(&blob, Some(4..9)).await.unwrap()).await, b"bytes");
        let listed = service.list(&scope(), &PageRequest::first(9)).await.unwrap();
        assert_eq!((listed.items, listed.total), (vec![file], 1));
    });
}

#[test]
fn a_type_is_detected_from_the_first_eight_kibibytes_in_any_number_of_parts() {
    let service = service_with(&MemoryBlobs::default(), 100_000, FileUrls::new(""));
    for (parts, found) in [
        (vec![8_000, 191], "text/plain"),
        (vec![8_000, 192], "long/head"),
        (vec![5_000, 5_000, 5_000], "long/head"),
    ] {
        let staged = block_on(async {
            let mut upload = service.begin_upload("a".into()).await.unwrap();
            for size in &parts {
                upload.write(Bytes::from(vec![b'x'; *size])).await.unwrap();
            }
            upload.finish().await.unwrap()
        });
        let file = block_on(service.store(&scope(), vec![staged])).unwrap().remove(0);
        assert_eq!(file.content_type, found, "{parts:?}");
    }
}

#[test]
fn urls_of_a_service_that_signs_hold_for_their_file_alone() {
    let signing = UrlSigning::new(60, vec![b"secret".to_vec()]);
    let signed = FileUrls::new("http://127.0.0.1:8080").with_signing(signing);
    let service = service_with(&MemoryBlobs::default(), 10, signed);
    let staged = block_on(stage(&service, "a.txt", "a")).unwrap();
    let file = block_on(service.store(&scope(), vec![staged])).unwrap().remove(0);
    let url = service.url(&file);
    let (path, query) = url.split_once('?').unwrap();
    assert_eq!(path, format!("http://127.0.0.1:8080/files/{}/a.txt", file.token));
    assert!(matches!(service.locate(&url), ReferenceTarget::Token(token) if token == file.token));
    let parse = |query: &str| {
        let (expires, signature) = query.split_once('&').unwrap();
        UrlQuery {
            expires: expires.split_once('=').map(|(_, value)| value.to_owned()),
            signature: signature.split_once('=').map(|(_, value)| value.to_owned()),
        }
    };
    service.check_url(&file.token, &parse(query)).unwrap();
    service.check_url("thumbnail", &parse(&service.url_query("thumbnail"))).unwrap();
    let foreign = service.check_url("other", &parse(query));
    assert!(matches!(foreign, Err(FilesError::UrlUnsigned)), "{foreign:?}");
    let open = self::service(&MemoryBlobs::default());
    assert_eq!(open.url_query("token"), "");
    open.check_url("token", &UrlQuery::default()).unwrap();
}

#[test]
fn a_sweep_leaves_what_is_younger_than_its_age() {
    let blobs = MemoryBlobs::default();
    let service = service(&blobs);
    drop(block_on(stage(&service, "lost", "lost")).unwrap());
    // Blobs in memory have the greatest age.
    assert_eq!(block_on(service.sweep(u64::MAX)).unwrap(), 1);
    assert_eq!(block_on(blob_count(&blobs)), 0);
}

#[test]
fn content_that_is_not_there_is_missing() {
    let blobs = MemoryBlobs::default();
    let service = service(&blobs);
    let staged = block_on(stage(&service, "a", "a")).unwrap();
    let file = block_on(service.store(&scope(), vec![staged])).unwrap().remove(0);
    block_on(blobs.delete(&file.blob)).unwrap();
    assert!(matches!(block_on(service.content(&file, None)), Err(FilesError::ContentMissing)));
}

#[test]
fn a_blob_to_which_another_store_refers_outlives_its_file() {
    let files = MemoryFiles::default();
    let new = NewFile {
        name: "a".into(),
        bytes: 1,
        content_type: "text/plain".into(),
        sha256: "hash".into(),
        token: "token".into(),
        blob: BlobKey("blob".into()),
        created: Timestamp::from_micros(0).unwrap(),
    };
    let file = block_on(files.insert(&scope(), vec![new])).unwrap().remove(0);
    let refs = files.refs();
    assert_eq!(refs.add_ref_to_existing(&scope().workspace, "hash", 1), Some(file.blob.clone()));
    assert_eq!(block_on(files.delete(&scope(), file.id)).unwrap().unwrap().orphan, None);
    assert!(block_on(files.blob_in_use(&file.blob)).unwrap());
    assert!(refs.release(&file.blob), "it was the last one");
}
