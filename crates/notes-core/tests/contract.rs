//! The conformance suite on the port in memory.

use std::pin::Pin;
use std::sync::Arc;

use notes_core::{MemoryNotes, NoteRepository};
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn notes(_name: &str, test: impl FnOnce(Arc<dyn NoteRepository>, Scope, Scope) -> Test) {
    futures_executor::block_on(test(Arc::new(MemoryNotes::default()), scope("own"), scope("other")));
}

notes_core::note_repository_contract!(notes);
