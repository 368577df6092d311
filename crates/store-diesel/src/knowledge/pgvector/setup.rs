//! Whether pgvector can be used, and the tables beside those of vectors.

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::{OptionalExtension as _, PgConnection, RunQueryDsl as _, sql_query};
use shared_core::StoreError;

use crate::connection::AnyConnection;
use crate::database::Database;
use crate::failure::Failure;

/// The first version whose searches go on until enough rows match their filter.
const MIN_VERSION: (u32, u32) = (0, 8);
/// Key of the lock of changes to the tables; any number that nothing else locks.
const LOCK: i64 = 0x6662_7665_6374_6f72;

/// Why vectors cannot be searched in the database. `Display` is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum PgVectorError {
    /// It is another database.
    #[error("the database is not PostgreSQL")]
    NotPostgres,
    /// The server does not have the extension.
    #[error("the extension pgvector is not installed on the PostgreSQL server")]
    NotInstalled,
    /// Nobody has created it in the database.
    #[error("the extension pgvector does not exist in the database")]
    NotCreated,
    /// The role must not create it.
    #[error(
        "the extension pgvector cannot be created; run 'CREATE EXTENSION vector' as a superuser in this database"
    )]
    NotPermitted(#[source] StoreError),
    /// Its searches do not go on until enough rows match.
    #[error("the extension pgvector has version {0}; 0.8 or newer is needed")]
    TooOld(String),
    /// The database failed.
    #[error("the database failed: {0}")]
    Store(#[from] StoreError),
}

#[derive(Debug, diesel::QueryableByName)]
struct VersionRow {
    #[diesel(sql_type = Nullable<Text>)]
    installed: Option<String>,
}

/// Locks the tables against changes by other servers until the end of the transaction.
pub(super) fn lock(connection: &mut PgConnection) -> Result<(), Failure> {
    sql_query("SELECT pg_advisory_xact_lock($1)").bind::<BigInt, _>(LOCK).execute(connection)?;
    Ok(())
}

/// The connection of a database that [`super::PgVectorIndex::open`] found to be PostgreSQL.
pub(super) fn postgres(connection: &mut AnyConnection) -> Result<&mut PgConnection, Failure> {
    match connection {
        AnyConnection::Postgres(inner) => Ok(inner),
        AnyConnection::Sqlite(_) => Err(StoreError::Failed("vectors are not in PostgreSQL".into()).into()),
    }
}

pub(super) async fn prepare(database: &Database, create: bool) -> Result<(), PgVectorError> {
    let found = database.read(installed).await?;
    match found {
        None => return Err(PgVectorError::NotPostgres),
        Some(None) => return Err(PgVectorError::NotInstalled),
        Some(Some(VersionRow { installed: Some(_) })) => {}
        Some(Some(VersionRow { installed: None })) if !create => return Err(PgVectorError::NotCreated),
        Some(Some(VersionRow { installed: None })) => {
            let created =
                database.write(|connection| run(connection, "CREATE EXTENSION IF NOT EXISTS vector"));
            created.await.map_err(PgVectorError::NotPermitted)?;
        }
    }
    let version = database.read(installed).await?.flatten();
    let version = version.and_then(|row| row.installed).ok_or(PgVectorError::NotInstalled)?;
    if !is_recent(&version) {
        return Err(PgVectorError::TooOld(version));
    }
    // `kb_pgvector_items`: the position of each item up to which its vectors are in the tables.
    // `kb_pgvector_graphs`: the knowledge bases whose vectors are in the graphs.
    let tables = "CREATE TABLE IF NOT EXISTS kb_pgvector_items (
           item BIGINT NOT NULL PRIMARY KEY, base BIGINT NOT NULL, position BIGINT NOT NULL);
         CREATE INDEX IF NOT EXISTS kb_pgvector_items_of_base ON kb_pgvector_items (base);
         CREATE TABLE IF NOT EXISTS kb_pgvector_graphs (
           base BIGINT NOT NULL, model TEXT NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (base, model, length))";
    Ok(database.write(move |connection| run(connection, tables)).await?)
}

fn run(connection: &mut AnyConnection, statements: &str) -> Result<(), Failure> {
    let inner = postgres(connection)?;
    lock(inner)?;
    Ok(inner.batch_execute(statements)?)
}

/// The extension, if the server has it; `None` on another database.
fn installed(connection: &mut AnyConnection) -> Result<Option<Option<VersionRow>>, Failure> {
    let AnyConnection::Postgres(inner) = connection else { return Ok(None) };
    let query = "SELECT installed_version AS installed FROM pg_available_extensions WHERE name = 'vector'";
    Ok(Some(sql_query(query).get_result(inner).optional()?))
}

fn is_recent(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default()) >= MIN_VERSION
}

#[cfg(test)]
mod tests {
    use super::is_recent;

    #[test]
    fn versions_from_0_8_on_are_recent_enough() {
        assert!(["0.8", "0.8.0", "0.10.1", "1.0"].iter().all(|version| is_recent(version)));
        assert!(["0.7.4", "0.4.4", "", "x"].iter().all(|version| !is_recent(version)));
    }
}
