//! One lock for each key: work on the same thing is done one after the other, on other things at the same time.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Weak};

use async_lock::{Semaphore, SemaphoreGuardArc};
use parking_lot::Mutex;

/// Asynchronous locks by key. A key that nobody holds or waits for takes no memory.
///
/// A lock is a semaphore of one permit: the mutex of the same crate reads the clock of the machine to be fair, so that a
/// simulation would not give the same run twice.
#[derive(Debug)]
pub struct KeyedLocks<K>(Mutex<HashMap<K, Weak<Semaphore>>>);

/// The lock of one key; released when it is dropped.
pub type KeyedGuard = SemaphoreGuardArc;

impl<K> Default for KeyedLocks<K> {
    fn default() -> Self {
        Self(Mutex::new(HashMap::new()))
    }
}

impl<K: Eq + Hash> KeyedLocks<K> {
    /// Waits for the lock of `key`, which other processes do not see.
    pub async fn lock<Q>(&self, key: &Q) -> KeyedGuard
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        self.find(key).acquire_arc().await
    }

    fn find<Q>(&self, key: &Q) -> Arc<Semaphore>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        let mut locks = self.0.lock();
        if let Some(lock) = locks.get(key).and_then(Weak::upgrade) {
            return lock;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::new(Semaphore::new(1));
        locks.insert(key.to_owned(), Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn a_key_is_locked_once_and_other_keys_are_free() {
        let locks: KeyedLocks<String> = KeyedLocks::default();
        let first = block_on(locks.lock("a"));
        assert!(locks.lock("a").now_or_never().is_none());
        assert!(locks.lock("b").now_or_never().is_some());
        drop(first);
        assert!(locks.lock("a").now_or_never().is_some());
    }

    #[test]
    fn keys_that_nobody_holds_take_no_memory() {
        let locks: KeyedLocks<String> = KeyedLocks::default();
        for key in 0..100 {
            drop(block_on(locks.lock(key.to_string().as_str())));
        }
        assert_eq!(locks.0.lock().len(), 1);
    }

    #[test]
    fn a_key_that_is_held_stays_locked_when_others_are_forgotten() {
        let locks: KeyedLocks<String> = KeyedLocks::default();
        let held = block_on(locks.lock("a"));
        drop(block_on(locks.lock("b")));
        drop(block_on(locks.lock("c")));
        assert!(locks.lock("a").now_or_never().is_none());
        drop(held);
    }
}
