//! The adapter of usage: recorded usage, reservations and the windows of limits.

mod commit;
mod daily_totals;
mod expiry;
mod reservations;
mod windows;

use std::sync::Arc;

use accounts_core::KeyLimits;
use accounts_core::usage::{OpeningOutcome, Report, ReportQuery, UsageBatch, UsageRepository};
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

    async fn commit(&self, batch: Arc<UsageBatch>) -> Result<Vec<OpeningOutcome>, StoreError> {
        self.0.write(move |connection| commit::commit(connection, &batch)).await
    }

    async fn settle_expired(&self, now: Option<Timestamp>) -> Result<u64, StoreError> {
        let mut all = 0;
        loop {
            let booked = self.0.write(move |connection| expiry::settle_expired(connection, now)).await?;
            all += booked as u64;
            if booked < expiry::EXPIRY_BATCH {
                return Ok(all);
            }
        }
    }

    async fn report(&self, scope: &Scope, query: &ReportQuery) -> Result<Report, StoreError> {
        let (workspace, query) = (scope.workspace.0.clone(), query.clone());
        self.0.bulk().read(move |connection| daily_totals::report(connection, &workspace, &query)).await
    }
}
