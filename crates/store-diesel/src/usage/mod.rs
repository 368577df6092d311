//! Usage: what is booked, and the windows of limits.

mod books;
mod lost;
mod windows;

use accounts_core::KeyLimits;
use accounts_core::usage::{
    Account, Entry, Estimate, Report, ReportQuery, Reserved, Room, Spend, UsageRepository,
};
use async_trait::async_trait;
use diesel::{ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, RunQueryDsl as _};
use shared_core::{Scope, StoreError, Timestamp};

use crate::accounts::{LimitsRow, limit_columns};
use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::Failure;
use crate::schema::api_keys;

/// Usage in the database.
#[derive(Clone, Debug)]
pub struct DieselUsage(Database);

impl DieselUsage {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl UsageRepository for DieselUsage {
    async fn limits(&self, scope: &Scope, key: &str) -> Result<Option<KeyLimits>, StoreError> {
        let (workspace, key) = (scope.workspace.0.clone(), key.to_owned());
        let find = move |connection: &mut AnyConnection| {
            let query = api_keys::table
                .filter(api_keys::id.eq(&key))
                .filter(api_keys::workspace.eq(&workspace))
                .select(limit_columns!());
            let found: Option<LimitsRow> =
                prepared!(connection, inner => query.get_result(inner).optional())?;
            Ok::<_, Failure>(found.map(LimitsRow::read).transpose()?)
        };
        self.0.look_up(find).await
    }

    async fn reserve(
        &self,
        scope: &Scope,
        key: &str,
        limits: &KeyLimits,
        estimate: &Estimate,
        now: Timestamp,
    ) -> Result<Reserved, StoreError> {
        let (workspace, key) = (scope.workspace.0.clone(), key.to_owned());
        let (limits, estimate) = (*limits, *estimate);
        let reserve = move |connection: &mut AnyConnection| {
            let mut windows = match windows::locked(connection, &workspace, &key)? {
                Some(windows) => windows,
                None => windows::begun(connection, &workspace, &key)?,
            };
            match windows.reserve(now, &limits, &estimate) {
                Err(reached) => Ok(Reserved::Full(reached)),
                Ok(room) => {
                    windows::store(connection, &workspace, &key, &windows)?;
                    Ok(Reserved::Kept(room))
                }
            }
        };
        self.0.write(reserve).await
    }

    async fn open(
        &self,
        account: &Account,
        estimate: &Estimate,
        until: Timestamp,
    ) -> Result<i64, StoreError> {
        let (account, estimate) = (account.clone(), *estimate);
        self.0.write(move |connection| lost::open(connection, &account, &estimate, until)).await
    }

    async fn book_lost(&self, now: Option<Timestamp>) -> Result<u64, StoreError> {
        let mut all = 0;
        loop {
            let booked = self.0.write(move |connection| lost::book(connection, now)).await?;
            all += booked as u64;
            if booked < lost::TOGETHER {
                return Ok(all);
            }
        }
    }

    async fn settle(
        &self,
        entry: &Entry,
        room: Room,
        estimate: &Estimate,
        spend: &Spend,
    ) -> Result<(), StoreError> {
        let entry = entry.clone();
        let (estimate, spend) = (*estimate, *spend);
        let settle = move |connection: &mut AnyConnection| {
            let workspace = &entry.account.workspace.0;
            let key = entry.account.key.as_deref().unwrap_or_default();
            if let Some(mut windows) = windows::locked(connection, workspace, key)? {
                windows.settle(room, &estimate, &spend);
                windows::store(connection, workspace, key, &windows)?;
            }
            books::add(connection, &entry)
        };
        self.0.write(settle).await
    }

    async fn record(&self, entries: &[Entry]) -> Result<(), StoreError> {
        let entries = entries.to_vec();
        let record = move |connection: &mut AnyConnection| {
            entries.iter().try_for_each(|entry| books::add(connection, entry))
        };
        self.0.write(record).await
    }

    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError> {
        let (workspace, query) = (scope.workspace.0.clone(), query.clone());
        self.0.read(move |connection| books::report(connection, &workspace, &query)).await
    }
}
