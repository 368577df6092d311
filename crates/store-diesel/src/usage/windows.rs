//! The row of a key's windows. On PostgreSQL it is locked before it is read, so that concurrent reservations
//! are serialised; SQLite has one writer.

use accounts_core::Money;
use accounts_core::usage::{UsageWindow, UsageWindows};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, Queryable,
    RunQueryDsl as _,
};
use shared_core::StoreError;

use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::{count, stored_count};
use crate::schema::{api_keys, usage_windows};
use crate::static_statement::execute_static;

#[derive(Queryable)]
struct WindowsRow {
    minute: (i64, i64, i64, i64),
    day: (i64, i64, i64, i64),
}

impl WindowsRow {
    fn read(self) -> Result<UsageWindows, StoreError> {
        let window = |(start, requests, tokens, cost)| {
            let (requests, tokens, cost) = (count(requests)?, count(tokens)?, Money(count(cost)?));
            Ok::<_, StoreError>(UsageWindow { start, requests, tokens, cost })
        };
        Ok(UsageWindows { minute: window(self.minute)?, day: window(self.day)? })
    }
}

/// The row of a key.
macro_rules! row {
    ($workspace:expr, $key:expr) => {
        usage_windows::table
            .filter(usage_windows::workspace.eq($workspace).and(usage_windows::key_id.eq($key)))
    };
}

/// The windows of a key, locked until the end of the transaction.
pub(super) fn lock(
    connection: &mut AnyConnection,
    workspace: &str,
    key: &str,
) -> Result<Option<UsageWindows>, Failure> {
    let query = row!(workspace, key).select((
        (
            usage_windows::minute,
            usage_windows::minute_requests,
            usage_windows::minute_tokens,
            usage_windows::minute_cost,
        ),
        (usage_windows::day, usage_windows::day_requests, usage_windows::day_tokens, usage_windows::day_cost),
    ));
    let found: Option<WindowsRow> = match connection {
        AnyConnection::Postgres(inner) => query.for_update().get_result(inner).optional()?,
        AnyConnection::Sqlite(inner) => query.get_result(inner).optional()?,
    };
    Ok(found.map(WindowsRow::read).transpose()?)
}

/// Creates the windows of a key that has none yet; `None` when the workspace has no such key.
pub(super) fn create(
    connection: &mut AnyConnection,
    workspace: &str,
    key: &str,
) -> Result<Option<UsageWindows>, Failure> {
    let known = api_keys::table
        .filter(api_keys::id.eq(key).and(api_keys::workspace.eq(workspace)))
        .select(api_keys::id);
    let known: Option<String> = prepared!(connection, inner => known.get_result(inner).optional())?;
    if known.is_none() {
        return Ok(None);
    }
    let insert = diesel::insert_into(usage_windows::table)
        .values((
            usage_windows::workspace.eq(workspace),
            usage_windows::key_id.eq(key),
            values(&UsageWindows::default()),
        ))
        .on_conflict_do_nothing();
    let inserted = prepared!(connection, inner => insert.execute(inner));
    // The key may have been deleted meanwhile. The next attempt does not find it.
    inserted.map_err(|error| match error {
        DieselError::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _) => Failure::Retry,
        other => other.into(),
    })?;
    // A concurrent transaction may have created them.
    lock(connection, workspace, key)?.map(Some).ok_or(Failure::Retry)
}

pub(super) fn store(
    connection: &mut AnyConnection,
    workspace: &str,
    key: &str,
    windows: &UsageWindows,
) -> Result<(), Failure> {
    let update = diesel::update(row!(workspace, key)).set(values(windows));
    execute_static!(connection, update, usage_windows::minute)?;
    Ok(())
}

type Set<C> = diesel::dsl::Eq<C, i64>;
type Values = (
    Set<usage_windows::minute>,
    Set<usage_windows::minute_requests>,
    Set<usage_windows::minute_tokens>,
    Set<usage_windows::minute_cost>,
    Set<usage_windows::day>,
    Set<usage_windows::day_requests>,
    Set<usage_windows::day_tokens>,
    Set<usage_windows::day_cost>,
);

fn values(windows: &UsageWindows) -> Values {
    let UsageWindows { minute, day } = windows;
    (
        usage_windows::minute.eq(minute.start),
        usage_windows::minute_requests.eq(stored_count(minute.requests)),
        usage_windows::minute_tokens.eq(stored_count(minute.tokens)),
        usage_windows::minute_cost.eq(stored_count(minute.cost.0)),
        usage_windows::day.eq(day.start),
        usage_windows::day_requests.eq(stored_count(day.requests)),
        usage_windows::day_tokens.eq(stored_count(day.tokens)),
        usage_windows::day_cost.eq(stored_count(day.cost.0)),
    )
}
