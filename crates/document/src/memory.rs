//! The cache of parsed documents in memory, for tests and embedders.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use shared_core::{Scope, StoreError, WorkspaceId};

use crate::model::Document;
use crate::ports::ParsedDocuments;

type Key = (WorkspaceId, String, u32);

/// Parsed documents in memory. Nothing survives the process.
#[derive(Debug, Default)]
pub struct MemoryParsedDocuments(Mutex<HashMap<Key, Arc<Document>>>);

#[async_trait]
impl ParsedDocuments for MemoryParsedDocuments {
    async fn find(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
    ) -> Result<Option<Arc<Document>>, StoreError> {
        let key = (scope.workspace.clone(), sha256.to_owned(), version);
        Ok(self.0.lock().get(&key).cloned())
    }

    async fn store(
        &self,
        scope: &Scope,
        sha256: &str,
        version: u32,
        document: &Document,
    ) -> Result<(), StoreError> {
        let key = (scope.workspace.clone(), sha256.to_owned(), version);
        let mut rows = self.0.lock();
        rows.entry(key).or_insert_with(|| Arc::new(document.clone()));
        Ok(())
    }
}
