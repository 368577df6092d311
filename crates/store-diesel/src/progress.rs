//! How far an operation is, for its thread and for a caller that stops waiting.

use std::sync::atomic::{AtomicU8, Ordering};

const WAITING: u8 = 0;
const RUNNING: u8 = 1;
const COMMITTING: u8 = 2;
const ABANDONED: u8 = 3;

/// The progress of an operation.
#[derive(Debug, Default)]
pub(crate) struct Progress(AtomicU8);

/// What becomes of an operation whose caller stops waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Abandonment {
    /// It is not run, or rolled back.
    Undone,
    /// It may be committed or not.
    Unknown,
}

impl Progress {
    /// Begins the work in a transaction, perhaps again. `false` when the caller has abandoned it.
    pub(crate) fn start(&self) -> bool {
        self.advance(|state| (state != ABANDONED).then_some(RUNNING))
    }

    /// Begins the commit; the caller can no longer abandon the operation. `false` when it has done so.
    pub(crate) fn begin_commit(&self) -> bool {
        self.advance(|state| (state != ABANDONED).then_some(COMMITTING))
    }

    /// Whether the work has begun.
    pub(crate) fn has_started(&self) -> bool {
        self.0.load(Ordering::Acquire) != WAITING
    }

    /// Stops an operation whose commit has not begun.
    pub(crate) fn abandon(&self) -> Abandonment {
        match self.advance(|state| (state != COMMITTING).then_some(ABANDONED)) {
            true => Abandonment::Undone,
            false => Abandonment::Unknown,
        }
    }

    fn advance(&self, next: impl FnMut(u8) -> Option<u8>) -> bool {
        self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, next).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abandoned_operation_neither_starts_nor_commits() {
        let waiting = Progress::default();
        assert_eq!(waiting.abandon(), Abandonment::Undone);
        assert!(!waiting.start());
        let running = Progress::default();
        assert!(running.start());
        assert_eq!(running.abandon(), Abandonment::Undone);
        assert!(!running.begin_commit());
    }

    #[test]
    fn the_outcome_of_a_commit_in_progress_is_unknown() {
        let progress = Progress::default();
        assert!(progress.start() && progress.begin_commit());
        assert_eq!(progress.abandon(), Abandonment::Unknown);
    }

    #[test]
    fn an_operation_whose_transaction_was_rolled_back_can_start_again() {
        let progress = Progress::default();
        assert!(progress.start() && progress.begin_commit() && progress.start());
        assert_eq!(progress.abandon(), Abandonment::Undone);
    }
}
