//! The conformance suite of sessions on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use agents_core::MemoryAgents;
use agents_core::chat::MemorySessions;
use agents_core::chat::contract::Stores;
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn sessions(_name: &str, test: impl FnOnce(Stores, Scope, Scope) -> Test) {
    let agents = Arc::new(MemoryAgents::default());
    let stores = Stores { sessions: Arc::new(MemorySessions::new(agents.clone())), agents };
    futures_executor::block_on(test(stores, scope("own"), scope("other")));
}

agents_core::session_repository_contract!(sessions);
