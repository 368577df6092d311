//! The port in memory, for tests and embedders. Nothing survives the process.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp, WorkspaceId};

use super::{
    Account, Entry, Estimate, Group, Grouping, MAX_ROWS, Report, ReportQuery, ReportRow, Reserved, Room,
    Spend, Totals, UsageRepository, Windows,
};
use crate::KeyLimits;

/// A key by its workspace and identifier.
type Key = (WorkspaceId, String);

/// Usage in memory. It knows the keys that it is told of.
#[derive(Debug, Default)]
pub struct MemoryUsage(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    keys: HashMap<Key, (KeyLimits, Windows)>,
    booked: BTreeMap<Account, Totals>,
    open: BTreeMap<i64, (Account, Estimate, Timestamp)>,
    opened: i64,
}

impl Rows {
    fn book(&mut self, entry: &Entry) {
        *self.booked.entry(entry.account.clone()).or_default() += entry.totals;
        self.open.retain(|id, _| !entry.closes.contains(id));
    }
}

impl MemoryUsage {
    /// Makes a key known.
    pub fn add_key(&self, workspace: &WorkspaceId, key: &str, limits: KeyLimits) {
        self.rows().keys.insert((workspace.clone(), key.to_owned()), (limits, Windows::default()));
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn place(scope: &Scope, key: &str) -> Key {
    (scope.workspace.clone(), key.to_owned())
}

fn group(account: &Account, by: Grouping) -> Group {
    match by {
        Grouping::Model => Group::Model(account.model.clone()),
        Grouping::Key => Group::Key(account.key.clone()),
        Grouping::Day => Group::Day(account.day),
    }
}

#[async_trait]
impl UsageRepository for MemoryUsage {
    async fn limits(&self, scope: &Scope, key: &str) -> Result<Option<KeyLimits>, StoreError> {
        Ok(self.rows().keys.get(&place(scope, key)).map(|(limits, _)| *limits))
    }

    async fn reserve(
        &self,
        scope: &Scope,
        key: &str,
        limits: &KeyLimits,
        estimate: &Estimate,
        now: Timestamp,
    ) -> Result<Reserved, StoreError> {
        let mut rows = self.rows();
        let (_, windows) = rows.keys.get_mut(&place(scope, key)).ok_or(StoreError::Missing("key"))?;
        Ok(windows.reserve(now, limits, estimate).map_or_else(Reserved::Full, Reserved::Kept))
    }

    async fn open(
        &self,
        account: &Account,
        estimate: &Estimate,
        until: Timestamp,
    ) -> Result<i64, StoreError> {
        let mut rows = self.rows();
        rows.opened += 1;
        let id = rows.opened;
        rows.open.insert(id, (account.clone(), *estimate, until));
        Ok(id)
    }

    async fn book_lost(&self, now: Option<Timestamp>) -> Result<u64, StoreError> {
        let mut rows = self.rows();
        let is_lost = |until: &Timestamp| now.is_none_or(|now| *until < now);
        let lost: Vec<Entry> = rows
            .open
            .iter()
            .filter(|(_, (.., until))| is_lost(until))
            .map(|(id, (account, estimate, _))| Entry {
                account: account.clone(),
                totals: Totals::of(&estimate.spent()),
                closes: vec![*id],
            })
            .collect();
        lost.iter().for_each(|entry| rows.book(entry));
        Ok(lost.len() as u64)
    }

    async fn settle(
        &self,
        entry: &Entry,
        room: Room,
        estimate: &Estimate,
        spend: &Spend,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let key = entry.account.key.clone().unwrap_or_default();
        if let Some((_, windows)) = rows.keys.get_mut(&(entry.account.workspace.clone(), key)) {
            windows.settle(room, estimate, spend);
        }
        rows.book(entry);
        Ok(())
    }

    async fn record(&self, entries: &[Entry]) -> Result<(), StoreError> {
        let mut rows = self.rows();
        for entry in entries {
            rows.book(entry);
        }
        Ok(())
    }

    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError> {
        let mut groups: BTreeMap<Group, Totals> = BTreeMap::new();
        let mut total = Totals::default();
        for (account, totals) in &self.rows().booked {
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
