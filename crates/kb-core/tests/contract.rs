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

mod vectors {
    use std::sync::Arc;

    use kb_core::MemoryVectorIndex;
    use kb_core::contract::IndexedStores;
    use shared_core::Scope;

    use super::{Test, knowledge};

    fn run(name: &str, test: impl FnOnce(IndexedStores, Scope, Scope) -> Test) {
        knowledge(name, |stores, own, other| {
            let index = Arc::new(MemoryVectorIndex::new(stores.feed.clone()));
            test(IndexedStores { stores, index }, own, other)
        });
    }

    kb_core::vector_contract!(run);
}
