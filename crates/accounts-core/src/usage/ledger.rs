//! What was used and is not stored yet: sums in memory, so that a call waits for no commit and a store
//! that is slow or down costs no more memory than there are accounts.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Account, Entry, Totals};

/// Sums by account, of a bounded number of accounts.
#[derive(Debug)]
pub struct Ledger {
    capacity: usize,
    sums: Mutex<Sums>,
}

#[derive(Debug, Default)]
struct Sums {
    entries: HashMap<Account, Totals>,
    dropped: u64,
}

impl Ledger {
    /// Keeps at most `capacity` accounts.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { capacity, sums: Mutex::default() }
    }

    /// Adds to an account. Where there is no place for another account, it is counted as dropped.
    pub fn add(&self, account: Account, totals: Totals) {
        let mut sums = self.lock();
        if let Some(sum) = sums.entries.get_mut(&account) {
            *sum += totals;
        } else if sums.entries.len() < self.capacity {
            sums.entries.insert(account, totals);
        } else {
            sums.dropped = sums.dropped.saturating_add(totals.requests);
        }
    }

    /// Takes at most `most` entries out. Those that cannot be stored are to be given back.
    #[must_use]
    pub fn take(&self, most: usize) -> Vec<Entry> {
        let mut sums = self.lock();
        let mut taken: Vec<Entry> = if sums.entries.len() <= most {
            sums.entries.drain().map(|(account, totals)| Entry { account, totals }).collect()
        } else {
            let accounts: Vec<Account> = sums.entries.keys().take(most).cloned().collect();
            let entry = |account: Account| {
                let totals = sums.entries.remove(&account)?;
                Some(Entry { account, totals })
            };
            accounts.into_iter().filter_map(entry).collect()
        };
        drop(sums);
        // One order for all servers, so that they do not wait for each other crosswise.
        taken.sort_by(|a, b| a.account.cmp(&b.account));
        taken
    }

    /// Adds entries again that were taken.
    pub fn give_back(&self, entries: Vec<Entry>) {
        for Entry { account, totals } in entries {
            self.add(account, totals);
        }
    }

    /// How many calls were dropped since it was last asked.
    #[must_use]
    pub fn take_dropped(&self) -> u64 {
        std::mem::take(&mut self.lock().dropped)
    }

    fn lock(&self) -> MutexGuard<'_, Sums> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use shared_core::WorkspaceId;

    use super::super::{Day, Spend};
    use super::*;

    fn account(model: &str) -> Account {
        Account { workspace: WorkspaceId("w".into()), key: None, model: model.into(), day: Day(0) }
    }

    fn call() -> Totals {
        Totals::of(&Spend::default())
    }

    #[test]
    fn calls_on_one_account_are_one_entry() {
        let ledger = Ledger::new(10);
        for _ in 0..1_000 {
            ledger.add(account("a"), call());
        }
        let entries = ledger.take(10);
        assert_eq!(
            (entries.len(), entries[0].totals.requests, entries[0].totals.unpriced),
            (1, 1_000, 1_000)
        );
        assert!(ledger.take(10).is_empty());
    }

    #[test]
    fn accounts_beyond_the_bound_are_dropped_and_counted_and_known_ones_go_on() {
        let ledger = Ledger::new(2);
        for model in ["a", "b", "c", "a", "b", "c"] {
            ledger.add(account(model), call());
        }
        assert_eq!((ledger.take_dropped(), ledger.take_dropped()), (2, 0));
        let first = ledger.take(1);
        ledger.add(account("c"), call());
        ledger.give_back(first);
        assert_eq!(ledger.take_dropped(), 2, "the place was taken in the meantime");
        assert_eq!(ledger.take(9).len(), 2);
    }
}
