//! The memory store keeps the contract.
#![allow(clippy::expect_used, reason = "tests assert")]

use std::pin::Pin;
use std::sync::Arc;

use files_core::MemoryFiles;
use futures_executor::block_on;
use shared_core::{Scope, UserId, WorkspaceId};
use utilities_core::MemoryThumbnails;
use utilities_core::contract::Stores;

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn run(_: &str, test: impl FnOnce(Stores, Scope, Scope) -> Test) {
    let scope = |name: &str| Scope { workspace: WorkspaceId(name.into()), user: UserId("ada".into()) };
    let files = Arc::new(MemoryFiles::default());
    let thumbnails = Arc::new(MemoryThumbnails::new(Arc::clone(&files)));
    block_on(test(Stores { thumbnails, files }, scope("own"), scope("other")));
}

utilities_core::thumbnail_repository_contract!(run);
