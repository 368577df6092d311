//! The index in memory keeps the contract of vector indexes.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests, too, may fail loudly")]

use std::sync::Arc;

use files_core::MemoryFiles;
use futures_util::future::LocalBoxFuture;
use kb_core::MemoryKnowledge;
use kb_core::contract::{IndexedStores, Stores};
use search_index::{InMemoryVectorIndex, VectorSettings};
use shared_core::{Scope, UserId, WorkspaceId};

fn run(_: &str, test: impl FnOnce(IndexedStores, Scope, Scope) -> LocalBoxFuture<'static, ()>) {
    let files = Arc::new(MemoryFiles::default());
    let store = Arc::new(MemoryKnowledge::sharing(files.refs()));
    let stores = Stores {
        bases: store.clone(),
        items: store.clone(),
        ingest: store.clone(),
        chunks: store.clone(),
        embeddings: store.clone(),
        feed: store.clone(),
        stock: store.clone(),
        jobs: store.jobs(),
        files,
    };
    let index = Arc::new(InMemoryVectorIndex::new(store, VectorSettings::default()));
    let scope =
        |name: &str| Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) };
    futures_executor::block_on(test(IndexedStores { stores, index }, scope("own"), scope("other")));
}

kb_core::vector_contract!(run);
