//! The limits of keys that were looked up a moment ago, so that not every call asks the store.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use shared_core::{Timestamp, WorkspaceId};

use crate::KeyLimits;

/// Seconds for which limits are believed.
const BELIEVED: f64 = 10.0;
/// Keys that are remembered; more begin anew.
const MOST: usize = 10_000;

/// Limits by key.
#[derive(Debug, Default)]
pub(super) struct KnownLimits(Mutex<HashMap<String, Known>>);

#[derive(Debug)]
struct Known {
    workspace: WorkspaceId,
    limits: KeyLimits,
    at: Timestamp,
}

impl KnownLimits {
    pub(super) fn get(&self, workspace: &WorkspaceId, key: &str, now: Timestamp) -> Option<KeyLimits> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.get(key).filter(|known| known.workspace == *workspace)?;
        // A clock that was put back must not make them last.
        (0.0..BELIEVED).contains(&now.seconds_since(found.at)).then_some(found.limits)
    }

    pub(super) fn put(&self, workspace: &WorkspaceId, key: &str, limits: KeyLimits, now: Timestamp) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key.to_owned(), Known { workspace: workspace.clone(), limits, at: now });
    }
}
