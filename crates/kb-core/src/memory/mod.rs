//! The ports in memory, for tests and embedders. Nothing survives the process.

mod add;
mod bases;
mod change;
mod feed;
mod items;
mod state;
mod stock;
mod upsert;
mod work;

use std::sync::Arc;

use files_core::MemoryRefs;
use jobs_core::MemoryJobs;
use parking_lot::{Mutex, MutexGuard};

use self::state::State;

/// Bases, items, chunks and vectors in memory, with the jobs of the items and the change feed. Authors are
/// identified by their ids.
#[derive(Debug, Default)]
pub struct MemoryKnowledge {
    state: Mutex<State>,
    jobs: Arc<MemoryJobs>,
    refs: MemoryRefs,
}

impl MemoryKnowledge {
    /// A store whose items share contents with the files counted in `refs` (see
    /// [`MemoryFiles::refs`](files_core::MemoryFiles::refs)).
    #[must_use]
    pub fn sharing(refs: MemoryRefs) -> Self {
        Self { refs, ..Self::default() }
    }

    /// The queue of the items' jobs.
    #[must_use]
    pub fn jobs(&self) -> Arc<MemoryJobs> {
        Arc::clone(&self.jobs)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}
