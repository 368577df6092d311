//! Transaction commands as statements that each connection prepares once.
//!
//! They bypass Diesel's own transaction manager, which would prepare them each time.

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::{QueryResult, RunQueryDsl};

use crate::connection::{AnyConnection, prepared};

macro_rules! command {
    ($(#[$doc:meta])* $name:ident, $kind:ident, $sql:literal) => {
        #[derive(Clone, Copy, Debug, QueryId)]
        struct $kind;

        impl<DB: Backend> QueryFragment<DB> for $kind {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
                out.push_sql($sql);
                Ok(())
            }
        }

        impl<Connection> RunQueryDsl<Connection> for $kind {}

        $(#[$doc])*
        pub(crate) fn $name(connection: &mut AnyConnection) -> QueryResult<()> {
            prepared!(connection, inner => $kind.execute(inner)).map(drop)
        }
    };
}

command!(
    /// Begins a transaction. SQLite takes its snapshot at the first query.
    begin, Begin, "BEGIN"
);
command!(
    /// Begins a read-only transaction on PostgreSQL.
    begin_read_only, BeginReadOnly, "BEGIN READ ONLY"
);
command!(
    /// Begins a transaction that takes SQLite's write lock immediately.
    begin_immediate, BeginImmediate, "BEGIN IMMEDIATE"
);
command!(
    /// Makes the transaction durable.
    commit, Commit, "COMMIT"
);
command!(
    /// Rolls back; an error if the database has already done so.
    rollback, Rollback, "ROLLBACK"
);
command!(
    /// Begins one operation of a batch.
    savepoint, Savepoint, "SAVEPOINT operation"
);
command!(
    /// Keeps the changes of the operation; an error if the whole batch was rolled back.
    release, Release, "RELEASE operation"
);
command!(
    /// Reverts the changes of the operation.
    rollback_to, RollbackTo, "ROLLBACK TO operation"
);

/// Settings of PostgreSQL's planner until the end of the transaction.
#[derive(Clone, Copy, Debug, QueryId)]
struct PreferIndexes;

impl<DB: Backend> QueryFragment<DB> for PreferIndexes {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql(
            "SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)",
        );
        Ok(())
    }
}

impl<Connection> RunQueryDsl<Connection> for PreferIndexes {}

/// Makes PostgreSQL plan the statements of this transaction for growing tables. It keeps a plan that it made
/// when there were few rows. For a table that it has not analysed yet, it would read and sort all matching
/// rows for each page instead of using the index. SQLite uses the index anyway.
pub(crate) fn prefer_indexes(connection: &mut AnyConnection) -> QueryResult<()> {
    match connection {
        AnyConnection::Postgres(inner) => PreferIndexes.execute(inner).map(drop),
        AnyConnection::Sqlite(_) => Ok(()),
    }
}
