//! The commands around operations, as statements that each connection prepares once.
//!
//! They go past Diesel's own transaction manager, which would prepare them anew each time.

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
    /// Begins a transaction; SQLite takes its snapshot with the first query.
    begin, Begin, "BEGIN"
);
command!(
    /// Begins a transaction that only reads, on PostgreSQL.
    begin_read_only, BeginReadOnly, "BEGIN READ ONLY"
);
command!(
    /// Begins a transaction that holds SQLite's write lock from the start.
    begin_immediate, BeginImmediate, "BEGIN IMMEDIATE"
);
command!(
    /// Commits.
    commit, Commit, "COMMIT"
);
command!(
    /// Rolls back; an error where the database has done so already.
    rollback, Rollback, "ROLLBACK"
);
command!(
    /// Begins one operation of a batch.
    savepoint, Savepoint, "SAVEPOINT operation"
);
command!(
    /// Keeps what the operation did; an error where the whole batch was rolled back.
    release, Release, "RELEASE operation"
);
command!(
    /// Undoes what the operation did.
    rollback_to, RollbackTo, "ROLLBACK TO operation"
);

/// Settings of PostgreSQL's planner to the end of the transaction.
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

/// Has PostgreSQL plan the statements of this transaction for tables that grow. It keeps a plan that it makes while
/// there are few rows; and of a table that it has not counted yet it would read and sort all that fits, for each page
/// anew, in place of going along the index. SQLite plans so by itself.
pub(crate) fn prefer_indexes(connection: &mut AnyConnection) -> QueryResult<()> {
    match connection {
        AnyConnection::Postgres(inner) => PreferIndexes.execute(inner).map(drop),
        AnyConnection::Sqlite(_) => Ok(()),
    }
}
