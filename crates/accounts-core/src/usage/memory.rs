//! The port in memory, for tests and embedders. Nothing survives the process.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::{Mutex, MutexGuard};
use shared_core::{Scope, StoreError, Timestamp, WorkspaceId};

use super::{
    CallOpening, Estimate, Group, Grouping, MAX_ROWS, OpenedCall, OpeningOutcome, Report, ReportQuery,
    ReportRow, Totals, UsageBatch, UsageEntry, UsageKey, UsageRepository, UsageWindows,
};
use crate::KeyLimits;

/// A key by its workspace and identifier.
type Key = (WorkspaceId, String);

/// Usage in memory, for the keys that were registered with [`MemoryUsage::add_key`].
#[derive(Debug, Default)]
pub struct MemoryUsage(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    keys: HashMap<Key, (KeyLimits, UsageWindows)>,
    totals: BTreeMap<UsageKey, Totals>,
    reservations: BTreeMap<i64, (UsageKey, Estimate, Timestamp)>,
    last_reservation: i64,
}

impl Rows {
    fn windows(&mut self, account: &UsageKey) -> Option<&mut UsageWindows> {
        let key = account.key.clone().unwrap_or_default();
        self.keys.get_mut(&(account.workspace.clone(), key)).map(|(_, windows)| windows)
    }

    fn record_entry(&mut self, entry: &UsageEntry) {
        let mut totals = entry.totals;
        for settled in &entry.reservations {
            let is_own = self
                .reservations
                .get(&settled.id)
                .is_some_and(|(account, ..)| account.workspace == entry.account.workspace);
            if !is_own {
                continue;
            }
            self.reservations.remove(&settled.id);
            totals += settled.totals;
            if let Some(settled) = &settled.windows
                && let Some(windows) = self.windows(&entry.account)
            {
                windows.settle(settled.windows, &settled.estimate, &settled.usage);
            }
        }
        if totals != Totals::default() {
            *self.totals.entry(entry.account.clone()).or_default() += totals;
        }
    }

    fn open(&mut self, opening: &CallOpening) -> OpeningOutcome {
        let CallOpening { account, estimate, limits, now, until } = opening;
        let mut reserved = None;
        if !limits.is_empty() {
            let Some(windows) = self.windows(account) else { return OpeningOutcome::UnknownKey };
            match windows.reserve(*now, limits, estimate) {
                Ok(windows) => reserved = Some(windows),
                Err(reached) => return OpeningOutcome::Refused(reached),
            }
        }
        self.last_reservation += 1;
        let id = self.last_reservation;
        self.reservations.insert(id, (account.clone(), *estimate, *until));
        OpeningOutcome::Opened(OpenedCall { id, windows: reserved })
    }
}

impl MemoryUsage {
    /// Registers a key and its limits.
    pub fn add_key(&self, workspace: &WorkspaceId, key: &str, limits: KeyLimits) {
        self.rows().keys.insert((workspace.clone(), key.to_owned()), (limits, UsageWindows::default()));
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock()
    }
}

fn limit_key(scope: &Scope, key: &str) -> Key {
    (scope.workspace.clone(), key.to_owned())
}

fn group(account: &UsageKey, by: Grouping) -> Group {
    match by {
        Grouping::Model => Group::Model(account.model.clone()),
        Grouping::Key => Group::Key(account.key.clone()),
        Grouping::Day => Group::Day(account.day),
    }
}

#[async_trait]
impl UsageRepository for MemoryUsage {
    async fn limits(&self, scope: &Scope, key: &str) -> Result<Option<KeyLimits>, StoreError> {
        Ok(self.rows().keys.get(&limit_key(scope, key)).map(|(limits, _)| *limits))
    }

    async fn commit(&self, batch: Arc<UsageBatch>) -> Result<Vec<OpeningOutcome>, StoreError> {
        let mut rows = self.rows();
        batch.entries.iter().for_each(|entry| rows.record_entry(entry));
        Ok(batch.openings.iter().map(|opening| rows.open(opening)).collect())
    }

    async fn settle_expired(&self, now: Option<Timestamp>) -> Result<u64, StoreError> {
        let mut rows = self.rows();
        let is_lost = |until: &Timestamp| now.is_none_or(|now| *until < now);
        let lost: Vec<UsageEntry> = rows
            .reservations
            .iter()
            .filter(|(_, (.., until))| is_lost(until))
            .map(|(id, (account, estimate, _))| {
                UsageEntry::reserved(account.clone(), &estimate.to_usage(), *id, None)
            })
            .collect();
        lost.iter().for_each(|entry| rows.record_entry(entry));
        Ok(lost.len() as u64)
    }

    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError> {
        let mut groups: BTreeMap<Group, Totals> = BTreeMap::new();
        let mut total = Totals::default();
        for (account, totals) in &self.rows().totals {
            let wanted = account.workspace == scope.workspace
                && (query.from..=query.to).contains(&account.day)
                && query.model.as_ref().is_none_or(|model| *model == account.model)
                && query.key.as_ref().is_none_or(|key| account.key.as_ref() == Some(key));
            if wanted {
                *groups.entry(group(account, query.by)).or_default() += *totals;
                total += *totals;
            }
        }
        let mut rows: Vec<ReportRow> =
            groups.into_iter().map(|(group, totals)| ReportRow { group, totals }).collect();
        if query.by != Grouping::Day {
            rows.sort_by_key(|row| std::cmp::Reverse((row.totals.cost, row.totals.requests)));
        }
        rows.truncate(MAX_ROWS);
        Ok(Report { rows, total })
    }
}
