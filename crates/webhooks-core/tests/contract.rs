//! The conformance suite on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use jobs_core::JobQueue;
use shared_core::{Scope, UserId, WorkspaceId};
use webhooks_core::{MemoryWebhooks, WebhookRepository};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn webhooks(
    _name: &str,
    test: impl FnOnce(Arc<dyn WebhookRepository>, Arc<dyn JobQueue>, Scope, Scope) -> Test,
) {
    let store = Arc::new(MemoryWebhooks::default());
    futures_executor::block_on(test(store.clone(), store.jobs(), scope("own"), scope("other")));
}

webhooks_core::webhook_repository_contract!(webhooks);
