//! Round-robin among lanes with equally many leased jobs: those after the last served come first.
//!
//! The state is per process. Without it the first names would always be served first when more lanes wait
//! than there are permits.

use std::collections::HashMap;

use jobs_core::ClaimedJob;
use parking_lot::{Mutex, MutexGuard};

/// The lanes served last.
#[derive(Debug, Default)]
pub(super) struct Rotation(Mutex<LastServed>);

#[derive(Debug, Default)]
struct LastServed {
    workspace: Option<String>,
    /// The last served owner by workspace.
    owners: HashMap<String, String>,
}

impl Rotation {
    fn lock(&self) -> MutexGuard<'_, LastServed> {
        self.0.lock()
    }

    /// Rotates the workspaces so that those after the last served come first. Drops workspaces without jobs.
    pub(super) fn rotate(&self, workspaces: &mut [String]) {
        let mut last = self.lock();
        let place = workspaces.iter().position(|name| Some(name) == last.workspace.as_ref());
        workspaces.rotate_left(place.map_or(0, |place| place + 1));
        last.owners.retain(|workspace, _| workspaces.contains(workspace));
    }

    /// The last served owner of the workspace; empty at first.
    pub(super) fn last_owner(&self, workspace: &str) -> String {
        self.lock().owners.get(workspace).cloned().unwrap_or_default()
    }

    /// Records the served lanes, in this order.
    pub(super) fn record_served(&self, claimed: &[ClaimedJob]) {
        let mut last = self.lock();
        for one in claimed {
            let workspace = one.job.workspace.0.clone();
            last.workspace = Some(workspace.clone());
            last.owners.insert(workspace, one.job.key.owner.clone());
        }
    }
}
