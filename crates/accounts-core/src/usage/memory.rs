//! The port in memory, for tests and embedders. Nothing survives the process.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use parking_lot::{Mutex, MutexGuard};
use shared_core::{Scope, StoreError, Timestamp, WorkspaceId};

use super::{
    CallUsage, Estimate, Group, Grouping, MAX_ROWS, Report, ReportQuery, ReportRow, ReservationOutcome,
    ReservedWindows, Totals, UsageEntry, UsageKey, UsageRepository, UsageWindows,
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
    fn record_entry(&mut self, entry: &UsageEntry) {
        let mut totals = entry.totals;
        for settled in &entry.reservations {
            if self.reservations.remove(&settled.id).is_some() {
                totals += settled.totals;
            }
        }
        if totals != Totals::default() {
            *self.totals.entry(entry.account.clone()).or_default() += totals;
        }
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

    async fn reserve(
        &self,
        scope: &Scope,
        key: &str,
        limits: &KeyLimits,
        estimate: &Estimate,
        now: Timestamp,
    ) -> Result<ReservationOutcome, StoreError> {
        let mut rows = self.rows();
        let (_, windows) = rows.keys.get_mut(&limit_key(scope, key)).ok_or(StoreError::Missing("key"))?;
        Ok(windows
            .reserve(now, limits, estimate)
            .map_or_else(ReservationOutcome::Refused, ReservationOutcome::Granted))
    }

    async fn open_reservation(
        &self,
        account: &UsageKey,
        estimate: &Estimate,
        until: Timestamp,
    ) -> Result<i64, StoreError> {
        let mut rows = self.rows();
        rows.last_reservation += 1;
        let id = rows.last_reservation;
        rows.reservations.insert(id, (account.clone(), *estimate, until));
        Ok(id)
    }

    async fn settle_expired(&self, now: Option<Timestamp>) -> Result<u64, StoreError> {
        let mut rows = self.rows();
        let is_lost = |until: &Timestamp| now.is_none_or(|now| *until < now);
        let lost: Vec<UsageEntry> = rows
            .reservations
            .iter()
            .filter(|(_, (.., until))| is_lost(until))
            .map(|(id, (account, estimate, _))| {
                UsageEntry::of(account.clone(), &estimate.to_usage(), Some(*id))
            })
            .collect();
        lost.iter().for_each(|entry| rows.record_entry(entry));
        Ok(lost.len() as u64)
    }

    async fn settle(
        &self,
        entry: &UsageEntry,
        room: ReservedWindows,
        estimate: &Estimate,
        spend: &CallUsage,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let key = entry.account.key.clone().unwrap_or_default();
        if let Some((_, windows)) = rows.keys.get_mut(&(entry.account.workspace.clone(), key)) {
            windows.settle(room, estimate, spend);
        }
        rows.record_entry(entry);
        Ok(())
    }

    async fn record(&self, entries: &[UsageEntry]) -> Result<(), StoreError> {
        let mut rows = self.rows();
        for entry in entries {
            rows.record_entry(entry);
        }
        Ok(())
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
