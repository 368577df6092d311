//! The conformance suite of idempotency on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use accounts_core::idempotency::{IdempotencyRepository, MemoryIdempotency};
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(workspace: &str) -> Scope {
    Scope { workspace: WorkspaceId(workspace.into()), user: UserId("u".into()) }
}

fn answers(_name: &str, test: impl FnOnce(Arc<dyn IdempotencyRepository>, Scope, Scope) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryIdempotency::default()), scope("w1"), scope("w2")));
}

accounts_core::answer_repository_contract!(answers);
