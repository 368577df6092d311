//! Statements that Diesel cannot express, prepared once per connection.
//!
//! Waiting lanes are found by a loose index scan, which jumps from each name to the next. Its cost depends on
//! the number of names, not of jobs. (<https://wiki.postgresql.org/wiki/Loose_indexscan>)

use diesel::backend::Backend;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, Integer, Text};
use diesel::sqlite::Sqlite;
use diesel::{QueryResult, RunQueryDsl};

use super::rotation::LastOwners;

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

/// Of each priority the first `limit` owners of a workspace after `after`, by name, with a claimable job; with the rank of
/// the priority.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnersQuery<'a> {
    pub(super) queue: &'a str,
    pub(super) workspace: &'a str,
    pub(super) after: &'a LastOwners,
    pub(super) now: i64,
    pub(super) limit: i64,
}

impl Query for OwnersQuery<'_> {
    type SqlType = (Integer, Text);
}

prepared_once!(OwnersQuery);

impl<Connection> RunQueryDsl<Connection> for OwnersQuery<'_> {}

/// [`jobs_core::Priority::rank`], ascending.
const RANKS: [&str; 3] = ["0", "1", "2"];

impl OwnersQuery<'_> {
    /// A loose index scan for each priority; `next` writes the query of the name after `names.name` of one.
    fn walk<'b, DB: Backend>(
        &'b self,
        mut out: AstPass<'_, 'b, DB>,
        next: impl Fn(&mut AstPass<'_, 'b, DB>, &str) -> QueryResult<()>,
    ) -> QueryResult<()>
    where
        str: ToSql<Text, DB>,
        i64: ToSql<BigInt, DB>,
    {
        // By rank, and as texts: few values that never change make one statement.
        for ((rank, after), union) in RANKS.iter().zip(self.after).zip(["", " UNION ALL ", " UNION ALL "]) {
            out.push_sql(union);
            out.push_sql("SELECT * FROM (WITH RECURSIVE names (name) AS (SELECT CAST(");
            out.push_bind_param::<Text, str>(after)?;
            out.push_sql(" AS TEXT) UNION ALL SELECT (");
            next(&mut out, rank)?;
            out.push_sql(" LIMIT 1) FROM names WHERE names.name IS NOT NULL) SELECT ");
            out.push_sql(rank);
            // The scan begins at a previous name, or at none, and skips it.
            out.push_sql(" AS rank, name FROM names WHERE name <> ");
            out.push_bind_param::<Text, str>(after)?;
            out.push_sql(" AND (SELECT ready FROM jobs WHERE queue = ");
            out.push_bind_param::<Text, str>(self.queue)?;
            out.push_sql(" AND workspace = ");
            out.push_bind_param::<Text, str>(self.workspace)?;
            out.push_sql(" AND priority = ");
            out.push_sql(rank);
            out.push_sql(" AND owner = names.name ORDER BY ready LIMIT 1) <= ");
            out.push_bind_param::<BigInt, i64>(&self.now)?;
            out.push_sql(" LIMIT ");
            out.push_bind_param::<BigInt, i64>(&self.limit)?;
            out.push_sql(") AS lanes");
        }
        Ok(())
    }
}

impl QueryFragment<Sqlite> for OwnersQuery<'_> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        self.walk(out, |out, rank| {
            // A row comparison would begin with the name itself and skip each of its jobs.
            out.push_sql("SELECT owner FROM jobs WHERE queue = ");
            out.push_bind_param::<Text, str>(self.queue)?;
            out.push_sql(" AND workspace = ");
            out.push_bind_param::<Text, str>(self.workspace)?;
            out.push_sql(" AND priority = ");
            out.push_sql(rank);
            out.push_sql(" AND owner > names.name ORDER BY owner");
            Ok(())
        })
    }
}

impl QueryFragment<Pg> for OwnersQuery<'_> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.walk(out, |out, rank| {
            // In the order of one index, so that the planner uses no other.
            out.push_sql("SELECT CASE WHEN queue = ");
            out.push_bind_param::<Text, str>(self.queue)?;
            out.push_sql(" AND workspace = ");
            out.push_bind_param::<Text, str>(self.workspace)?;
            out.push_sql(" AND priority = ");
            out.push_sql(rank);
            out.push_sql(" THEN owner END FROM jobs WHERE (queue, workspace, priority, owner) > (");
            out.push_bind_param::<Text, str>(self.queue)?;
            out.push_sql(", ");
            out.push_bind_param::<Text, str>(self.workspace)?;
            out.push_sql(", ");
            out.push_sql(rank);
            out.push_sql(", names.name) ORDER BY queue, workspace, priority, owner");
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
        let after = LastOwners::default();
        let owners = OwnersQuery { queue: "q", workspace: "w", after: &after, now: 5, limit: 9 };
        let next = format!("{index}(queue=? AND workspace=? AND priority=? AND owner>?)");
        let ready = format!("{index}(queue=? AND workspace=? AND priority=? AND owner=?)");
        let walks = vec![vec![next, ready]; 3].concat();
        assert_eq!(steps(owners), walks);
    }
}
