//! Used attempts to sign in, and sign-ins that have ended. They are deleted for the whole process, of all workspaces.

use accounts_core::KeyKind;
use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};

use crate::connection::{AnyConnection, prepared};
use crate::failure::Failure;
use crate::schema::{api_keys, sign_in_attempts as attempts};

/// Stores a used attempt. Returns whether it was not stored before.
pub(super) fn use_attempt(
    connection: &mut AnyConnection,
    state: &str,
    expires: i64,
) -> Result<bool, Failure> {
    let row = (attempts::state.eq(state), attempts::expires.eq(expires));
    let insert = diesel::insert_into(attempts::table).values(row).on_conflict_do_nothing();
    Ok(prepared!(connection, inner => insert.execute(inner))? > 0)
}

/// Deletes keys of sign-ins and used attempts that have expired, at most `limit` of each.
pub(super) fn delete_ended(connection: &mut AnyConnection, now: i64, limit: u32) -> Result<u64, Failure> {
    let limit = i64::from(limit);
    let keys: Vec<String> = api_keys::table
        .filter(api_keys::kind.eq(KeyKind::SignIn.name()).and(api_keys::expires.le(now)))
        .order((api_keys::expires, api_keys::id))
        .limit(limit)
        .select(api_keys::id)
        .load(connection)?;
    let used: Vec<String> = attempts::table
        .filter(attempts::expires.le(now))
        .order((attempts::expires, attempts::state))
        .limit(limit)
        .select(attempts::state)
        .load(connection)?;
    let mut deleted = 0;
    if !keys.is_empty() {
        deleted += diesel::delete(api_keys::table.filter(api_keys::id.eq_any(keys))).execute(connection)?;
    }
    if !used.is_empty() {
        deleted +=
            diesel::delete(attempts::table.filter(attempts::state.eq_any(used))).execute(connection)?;
    }
    Ok(deleted as u64)
}
