//! The conformance suite on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use delta_core::MemoryRuns;
use evaluation_core::MemoryEvaluationSets;
use evaluation_core::contract::EvaluationStores;
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn sets(_name: &str, test: impl FnOnce(EvaluationStores, Scope, Scope) -> Test) {
    let runs = Arc::new(MemoryRuns::default());
    let stores = EvaluationStores { sets: Arc::new(MemoryEvaluationSets::new(runs.clone())), runs };
    futures_executor::block_on(test(stores, scope("own"), scope("other")));
}

evaluation_core::evaluation_repository_contract!(sets);
