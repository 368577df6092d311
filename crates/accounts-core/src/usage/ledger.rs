//! Usage that is not stored yet: totals in memory. So a call does not wait for a commit, and a slow or
//! unreachable store costs no more memory than one entry per account.

use std::collections::HashMap;

use parking_lot::{Mutex, MutexGuard};

use super::{SettledReservation, Totals, UsageEntry, UsageKey};

/// Totals by account, for a bounded number of accounts.
#[derive(Debug)]
pub struct Ledger {
    capacity: usize,
    sums: Mutex<LedgerState>,
}

#[derive(Debug, Default)]
struct LedgerState {
    entries: HashMap<UsageKey, (Totals, Vec<SettledReservation>)>,
    dropped: u64,
}

impl Ledger {
    /// A ledger of at most `capacity` accounts.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { capacity, sums: Mutex::default() }
    }

    /// Adds to an account. When the ledger is full, calls of further accounts are counted as dropped.
    pub fn add(&self, UsageEntry { account, totals, reservations: closes }: UsageEntry) {
        let mut sums = self.lock();
        if let Some((sum, closed)) = sums.entries.get_mut(&account) {
            *sum += totals;
            closed.extend(closes);
        } else if sums.entries.len() < self.capacity {
            sums.entries.insert(account, (totals, closes));
        } else {
            let lost = totals.requests.saturating_add(closes.len() as u64);
            sums.dropped = sums.dropped.saturating_add(lost);
        }
    }

    /// Removes and returns at most `most` entries. Pass those that could not be stored to
    /// [`Ledger::restore`].
    #[must_use]
    pub fn take(&self, most: usize) -> Vec<UsageEntry> {
        let mut sums = self.lock();
        if sums.entries.len() <= most {
            return sums
                .entries
                .drain()
                .map(|(account, (totals, closes))| UsageEntry { account, totals, reservations: closes })
                .collect();
        }
        let accounts: Vec<UsageKey> = sums.entries.keys().take(most).cloned().collect();
        let entry = |account: UsageKey| {
            let (totals, closes) = sums.entries.remove(&account)?;
            Some(UsageEntry { account, totals, reservations: closes })
        };
        accounts.into_iter().filter_map(entry).collect()
    }

    /// Adds entries back that [`Ledger::take`] returned.
    pub fn restore(&self, entries: Vec<UsageEntry>) {
        entries.into_iter().for_each(|entry| self.add(entry));
    }

    /// The number of dropped calls since the last call of this method.
    #[must_use]
    pub fn take_dropped(&self) -> u64 {
        std::mem::take(&mut self.lock().dropped)
    }

    fn lock(&self) -> MutexGuard<'_, LedgerState> {
        self.sums.lock()
    }
}

#[cfg(test)]
mod tests {
    use shared_core::WorkspaceId;

    use super::super::{CallUsage, Day};
    use super::*;

    fn account(model: &str) -> UsageKey {
        UsageKey { workspace: WorkspaceId("w".into()), key: None, model: model.into(), day: Day(0) }
    }

    fn call(model: &str) -> UsageEntry {
        UsageEntry::unreserved(account(model), &CallUsage::default())
    }

    #[test]
    fn calls_on_one_account_are_one_entry() {
        let ledger = Ledger::new(10);
        for _ in 0..1_000 {
            ledger.add(call("a"));
        }
        let entries = ledger.take(10);
        assert_eq!(
            (entries.len(), entries[0].totals.requests, entries[0].totals.unpriced),
            (1, 1_000, 1_000)
        );
        assert!(ledger.take(10).is_empty());
        for id in 0..3 {
            ledger.add(UsageEntry::reserved(account("a"), &CallUsage::default(), id, None));
        }
        let entries = ledger.take(10);
        assert_eq!(
            (entries.len(), entries[0].totals, entries[0].reservations.len()),
            (1, Totals::default(), 3)
        );
    }

    #[test]
    fn accounts_beyond_the_bound_are_dropped_and_counted_and_known_ones_go_on() {
        let ledger = Ledger::new(2);
        for model in ["a", "b", "c", "a", "b", "c"] {
            ledger.add(call(model));
        }
        assert_eq!((ledger.take_dropped(), ledger.take_dropped()), (2, 0));
        let first = ledger.take(1);
        assert_eq!(first.len(), 1, "no more than asked for");
        ledger.add(call("c"));
        ledger.restore(first);
        assert_eq!(ledger.take_dropped(), 2, "the place was taken in the meantime");
        assert_eq!(ledger.take(9).len(), 2);
    }
}
