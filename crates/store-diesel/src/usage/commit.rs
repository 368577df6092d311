//! The transaction of a batch. Each account and each key is read and written once, however many calls it has.

use std::collections::BTreeMap;

use accounts_core::usage::{
    CallOpening, OpenedCall, OpeningOutcome, Totals, UsageBatch, UsageEntry, UsageKey, UsageWindows,
};

use super::{daily_totals, reservations, windows};
use crate::connection::AnyConnection;
use crate::failure::Failure;

/// Records the entries, then opens the calls.
pub(super) fn commit(
    connection: &mut AnyConnection,
    batch: &UsageBatch,
) -> Result<Vec<OpeningOutcome>, Failure> {
    let mut keys = LockedKeys::lock(connection, batch)?;
    // All reservations before all sums, as when reservations expire: one order prevents deadlocks.
    let sums: Vec<Totals> = batch
        .entries
        .iter()
        .map(|entry| close_all(connection, entry, &mut keys))
        .collect::<Result<_, _>>()?;
    for (entry, totals) in batch.entries.iter().zip(sums) {
        daily_totals::add(connection, &entry.account, totals)?;
    }
    let outcomes: Vec<OpeningOutcome> = batch
        .openings
        .iter()
        .map(|opening| open(connection, opening, &mut keys))
        .collect::<Result<_, _>>()?;
    keys.store(connection)?;
    Ok(outcomes)
}

/// Closes the reservations of an entry. Returns its totals, with those of the reservations that were open.
pub(super) fn close_all<'a>(
    connection: &mut AnyConnection,
    entry: &'a UsageEntry,
    keys: &mut LockedKeys<'a>,
) -> Result<Totals, Failure> {
    let mut totals = entry.totals;
    for settled in &entry.reservations {
        if !reservations::delete(connection, &entry.account.workspace.0, settled.id)? {
            continue;
        }
        totals += settled.totals;
        if let Some(settled) = &settled.windows
            && let Some(windows) = keys.windows(&entry.account)
        {
            windows.settle(settled.windows, &settled.estimate, &settled.usage);
        }
    }
    Ok(totals)
}

fn open<'a>(
    connection: &mut AnyConnection,
    opening: &'a CallOpening,
    keys: &mut LockedKeys<'a>,
) -> Result<OpeningOutcome, Failure> {
    let CallOpening { account, estimate, limits, now, until } = opening;
    let mut reserved = None;
    if !limits.is_empty() {
        let Some(windows) = keys.windows(account) else { return Ok(OpeningOutcome::UnknownKey) };
        match windows.reserve(*now, limits, estimate) {
            Ok(windows) => reserved = Some(windows),
            Err(reached) => return Ok(OpeningOutcome::Refused(reached)),
        }
    }
    let id = reservations::insert(connection, account, estimate, *until)?;
    Ok(OpeningOutcome::Opened(OpenedCall { id, windows: reserved }))
}

/// Workspace and key.
type KeyName<'a> = (&'a str, &'a str);

/// The windows of the keys with limits that a batch concerns, locked until the end of the transaction.
#[derive(Default)]
pub(super) struct LockedKeys<'a>(BTreeMap<KeyName<'a>, LockedKey>);

/// The windows as they were read, and as they are now. `None` for a key that the workspace does not have.
struct LockedKey {
    stored: Option<UsageWindows>,
    present: Option<UsageWindows>,
}

impl<'a> LockedKeys<'a> {
    /// Locks the keys in one order on all servers, which prevents deadlocks.
    fn lock(connection: &mut AnyConnection, batch: &'a UsageBatch) -> Result<Self, Failure> {
        let has_limits = |opening: &&CallOpening| !opening.limits.is_empty();
        let opened = batch.openings.iter().filter(has_limits).map(|opening| (name(&opening.account), true));
        let has_windows = |entry: &&UsageEntry| entry.reservations.iter().any(|one| one.windows.is_some());
        let settled = batch.entries.iter().filter(has_windows).map(|entry| (name(&entry.account), false));
        let mut wanted: BTreeMap<KeyName<'a>, bool> = BTreeMap::new();
        for (name, creates) in opened.chain(settled) {
            *wanted.entry(name).or_default() |= creates;
        }
        let mut keys = Self::default();
        for ((workspace, key), creates) in wanted {
            let mut windows = windows::lock(connection, workspace, key)?;
            if windows.is_none() && creates {
                windows = windows::create(connection, workspace, key)?;
            }
            keys.0.insert((workspace, key), LockedKey { stored: windows, present: windows });
        }
        Ok(keys)
    }

    fn windows(&mut self, account: &'a UsageKey) -> Option<&mut UsageWindows> {
        self.0.get_mut(&name(account))?.present.as_mut()
    }

    /// Stores the windows that have changed.
    fn store(&self, connection: &mut AnyConnection) -> Result<(), Failure> {
        for ((workspace, key), LockedKey { stored, present }) in &self.0 {
            if let Some(windows) = present.filter(|_| stored != present) {
                windows::store(connection, workspace, key, &windows)?;
            }
        }
        Ok(())
    }
}

fn name(account: &UsageKey) -> KeyName<'_> {
    (&account.workspace.0, account.key.as_deref().unwrap_or_default())
}
