//! Reservations of calls of servers that died.

use accounts_core::Money;
use accounts_core::usage::{Day, Estimate, UsageEntry, UsageKey};
use diesel::{ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use shared_core::{StoreError, Timestamp, WorkspaceId};

use super::commit::{LockedKeys, close_all};
use super::daily_totals;
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::rows::count;
use crate::schema::usage_reservations;
use crate::text_encoding::decode;

/// Maximum number of expired reservations that one transaction settles.
pub(super) const EXPIRY_BATCH: usize = 500;

type Row = (i64, String, i32, String, String, i64, Option<i64>);

/// Settles reservations that expired before `now`, or all, at their estimates. Returns their number.
pub(super) fn settle_expired(
    connection: &mut AnyConnection,
    now: Option<Timestamp>,
) -> Result<usize, Failure> {
    let query = usage_reservations::table
        .filter(usage_reservations::until.lt(now.map_or(i64::MAX, Timestamp::micros)))
        .order(usage_reservations::id)
        .limit(EXPIRY_BATCH as i64)
        .select((
            usage_reservations::id,
            usage_reservations::workspace,
            usage_reservations::day,
            usage_reservations::key_id,
            usage_reservations::model,
            usage_reservations::tokens,
            usage_reservations::cost,
        ));
    // Concurrent servers skip each other's rows.
    let rows: Vec<Row> = match connection {
        AnyConnection::Postgres(inner) => query.for_update().skip_locked().load(inner)?,
        AnyConnection::Sqlite(inner) => query.load(inner)?,
    };
    let mut entries = rows.into_iter().map(entry).collect::<Result<Vec<UsageEntry>, StoreError>>()?;
    // One order for all servers, to prevent deadlocks.
    entries.sort_by(|a, b| a.account.cmp(&b.account));
    for entry in &entries {
        let totals = close_all(connection, entry, &mut LockedKeys::default())?;
        daily_totals::add(connection, &entry.account, totals)?;
    }
    Ok(entries.len())
}

fn entry((id, workspace, day, key, model, tokens, cost): Row) -> Result<UsageEntry, StoreError> {
    let account = UsageKey {
        workspace: WorkspaceId(workspace),
        key: Some(key).filter(|key| !key.is_empty()),
        model: decode(model),
        day: Day(day),
    };
    let estimate = Estimate { tokens: count(tokens)?, cost: cost.map(count).transpose()?.map(Money) };
    Ok(UsageEntry::reserved(account, &estimate.to_usage(), id, None))
}
