//! Making items findable: their documents are read, cut into chunks and embedded, as durable jobs. It knows
//! neither formats nor indexes.

mod obtain;
mod origin;
mod prepare;
mod retry;
mod worker;

use std::sync::Arc;

use documents_core::{Document, ReadError};
use jobs_core::JobHandler;
use shared_core::{Scope, StoreError};

use crate::{Item, KnowledgeService};
use origin::ItemOrigin;
use worker::ItemWorker;

impl KnowledgeService {
    /// The handler of the queue [`QUEUE`](crate::QUEUE). `trouble` hears of the store's failures.
    #[must_use]
    pub fn worker(&self, trouble: fn(&StoreError)) -> Arc<dyn JobHandler> {
        Arc::new(ItemWorker::new(self.clone(), trouble))
    }

    /// The document of an item, from what was parsed before, else from its original, which it has whether or
    /// not the file is still there; `None` for ready-made chunks and pages of the web.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn read_item(&self, scope: &Scope, item: &Item) -> Result<Option<Arc<Document>>, ReadError> {
        let Some(origin) = ItemOrigin::of(&self.ports.files, scope, item) else { return Ok(None) };
        let reader = self.ports.documents.with_origin(Arc::new(origin));
        Ok(Some(reader.read(scope, &item.id.0).await?.document))
    }
}
