//! The conformance suite on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use forms_core::{FormRepository, MemoryForms};
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn forms(_name: &str, test: impl FnOnce(Arc<dyn FormRepository>, Scope, Scope) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryForms::default()), scope("own"), scope("other")));
}

forms_core::form_repository_contract!(forms);
