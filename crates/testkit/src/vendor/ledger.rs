//! The calls that the vendor received, and the tokens that it charged.

use std::collections::{BTreeMap, HashMap};

use parking_lot::{Mutex, MutexGuard};

use super::Fault;

/// The account of one group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallAccount {
    /// Calls, whatever their outcome.
    pub calls: u32,
    /// Charged input tokens.
    pub input_tokens: u64,
    /// Charged output tokens.
    pub output_tokens: u64,
}

/// All accounts of a vendor.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    /// The accounts by group.
    pub groups: HashMap<usize, CallAccount>,
    /// Failed calls, by fault.
    pub faults: BTreeMap<Fault, u32>,
    /// Chat calls without a delivery note.
    pub unknown_requests: u32,
    /// Calls for embeddings.
    pub vectors: CallAccount,
}

impl Accounts {
    /// The number of calls for a group.
    #[must_use]
    pub fn calls(&self, group: usize) -> u32 {
        self.groups.get(&group).map_or(0, |account| account.calls)
    }

    /// The sum over all groups.
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
    /// Locks the accounts.
    pub(super) fn accounts(&self) -> MutexGuard<'_, Accounts> {
        self.0.lock()
    }

    /// Counts a call; returns the number of earlier calls for the same group.
    pub(super) fn begin(&self, group: usize) -> u32 {
        let mut accounts = self.accounts();
        let account = accounts.groups.entry(group).or_default();
        account.calls += 1;
        account.calls - 1
    }

    /// Counts a call for embeddings and charges its tokens; returns the number of earlier ones.
    pub(super) fn embed(&self, tokens: impl FnOnce(u32) -> u64) -> u32 {
        let mut accounts = self.accounts();
        let before = accounts.vectors.calls;
        accounts.vectors.calls += 1;
        accounts.vectors.input_tokens += tokens(before);
        before
    }

    /// Charges input and output tokens to a group.
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
