//! Statements that Diesel cannot express, prepared once per connection.
//!
//! Waiting lanes are found by a loose index scan, which jumps from each name to the next. Its cost depends on
//! the number of names, not of jobs. (<https://wiki.postgresql.org/wiki/Loose_indexscan>)

use diesel::backend::Backend;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::Sqlite;
use diesel::{QueryResult, RunQueryDsl};

/// The text is the same for every value, so the type alone identifies the statement.
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
pub(super) struct WorkspacesQuery<'a> {
    pub(super) queue: &'a str,
}

impl Query for WorkspacesQuery<'_> {
    type SqlType = Text;
}

prepared_once!(WorkspacesQuery);

impl<Connection> RunQueryDsl<Connection> for WorkspacesQuery<'_> {}

impl<DB: Backend> QueryFragment<DB> for WorkspacesQuery<'_>
where
    str: ToSql<Text, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("WITH RECURSIVE names (name) AS (SELECT ''");
        out.push_sql(" UNION ALL SELECT (SELECT workspace FROM jobs WHERE queue = ");
        out.push_bind_param::<Text, str>(self.queue)?;
        out.push_sql(" AND workspace > names.name ORDER BY workspace LIMIT 1)");
        out.push_sql(" FROM names WHERE names.name IS NOT NULL)");
        out.push_sql(" SELECT name FROM names WHERE name <> ''");
        Ok(())
    }
}

/// The first `limit` owners of a workspace after `after`, by name, with a claimable job.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnersQuery<'a> {
    pub(super) queue: &'a str,
    pub(super) workspace: &'a str,
    pub(super) after: &'a str,
    pub(super) now: i64,
    pub(super) limit: i64,
}

impl Query for OwnersQuery<'_> {
    type SqlType = Text;
}

prepared_once!(OwnersQuery);

impl<Connection> RunQueryDsl<Connection> for OwnersQuery<'_> {}

impl OwnersQuery<'_> {
    /// The loose index scan; `next` writes the query of the name after `names.name`.
    fn walk<'b, DB: Backend>(
        &'b self,
        mut out: AstPass<'_, 'b, DB>,
        next: impl FnOnce(&mut AstPass<'_, 'b, DB>) -> QueryResult<()>,
    ) -> QueryResult<()>
    where
        str: ToSql<Text, DB>,
        i64: ToSql<BigInt, DB>,
    {
        out.push_sql("WITH RECURSIVE names (name) AS (SELECT CAST(");
        out.push_bind_param::<Text, str>(self.after)?;
        out.push_sql(" AS TEXT) UNION ALL SELECT (");
        next(&mut out)?;
        out.push_sql(" LIMIT 1) FROM names WHERE names.name IS NOT NULL)");
        // The scan begins at a previous name, or at none, and skips it.
        out.push_sql(" SELECT name FROM names WHERE name <> ");
        out.push_bind_param::<Text, str>(self.after)?;
        out.push_sql(" AND (SELECT ready FROM jobs WHERE queue = ");
        out.push_bind_param::<Text, str>(self.queue)?;
        out.push_sql(" AND workspace = ");
        out.push_bind_param::<Text, str>(self.workspace)?;
        out.push_sql(" AND owner = names.name ORDER BY ready LIMIT 1) <= ");
        out.push_bind_param::<BigInt, i64>(&self.now)?;
        out.push_sql(" LIMIT ");
        out.push_bind_param::<BigInt, i64>(&self.limit)
    }
}

impl QueryFragment<Sqlite> for OwnersQuery<'_> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        self.walk(out, |out| {
            // A row comparison would begin with the name itself and skip each of its jobs.
            out.push_sql("SELECT owner FROM jobs WHERE queue = ");
            out.push_bind_param::<Text, str>(self.queue)?;
            out.push_sql(" AND workspace = ");
            out.push_bind_param::<Text, str>(self.workspace)?;
            out.push_sql(" AND owner > names.name ORDER BY owner");
            Ok(())
        })
    }
}

impl QueryFragment<Pg> for OwnersQuery<'_> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.walk(out, |out| {
            // In the order of one index, so that the planner uses no other.
            out.push_sql("SELECT CASE WHEN queue = ");
            out.push_bind_param::<Text, str>(self.queue)?;
            out.push_sql(" AND workspace = ");
            out.push_bind_param::<Text, str>(self.workspace)?;
            out.push_sql(" THEN owner END FROM jobs WHERE (queue, workspace, owner) > (");
            out.push_bind_param::<Text, str>(self.queue)?;
            out.push_sql(", ");
            out.push_bind_param::<Text, str>(self.workspace)?;
            out.push_sql(", names.name) ORDER BY queue, workspace, owner");
            Ok(())
        })
    }
}

/// Waits for other claims from the queue, and blocks others until the end of the transaction. For PostgreSQL.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClaimLock<'a> {
    pub(super) queue: &'a str,
}

prepared_once!(ClaimLock);

impl<Connection> RunQueryDsl<Connection> for ClaimLock<'_> {}

impl<DB: Backend> QueryFragment<DB> for ClaimLock<'_>
where
    str: ToSql<Text, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        // The first number means "claiming jobs". Two-key locks never conflict with one-key locks.
        out.push_sql("SELECT pg_advisory_xact_lock(1, hashtext(");
        out.push_bind_param::<Text, str>(self.queue)?;
        out.push_sql("))");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use diesel::sql_types::Integer;

    use super::*;
    use crate::connection::{Access, AnyConnection, Backend};

    /// The query plan of a statement in SQLite.
    struct Plan<T>(T);

    impl<T> Query for Plan<T> {
        type SqlType = (Integer, Integer, Integer, Text);
    }

    impl<T> QueryId for Plan<T> {
        type QueryId = ();
        const HAS_STATIC_QUERY_ID: bool = false;
    }

    impl<T, Connection> RunQueryDsl<Connection> for Plan<T> {}

    impl<T: QueryFragment<Sqlite>> QueryFragment<Sqlite> for Plan<T> {
        fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
            out.push_sql("EXPLAIN QUERY PLAN ");
            self.0.walk_ast(out)
        }
    }

    /// The steps of a plan that read jobs.
    fn steps(statement: impl QueryFragment<Sqlite>) -> Vec<String> {
        let backend = Backend::of("sqlite://:memory:").unwrap();
        let mut connection = backend.connect(Access::Write).unwrap();
        crate::migrations::apply(&mut connection).unwrap();
        let AnyConnection::Sqlite(mut inner) = connection else { unreachable!("SQLite") };
        let plan: Vec<(i32, i32, i32, String)> = Plan(statement).load(&mut inner).unwrap();
        plan.into_iter().map(|step| step.3).filter(|step| step.contains("jobs")).collect()
    }

    #[test]
    fn who_waits_is_found_from_name_to_name_within_one_index() {
        let index = "SEARCH jobs USING COVERING INDEX jobs_by_turn ";
        assert_eq!(steps(WorkspacesQuery { queue: "q" }), [format!("{index}(queue=? AND workspace>?)")]);
        let owners = OwnersQuery { queue: "q", workspace: "w", after: "7", now: 5, limit: 9 };
        let next = format!("{index}(queue=? AND workspace=? AND owner>?)");
        let ready = format!("{index}(queue=? AND workspace=? AND owner=?)");
        assert_eq!(steps(owners), [next, ready]);
    }
}
