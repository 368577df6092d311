//! Statements that Diesel's own language has no words for, prepared once on each connection.
//!
//! Who waits is found by a "loose" walk over the index: from each name straight to the next, so that it
//! costs as much as there are names, however many jobs they have.
//! (<https://wiki.postgresql.org/wiki/Loose_indexscan>)

use diesel::backend::Backend;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, Text};
use diesel::{QueryResult, RunQueryDsl};

/// The text is the same for every value, so that the type alone names the statement.
macro_rules! prepared_once {
    ($statement:ident) => {
        impl QueryId for $statement<'_> {
            type QueryId = $statement<'static>;
            const HAS_STATIC_QUERY_ID: bool = true;
        }
    };
}

/// The workspaces that have jobs in a queue, by name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Workspaces<'a> {
    pub(super) queue: &'a str,
}

impl Query for Workspaces<'_> {
    type SqlType = Text;
}

prepared_once!(Workspaces);

impl<Connection> RunQueryDsl<Connection> for Workspaces<'_> {}

impl<DB: Backend> QueryFragment<DB> for Workspaces<'_>
where
    str: ToSql<Text, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("WITH RECURSIVE names (name) AS (SELECT min(workspace) FROM jobs WHERE queue = ");
        out.push_bind_param::<Text, str>(self.queue)?;
        out.push_sql(" UNION ALL SELECT (SELECT min(workspace) FROM jobs WHERE queue = ");
        out.push_bind_param::<Text, str>(self.queue)?;
        out.push_sql(" AND workspace > names.name) FROM names WHERE names.name IS NOT NULL)");
        out.push_sql(" SELECT name FROM names WHERE name IS NOT NULL");
        Ok(())
    }
}

/// The first `limit` owners of a workspace after `after`, by name, that have a job to be claimed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owners<'a> {
    pub(super) queue: &'a str,
    pub(super) workspace: &'a str,
    pub(super) after: &'a str,
    pub(super) now: i64,
    pub(super) limit: i64,
}

impl Query for Owners<'_> {
    type SqlType = Text;
}

prepared_once!(Owners);

impl<Connection> RunQueryDsl<Connection> for Owners<'_> {}

impl Owners<'_> {
    /// `queue = … AND workspace = …`
    fn own<'b, DB: Backend>(&'b self, out: &mut AstPass<'_, 'b, DB>) -> QueryResult<()>
    where
        str: ToSql<Text, DB>,
    {
        out.push_sql("queue = ");
        out.push_bind_param::<Text, str>(self.queue)?;
        out.push_sql(" AND workspace = ");
        out.push_bind_param::<Text, str>(self.workspace)
    }
}

impl<DB: Backend> QueryFragment<DB> for Owners<'_>
where
    str: ToSql<Text, DB>,
    i64: ToSql<BigInt, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("WITH RECURSIVE names (name) AS (SELECT min(owner) FROM jobs WHERE ");
        self.own(&mut out)?;
        out.push_sql(" AND owner > ");
        out.push_bind_param::<Text, str>(self.after)?;
        out.push_sql(" UNION ALL SELECT (SELECT min(owner) FROM jobs WHERE ");
        self.own(&mut out)?;
        out.push_sql(" AND owner > names.name) FROM names WHERE names.name IS NOT NULL)");
        out.push_sql(
            " SELECT name FROM names WHERE name IS NOT NULL AND (SELECT min(ready) FROM jobs WHERE ",
        );
        self.own(&mut out)?;
        out.push_sql(" AND owner = names.name) <= ");
        out.push_bind_param::<BigInt, i64>(&self.now)?;
        out.push_sql(" LIMIT ");
        out.push_bind_param::<BigInt, i64>(&self.limit)
    }
}

/// Waits until nobody else claims from the queue, and keeps others waiting to the end of the transaction.
/// For PostgreSQL.
#[derive(Clone, Copy, Debug)]
pub(super) struct OneAtATime<'a> {
    pub(super) queue: &'a str,
}

prepared_once!(OneAtATime);

impl<Connection> RunQueryDsl<Connection> for OneAtATime<'_> {}

impl<DB: Backend> QueryFragment<DB> for OneAtATime<'_>
where
    str: ToSql<Text, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        // The first number means "claiming jobs"; locks with two numbers never meet those with one.
        out.push_sql("SELECT pg_advisory_xact_lock(1, hashtext(");
        out.push_bind_param::<Text, str>(self.queue)?;
        out.push_sql("))");
        Ok(())
    }
}
