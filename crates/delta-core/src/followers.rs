//! The followers of runs in this process, and their notification. It stores no outcomes: followers read them
//! from the store.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Weak};

use event_listener::{Event, EventListener};
use parking_lot::{Mutex, MutexGuard};
use shared_core::{DomainError, ErrorKind};

use crate::RunId;

/// The runs that have followers.
#[derive(Debug, Default)]
pub(crate) struct Followers(Mutex<HashMap<RunId, Weak<FollowedRun>>>);

/// A run that has followers.
#[derive(Debug, Default)]
pub(crate) struct FollowedRun {
    state: Mutex<State>,
    changed: Event,
}

#[derive(Debug, Default)]
struct State {
    /// Every group before this one has its outcome.
    watermark: u32,
    /// Finished groups after the watermark.
    ahead: BTreeSet<u32>,
    /// Whether outcomes may have changed without notification.
    needs_reload: bool,
    /// Why the store rejects outcomes.
    failure: Option<RunInterruption>,
}

/// Why a stream of outcomes ends before its last group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInterruption {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// Its code.
    pub code: &'static str,
    /// One sentence for the user.
    pub message: String,
}

impl RunInterruption {
    pub(crate) fn from_error(error: &impl DomainError) -> Self {
        Self { kind: error.kind(), code: error.code(), message: error.to_string() }
    }
}

/// The state of a run for its followers.
#[derive(Debug)]
pub(crate) struct FollowerView {
    /// Every group before this one has its outcome.
    pub(crate) ready: u32,
    /// Whether to read the store again.
    pub(crate) needs_reload: bool,
    /// Why there are no further outcomes at present.
    pub(crate) failure: Option<RunInterruption>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}

impl Followers {
    /// Follows a run; followers of the same run share the state.
    pub(crate) fn follow(&self, sid: RunId) -> Arc<FollowedRun> {
        let mut map = lock(&self.0);
        map.retain(|_, followed| followed.strong_count() > 0);
        if let Some(followed) = map.get(&sid).and_then(Weak::upgrade) {
            return followed;
        }
        let followed = Arc::new(FollowedRun::default());
        map.insert(sid, Arc::downgrade(&followed));
        followed
    }

    fn of(&self, sid: RunId) -> Option<Arc<FollowedRun>> {
        lock(&self.0).get(&sid).and_then(Weak::upgrade)
    }

    /// Marks a group as finished.
    pub(crate) fn mark_finished(&self, sid: RunId, index: u32) {
        if let Some(followed) = self.of(sid) {
            lock(&followed.state).finish(index);
            followed.changed.notify(usize::MAX);
        }
    }

    /// Notifies that groups may have changed; the store tells which.
    pub(crate) fn mark_stale(&self, sid: RunId) {
        if let Some(followed) = self.of(sid) {
            {
                let mut state = lock(&followed.state);
                (state.needs_reload, state.failure) = (true, None);
            }
            followed.changed.notify(usize::MAX);
        }
    }

    /// Notifies that the store rejects outcomes.
    pub(crate) fn mark_failed(&self, sid: RunId, stop: RunInterruption) {
        if let Some(followed) = self.of(sid) {
            lock(&followed.state).failure = Some(stop);
            followed.changed.notify(usize::MAX);
        }
    }
}

impl FollowedRun {
    pub(crate) fn view(&self) -> FollowerView {
        let mut state = lock(&self.state);
        FollowerView {
            ready: state.watermark,
            needs_reload: std::mem::take(&mut state.needs_reload),
            failure: state.failure.clone(),
        }
    }

    /// Wakes at the next change after this call.
    pub(crate) fn listen(&self) -> EventListener {
        self.changed.listen()
    }

    /// Records that every group before `until` has its outcome, as read from the store.
    pub(crate) fn advance(&self, until: u32) {
        lock(&self.state).advance_to(until);
    }

    /// Forgets which groups have their outcome, because some are open again; the store tells.
    pub(crate) fn reopen(&self) {
        let mut state = lock(&self.state);
        (state.watermark, state.needs_reload) = (0, true);
        state.ahead.clear();
    }
}

impl State {
    fn finish(&mut self, index: u32) {
        self.failure = None;
        if index > self.watermark {
            self.ahead.insert(index);
        } else {
            self.advance_to(index.saturating_add(1));
        }
    }

    fn advance_to(&mut self, until: u32) {
        self.watermark = self.watermark.max(until);
        while let Some(first) = self.ahead.first().copied().filter(|first| *first <= self.watermark) {
            self.ahead.remove(&first);
            self.watermark = self.watermark.max(first.saturating_add(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn the_watermark_waits_for_the_first_open_group() {
        let followers = Followers::default();
        let followed = followers.follow(RunId(1));
        let after = |index: u32| {
            followers.mark_finished(RunId(1), index);
            followed.view().ready
        };
        assert_eq!([after(2), after(1), after(0), after(0), after(4)], [0, 0, 3, 3, 3]);
        followed.advance(4);
        assert_eq!(followed.view().ready, 5);
        followers.mark_finished(RunId(1), 6);
        followed.reopen();
        let view = followed.view();
        assert_eq!((view.ready, view.needs_reload), (0, true));
        followed.advance(6);
        assert_eq!(followed.view().ready, 6, "the group after it may be open again, too");
    }

    #[test]
    fn a_store_that_rejects_outcomes_is_told_until_one_is_stored() {
        let followers = Followers::default();
        let followed = followers.follow(RunId(1));
        let mut changed = followed.listen();
        let stop = RunInterruption::from_error(&shared_core::StoreError::Full);
        assert_eq!((stop.kind, stop.code), (ErrorKind::StorageFull, "storage_full"));
        followers.mark_failed(RunId(1), stop.clone());
        assert!((&mut changed).now_or_never().is_some(), "its followers wake");
        followers.mark_finished(RunId(2), 0);
        assert_eq!(followed.view().failure, Some(stop));
        let changed = followed.listen();
        followers.mark_finished(RunId(1), 1);
        assert!(changed.now_or_never().is_some());
        assert_eq!(followed.view().failure, None);
    }

    #[test]
    fn followers_of_one_run_share_what_they_know_and_nobody_is_kept() {
        let followers = Followers::default();
        let (one, two) = (followers.follow(RunId(1)), followers.follow(RunId(1)));
        followers.mark_stale(RunId(1));
        assert!(Arc::ptr_eq(&one, &two) && one.view().needs_reload && !two.view().needs_reload);
        drop((one, two));
        followers.mark_finished(RunId(1), 0);
        assert_eq!(followers.follow(RunId(1)).view().ready, 0);
        let _other = followers.follow(RunId(2));
        assert_eq!(lock(&followers.0).len(), 1, "runs that nobody follows any more are forgotten");
    }
}
