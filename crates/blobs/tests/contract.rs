//! The conformance suite of the port, on a folder, in memory and in a bucket.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod bucket;

use std::pin::Pin;
use std::sync::Arc;

use blobs::ObjectBlobs;
use bytes::Bytes;
use files_core::{BlobKey, BlobStore};
use futures_util::StreamExt as _;

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn run(test: Test) {
    // One blocking thread, so that what is given to it is done in order.
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.max_blocking_threads(1).enable_all().build().unwrap().block_on(test);
}

mod folder {
    fn blobs(test: impl FnOnce(super::Arc<dyn super::BlobStore>) -> super::Test) {
        let folder = tempfile::tempdir().unwrap();
        super::run(test(super::Arc::new(super::ObjectBlobs::open_folder(folder.path()).unwrap())));
    }
    files_core::blob_store_contract!(blobs);
}

mod memory {
    fn blobs(test: impl FnOnce(super::Arc<dyn super::BlobStore>) -> super::Test) {
        super::run(test(super::Arc::new(super::ObjectBlobs::in_memory())));
    }
    files_core::blob_store_contract!(blobs);
}

mod bucket_server {
    fn blobs(test: impl FnOnce(super::Arc<dyn super::BlobStore>) -> super::Test) {
        let Some(endpoint) = super::bucket::endpoint() else { return };
        let bucket = super::bucket::create(&endpoint);
        let store = super::bucket::open(&super::bucket::access(&endpoint), &bucket);
        super::run(test(super::Arc::new(store)));
    }
    files_core::blob_store_contract!(blobs);
}

#[test]
fn a_large_blob_dropped_half_way_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    run(Box::pin(async move {
        let store = ObjectBlobs::open_folder(&path).unwrap();
        let mut writer = store.create(&BlobKey("big".into())).await.unwrap();
        for _ in 0..40 {
            writer.write(Bytes::from(vec![1; 100_000])).await.unwrap();
        }
        drop(writer);
        // The file is removed on the blocking thread, before this.
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    }));
    let mut left = Vec::new();
    let mut folders = vec![folder.path().to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() { folders.push(entry.path()) } else { left.push(entry.path()) }
        }
    }
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_a_killed_process_left_of_an_upload_is_listed_and_can_be_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    run(Box::pin(async move {
        let store = ObjectBlobs::open_folder(&path).unwrap();
        let mut writer = store.create(&BlobKey("blob_77".into())).await.unwrap();
        for _ in 0..20 {
            writer.write(Bytes::from(vec![1; 100_000])).await.unwrap();
        }
        // A killed process drops nothing.
        std::mem::forget(writer);
        let listed = async || -> Vec<String> {
            store.list().await.unwrap().map(|entry| entry.unwrap().0.0).collect().await
        };
        assert_eq!(listed().await, ["blob_77#1"]);
        store.delete(&BlobKey("blob_77#1".into())).await.unwrap();
        store.delete(&BlobKey("blob_77#1".into())).await.unwrap();
        store.delete(&BlobKey("../x#1".into())).await.unwrap();
        assert!(listed().await.is_empty());
    }));
}

#[test]
fn a_folder_that_cannot_be_written_to_is_refused_at_the_start() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = ObjectBlobs::open_folder(file.path()).unwrap_err().to_string();
    assert!(error.starts_with("the blob folder ") && error.contains("cannot be used"), "{error}");
}
