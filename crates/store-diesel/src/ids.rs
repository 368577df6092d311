//! Ids from the databases' sequences.

use diesel::RunQueryDsl as _;

use crate::connection::AnyConnection;
use crate::failure::Failure;

diesel::define_sql_function! {
    /// The last id that SQLite assigned on this connection.
    fn last_insert_rowid() -> diesel::sql_types::BigInt;
}

diesel::define_sql_function! {
    /// The last id that PostgreSQL assigned on this connection.
    fn lastval() -> diesel::sql_types::BigInt;
}

/// The id of the preceding insert in the same operation.
pub(crate) fn last_id(connection: &mut AnyConnection) -> Result<i64, Failure> {
    let id = match connection {
        AnyConnection::Sqlite(inner) => diesel::select(last_insert_rowid()).get_result(inner)?,
        AnyConnection::Postgres(inner) => diesel::select(lastval()).get_result(inner)?,
    };
    Ok(id)
}
