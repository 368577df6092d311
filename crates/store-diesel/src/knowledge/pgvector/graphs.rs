//! Which rows are in the graphs. Inserting into a graph takes milliseconds a row, so that rows enter it some
//! time after they are stored; until then they are searched exactly.

use diesel::sql_types::{BigInt, Bool, Integer, Text};
use diesel::{PgConnection, RunQueryDsl as _, sql_query};

use super::setup::postgres;
use super::table::VectorTable;
use crate::connection::AnyConnection;
use crate::failure::Failure;

/// Rows that one step adds to a graph: about a second of work.
const STEP: i64 = 500;
/// Rows that one step removes.
const REMOVED: i64 = 5_000;
/// Key of the lock of this work; any number that nothing else locks.
const LOCK: i64 = 0x6662_6772_6170_6873;

#[derive(Debug, diesel::QueryableByName)]
struct FlagRow {
    #[diesel(sql_type = Bool)]
    value: bool,
}

/// The rows of a base and model.
#[derive(Debug, diesel::QueryableByName)]
struct GroupRow {
    #[diesel(sql_type = BigInt)]
    base: i64,
    #[diesel(sql_type = Text)]
    model: String,
    /// Number of rows.
    #[diesel(sql_type = BigInt)]
    count: i64,
    /// Number of those that are not in the graph.
    #[diesel(sql_type = BigInt)]
    outside: i64,
    /// Whether the base wants the model or is searched by it.
    #[diesel(sql_type = Bool)]
    is_used: bool,
}

/// Does the next piece of work on the graphs, unless another server does; returns whether there was some.
pub(super) fn step(connection: &mut AnyConnection, graph_from: i64) -> Result<bool, Failure> {
    let inner = postgres(connection)?;
    let lock = sql_query("SELECT pg_try_advisory_xact_lock($1) AS value").bind::<BigInt, _>(LOCK);
    if !lock.get_result::<FlagRow>(inner)?.value {
        return Ok(false);
    }
    for table in VectorTable::all(inner)? {
        for group in groups(inner, table)? {
            if !group.is_used {
                remove(inner, table, &group)?;
                return Ok(true);
            }
            if table.has_graph() && group.count >= graph_from && group.outside > 0 {
                add(inner, table, &group)?;
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn groups(connection: &mut PgConnection, table: VectorTable) -> Result<Vec<GroupRow>, Failure> {
    let query = format!(
        "SELECT g.base, g.model, g.count, g.outside, EXISTS (SELECT 1 FROM kb_bases b \
           WHERE b.number = g.base AND (b.embedding = g.model OR b.serving = g.model)) AS is_used \
         FROM (SELECT base, model, count(*) AS count, count(*) FILTER (WHERE NOT graph) AS outside \
           FROM {table} GROUP BY base, model) AS g ORDER BY g.base, g.model"
    );
    Ok(sql_query(query).load(connection)?)
}

fn add(connection: &mut PgConnection, table: VectorTable, group: &GroupRow) -> Result<(), Failure> {
    let update = sql_query(format!(
        "UPDATE {table} SET graph = TRUE WHERE model = $2 AND chunk IN (SELECT chunk FROM {table} \
         WHERE base = $1 AND model = $2 AND NOT graph ORDER BY item LIMIT $3)"
    ));
    let update = update.bind::<BigInt, _>(group.base).bind::<Text, _>(&group.model);
    update.bind::<BigInt, _>(STEP).execute(connection)?;
    let known = sql_query(
        "INSERT INTO kb_pgvector_graphs (base, model, length) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    );
    let known = known.bind::<BigInt, _>(group.base).bind::<Text, _>(&group.model);
    known.bind::<Integer, _>(i32::try_from(table.0).unwrap_or(i32::MAX)).execute(connection)?;
    Ok(())
}

fn remove(connection: &mut PgConnection, table: VectorTable, group: &GroupRow) -> Result<(), Failure> {
    let delete = sql_query(format!(
        "DELETE FROM {table} WHERE model = $2 AND chunk IN (SELECT chunk FROM {table} \
         WHERE base = $1 AND model = $2 LIMIT $3)"
    ));
    let delete = delete.bind::<BigInt, _>(group.base).bind::<Text, _>(&group.model);
    delete.bind::<BigInt, _>(REMOVED).execute(connection)?;
    let known = sql_query("DELETE FROM kb_pgvector_graphs WHERE base = $1 AND model = $2");
    known.bind::<BigInt, _>(group.base).bind::<Text, _>(&group.model).execute(connection)?;
    Ok(())
}
