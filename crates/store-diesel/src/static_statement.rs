//! Statements that each connection prepares once, although Diesel assumes that their SQL changes.

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::{QueryResult, RunQueryDsl};

/// Runs an `UPDATE` or upsert that is prepared once, and returns the number of its rows. The column is any of the type
/// `BigInt`: on PostgreSQL, Diesel asks [`StaticStatement`] only about statements that return rows.
macro_rules! execute_static {
    ($connection:expr, $statement:expr, $column:expr) => {{
        let statement = $crate::static_statement::StaticStatement($statement.returning($column));
        let rows: diesel::QueryResult<Vec<i64>> =
            $crate::connection::prepared!($connection, inner => statement.get_results(inner));
        rows.map(|rows| rows.len())
    }};
}
pub(crate) use execute_static;

/// A statement whose SQL is the same each time. Diesel prepares every `UPDATE` and every upsert anew, since it may have
/// other columns each time. Both databases take longer to parse and plan one than to run it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticStatement<Q>(pub(crate) Q);

/// Identified by its SQL.
impl<Q> QueryId for StaticStatement<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for StaticStatement<Q> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }

    fn is_safe_to_cache_prepared(&self, _backend: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q: Query> Query for StaticStatement<Q> {
    type SqlType = Q::SqlType;
}

impl<Q, Connection> RunQueryDsl<Connection> for StaticStatement<Q> {}
