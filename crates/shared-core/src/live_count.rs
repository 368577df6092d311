//! How many of something there are at the moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A count of guards that exist. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct LiveCount(Arc<AtomicUsize>);

/// Counts until it is dropped, so a cancelled future is no longer counted either.
#[derive(Debug)]
pub struct LiveGuard(Arc<AtomicUsize>);

impl LiveCount {
    /// Counts one more, for as long as the guard exists.
    #[must_use]
    pub fn enter(&self) -> LiveGuard {
        self.0.fetch_add(1, Ordering::Relaxed);
        LiveGuard(Arc::clone(&self.0))
    }

    /// The count now.
    #[must_use]
    pub fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for LiveGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_count_while_they_exist() {
        let count = LiveCount::default();
        let (one, two) = (count.enter(), count.clone().enter());
        assert_eq!(count.get(), 2);
        drop(one);
        assert_eq!(count.get(), 1);
        drop(two);
        assert_eq!(count.get(), 0);
    }
}
