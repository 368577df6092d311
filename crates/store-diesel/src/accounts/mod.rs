//! The adapter of accounts.

mod key_lists;
mod publication;
mod rows;
mod sign_ins;
mod steps;

use accounts_core::{Account, AccountRepository, ApiKey, Quota, QuotaChange, User, UserUpdate, Workspace};
use async_trait::async_trait;
use diesel::connection::SimpleConnection as _;
use diesel::dsl::exists;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, OptionalExtension as _,
    QueryDsl as _, QueryResult, RunQueryDsl as _,
};
use shared_core::{Page, PageRequest, StoreError, Timestamp, UserId, WorkspaceId};

use self::rows::{
    KeyRow, UserRow, WorkspaceRow, insert_key, insert_sign_in, insert_user, insert_workspace, key_columns,
    user_columns,
};
pub(crate) use self::rows::{LimitsRow, limit_columns};
use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::failure::Failure;
use crate::idempotency::effect;
use crate::quotas;
use crate::schema::{api_keys, users, workspaces};
use crate::text_encoding::encode;

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
                .select((key_columns!(), user_columns!(), workspaces::all_columns));
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
        let id = workspace.id.0.clone();
        let insert = move |connection: &mut AnyConnection| {
            insert_workspace(connection, &workspace)?;
            insert_user(connection, &user)
        };
        self.0.write_effect(insert, move |()| effect("workspace", [&id])).await
    }

    async fn insert_user(&self, user: &User) -> Result<User, StoreError> {
        let user = user.clone();
        let insert = move |connection: &mut AnyConnection| steps::add_user(connection, &user);
        self.0.write_effect(insert, |user| effect("member", [&user.id])).await
    }

    async fn update_user(&self, before: &User, after: &User) -> Result<UserUpdate, StoreError> {
        let (before, after) = (before.clone(), after.clone());
        self.0.write(move |connection| steps::update_user(connection, &before, &after)).await
    }

    async fn accounts(&self, email: &str) -> Result<Vec<Account>, StoreError> {
        let email = email.to_owned();
        self.0.read(move |connection| steps::accounts(connection, &email)).await
    }

    async fn set_password(
        &self,
        workspace: &WorkspaceId,
        user: &UserId,
        hash: Option<&str>,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let (workspace, user) = (workspace.0.clone(), encode(&user.0).into_owned());
        let hash = hash.map(str::to_owned);
        let set = move |connection: &mut AnyConnection| {
            steps::set_password(connection, &workspace, &user, hash.as_deref(), at)
        };
        self.0.write(set).await
    }

    async fn rename_workspace(&self, id: &WorkspaceId, name: &str) -> Result<bool, StoreError> {
        let (id, name) = (id.0.clone(), encode(name).into_owned());
        let rename = move |connection: &mut AnyConnection| {
            let named = workspaces::table.filter(workspaces::id.eq(&id));
            Ok(diesel::update(named).set(workspaces::name.eq(&name)).execute(connection)? > 0)
        };
        self.0.write(rename).await
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
                .select(user_columns!())
                .load(connection)?;
            rows.into_iter().map(|row| row.read().map_err(Failure::from)).collect()
        };
        self.0.read(list).await
    }

    async fn insert_key(&self, key: &ApiKey) -> Result<(), StoreError> {
        let key = key.clone();
        let id = key.id.clone();
        let insert = move |connection: &mut AnyConnection| insert_key(connection, &key);
        self.0.write_effect(insert, move |()| effect("key", [&id])).await
    }

    async fn insert_sign_in(&self, key: &ApiKey, password: Option<&str>) -> Result<bool, StoreError> {
        let (key, password) = (key.clone(), password.map(str::to_owned));
        let id = key.id.clone();
        let insert =
            move |connection: &mut AnyConnection| insert_sign_in(connection, &key, password.as_deref());
        self.0.write_effect(insert, move |is_done| is_done.then(|| effect("key", [&id])).flatten()).await
    }

    async fn update_key(&self, before: &ApiKey, after: &ApiKey) -> Result<bool, StoreError> {
        let (before, after) = (before.clone(), after.clone());
        self.0.write(move |connection| rows::update_key(connection, &before, &after)).await
    }

    async fn replace_key(&self, old: &str, expires: Timestamp, new: &ApiKey) -> Result<bool, StoreError> {
        let (old, expires, new) = (old.to_owned(), expires.micros(), new.clone());
        let id = new.id.clone();
        let replace =
            move |connection: &mut AnyConnection| rows::replace_key(connection, &old, expires, &new);
        self.0.write_effect(replace, move |is_done| is_done.then(|| effect("key", [&id])).flatten()).await
    }

    async fn list_keys(
        &self,
        workspace: &WorkspaceId,
        now: Timestamp,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, StoreError> {
        let (workspace, now, page) = (workspace.0.clone(), now.micros(), page.clone());
        self.0.read(move |connection| key_lists::list(connection, &workspace, now, &page)).await
    }

    async fn key(&self, workspace: &WorkspaceId, key: &str) -> Result<Option<ApiKey>, StoreError> {
        let (workspace, key) = (workspace.0.clone(), key.to_owned());
        self.0.read(move |connection| key_lists::find(connection, &workspace, &key)).await
    }

    async fn key_of_page(&self, page: &str) -> Result<Option<ApiKey>, StoreError> {
        let page = encode(page).into_owned();
        self.0.read(move |connection| key_lists::find_by_page(connection, &page)).await
    }

    async fn keys_by_id(&self, workspace: &WorkspaceId, ids: &[String]) -> Result<Vec<ApiKey>, StoreError> {
        let (workspace, ids) = (workspace.0.clone(), ids.to_vec());
        self.0.read(move |connection| key_lists::find_all(connection, &workspace, &ids)).await
    }

    async fn use_attempt(&self, state: &str, expires: Timestamp) -> Result<bool, StoreError> {
        let (state, expires) = (state.to_owned(), expires.micros());
        self.0.write(move |connection| sign_ins::use_attempt(connection, &state, expires)).await
    }

    async fn delete_ended_sign_ins(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let now = now.micros();
        self.0.write(move |connection| sign_ins::delete_ended(connection, now, limit)).await
    }

    async fn revoke_key(
        &self,
        workspace: &WorkspaceId,
        key: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let (workspace, key, at) = (workspace.0.clone(), encode(key).into_owned(), at.micros());
        let revoke = move |connection: &mut AnyConnection| {
            let named = api_keys::prefix.eq(&key).or(api_keys::id.eq(&key));
            let valid = api_keys::table
                .filter(api_keys::workspace.eq(&workspace))
                .filter(named)
                .filter(api_keys::revoked.is_null());
            let changes = (api_keys::revoked.eq(Some(at)), api_keys::page.eq(None::<String>));
            let changed = diesel::update(valid).set(changes).execute(connection)?;
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

    async fn quotas(&self, workspace: &WorkspaceId) -> Result<Vec<Quota>, StoreError> {
        let workspace = workspace.0.clone();
        self.0.read(move |connection| quotas::list(connection, &workspace)).await
    }

    async fn set_quotas(&self, workspace: &WorkspaceId, changes: &[QuotaChange]) -> Result<(), StoreError> {
        let (workspace, changes) = (workspace.0.clone(), changes.to_vec());
        self.0.write(move |connection| quotas::set(connection, &workspace, &changes)).await
    }
}
