//! The limits of keys that were looked up a moment ago, so that not every call asks the store.

use parking_lot::Mutex;
use std::collections::HashMap;

use shared_core::{Timestamp, WorkspaceId};

use crate::KeyLimits;

/// Seconds for which limits are believed.
const TTL_SECONDS: f64 = 10.0;
/// Keys that are remembered; more begin anew.
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
        // A clock that was put back must not make them last.
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
