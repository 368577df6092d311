#![allow(dead_code, unreachable_pub, reason = "each test program uses its part")]
//! Throw-away databases: an SQLite file, and a database of the PostgreSQL server that
//! `FORMWORK_TEST_POSTGRES` names (`cargo xtask test` starts one).

use std::sync::atomic::{AtomicU32, Ordering};

use accounts_core::{AccountRepository as _, ApiKey, KeyKind, KeyScope, Role, User, Workspace};
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};
use shared_core::{Scope, Timestamp, UserId, WorkspaceId};
use store_diesel::{Database, DatabaseSettings, DieselAccounts};

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// PostgreSQL over TLS.
    PostgresOverTls,
    /// PostgreSQL with the extension pgvector.
    PgVector,
}

/// A database that goes with its value.
pub struct Throwaway {
    /// The database.
    pub database: Database,
    /// Its URL.
    pub url: String,
    _folder: Option<tempfile::TempDir>,
    drop_with: Option<(String, String)>,
}

/// A fresh database; `None` (said aloud) when there is no PostgreSQL to test on.
#[allow(clippy::disallowed_methods, reason = "the server is named by the environment")]
pub fn fresh(kind: Kind) -> Option<Throwaway> {
    if kind == Kind::Sqlite {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("test.db").display());
        return Some(open(url, Some(folder), None));
    }
    let variable = if kind == Kind::PgVector { "FORMWORK_TEST_PGVECTOR" } else { "FORMWORK_TEST_POSTGRES" };
    let Ok(server) = std::env::var(variable) else {
        println!("skipped: {variable} is not set");
        return None;
    };
    let tls = kind == Kind::PostgresOverTls;
    if tls && std::env::var("FORMWORK_TEST_POSTGRES_AUTHORITY").is_err() {
        println!("skipped: FORMWORK_TEST_POSTGRES_AUTHORITY is not set");
        return None;
    }
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let mut admin = PgConnection::establish(&server).unwrap();
    admin.batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
    let base = server.rsplit_once('/').unwrap().0.to_owned();
    let options = if tls { "?sslmode=require" } else { "" };
    Some(open(format!("{base}/{name}{options}"), None, Some((server, name))))
}

fn open(url: String, folder: Option<tempfile::TempDir>, drop_with: Option<(String, String)>) -> Throwaway {
    let database = Database::open(&url, DatabaseSettings { readers: 2, writers: 4 }).unwrap();
    Throwaway { database, url, _folder: folder, drop_with }
}

impl Drop for Throwaway {
    fn drop(&mut self) {
        self.database.close();
        if let Some((server, name)) = &self.drop_with {
            let mut admin = PgConnection::establish(server).unwrap();
            admin.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).unwrap();
        }
    }
}

/// Two workspaces with a user each, whose names are what the suites expect.
pub async fn two_workspaces(database: &Database) -> (Scope, Scope) {
    workspaces(database, ["own", "other"]).await
}

/// Two workspaces with these ids, with a user each.
pub async fn workspaces(database: &Database, [own, other]: [&str; 2]) -> (Scope, Scope) {
    let accounts = DieselAccounts::new(database.clone());
    let scope =
        |name: &str| Scope { workspace: WorkspaceId(name.into()), user: UserId(format!("user-{name}")) };
    for scope in [scope(own), scope(other)] {
        let created = Timestamp::from_micros(1).unwrap();
        let workspace =
            Workspace { id: scope.workspace.clone(), name: "W".into(), is_operator: false, created };
        let user = User {
            name: format!("Name of {}", scope.user),
            email: format!("{}@example.com", scope.user),
            workspace: scope.workspace,
            id: scope.user,
            role: Role::Owner,
            created,
            removed: None,
        };
        accounts.insert_workspace(&workspace, &user).await.unwrap();
    }
    (scope(own), scope(other))
}

/// A key of the scope's user, as the suite of usage expects it.
pub async fn add_key(database: &Database, scope: &Scope) {
    let id = accounts_core::usage::contract::key(scope);
    let key = ApiKey {
        name: "key".into(),
        prefix: id.clone(),
        hash: String::new(),
        kind: KeyKind::Issued,
        scope: KeyScope::Write,
        bases: None,
        filter: None,
        publication: None,
        public_text: None,
        successor: None,
        created: Timestamp::from_micros(1).unwrap(),
        expires: None,
        revoked: None,
        limits: accounts_core::usage::contract::limits(),
        last_used: None,
        workspace: scope.workspace.clone(),
        user: scope.user.clone(),
        id,
    };
    DieselAccounts::new(database.clone()).insert_key(&key).await.unwrap();
}

/// Runs a future to its end.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}
