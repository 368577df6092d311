//! A TTL cache of provider answers.

use std::sync::Arc;

use shared_core::{Capacity, Clock, WorkspaceId};

use super::query::{Kind, Query};
use super::source::Source;
use crate::computed::{ComputedCache, Weighted};

// Both bound the memory.
/// Maximum cached answers.
const ENTRIES: usize = 1_024;
/// Maximum bytes of cached answers.
const BYTES: usize = 32 << 20;

/// Why a term has no hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) code: &'static str,
    pub(super) message: String,
}

pub(super) type Outcome = Result<Arc<[Source]>, Failure>;
type Key = (WorkspaceId, Kind, Query);
pub(super) type Cache = ComputedCache<Key, Arc<[Source]>, Failure>;

pub(super) fn cache(clock: Arc<dyn Clock>, seconds: u32) -> Cache {
    ComputedCache::new(clock, Capacity { entries: ENTRIES, bytes: BYTES }, seconds)
}

impl Weighted for Arc<[Source]> {
    fn weight(&self) -> usize {
        self.iter().map(weight).sum()
    }
}

impl Weighted for Key {
    fn weight(&self) -> usize {
        let (workspace, _, query) = self;
        size_of::<Self>() + workspace.as_str().len() + query.term.len()
    }
}

fn weight(source: &Source) -> usize {
    let Source { title, description, url, publisher, language, full_text, .. } = source;
    size_of::<Source>()
        + [title, description, url, publisher, language, full_text]
            .iter()
            .map(|text| text.len())
            .sum::<usize>()
}
