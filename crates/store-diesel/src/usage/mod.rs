//! The adapter of usage: recorded usage, reservations and the windows of limits.

mod daily_totals;
mod reservations;
mod windows;

use accounts_core::KeyLimits;
use accounts_core::usage::{
    CallUsage, Estimate, Report, ReportQuery, ReservationOutcome, ReservedWindows, UsageEntry, UsageKey,
    UsageRepository,
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
        Self(database.without_audit())
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
    ) -> Result<ReservationOutcome, StoreError> {
        let (workspace, key) = (scope.workspace.0.clone(), key.to_owned());
        let (limits, estimate) = (*limits, *estimate);
        let reserve = move |connection: &mut AnyConnection| {
            let mut windows = match windows::lock_windows(connection, &workspace, &key)? {
                Some(windows) => windows,
                None => windows::create_windows(connection, &workspace, &key)?,
            };
            match windows.reserve(now, &limits, &estimate) {
                Err(reached) => Ok(ReservationOutcome::Refused(reached)),
                Ok(room) => {
                    windows::store(connection, &workspace, &key, &windows)?;
                    Ok(ReservationOutcome::Granted(room))
                }
            }
        };
        self.0.write(reserve).await
    }

    async fn open_reservation(
        &self,
        account: &UsageKey,
        estimate: &Estimate,
        until: Timestamp,
    ) -> Result<i64, StoreError> {
        let (account, estimate) = (account.clone(), *estimate);
        self.0
            .write(move |connection| reservations::insert_reservation(connection, &account, &estimate, until))
            .await
    }

    async fn settle_expired(&self, now: Option<Timestamp>) -> Result<u64, StoreError> {
        let mut all = 0;
        loop {
            let booked =
                self.0.write(move |connection| reservations::settle_expired(connection, now)).await?;
            all += booked as u64;
            if booked < reservations::EXPIRY_BATCH {
                return Ok(all);
            }
        }
    }

    async fn settle(
        &self,
        entry: &UsageEntry,
        room: ReservedWindows,
        estimate: &Estimate,
        spend: &CallUsage,
    ) -> Result<(), StoreError> {
        let entry = entry.clone();
        let (estimate, spend) = (*estimate, *spend);
        let settle = move |connection: &mut AnyConnection| {
            let workspace = &entry.account.workspace.0;
            let key = entry.account.key.as_deref().unwrap_or_default();
            if let Some(mut windows) = windows::lock_windows(connection, workspace, key)? {
                windows.settle(room, &estimate, &spend);
                windows::store(connection, workspace, key, &windows)?;
            }
            daily_totals::add(connection, &entry)
        };
        self.0.write(settle).await
    }

    async fn record(&self, entries: &[UsageEntry]) -> Result<(), StoreError> {
        let entries = entries.to_vec();
        let record = move |connection: &mut AnyConnection| {
            entries.iter().try_for_each(|entry| daily_totals::add(connection, entry))
        };
        self.0.write(record).await
    }

    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError> {
        let (workspace, query) = (scope.workspace.0.clone(), query.clone());
        self.0.bulk().read(move |connection| daily_totals::report(connection, &workspace, &query)).await
    }
}
