//! The embedded migrations. A lock lets several servers start at once.

use diesel::RunQueryDsl as _;
use diesel::backend::Backend;
use diesel::connection::{AnsiTransactionManager, SimpleConnection as _, TransactionManager as _};
use diesel::migration::MigrationSource;
use diesel::sql_types::Bool;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use shared_core::BoxError;

use crate::connection::AnyConnection;
use crate::database::OpenError;

const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
/// An arbitrary number that means "formwork is migrating" among PostgreSQL's advisory locks.
const LOCK: i64 = 0x666F_726D;

/// The table that marks an unfinished copy of another database.
pub(crate) const UNFINISHED_COPY: &str = "formwork_unfinished_copy";

/// Requires that the database is not an unfinished copy.
pub(crate) fn require_finished_copy(connection: &mut AnyConnection) -> Result<(), OpenError> {
    let AnyConnection::Postgres(inner) = connection else { return Ok(()) };
    let exists = diesel::dsl::sql::<Bool>(&format!("to_regclass('{UNFINISHED_COPY}') IS NOT NULL"));
    let query = diesel::select(exists);
    match query.get_result(inner).map_err(failed)? {
        true => Err(OpenError::UnfinishedCopy),
        false => Ok(()),
    }
}

/// Applies the pending migrations and returns their versions.
pub(crate) fn apply(connection: &mut AnyConnection) -> Result<Vec<String>, OpenError> {
    match connection {
        AnyConnection::Sqlite(inner) => {
            // The exclusive transaction is the lock; each migration runs in a savepoint of it.
            AnsiTransactionManager::begin_transaction_sql(inner, "BEGIN EXCLUSIVE").map_err(failed)?;
            let result = run(inner, SQLITE);
            let ended = match result {
                Ok(_) => AnsiTransactionManager::commit_transaction(inner),
                Err(_) => AnsiTransactionManager::rollback_transaction(inner),
            };
            result.and_then(|applied| ended.map_err(failed).map(|()| applied))
        }
        AnyConnection::Postgres(inner) => {
            inner.batch_execute(&format!("SELECT pg_advisory_lock({LOCK})")).map_err(failed)?;
            let result = run(inner, POSTGRES);
            let unlocked = inner.batch_execute(&format!("SELECT pg_advisory_unlock({LOCK})"));
            // The migration's own error is more informative than that of the later unlock.
            result.and_then(|applied| unlocked.map_err(failed).map(|()| applied))
        }
    }
}

/// The versions that are pending; applies none.
pub(crate) fn missing(connection: &mut AnyConnection) -> Result<Vec<String>, OpenError> {
    match connection {
        AnyConnection::Sqlite(inner) => unapplied(inner, &SQLITE),
        AnyConnection::Postgres(inner) => unapplied(inner, &POSTGRES),
    }
}

fn unapplied<C, DB>(connection: &mut C, source: &EmbeddedMigrations) -> Result<Vec<String>, OpenError>
where
    DB: Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known = versions::<DB>(source)?;
    let applied = connection.applied_migrations().map_err(to_migration_error)?;
    let applied: Vec<String> = applied.iter().map(ToString::to_string).collect();
    if let Some(foreign) = applied.iter().find(|version| !known.contains(version)) {
        return Err(OpenError::Newer(foreign.clone()));
    }
    Ok(known.into_iter().filter(|version| !applied.contains(version)).collect())
}

/// The versions that this program has, ascending.
fn versions<DB>(source: &EmbeddedMigrations) -> Result<Vec<String>, OpenError>
where
    DB: Backend,
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known = MigrationSource::<DB>::migrations(source).map_err(to_migration_error)?;
    let mut known: Vec<String> =
        known.iter().map(|migration| migration.name().version().to_string()).collect();
    known.sort();
    Ok(known)
}

fn run<C, DB>(connection: &mut C, source: EmbeddedMigrations) -> Result<Vec<String>, OpenError>
where
    DB: Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    unapplied(connection, &source)?;
    let new = connection.run_pending_migrations(source).map_err(to_migration_error)?;
    Ok(new.iter().map(ToString::to_string).collect())
}

fn to_migration_error(error: BoxError) -> OpenError {
    OpenError::Migration(error.to_string())
}

fn failed(error: diesel::result::Error) -> OpenError {
    OpenError::Migration(error.to_string())
}
