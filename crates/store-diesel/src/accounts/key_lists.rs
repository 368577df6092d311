//! Lists of keys, and single keys of a workspace.

use accounts_core::{ApiKey, KeyKind};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, OptionalExtension as _, QueryDsl as _,
    RunQueryDsl as _,
};
use shared_core::{Cursor, Page, PageRequest};

use super::rows::{KeyRow, key_columns};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::lists;
use crate::schema::api_keys;
use crate::text_encoding::encode;

/// The keys of a workspace without sign-ins that have ended by `now`.
macro_rules! listed {
    ($workspace:expr, $now:expr) => {{
        let lasts = api_keys::revoked.is_null().and(api_keys::expires.gt($now));
        api_keys::table
            .filter(api_keys::workspace.eq($workspace))
            .filter(api_keys::kind.ne(KeyKind::SignIn.name()).or(lasts))
    }};
}

/// A page of them, newest first.
pub(super) fn list(
    connection: &mut AnyConnection,
    workspace: &str,
    now: i64,
    page: &PageRequest,
) -> Result<Page<ApiKey>, Failure> {
    let total: i64 = listed!(workspace, now).count().get_result(connection)?;
    let query = listed!(workspace, now).select(key_columns!()).into_boxed();
    let rows: Vec<KeyRow> =
        lists::cut!(query, page, api_keys::created, api_keys::id, String::from).load(connection)?;
    let items = rows.into_iter().map(KeyRow::read).collect::<Result<Vec<_>, _>>()?;
    Ok(lists::page(items, total, page, |key| Cursor { created: key.created, id: key.id.clone() })?)
}

/// The key with this prefix or id.
pub(super) fn find(
    connection: &mut AnyConnection,
    workspace: &str,
    key: &str,
) -> Result<Option<ApiKey>, Failure> {
    let key = encode(key).into_owned();
    let row: Option<KeyRow> = api_keys::table
        .filter(api_keys::workspace.eq(workspace))
        .filter(api_keys::prefix.eq(&key).or(api_keys::id.eq(&key)))
        .select(key_columns!())
        .first(connection)
        .optional()?;
    Ok(row.map(KeyRow::read).transpose()?)
}

/// The keys with these ids.
pub(super) fn find_all(
    connection: &mut AnyConnection,
    workspace: &str,
    ids: &[String],
) -> Result<Vec<ApiKey>, Failure> {
    let ids: Vec<String> = ids.iter().map(|id| encode(id).into_owned()).collect();
    let rows: Vec<KeyRow> = api_keys::table
        .filter(api_keys::workspace.eq(workspace))
        .filter(api_keys::id.eq_any(ids))
        .select(key_columns!())
        .load(connection)?;
    rows.into_iter().map(|row| row.read().map_err(Failure::from)).collect()
}

/// The key of any workspace whose page has this name.
pub(super) fn find_by_page(connection: &mut AnyConnection, page: &str) -> Result<Option<ApiKey>, Failure> {
    let row: Option<KeyRow> = api_keys::table
        .filter(api_keys::page.eq(page))
        .select(key_columns!())
        .first(connection)
        .optional()?;
    Ok(row.map(KeyRow::read).transpose()?)
}
