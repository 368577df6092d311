//! The adapter of accounts.

use accounts_core::{AccountRepository, ApiKey, KeyLimits, KeyScope, Money, User, Workspace};
use async_trait::async_trait;
use diesel::connection::SimpleConnection as _;
use diesel::dsl::exists;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, QueryResult, Queryable, RunQueryDsl as _,
};
use shared_core::{StoreError, Timestamp, UserId, WorkspaceId};

use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::{Failure, constraint_violation_as, corrupt};
use crate::rows::{count, optional_time, stored_count, time};
use crate::schema::{api_keys, users, workspaces};
use crate::text_encoding::{decode, encode};

/// Accounts in the database.
#[derive(Clone, Debug)]
pub struct DieselAccounts(Database);

impl DieselAccounts {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[derive(Queryable)]
struct WorkspaceRow {
    id: String,
    name: String,
    created: i64,
}

impl WorkspaceRow {
    fn read(self) -> Result<Workspace, StoreError> {
        Ok(Workspace { id: WorkspaceId(self.id), name: decode(self.name), created: time(self.created)? })
    }
}

#[derive(Queryable)]
struct UserRow {
    workspace: String,
    id: String,
    name: String,
    email: String,
    created: i64,
}

impl UserRow {
    fn read(self) -> Result<User, StoreError> {
        Ok(User {
            id: UserId(self.id),
            workspace: WorkspaceId(self.workspace),
            name: decode(self.name),
            email: decode(self.email),
            created: time(self.created)?,
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
struct KeyRow {
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
    limits: LimitsRow,
}

impl KeyRow {
    fn read(self) -> Result<ApiKey, StoreError> {
        let scope = match self.scope.as_str() {
            "read" => KeyScope::Read,
            "write" => KeyScope::Write,
            other => return Err(corrupt(format!("'{other}' is no key scope"))),
        };
        Ok(ApiKey {
            id: self.id,
            workspace: WorkspaceId(self.workspace),
            user: UserId(self.user),
            name: decode(self.name),
            prefix: self.prefix,
            hash: self.hash,
            scope,
            created: time(self.created)?,
            expires: optional_time(self.expires)?,
            revoked: optional_time(self.revoked)?,
            limits: self.limits.read()?,
            last_used: optional_time(self.last_used)?,
        })
    }
}

fn insert_workspace(connection: &mut AnyConnection, workspace: &Workspace) -> Result<(), Failure> {
    diesel::insert_into(workspaces::table)
        .values((
            workspaces::id.eq(&workspace.id.0),
            workspaces::name.eq(encode(&workspace.name).as_ref()),
            workspaces::created.eq(workspace.created.micros()),
        ))
        .execute(connection)
        .map_err(crate::failure::unique_violation_as("workspace"))?;
    Ok(())
}

fn insert_user(connection: &mut AnyConnection, user: &User) -> Result<(), Failure> {
    diesel::insert_into(users::table)
        .values((
            users::workspace.eq(&user.workspace.0),
            users::id.eq(&user.id.0),
            users::name.eq(encode(&user.name).as_ref()),
            users::email.eq(encode(&user.email).as_ref()),
            users::created.eq(user.created.micros()),
        ))
        .execute(connection)
        .map_err(constraint_violation_as("e-mail", "workspace"))?;
    Ok(())
}

/// A key's columns except its limits, in the order of [`KeyRow`].
macro_rules! key_columns {
    () => {
        (
            api_keys::id,
            api_keys::workspace,
            api_keys::user_id,
            api_keys::name,
            api_keys::prefix,
            api_keys::hash,
            api_keys::scope,
            api_keys::created,
            api_keys::expires,
            api_keys::revoked,
            api_keys::last_used,
            limit_columns!(),
        )
    };
}

fn insert_key(connection: &mut AnyConnection, key: &ApiKey) -> Result<(), Failure> {
    let scope = match key.scope {
        KeyScope::Read => "read",
        KeyScope::Write => "write",
    };
    let limits = &key.limits;
    diesel::insert_into(api_keys::table)
        .values((
            api_keys::id.eq(&key.id),
            api_keys::workspace.eq(&key.workspace.0),
            api_keys::user_id.eq(&key.user.0),
            api_keys::name.eq(encode(&key.name).as_ref()),
            api_keys::prefix.eq(&key.prefix),
            api_keys::hash.eq(&key.hash),
            api_keys::scope.eq(scope),
            api_keys::created.eq(key.created.micros()),
            api_keys::expires.eq(key.expires.map(Timestamp::micros)),
            api_keys::revoked.eq(key.revoked.map(Timestamp::micros)),
            api_keys::last_used.eq(key.last_used.map(Timestamp::micros)),
            (
                api_keys::requests_per_minute
                    .eq(limits.requests_per_minute.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX))),
                api_keys::requests_per_day.eq(limits.requests_per_day.map(stored_count)),
                api_keys::tokens_per_minute.eq(limits.tokens_per_minute.map(stored_count)),
                api_keys::tokens_per_day.eq(limits.tokens_per_day.map(stored_count)),
                api_keys::cost_per_minute.eq(limits.cost_per_minute.map(|money| stored_count(money.0))),
                api_keys::cost_per_day.eq(limits.cost_per_day.map(|money| stored_count(money.0))),
            ),
        ))
        .execute(connection)
        .map_err(constraint_violation_as("key", "user"))?;
    Ok(())
}

fn any_workspace(connection: &mut AnyConnection) -> QueryResult<bool> {
    diesel::select(exists(workspaces::table.select(workspaces::id))).get_result(connection)
}

#[async_trait]
impl AccountRepository for DieselAccounts {
    async fn create_first(
        &self,
        workspace: &Workspace,
        user: &User,
        key: &ApiKey,
    ) -> Result<bool, StoreError> {
        let (workspace, user, key) = (workspace.clone(), user.clone(), key.clone());
        let create = move |connection: &mut AnyConnection| {
            // Servers that start together for the first time are serialised. SQLite has one writer.
            if let AnyConnection::Postgres(inner) = connection {
                inner.batch_execute("LOCK TABLE workspaces IN SHARE ROW EXCLUSIVE MODE")?;
            }
            if any_workspace(connection)? {
                return Ok(false);
            }
            insert_workspace(connection, &workspace)?;
            insert_user(connection, &user)?;
            insert_key(connection, &key)?;
            Ok(true)
        };
        self.0.write(create).await
    }

    async fn any_workspace(&self) -> Result<bool, StoreError> {
        self.0.read(|connection| Ok(any_workspace(connection)?)).await
    }

    async fn find_key(&self, prefix: &str) -> Result<Option<(ApiKey, User, Workspace)>, StoreError> {
        let prefix = prefix.to_owned();
        let find = move |connection: &mut AnyConnection| {
            let same_user = users::workspace.eq(api_keys::workspace).and(users::id.eq(api_keys::user_id));
            let query = api_keys::table
                .inner_join(users::table.on(same_user))
                .inner_join(workspaces::table.on(workspaces::id.eq(api_keys::workspace)))
                .filter(api_keys::prefix.eq(&prefix))
                .select((key_columns!(), users::all_columns, workspaces::all_columns));
            let found: Option<(KeyRow, UserRow, WorkspaceRow)> =
                prepared!(connection, inner => query.get_result(inner).optional())?;
            let read = |(key, user, workspace): (KeyRow, UserRow, WorkspaceRow)| {
                Ok::<_, Failure>((key.read()?, user.read()?, workspace.read()?))
            };
            found.map(read).transpose()
        };
        self.0.look_up(find).await
    }

    async fn insert_workspace(&self, workspace: &Workspace, user: &User) -> Result<(), StoreError> {
        let (workspace, user) = (workspace.clone(), user.clone());
        let insert = move |connection: &mut AnyConnection| {
            insert_workspace(connection, &workspace)?;
            insert_user(connection, &user)
        };
        self.0.write(insert).await
    }

    async fn insert_user(&self, user: &User) -> Result<(), StoreError> {
        let user = user.clone();
        self.0.write(move |connection| insert_user(connection, &user)).await
    }

    async fn workspaces(&self) -> Result<Vec<Workspace>, StoreError> {
        let list = |connection: &mut AnyConnection| {
            let rows: Vec<WorkspaceRow> =
                workspaces::table.order((workspaces::created, workspaces::id)).load(connection)?;
            rows.into_iter().map(|row| row.read().map_err(Failure::from)).collect()
        };
        self.0.read(list).await
    }

    async fn users(&self, workspace: &WorkspaceId) -> Result<Vec<User>, StoreError> {
        let workspace = workspace.0.clone();
        let list = move |connection: &mut AnyConnection| {
            let rows: Vec<UserRow> = users::table
                .filter(users::workspace.eq(&workspace))
                .order((users::created, users::id))
                .load(connection)?;
            rows.into_iter().map(|row| row.read().map_err(Failure::from)).collect()
        };
        self.0.read(list).await
    }

    async fn insert_key(&self, key: &ApiKey) -> Result<(), StoreError> {
        let key = key.clone();
        self.0.write(move |connection| insert_key(connection, &key)).await
    }

    async fn keys(&self, workspace: &WorkspaceId) -> Result<Vec<ApiKey>, StoreError> {
        let workspace = workspace.0.clone();
        let list = move |connection: &mut AnyConnection| {
            let rows: Vec<KeyRow> = api_keys::table
                .filter(api_keys::workspace.eq(&workspace))
                .order((api_keys::created, api_keys::id))
                .select(key_columns!())
                .load(connection)?;
            rows.into_iter().map(|row| row.read().map_err(Failure::from)).collect()
        };
        self.0.read(list).await
    }

    async fn revoke_key(
        &self,
        workspace: &WorkspaceId,
        key: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let (workspace, key, at) = (workspace.0.clone(), key.to_owned(), at.micros());
        let revoke = move |connection: &mut AnyConnection| {
            let named = api_keys::prefix.eq(&key).or(api_keys::id.eq(&key));
            let valid = api_keys::table
                .filter(api_keys::workspace.eq(&workspace))
                .filter(named)
                .filter(api_keys::revoked.is_null());
            let changed = diesel::update(valid).set(api_keys::revoked.eq(Some(at))).execute(connection)?;
            Ok(changed > 0)
        };
        self.0.write(revoke).await
    }

    async fn record_use(
        &self,
        workspace: &WorkspaceId,
        prefix: &str,
        before: Timestamp,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let (workspace, prefix) = (workspace.0.clone(), prefix.to_owned());
        let record = move |connection: &mut AnyConnection| {
            let old = api_keys::last_used.is_null().or(api_keys::last_used.lt(before.micros()));
            let own = api_keys::table
                .filter(api_keys::workspace.eq(&workspace).and(api_keys::prefix.eq(&prefix)))
                .filter(old);
            diesel::update(own).set(api_keys::last_used.eq(Some(at.micros()))).execute(connection)?;
            Ok(())
        };
        self.0.write(record).await
    }
}
