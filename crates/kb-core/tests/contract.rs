//! The conformance suite on the ports in memory.

use std::pin::Pin;
use std::sync::Arc;

use files_core::MemoryFiles;
use kb_core::MemoryKnowledge;
use kb_core::contract::Stores;
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn knowledge(_name: &str, test: impl FnOnce(Stores, Scope, Scope) -> Test) {
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
    futures_executor::block_on(test(stores, scope("own"), scope("other")));
}

kb_core::knowledge_contract!(knowledge);
