//! Makes items findable as durable jobs: their documents are read, chunked and embedded. It knows neither
//! formats nor indexes.

mod obtain;
mod origin;
mod prepare;
mod retry;
mod worker;

use std::sync::Arc;

use document::{Document, ReadError};
use jobs_core::JobHandler;
use shared_core::{Scope, StoreError};

use crate::{Item, KnowledgeService};
use origin::ItemOrigin;
use worker::ItemWorker;

impl KnowledgeService {
    /// The handler of the queue [`QUEUE`](crate::QUEUE). `trouble` receives the store's failures.
    #[must_use]
    pub fn worker(&self, trouble: fn(&StoreError)) -> Arc<dyn JobHandler> {
        Arc::new(ItemWorker::new(self.clone(), trouble))
    }

    /// The document of an item, from the cache of parsed documents, else from its original, which stays
    /// available after the file was deleted. `None` for ready-made chunks and web pages.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn read_item(&self, scope: &Scope, item: &Item) -> Result<Option<Arc<Document>>, ReadError> {
        let Some(origin) = ItemOrigin::of(&self.ports.files, scope, item) else { return Ok(None) };
        let reader = self.ports.documents.with_origin(Arc::new(origin));
        Ok(Some(reader.read(scope, &item.id.0).await?.document))
    }
}
