//! The conformance suite on the cache in memory.

use std::pin::Pin;
use std::sync::Arc;

use document::{MemoryParsedDocuments, ParsedDocuments};
use shared_core::{Scope, UserId, WorkspaceId};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn scope(name: &str) -> Scope {
    Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) }
}

fn cache(_name: &str, test: impl FnOnce(Arc<dyn ParsedDocuments>, Scope, Scope) -> Test) {
    futures_executor::block_on(test(
        Arc::new(MemoryParsedDocuments::default()),
        scope("own"),
        scope("other"),
    ));
}

document::parsed_documents_contract!(cache);
