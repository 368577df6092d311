//! Who follows runs of this process, and how they learn that something happened. It keeps no outcomes:
//! followers read them from the store.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use event_listener::{Event, EventListener};
use shared_core::{DomainError, ErrorKind};

use crate::RunId;

/// The runs that somebody follows.
#[derive(Debug, Default)]
pub(crate) struct Followers(Mutex<HashMap<RunId, Weak<Followed>>>);

/// A run that is followed.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    state: Mutex<State>,
    changed: Event,
}

#[derive(Debug, Default)]
struct State {
    /// Every group before this one has its outcome.
    watermark: u32,
    /// Finished groups after the watermark.
    ahead: BTreeSet<u32>,
    /// Whether more may have changed than was told.
    unsure: bool,
    /// Why the store takes no outcomes.
    trouble: Option<Stop>,
}

/// Why an answer ends before its last group.
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
    pub(crate) fn of(error: &impl DomainError) -> Self {
        Self { kind: error.kind(), code: error.code(), message: error.to_string() }
    }
}

/// What a follower sees.
#[derive(Debug)]
pub(crate) struct View {
    /// Every group before this one has its outcome.
    pub(crate) ready: u32,
    /// Whether the store should be asked.
    pub(crate) unsure: bool,
    /// Why there will be no more for now.
    pub(crate) trouble: Option<Stop>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Followers {
    /// Follows a run, together with whoever does so already.
    pub(crate) fn follow(&self, sid: RunId) -> Arc<Followed> {
        let mut map = lock(&self.0);
        map.retain(|_, followed| followed.strong_count() > 0);
        if let Some(followed) = map.get(&sid).and_then(Weak::upgrade) {
            return followed;
        }
        let followed = Arc::new(Followed::default());
        map.insert(sid, Arc::downgrade(&followed));
        followed
    }

    fn of(&self, sid: RunId) -> Option<Arc<Followed>> {
        lock(&self.0).get(&sid).and_then(Weak::upgrade)
    }

    /// A group has its outcome.
    pub(crate) fn finished(&self, sid: RunId, index: u32) {
        if let Some(followed) = self.of(sid) {
            lock(&followed.state).finish(index);
            followed.changed.notify(usize::MAX);
        }
    }

    /// Many groups may have their outcomes.
    pub(crate) fn look_again(&self, sid: RunId) {
        if let Some(followed) = self.of(sid) {
            lock(&followed.state).unsure = true;
            followed.changed.notify(usize::MAX);
        }
    }

    /// The store takes no outcomes.
    pub(crate) fn trouble(&self, sid: RunId, stop: Stop) {
        if let Some(followed) = self.of(sid) {
            lock(&followed.state).trouble = Some(stop);
            followed.changed.notify(usize::MAX);
        }
    }
}

impl Followed {
    pub(crate) fn look(&self) -> View {
        let mut state = lock(&self.state);
        View {
            ready: state.watermark,
            unsure: std::mem::take(&mut state.unsure),
            trouble: state.trouble.clone(),
        }
    }

    /// Wakes at the next change after this call.
    pub(crate) fn listen(&self) -> EventListener {
        self.changed.listen()
    }

    /// The store says that every group before this one has its outcome.
    pub(crate) fn ready(&self, until: u32) {
        lock(&self.state).reach(until);
    }
}

impl State {
    fn finish(&mut self, index: u32) {
        self.trouble = None;
        if index > self.watermark {
            self.ahead.insert(index);
        } else {
            self.reach(index.saturating_add(1));
        }
    }

    fn reach(&mut self, until: u32) {
        self.watermark = self.watermark.max(until);
        while let Some(first) = self.ahead.first().copied().filter(|first| *first <= self.watermark) {
            self.ahead.remove(&first);
            self.watermark = self.watermark.max(first.saturating_add(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watermark_waits_for_the_first_open_group() {
        let followers = Followers::default();
        let followed = followers.follow(RunId(1));
        let after = |index: u32| {
            followers.finished(RunId(1), index);
            followed.look().ready
        };
        assert_eq!([after(2), after(1), after(0), after(0), after(4)], [0, 0, 3, 3, 3]);
        followed.ready(4);
        assert_eq!(followed.look().ready, 5);
    }

    #[test]
    fn followers_of_one_run_share_what_they_know_and_nobody_is_kept() {
        let followers = Followers::default();
        let (one, two) = (followers.follow(RunId(1)), followers.follow(RunId(1)));
        followers.look_again(RunId(1));
        assert!(Arc::ptr_eq(&one, &two) && one.look().unsure && !two.look().unsure);
        drop((one, two));
        followers.finished(RunId(1), 0);
        assert_eq!(followers.follow(RunId(1)).look().ready, 0);
        assert_eq!(lock(&followers.0).len(), 1);
    }
}
