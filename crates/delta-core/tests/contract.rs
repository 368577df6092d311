//! The conformance suite on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use delta_core::MemoryRuns;
use delta_core::contract::RunStores;
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn runs(_name: &str, test: impl FnOnce(RunStores, Scope, Scope) -> Test) {
    let runs = Arc::new(MemoryRuns::default());
    let stores = RunStores {
        jobs: runs.jobs(),
        groups: runs.clone(),
        responses: runs.clone(),
        answers: runs.clone(),
        batches: runs.clone(),
        reviews: runs.clone(),
        runs,
    };
    futures_executor::block_on(test(stores, scope("own"), scope("other")));
}

delta_core::run_repository_contract!(runs);
