//! Rows of reservations of calls in flight.

use accounts_core::usage::{Estimate, UsageKey};
use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use shared_core::Timestamp;

use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::rows::stored_count;
use crate::schema::usage_reservations;
use crate::static_statement::StaticStatement;
use crate::text_encoding::encode;

/// Stores a reservation and returns its number.
pub(super) fn insert(
    connection: &mut AnyConnection,
    account: &UsageKey,
    estimate: &Estimate,
    until: Timestamp,
) -> Result<i64, Failure> {
    let insert = diesel::insert_into(usage_reservations::table).values((
        usage_reservations::workspace.eq(&account.workspace.0),
        usage_reservations::day.eq(account.day.0),
        usage_reservations::key_id.eq(account.key.as_deref().unwrap_or_default()),
        usage_reservations::model.eq(encode(&account.model)),
        usage_reservations::tokens.eq(stored_count(estimate.tokens)),
        usage_reservations::cost.eq(estimate.cost.map(|cost| stored_count(cost.0))),
        usage_reservations::until.eq(until.micros()),
    ));
    let insert = StaticStatement(insert.returning(usage_reservations::id));
    Ok(prepared!(connection, inner => insert.get_result(inner))?)
}

/// Deletes a reservation of the workspace; `false` when there is none.
pub(super) fn delete(connection: &mut AnyConnection, workspace: &str, id: i64) -> Result<bool, Failure> {
    let one = usage_reservations::table
        .filter(usage_reservations::workspace.eq(workspace).and(usage_reservations::id.eq(id)));
    Ok(prepared!(connection, inner => diesel::delete(one).execute(inner))? > 0)
}
