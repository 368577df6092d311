//! Serialises the turns of a session: one lock for each session in use.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures_util::lock::{Mutex as TurnMutex, OwnedMutexGuard};

/// Locks by session id. Locks that nobody holds or waits for are removed.
#[derive(Debug, Default)]
pub(super) struct SessionLocks(Mutex<HashMap<String, Weak<TurnMutex<()>>>>);

impl SessionLocks {
    /// Waits for the session's lock. Concurrent turns on other servers are detected by the session's
    /// revision.
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
