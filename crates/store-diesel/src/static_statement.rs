//! Statements that each connection prepares once, although Diesel assumes that their SQL changes.

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::{QueryResult, RunQueryDsl};

/// A statement whose SQL is the same each time. Diesel prepares every `UPDATE` and every upsert anew, since it may have
/// other columns each time. SQLite takes longer to parse and plan one than to run it.
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

impl<Q, Connection> RunQueryDsl<Connection> for StaticStatement<Q> {}
