//! The conformance suites on the ports in memory.

use std::pin::Pin;
use std::sync::Arc;

use forms_core::{AnswerStore, FormRepository, MemoryAnswerStore, MemoryForms};
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn forms(_name: &str, test: impl FnOnce(Arc<dyn FormRepository>, Scope, Scope) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryForms::default()), scope("own"), scope("other")));
}

forms_core::form_repository_contract!(forms);

fn answers(_name: &str, test: impl FnOnce(Arc<dyn AnswerStore>) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryAnswerStore::default())));
}

forms_core::kept_answers_contract!(answers);
