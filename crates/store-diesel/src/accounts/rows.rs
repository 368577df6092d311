//! Rows of workspaces, users and keys.

use accounts_core::{ApiKey, KeyKind, KeyLimits, KeyScope, Money, Role, User, Workspace};
use diesel::dsl::exists;
use diesel::{ExpressionMethods as _, OptionalExtension as _, QueryDsl as _, Queryable, RunQueryDsl as _};
use shared_core::{StoreError, Timestamp, UserId, WorkspaceId};

use super::publication;
use crate::connection::AnyConnection;
use crate::failure::{Failure, constraint_violation_as, corrupt, unique_violation_as};
use crate::rows::{count, from_json, optional_time, stored_count, time, to_json};
use crate::schema::{api_keys, users, workspaces};
use crate::text_encoding::{decode, encode};

#[derive(Queryable)]
pub(super) struct WorkspaceRow {
    id: String,
    name: String,
    created: i64,
    operator: i32,
}

impl WorkspaceRow {
    pub(super) fn read(self) -> Result<Workspace, StoreError> {
        Ok(Workspace {
            id: WorkspaceId(self.id),
            name: decode(self.name),
            is_operator: self.operator != 0,
            created: time(self.created)?,
        })
    }
}

#[derive(Queryable)]
pub(super) struct UserRow {
    workspace: String,
    id: String,
    name: String,
    email: String,
    created: i64,
    role: String,
    removed: Option<i64>,
}

impl UserRow {
    pub(super) fn read(self) -> Result<User, StoreError> {
        Ok(User {
            id: UserId(self.id),
            workspace: WorkspaceId(self.workspace),
            name: decode(self.name),
            email: decode(self.email),
            role: Role::from_name(&self.role)
                .ok_or_else(|| corrupt(format!("'{}' is no role", self.role)))?,
            created: time(self.created)?,
            removed: optional_time(self.removed)?,
        })
    }
}

/// The limits of a key as columns.
#[derive(Queryable)]
pub(crate) struct LimitsRow {
    requests_per_minute: Option<i32>,
    requests_per_day: Option<i64>,
    tokens_per_minute: Option<i64>,
    tokens_per_day: Option<i64>,
    cost_per_minute: Option<i64>,
    cost_per_day: Option<i64>,
}

/// The columns of [`LimitsRow`].
macro_rules! limit_columns {
    () => {
        (
            $crate::schema::api_keys::requests_per_minute,
            $crate::schema::api_keys::requests_per_day,
            $crate::schema::api_keys::tokens_per_minute,
            $crate::schema::api_keys::tokens_per_day,
            $crate::schema::api_keys::cost_per_minute,
            $crate::schema::api_keys::cost_per_day,
        )
    };
}
pub(crate) use limit_columns;

impl LimitsRow {
    pub(crate) fn read(self) -> Result<KeyLimits, StoreError> {
        let money = |stored: Option<i64>| Ok::<_, StoreError>(stored.map(count).transpose()?.map(Money));
        Ok(KeyLimits {
            requests_per_minute: self.requests_per_minute.map(|limit| count(i64::from(limit))).transpose()?,
            requests_per_day: self.requests_per_day.map(count).transpose()?,
            tokens_per_minute: self.tokens_per_minute.map(count).transpose()?,
            tokens_per_day: self.tokens_per_day.map(count).transpose()?,
            cost_per_minute: money(self.cost_per_minute)?,
            cost_per_day: money(self.cost_per_day)?,
        })
    }
}

#[derive(Queryable)]
pub(super) struct KeyRow {
    id: String,
    workspace: String,
    user: String,
    name: String,
    prefix: String,
    hash: String,
    scope: String,
    created: i64,
    expires: Option<i64>,
    revoked: Option<i64>,
    last_used: Option<i64>,
    kind: String,
    bases: Option<String>,
    successor: Option<String>,
    publication: Option<String>,
    page: Option<String>,
    filter: Option<String>,
    limits: LimitsRow,
}

impl KeyRow {
    pub(super) fn read(self) -> Result<ApiKey, StoreError> {
        let unknown = |what: &str, name: &str| corrupt(format!("'{name}' is no {what} of a key"));
        let scope = KeyScope::from_name(&self.scope).ok_or_else(|| unknown("scope", &self.scope))?;
        let kind = KeyKind::from_name(&self.kind).ok_or_else(|| unknown("kind", &self.kind))?;
        let (publication, public_text) = publication::read(self.publication.as_deref(), self.page)?;
        Ok(ApiKey {
            publication,
            public_text,
            id: self.id,
            workspace: WorkspaceId(self.workspace),
            user: UserId(self.user),
            name: decode(self.name),
            prefix: self.prefix,
            hash: self.hash,
            kind,
            scope,
            bases: self.bases.as_deref().map(from_json).transpose()?,
            filter: self.filter.as_deref().map(from_json).transpose()?,
            created: time(self.created)?,
            expires: optional_time(self.expires)?,
            successor: self.successor,
            revoked: optional_time(self.revoked)?,
            limits: self.limits.read()?,
            last_used: optional_time(self.last_used)?,
        })
    }
}

pub(super) fn insert_workspace(connection: &mut AnyConnection, workspace: &Workspace) -> Result<(), Failure> {
    diesel::insert_into(workspaces::table)
        .values((
            workspaces::id.eq(&workspace.id.0),
            workspaces::name.eq(encode(&workspace.name).as_ref()),
            workspaces::operator.eq(i32::from(workspace.is_operator)),
            workspaces::created.eq(workspace.created.micros()),
        ))
        .execute(connection)
        .map_err(unique_violation_as("workspace"))?;
    Ok(())
}

pub(super) fn insert_user(connection: &mut AnyConnection, user: &User) -> Result<(), Failure> {
    diesel::insert_into(users::table)
        .values((
            users::workspace.eq(&user.workspace.0),
            users::id.eq(&user.id.0),
            users::name.eq(encode(&user.name).as_ref()),
            users::email.eq(encode(&user.email).as_ref()),
            users::role.eq(user.role.name()),
            users::removed.eq(user.removed.map(Timestamp::micros)),
            users::created.eq(user.created.micros()),
        ))
        .execute(connection)
        .map_err(constraint_violation_as("e-mail", "workspace"))?;
    Ok(())
}

/// The columns of [`UserRow`].
macro_rules! user_columns {
    () => {
        (
            $crate::schema::users::workspace,
            $crate::schema::users::id,
            $crate::schema::users::name,
            $crate::schema::users::email,
            $crate::schema::users::created,
            $crate::schema::users::role,
            $crate::schema::users::removed,
        )
    };
}
pub(super) use user_columns;

/// The columns of [`KeyRow`].
macro_rules! key_columns {
    () => {
        (
            $crate::schema::api_keys::id,
            $crate::schema::api_keys::workspace,
            $crate::schema::api_keys::user_id,
            $crate::schema::api_keys::name,
            $crate::schema::api_keys::prefix,
            $crate::schema::api_keys::hash,
            $crate::schema::api_keys::scope,
            $crate::schema::api_keys::created,
            $crate::schema::api_keys::expires,
            $crate::schema::api_keys::revoked,
            $crate::schema::api_keys::last_used,
            $crate::schema::api_keys::kind,
            $crate::schema::api_keys::bases,
            $crate::schema::api_keys::successor,
            $crate::schema::api_keys::publication,
            $crate::schema::api_keys::page,
            $crate::schema::api_keys::filter,
            $crate::accounts::limit_columns!(),
        )
    };
}
pub(super) use key_columns;

/// The limits of a key as values of its columns.
macro_rules! limit_values {
    ($limits:expr) => {
        (
            api_keys::requests_per_minute
                .eq($limits.requests_per_minute.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX))),
            api_keys::requests_per_day.eq($limits.requests_per_day.map(stored_count)),
            api_keys::tokens_per_minute.eq($limits.tokens_per_minute.map(stored_count)),
            api_keys::tokens_per_day.eq($limits.tokens_per_day.map(stored_count)),
            api_keys::cost_per_minute.eq($limits.cost_per_minute.map(|money| stored_count(money.0))),
            api_keys::cost_per_day.eq($limits.cost_per_day.map(|money| stored_count(money.0))),
        )
    };
}

/// The knowledge bases of a key as JSON.
fn stored_bases(key: &ApiKey) -> Result<Option<String>, StoreError> {
    key.bases.as_ref().map(to_json).transpose()
}

/// The filter of a key as JSON.
fn stored_filter(key: &ApiKey) -> Result<Option<String>, StoreError> {
    key.filter.as_ref().map(to_json).transpose()
}

/// Stores a key of a user that was not removed. The row of the user is locked, so that a removal also revokes this key.
pub(super) fn insert_key(connection: &mut AnyConnection, key: &ApiKey) -> Result<(), Failure> {
    if lock_owner(connection, key)?.is_none() {
        return Err(StoreError::Missing("user").into());
    }
    store_key(connection, key)
}

/// Stores the key of a sign-in while its user is a member and, if `password` is given, has this hash. Returns whether it
/// is stored.
pub(super) fn insert_sign_in(
    connection: &mut AnyConnection,
    key: &ApiKey,
    password: Option<&str>,
) -> Result<bool, Failure> {
    let owner = lock_owner(connection, key)?;
    let is_allowed = owner.is_some_and(|stored| password.is_none() || password == stored.as_deref());
    if is_allowed {
        store_key(connection, key)?;
    }
    Ok(is_allowed)
}

/// The hash of the password of a key's user, who is a member until the transaction ends; `None` for one that is not.
fn lock_owner(connection: &mut AnyConnection, key: &ApiKey) -> Result<Option<Option<String>>, Failure> {
    let owner = users::table
        .filter(users::workspace.eq(&key.workspace.0))
        .filter(users::id.eq(&key.user.0))
        .filter(users::removed.is_null())
        .select(users::password);
    Ok(match connection {
        AnyConnection::Postgres(inner) => owner.for_share().first(inner).optional()?,
        AnyConnection::Sqlite(inner) => owner.first(inner).optional()?,
    })
}

fn store_key(connection: &mut AnyConnection, key: &ApiKey) -> Result<(), Failure> {
    publication::check_page(connection, key)?;
    diesel::insert_into(api_keys::table)
        .values((
            api_keys::id.eq(&key.id),
            api_keys::workspace.eq(&key.workspace.0),
            api_keys::user_id.eq(&key.user.0),
            api_keys::name.eq(encode(&key.name).as_ref()),
            api_keys::prefix.eq(&key.prefix),
            api_keys::hash.eq(&key.hash),
            api_keys::kind.eq(key.kind.name()),
            api_keys::scope.eq(key.scope.name()),
            api_keys::bases.eq(stored_bases(key)?),
            api_keys::publication.eq(publication::stored(key)?),
            api_keys::page.eq(publication::page(key)),
            api_keys::filter.eq(stored_filter(key)?),
            api_keys::created.eq(key.created.micros()),
            api_keys::expires.eq(key.expires.map(Timestamp::micros)),
            api_keys::revoked.eq(key.revoked.map(Timestamp::micros)),
            api_keys::last_used.eq(key.last_used.map(Timestamp::micros)),
            limit_values!(key.limits),
        ))
        .execute(connection)
        .map_err(constraint_violation_as("key", "user"))?;
    Ok(())
}

/// The key with this id in the workspace, if it is not revoked.
macro_rules! active_key {
    ($workspace:expr, $id:expr) => {
        api_keys::table
            .filter(api_keys::workspace.eq($workspace))
            .filter(api_keys::id.eq($id))
            .filter(api_keys::revoked.is_null())
    };
}

/// Stores what of a key can change and differs. Returns whether the workspace has the key, not revoked.
pub(super) fn update_key(
    connection: &mut AnyConnection,
    before: &ApiKey,
    after: &ApiKey,
) -> Result<bool, Failure> {
    let named = || active_key!(&after.workspace.0, &after.id);
    if !diesel::select(exists(named())).get_result::<bool>(connection)? {
        return Ok(false);
    }
    if before.name != after.name {
        let name = encode(&after.name).into_owned();
        diesel::update(named()).set(api_keys::name.eq(name)).execute(connection)?;
    }
    if before.bases != after.bases {
        diesel::update(named()).set(api_keys::bases.eq(stored_bases(after)?)).execute(connection)?;
    }
    if before.filter != after.filter {
        diesel::update(named()).set(api_keys::filter.eq(stored_filter(after)?)).execute(connection)?;
    }
    if before.publication != after.publication {
        publication::check_page(connection, after)?;
        let page = publication::page(after);
        let changes = (api_keys::publication.eq(publication::stored(after)?), api_keys::page.eq(page));
        diesel::update(named()).set(changes).execute(connection)?;
    }
    if before.expires != after.expires {
        let expires = after.expires.map(Timestamp::micros);
        diesel::update(named()).set(api_keys::expires.eq(expires)).execute(connection)?;
    }
    if before.limits != after.limits {
        diesel::update(named()).set(limit_values!(after.limits)).execute(connection)?;
    }
    Ok(true)
}

/// Stores the expiry and the successor of a key, and the successor itself. Returns whether the workspace has the key,
/// not revoked and without a successor.
pub(super) fn replace_key(
    connection: &mut AnyConnection,
    old: &str,
    expires: i64,
    new: &ApiKey,
) -> Result<bool, Failure> {
    let named = active_key!(&new.workspace.0, old).filter(api_keys::successor.is_null());
    let changes = (
        api_keys::expires.eq(Some(expires)),
        api_keys::successor.eq(Some(&new.id)),
        api_keys::page.eq(None::<String>),
    );
    let changed = diesel::update(named).set(changes).execute(connection)?;
    if changed > 0 {
        insert_key(connection, new)?;
    }
    Ok(changed > 0)
}
