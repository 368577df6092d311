//! The groups as they must be, and their paid calls: which answers are stored, and who knows of them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use delta_core::{GroupId, RunId};
use parking_lot::Mutex;
use shared_core::StoreError;

use crate::world::{ProcessId, World};

/// How long a call may begin after its group has ended or its run was cancelled: two slow answers, a renewal, and the
/// pauses between attempts.
const LATE_CALL: Duration = Duration::from_secs(180);

#[derive(Debug, Default)]
struct State {
    /// Stored answers of open groups, by the id of the call.
    saved: BTreeMap<(i64, u32), BTreeSet<String>>,
    /// The call whose answer a process has just found.
    found: BTreeMap<(ProcessId, i64, u32), String>,
    /// When groups ended.
    ended: BTreeMap<(i64, u32), Duration>,
    cancelled: BTreeMap<i64, Duration>,
    calls: BTreeMap<(i64, u32), u64>,
    /// Calls whose process does not know whether their answer is stored.
    unknown: BTreeSet<((i64, u32), ProcessId, String)>,
}

/// The model of all runs.
#[derive(Debug)]
pub(super) struct GroupLedger {
    world: World,
    state: Mutex<State>,
}

fn place(group: GroupId) -> (i64, u32) {
    (group.sid.0, group.index)
}

impl GroupLedger {
    pub(super) fn new(world: &World) -> Self {
        Self { world: world.clone(), state: Mutex::default() }
    }

    /// An answer was stored.
    pub(super) fn save(&self, group: GroupId, call: &str) {
        let mut state = self.state.lock();
        // The store keeps nothing for a group that has its outcome.
        if !state.ended.contains_key(&place(group)) && !state.cancelled.contains_key(&group.sid.0) {
            state.saved.entry(place(group)).or_default().insert(call.to_owned());
        }
    }

    /// The stored answers of a group were deleted, because they are of no use.
    pub(super) fn forget(&self, group: GroupId) {
        self.state.lock().saved.remove(&place(group));
    }

    /// A process looked for the answer of a call.
    pub(super) fn find(&self, process: ProcessId, group: GroupId, call: &str, is_found: bool) {
        let (sid, index) = place(group);
        let mut state = self.state.lock();
        let is_saved = state.saved.get(&(sid, index)).is_some_and(|calls| calls.contains(call));
        if is_saved && !is_found {
            self.world.violate(format!("a stored answer of {sid}/{index} is not found"));
        }
        match is_found {
            true => state.found.insert((process, sid, index), call.to_owned()),
            false => state.found.remove(&(process, sid, index)),
        };
    }

    /// A group has its outcome, so its stored answers are gone.
    pub(super) fn end(&self, group: GroupId) {
        let mut state = self.state.lock();
        state.saved.remove(&place(group));
        state.ended.insert(place(group), self.world.now());
    }

    /// A run was cancelled.
    pub(super) fn cancel(&self, sid: RunId) {
        let mut state = self.state.lock();
        state.saved.retain(|(run, _), _| *run != sid.0);
        state.cancelled.insert(sid.0, self.world.now());
    }

    /// Failed groups are open again.
    pub(super) fn reopen(&self, sid: RunId) {
        let mut state = self.state.lock();
        state.ended.retain(|(run, _), _| *run != sid.0);
        state.cancelled.remove(&sid.0);
    }

    /// A process calls the vendor for a group.
    pub(super) fn call(&self, process: ProcessId, group: GroupId) {
        let ((sid, index), now) = (place(group), self.world.now());
        let mut state = self.state.lock();
        *state.calls.entry((sid, index)).or_default() += 1;
        let found = state.found.get(&(process, sid, index));
        let saved = state.saved.get(&(sid, index));
        if found.zip(saved).is_some_and(|(call, saved)| saved.contains(call)) {
            self.world.violate(format!("{sid}/{index} is paid again although its answer was found"));
        }
        let ends = [state.ended.get(&(sid, index)), state.cancelled.get(&sid)];
        if ends.into_iter().flatten().any(|end| now > *end + LATE_CALL) {
            self.world.violate(format!("{sid}/{index} is paid after its end"));
        }
    }

    /// What a process was told when it stored an answer.
    pub(super) fn confirm_saved(
        &self,
        process: ProcessId,
        group: GroupId,
        call: &str,
        told: &Result<(), StoreError>,
    ) {
        let place = (place(group), process, call.to_owned());
        let mut state = self.state.lock();
        match told {
            Ok(()) => state.unknown.remove(&place),
            Err(StoreError::OutcomeUnknown) => state.unknown.insert(place),
            // Nothing was stored this time.
            Err(_) => false,
        };
    }

    /// How many calls may be booked for a group: those that were paid, and again those that are stored and that were
    /// taken for lost, which nobody can know.
    pub(super) fn bookable(&self, group: GroupId) -> u64 {
        let state = self.state.lock();
        let paid = state.calls.get(&place(group)).copied().unwrap_or_default();
        paid + state.unknown.iter().filter(|(of, ..)| *of == place(group)).count() as u64
    }
}
