//! The use cases of knowledge bases.

mod add;
mod bases;
mod expiry;
mod external_ids;
mod fingerprint;
mod items;
mod limits;
mod new_data;
mod new_items;
mod ports;
mod progress;
mod references;
pub mod rules;

use crate::IndexProgress;
use crate::embedding::Embedder;
use crate::retrieval::Selections;

pub use bases::{BaseChanges, DeletedBase, NewBase};
pub use items::{DeletedSources, ItemUpdate, SourceDeletion};
pub use limits::KnowledgeLimits;
pub use new_data::{EntryAttributes, FileEntry, NewData, NewPassage, NewText, UrlEntry};
pub use ports::KnowledgePorts;
pub use progress::BaseEvent;

/// Knowledge bases of a workspace.
#[derive(Clone, Debug)]
pub struct KnowledgeService {
    pub(crate) ports: KnowledgePorts,
    pub(crate) limits: KnowledgeLimits,
    pub(crate) applied: IndexProgress,
    pub(crate) embedder: Embedder,
    pub(crate) selections: Selections,
}

impl KnowledgeService {
    /// Builds the service on its ports. `applied` is shared with the indexer of the process.
    #[must_use]
    pub fn new(ports: KnowledgePorts, limits: KnowledgeLimits, applied: IndexProgress) -> Self {
        let embedder = Embedder::new(&ports);
        Self { ports, limits, applied, embedder, selections: Selections::default() }
    }
}
