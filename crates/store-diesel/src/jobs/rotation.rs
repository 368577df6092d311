//! Round-robin among lanes with equally many leased jobs: those after the last served come first. And whose turn it is
//! among the priorities of a workspace.
//!
//! The state is per process. Without it the first names would always be served first when more lanes wait
//! than there are permits.

use std::collections::HashMap;

use jobs_core::{ClaimedJob, Priority, PriorityTurns};
use parking_lot::{Mutex, MutexGuard};

/// An owner of each priority, by [`Priority::rank`]; empty for none.
pub(super) type LastOwners = [String; Priority::ALL.len()];

/// The lanes served last.
#[derive(Debug, Default)]
pub(super) struct Rotation(Mutex<LastServed>);

#[derive(Debug, Default)]
struct LastServed {
    workspace: Option<String>,
    /// The last served owner by workspace and priority.
    owners: HashMap<String, HashMap<Priority, String>>,
    priorities: PriorityTurns,
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
        last.priorities.retain(|workspace| workspaces.contains(&workspace.0));
    }

    /// The last served owners of the workspace, by [`Priority::rank`]; empty at first.
    pub(super) fn last_owners(&self, workspace: &str) -> LastOwners {
        let last = self.lock();
        let owners = last.owners.get(workspace);
        Priority::ALL
            .map(|priority| owners.and_then(|owners| owners.get(&priority)).cloned().unwrap_or_default())
    }

    /// The turns of the priorities.
    pub(super) fn priorities(&self) -> PriorityTurns {
        self.lock().priorities.clone()
    }

    /// Records the served lanes, in this order, and the turns that follow.
    pub(super) fn record_served(&self, claimed: &[ClaimedJob], priorities: PriorityTurns) {
        let mut last = self.lock();
        last.priorities = priorities;
        for one in claimed {
            let workspace = one.job.workspace.0.clone();
            last.workspace = Some(workspace.clone());
            let owners = last.owners.entry(workspace).or_default();
            owners.insert(one.job.priority, one.job.key.owner.clone());
        }
    }
}
