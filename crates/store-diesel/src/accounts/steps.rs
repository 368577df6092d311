//! Transactions on the users of a workspace.

use accounts_core::{Account, KeyKind, Role, User, UserUpdate};
use diesel::dsl::exists;
use diesel::sql_types::Text;
use diesel::{
    ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _, QueryDsl as _, RunQueryDsl as _,
};
use shared_core::{StoreError, Timestamp};

use super::rows::{UserRow, WorkspaceRow, insert_user, user_columns};
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::schema::{api_keys, users, workspaces};
use crate::text_encoding::encode;

diesel::define_sql_function! {
    /// Lower case; of ASCII letters in both databases.
    fn lower(text: Text) -> Text;
}

/// Adds a user, or takes back a removed one of the same e-mail address.
pub(super) fn add_user(connection: &mut AnyConnection, user: &User) -> Result<User, Failure> {
    lock_users(connection, &user.workspace.0)?;
    let row: Option<UserRow> = users::table
        .filter(users::workspace.eq(&user.workspace.0))
        .filter(lower(users::email).eq(lower(encode(&user.email).into_owned())))
        .select(user_columns!())
        .first(connection)
        .optional()?;
    let Some(stored) = row.map(UserRow::read).transpose()? else {
        insert_user(connection, user)?;
        return Ok(user.clone());
    };
    if stored.removed.is_none() {
        return Err(StoreError::Taken("e-mail").into());
    }
    let user = User { id: stored.id, email: stored.email, created: stored.created, ..user.clone() };
    store(connection, &user)?;
    Ok(user)
}

/// Stores what differs of the name, role and removal of a user, unless no owner would be left.
pub(super) fn update_user(
    connection: &mut AnyConnection,
    before: &User,
    after: &User,
) -> Result<UserUpdate, Failure> {
    lock_users(connection, &after.workspace.0)?;
    let active = || {
        let own = users::table.filter(users::workspace.eq(&after.workspace.0));
        own.filter(users::removed.is_null())
    };
    let row: Option<UserRow> =
        active().filter(users::id.eq(&after.id.0)).select(user_columns!()).first(connection).optional()?;
    let Some(stored) = row.map(UserRow::read).transpose()? else { return Ok(UserUpdate::NotFound) };
    let user = &User {
        name: if before.name == after.name { stored.name.clone() } else { after.name.clone() },
        role: if before.role == after.role { stored.role } else { after.role },
        removed: after.removed,
        ..stored.clone()
    };
    if stored.role == Role::Owner && (user.role != Role::Owner || user.removed.is_some()) {
        let owner = Role::Owner.name();
        let others = active().filter(users::role.eq(owner)).filter(users::id.ne(&user.id.0));
        if !diesel::select(exists(others)).get_result::<bool>(connection)? {
            return Ok(UserUpdate::LastOwner);
        }
    }
    if let Some(at) = user.removed {
        store_password(connection, &user.workspace.0, &user.id.0, None)?;
        revoke_keys(connection, &user.workspace.0, &user.id.0, &[KeyKind::Issued, KeyKind::SignIn], at)?;
    }
    store(connection, user)?;
    Ok(UserUpdate::Stored)
}

/// The accounts that have this e-mail address.
pub(super) fn accounts(connection: &mut AnyConnection, email: &str) -> Result<Vec<Account>, Failure> {
    let rows: Vec<(UserRow, Option<String>, WorkspaceRow)> = users::table
        .inner_join(workspaces::table.on(workspaces::id.eq(users::workspace)))
        .filter(lower(users::email).eq(lower(encode(email).into_owned())))
        .filter(users::removed.is_null())
        .order(users::workspace)
        .select((user_columns!(), users::password, workspaces::all_columns))
        .load(connection)?;
    let read = |(user, password, workspace): (UserRow, Option<String>, WorkspaceRow)| {
        let (user, workspace) = (user.read()?, workspace.read()?);
        Ok::<_, Failure>(Account { user, workspace, password })
    };
    let accounts: Vec<Account> = rows.into_iter().map(read).collect::<Result<_, _>>()?;
    // PostgreSQL folds other letters too.
    Ok(accounts.into_iter().filter(|account| account.user.email.eq_ignore_ascii_case(email)).collect())
}

/// Stores the hash of a user's password and ends the user's sign-ins. Returns whether there is such a user.
pub(super) fn set_password(
    connection: &mut AnyConnection,
    workspace: &str,
    user: &str,
    hash: Option<&str>,
    at: Timestamp,
) -> Result<bool, Failure> {
    let is_there = store_password(connection, workspace, user, hash)?;
    if is_there {
        revoke_keys(connection, workspace, user, &[KeyKind::SignIn], at)?;
    }
    Ok(is_there)
}

/// Serialises the changes of a workspace's users, so that two owners cannot remove each other. SQLite has one writer.
fn lock_users(connection: &mut AnyConnection, workspace: &str) -> Result<(), Failure> {
    if let AnyConnection::Postgres(inner) = connection {
        let own = workspaces::table.filter(workspaces::id.eq(workspace)).select(workspaces::id);
        let _locked: Option<String> = own.for_no_key_update().first(inner).optional()?;
    }
    Ok(())
}

fn store(connection: &mut AnyConnection, user: &User) -> Result<(), Failure> {
    let named = users::table.filter(users::workspace.eq(&user.workspace.0)).filter(users::id.eq(&user.id.0));
    let changes = (
        users::name.eq(encode(&user.name).into_owned()),
        users::role.eq(user.role.name()),
        users::removed.eq(user.removed.map(Timestamp::micros)),
    );
    diesel::update(named).set(changes).execute(connection)?;
    Ok(())
}

fn store_password(
    connection: &mut AnyConnection,
    workspace: &str,
    user: &str,
    hash: Option<&str>,
) -> Result<bool, Failure> {
    let named = users::table.filter(users::workspace.eq(workspace)).filter(users::id.eq(user));
    let named = named.filter(users::removed.is_null());
    Ok(diesel::update(named).set(users::password.eq(hash)).execute(connection)? > 0)
}

/// Revokes the user's keys of these kinds.
fn revoke_keys(
    connection: &mut AnyConnection,
    workspace: &str,
    user: &str,
    kinds: &[KeyKind],
    at: Timestamp,
) -> Result<(), Failure> {
    let own = api_keys::table.filter(api_keys::workspace.eq(workspace)).filter(api_keys::user_id.eq(user));
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let valid = own.filter(api_keys::kind.eq_any(kinds)).filter(api_keys::revoked.is_null());
    let changes = (api_keys::revoked.eq(Some(at.micros())), api_keys::page.eq(None::<String>));
    diesel::update(valid).set(changes).execute(connection)?;
    Ok(())
}
