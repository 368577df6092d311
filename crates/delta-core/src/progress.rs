//! How far a run is, for whoever reads its outcomes while they come.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use event_listener::{Event, EventListener};
use shared_core::{DomainError as _, ErrorKind};

use crate::DeltaError;

/// The progress of one drive of a run. Clones share it. It keeps no outcomes, so a slow reader costs
/// nothing: it holds one number, and those of groups that were done before an earlier one.
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
    /// Why no more will come.
    stopped: Option<Stop>,
}

/// Why a drive ended before the last group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The kind of the error that ended it.
    pub kind: ErrorKind,
    /// Its code.
    pub code: &'static str,
    /// Its sentence.
    pub message: String,
}

impl Stop {
    fn of(error: Option<&DeltaError>) -> Self {
        match error {
            Some(error) => Self { kind: error.kind(), code: error.code(), message: error.to_string() },
            None => {
                Self { kind: ErrorKind::Internal, code: "run_stopped", message: "it was interrupted".into() }
            }
        }
    }
}

impl State {
    /// Notes finished groups; whether the watermark moved.
    fn finish(&mut self, groups: Range<u32>) -> bool {
        let before = self.watermark;
        if groups.start <= self.watermark {
            self.watermark = self.watermark.max(groups.end);
        } else {
            self.ahead.extend(groups);
        }
        while let Some(first) = self.ahead.first().copied().filter(|first| *first <= self.watermark) {
            self.ahead.remove(&first);
            self.watermark = self.watermark.max(first.saturating_add(1));
        }
        self.watermark > before
    }
}

impl Progress {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that these groups have their outcomes.
    pub(crate) fn finish(&self, groups: Range<u32>) {
        let moved = self.state().finish(groups);
        if moved {
            self.0.changed.notify(usize::MAX);
        }
    }

    /// Notes, when it is dropped at the latest, that no more will come.
    pub(crate) fn ending(&self) -> Ending {
        Ending(self.clone())
    }

    /// How many groups from the first on have their outcomes, and why no more will come.
    pub(crate) fn look(&self) -> (u32, Option<Stop>) {
        let state = self.state();
        (state.watermark, state.stopped.clone())
    }

    /// Wakes at the next change after this call.
    pub(crate) fn listen(&self) -> EventListener {
        self.0.changed.listen()
    }
}

/// Held by a drive.
#[derive(Debug)]
pub(crate) struct Ending(Progress);

impl Ending {
    /// Ends with the error, or because all is done.
    pub(crate) fn end(self, error: Option<&DeltaError>) {
        self.0.state().stopped.get_or_insert(Stop::of(error));
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.state().stopped.get_or_insert(Stop::of(None));
        self.0.0.changed.notify(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watermark_waits_for_the_first_open_group() {
        let mut state = State::default();
        assert!(!state.finish(2..3));
        assert!(!state.finish(1..2));
        assert!(state.finish(0..1));
        assert_eq!((state.watermark, state.ahead.len()), (3, 0));
        assert!(!state.finish(0..2));
        assert!(state.finish(3..9));
        assert_eq!(state.watermark, 9);
    }

    #[test]
    fn an_ending_that_is_dropped_says_interrupted_and_one_with_an_error_says_which() {
        let progress = Progress::default();
        drop(progress.ending());
        assert_eq!(progress.look().1.unwrap().code, "run_stopped");
        let progress = Progress::default();
        progress.ending().end(Some(&DeltaError::RunNotFound));
        assert_eq!(progress.look().1.unwrap().code, "run_not_found");
    }
}
