//! The traffic budget of a page.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Traffic budget in bytes, shared by all connections of a page.
#[derive(Debug)]
pub(super) struct Budget(AtomicU64);

impl Budget {
    pub(super) fn new(bytes: u64) -> Self {
        Self(AtomicU64::new(bytes))
    }

    /// Takes `bytes` from the budget.
    ///
    /// # Errors
    /// When less is left.
    pub(super) fn take(&self, bytes: usize) -> io::Result<()> {
        let rest = |left: u64| Some(left.saturating_sub(bytes as u64));
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).unwrap_or_default();
        if left < bytes as u64 {
            return Err(io::Error::other("the page's traffic limit is exceeded"));
        }
        Ok(())
    }
}
