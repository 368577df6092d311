//! Files as documents: by id and by own URL, in their own workspace alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

use std::sync::Arc;

use bytes::Bytes;
use document::{DocumentOrigin as _, Origin, ReadError};
use files_core::{File, FileOrigin, FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles};
use futures_executor::block_on;
use futures_util::StreamExt as _;
use shared_core::{FixedClock, Scope, SeededRng, UserId, WorkspaceId};

fn scope(workspace: &str) -> Scope {
    Scope { workspace: WorkspaceId(workspace.into()), user: UserId("u".into()) }
}

/// The origin, its service, and a file of the workspace `own`.
async fn stored() -> (FileOrigin, FilesService, File) {
    let service = FilesService::new(
        Arc::new(MemoryFiles::default()),
        Arc::new(MemoryBlobs::default()),
        Arc::new(FixedClock::default()),
        Arc::new(SeededRng::new(1)),
        FilesConfig {
            max_bytes: 10,
            sniff: |_, _| "text/plain",
            urls: FileUrls::new("http://127.0.0.1:8080"),
        },
    );
    let mut upload = service.begin_upload("a.txt".into()).await.unwrap();
    upload.write(Bytes::from("content")).await.unwrap();
    let staged = upload.finish().await.unwrap();
    let file = service.store(&scope("own"), vec![staged]).await.unwrap().remove(0);
    (FileOrigin(service.clone()), service, file)
}

fn code(error: &ReadError) -> String {
    format!("{error:?}")
}

#[test]
fn a_file_is_found_by_its_id_and_its_url_and_read() {
    block_on(async {
        let (origin, service, file) = stored().await;
        for reference in [file.id.0.to_string(), service.url(&file)] {
            let found = origin.find(&scope("own"), &reference).await.unwrap();
            assert_eq!((found.name.as_str(), found.bytes, &found.sha256), ("a.txt", 7, &file.sha256));
            let parts: Vec<_> = origin.open(&scope("own"), &found).await.unwrap().collect().await;
            assert_eq!(parts[0].as_ref().unwrap().as_ref(), b"content");
        }
    });
}

#[test]
fn another_workspace_finds_it_by_neither_and_cannot_open_it() {
    block_on(async {
        let (origin, service, file) = stored().await;
        for reference in [file.id.0.to_string(), service.url(&file)] {
            let refused = origin.find(&scope("other"), &reference).await.unwrap_err();
            assert!(code(&refused).contains("file_not_found"), "{refused:?}");
        }
        let found = origin.find(&scope("own"), &file.id.0.to_string()).await.unwrap();
        assert!(origin.open(&scope("other"), &found).await.is_err());
    });
}

#[test]
fn addresses_of_the_web_and_odd_references_are_refused() {
    block_on(async {
        let (origin, ..) = stored().await;
        let refused = async |reference: &str| code(&origin.find(&scope("own"), reference).await.unwrap_err());
        assert!(refused("https://example.com/a.pdf").await.contains("fetch_unavailable"));
        assert!(refused("not a reference").await.contains("invalid_url"));
        let found = origin.find(&scope("own"), "1").await.unwrap();
        let odd = Origin { id: "x".into(), ..found };
        let refused = origin.open(&scope("own"), &odd).await.err().unwrap();
        assert!(code(&refused).contains("invalid_url"), "{refused:?}");
    });
}
