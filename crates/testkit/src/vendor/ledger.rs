//! What the vendor was asked, and what it charged.

use parking_lot::{Mutex, MutexGuard};
use std::collections::{BTreeMap, HashMap};

use super::Fault;

/// One group's account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallAccount {
    /// Calls, whatever came of them.
    pub calls: u32,
    /// Tokens read that were charged.
    pub input_tokens: u64,
    /// Tokens written that were charged.
    pub output_tokens: u64,
}

/// All accounts.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    /// By group.
    pub groups: HashMap<usize, CallAccount>,
    /// Calls that went wrong, by what went wrong.
    pub faults: BTreeMap<Fault, u32>,
    /// Calls that were no question about a paper.
    pub unknown_requests: u32,
    /// Calls for vectors.
    pub vectors: CallAccount,
}

impl Accounts {
    /// Calls for a group.
    #[must_use]
    pub fn calls(&self, group: usize) -> u32 {
        self.groups.get(&group).map_or(0, |account| account.calls)
    }

    /// Everything together.
    #[must_use]
    pub fn total(&self) -> CallAccount {
        self.groups.values().fold(CallAccount::default(), |sum, one| CallAccount {
            calls: sum.calls + one.calls,
            input_tokens: sum.input_tokens + one.input_tokens,
            output_tokens: sum.output_tokens + one.output_tokens,
        })
    }
}

/// The accounts of a running vendor.
#[derive(Debug, Default)]
pub(super) struct Ledger(Mutex<Accounts>);

impl Ledger {
    /// The accounts as they are.
    pub(super) fn accounts(&self) -> MutexGuard<'_, Accounts> {
        self.0.lock()
    }

    /// Counts a call; answers how many came before it for the same group.
    pub(super) fn begin(&self, group: usize) -> u32 {
        let mut accounts = self.accounts();
        let account = accounts.groups.entry(group).or_default();
        account.calls += 1;
        account.calls - 1
    }

    /// Counts a call for vectors and what it is charged; answers how many came before it.
    pub(super) fn embed(&self, tokens: impl FnOnce(u32) -> u64) -> u32 {
        let mut accounts = self.accounts();
        let before = accounts.vectors.calls;
        accounts.vectors.calls += 1;
        accounts.vectors.input_tokens += tokens(before);
        before
    }

    /// Charges a call with tokens read and written.
    pub(super) fn end(&self, group: usize, fault: Option<Fault>, (read, written): (u64, u64)) {
        let mut accounts = self.accounts();
        let account = accounts.groups.entry(group).or_default();
        account.input_tokens += read;
        account.output_tokens += written;
        if let Some(fault) = fault {
            *accounts.faults.entry(fault).or_default() += 1;
        }
    }
}
