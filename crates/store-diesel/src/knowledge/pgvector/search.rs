//! The nearest chunks of a base.

use diesel::sql_types::{Array, BigInt, Bool, Double, Float, Integer, Text};
use diesel::{PgConnection, RunQueryDsl as _, sql_query};
use kb_core::ChunkKey;

use super::setup::postgres;
use super::table::VectorTable;
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::knowledge::chunks;

/// Maximum items of a filter that are searched exactly, without the graph: their rows are found by an index.
/// Chosen by hand; no measurement recorded.
const EXACT_ITEMS: usize = 2_048;
/// Candidates of a walk through the graph: at least, and at most (pgvector's limit).
const CANDIDATES: (usize, usize) = (100, 1_000);
/// Rows that a walk reads at most per wanted result where the filter discards many, and at least. The latter is
/// pgvector's default.
const SCANNED: (usize, usize) = (64, 20_000);

/// What is searched for.
#[derive(Clone, Debug)]
pub(super) struct NearestQuery {
    pub(super) base: i64,
    /// As stored.
    pub(super) model: String,
    /// Of length 1.
    pub(super) vector: Vec<f32>,
    pub(super) items: Option<Vec<i64>>,
    /// Whether the graph is left out.
    pub(super) exact: bool,
    pub(super) limit: usize,
}

#[derive(Debug, diesel::QueryableByName)]
struct FoundRow {
    #[diesel(sql_type = BigInt)]
    chunk: i64,
    #[diesel(sql_type = BigInt)]
    sequence: i64,
    #[diesel(sql_type = Double)]
    distance: f64,
}

#[derive(Debug, diesel::QueryableByName)]
struct FlagRow {
    #[diesel(sql_type = Bool)]
    value: bool,
}

/// The nearest chunks with the sequence of their items and their cosine distance, nearest first.
pub(super) fn nearest(
    connection: &mut AnyConnection,
    query: &NearestQuery,
) -> Result<Vec<(ChunkKey, i64, f64)>, Failure> {
    let inner = postgres(connection)?;
    let table = VectorTable(query.vector.len());
    if !table.exists(inner)? {
        return Ok(Vec::new());
    }
    let is_narrow = query.items.as_ref().is_some_and(|items| items.len() <= EXACT_ITEMS);
    let mut rows = Vec::new();
    if !query.exact && !is_narrow && has_graph(inner, table, query)? {
        limit_walk(inner, query.limit)?;
        rows = load(inner, &by_graph(table, query), query)?;
    }
    // A walk may end early where the filter matches little.
    if rows.len() < query.limit {
        rows = load(inner, &exact(table, query), query)?;
    }
    rows.into_iter().map(|row| Ok((chunks::key(row.chunk)?, row.sequence, row.distance))).collect()
}

fn has_graph(
    connection: &mut PgConnection,
    table: VectorTable,
    query: &NearestQuery,
) -> Result<bool, Failure> {
    let known = "SELECT EXISTS (SELECT 1 FROM kb_pgvector_graphs \
         WHERE base = $1 AND model = $2 AND length = $3) AS value";
    let known = sql_query(known).bind::<BigInt, _>(query.base).bind::<Text, _>(&query.model);
    let length = i32::try_from(table.0).unwrap_or(i32::MAX);
    Ok(known.bind::<Integer, _>(length).get_result::<FlagRow>(connection)?.value)
}

/// Sets the limits of a walk through the graph for this transaction.
fn limit_walk(connection: &mut PgConnection, limit: usize) -> Result<(), Failure> {
    let candidates = limit.clamp(CANDIDATES.0, CANDIDATES.1);
    let scanned = limit.saturating_mul(SCANNED.0).max(SCANNED.1);
    sql_query(format!(
        "SELECT set_config('hnsw.ef_search', '{candidates}', true), \
         set_config('hnsw.iterative_scan', 'relaxed_order', true), \
         set_config('hnsw.max_scan_tuples', '{scanned}', true)"
    ))
    .execute(connection)?;
    Ok(())
}

/// The condition on the rows of the base. The items are the last parameter.
fn condition(query: &NearestQuery) -> &'static str {
    match query.items {
        Some(_) => "base = $2 AND model = $3 AND item = ANY($5)",
        None => "base = $2 AND model = $3 AND $5 = '{}'::bigint[]",
    }
}

/// The nearest of all rows. Without a condition on `graph` the graph cannot be used.
fn exact(table: VectorTable, query: &NearestQuery) -> String {
    let (length, condition) = (table.0, condition(query));
    format!(
        "SELECT chunk, embedding <=> ($1)::halfvec({length}) AS distance FROM {table} WHERE {condition} \
         ORDER BY distance, chunk LIMIT $4"
    )
}

/// The nearest in the graph, and of the rows that are not in it yet.
fn by_graph(table: VectorTable, query: &NearestQuery) -> String {
    let (length, condition) = (table.0, condition(query));
    let part = |is_in: &str| {
        format!(
            "(SELECT chunk, embedding <=> ($1)::halfvec({length}) AS distance FROM {table} \
             WHERE {is_in} AND {condition} ORDER BY embedding <=> ($1)::halfvec({length}) LIMIT $4)"
        )
    };
    format!("{} UNION ALL {}", part("graph"), part("NOT graph"))
}

/// Runs a query of chunks with distances; the rows of items that are no longer searchable are left out.
fn load(connection: &mut PgConnection, near: &str, query: &NearestQuery) -> Result<Vec<FoundRow>, Failure> {
    let full = format!(
        "SELECT near.chunk, i.sequence, near.distance FROM ({near}) AS near \
         JOIN kb_items i ON i.number = near.chunk >> 20 \
         WHERE i.base = $2 AND i.sequence > 0 ORDER BY near.distance, near.chunk LIMIT $4"
    );
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let items = query.items.as_deref().unwrap_or_default();
    let statement = sql_query(full).bind::<Array<Float>, _>(&query.vector).bind::<BigInt, _>(query.base);
    let statement = statement.bind::<Text, _>(&query.model).bind::<BigInt, _>(limit);
    Ok(statement.bind::<Array<BigInt>, _>(items).load(connection)?)
}
