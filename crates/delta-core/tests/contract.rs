//! The conformance suite on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use delta_core::{MemoryRuns, RunRepository};
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn runs(_name: &str, test: impl FnOnce(Arc<dyn RunRepository>, Scope, Scope) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryRuns::default()), scope("own"), scope("other")));
}

delta_core::run_repository_contract!(runs);
