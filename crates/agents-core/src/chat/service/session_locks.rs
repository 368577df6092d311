//! Turns of one session one after the other: a lock for each session that is being spoken to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures_util::lock::{Mutex as TurnMutex, OwnedMutexGuard};

/// Sessions in use; those not in use take no memory.
#[derive(Debug, Default)]
pub(super) struct SessionLocks(Mutex<HashMap<String, Weak<TurnMutex<()>>>>);

impl SessionLocks {
    /// Waits for the turn of this message. Other servers are kept apart by the revision of the session.
    pub(super) async fn lock_session(&self, session: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            locks.retain(|_, lock| lock.strong_count() > 0);
            let known = locks.get(session).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let lock = Arc::new(TurnMutex::new(()));
                locks.insert(session.to_owned(), Arc::downgrade(&lock));
                lock
            })
        };
        lock.lock_owned().await
    }
}
