//! The conformance suites on the ports in memory.

use std::pin::Pin;
use std::sync::Arc;

use files_core::{BlobStore, FileRepository, MemoryBlobs, MemoryFiles};
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn files(_name: &str, test: impl FnOnce(Arc<dyn FileRepository>, Scope, Scope) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryFiles::default()), scope("own"), scope("other")));
}

fn blobs(test: impl FnOnce(Arc<dyn BlobStore>) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryBlobs::default())));
}

files_core::file_repository_contract!(files);
files_core::blob_store_contract!(blobs);
