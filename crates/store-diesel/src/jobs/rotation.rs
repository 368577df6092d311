//! Whose turn is next among those who have equally much running: the ones after those served last.
//!
//! Kept by each process for itself. Without it the first names would be served again and again where
//! more wait than there are places.

use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;

use jobs_core::ClaimedJob;

/// Who was served last.
#[derive(Debug, Default)]
pub(super) struct Rotation(Mutex<LastServed>);

#[derive(Debug, Default)]
struct LastServed {
    workspace: Option<String>,
    /// The owner, by workspace.
    owners: HashMap<String, String>,
}

impl Rotation {
    fn lock(&self) -> MutexGuard<'_, LastServed> {
        self.0.lock()
    }

    /// Puts the workspaces after the one served last in front, and forgets those that have no jobs.
    pub(super) fn rotate(&self, workspaces: &mut [String]) {
        let mut last = self.lock();
        let place = workspaces.iter().position(|name| Some(name) == last.workspace.as_ref());
        workspaces.rotate_left(place.map_or(0, |place| place + 1));
        last.owners.retain(|workspace, _| workspaces.contains(workspace));
    }

    /// The owner of the workspace that was served last; empty at first.
    pub(super) fn last_owner(&self, workspace: &str) -> String {
        self.lock().owners.get(workspace).cloned().unwrap_or_default()
    }

    /// Remembers who was served, in this order.
    pub(super) fn record_served(&self, claimed: &[ClaimedJob]) {
        let mut last = self.lock();
        for one in claimed {
            let workspace = one.job.workspace.0.clone();
            last.workspace = Some(workspace.clone());
            last.owners.insert(workspace, one.job.key.owner.clone());
        }
    }
}
