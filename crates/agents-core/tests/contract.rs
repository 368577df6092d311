//! The conformance suite on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use agents_core::{AgentRepository, MemoryAgents};
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn agents(_name: &str, test: impl FnOnce(Arc<dyn AgentRepository>, Scope, Scope) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryAgents::default()), scope("own"), scope("other")));
}

agents_core::agent_repository_contract!(agents);
