//! How far a run is, for whoever reads its outcomes while they come.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use event_listener::{Event, EventListener};

/// The progress of one run. Clones share it. It keeps no outcomes, so a slow reader costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    changed: Event,
}

#[derive(Debug, Default)]
struct State {
    /// Every group before this one has its outcome.
    watermark: u32,
    /// Finished groups after the watermark.
    ahead: BTreeSet<u32>,
    /// The run will not go on in this process.
    stopped: bool,
}

impl Progress {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a group has its outcome.
    pub(crate) fn finish(&self, index: u32) {
        let moved = {
            let mut state = self.state();
            state.ahead.insert(index);
            let before = state.watermark;
            loop {
                let next = state.watermark;
                if !state.ahead.remove(&next) {
                    break;
                }
                state.watermark += 1;
            }
            state.watermark > before
        };
        if moved {
            self.0.changed.notify(usize::MAX);
        }
    }

    /// Notes that no more will come.
    pub(crate) fn stop(&self) {
        self.state().stopped = true;
        self.0.changed.notify(usize::MAX);
    }

    /// How many groups from the first on have their outcomes, and whether no more will come.
    pub(crate) fn look(&self) -> (u32, bool) {
        let state = self.state();
        (state.watermark, state.stopped)
    }

    /// Wakes at the next change after this call.
    pub(crate) fn listen(&self) -> EventListener {
        self.0.changed.listen()
    }
}
