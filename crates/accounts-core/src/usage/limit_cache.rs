//! A cache of key limits, so that not every call reads the store.

use std::collections::HashMap;

use parking_lot::Mutex;
use shared_core::{Timestamp, WorkspaceId};

use crate::KeyLimits;

/// The TTL of an entry in seconds.
const TTL_SECONDS: f64 = 10.0;
/// Entries at most; the cache is cleared when it is full.
const CAPACITY: usize = 10_000;

/// Limits by key.
#[derive(Debug, Default)]
pub(super) struct LimitCache(Mutex<HashMap<String, CachedLimits>>);

#[derive(Debug)]
struct CachedLimits {
    workspace: WorkspaceId,
    limits: KeyLimits,
    at: Timestamp,
}

impl LimitCache {
    pub(super) fn get(&self, workspace: &WorkspaceId, key: &str, now: Timestamp) -> Option<KeyLimits> {
        let known = self.0.lock();
        let found = known.get(key).filter(|known| known.workspace == *workspace)?;
        // A clock that was set back must not extend the TTL.
        (0.0..TTL_SECONDS).contains(&now.seconds_since(found.at)).then_some(found.limits)
    }

    pub(super) fn put(&self, workspace: &WorkspaceId, key: &str, limits: KeyLimits, now: Timestamp) {
        let mut known = self.0.lock();
        if known.len() >= CAPACITY {
            known.clear();
        }
        known.insert(key.to_owned(), CachedLimits { workspace: workspace.clone(), limits, at: now });
    }
}
