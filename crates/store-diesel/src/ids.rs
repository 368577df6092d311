//! The ids that the databases' sequences give.

use diesel::RunQueryDsl as _;

use crate::connection::AnyConnection;
use crate::failure::Failure;

diesel::define_sql_function! {
    /// The id that SQLite gave last on this connection.
    fn last_insert_rowid() -> diesel::sql_types::BigInt;
}

diesel::define_sql_function! {
    /// The id that PostgreSQL gave last on this connection.
    fn lastval() -> diesel::sql_types::BigInt;
}

/// The id that the insert before gave, in the same operation.
pub(crate) fn last_id(connection: &mut AnyConnection) -> Result<i64, Failure> {
    let id = match connection {
        AnyConnection::Sqlite(inner) => diesel::select(last_insert_rowid()).get_result(inner)?,
        AnyConnection::Postgres(inner) => diesel::select(lastval()).get_result(inner)?,
    };
    Ok(id)
}
