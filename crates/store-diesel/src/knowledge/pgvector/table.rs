//! The tables of vectors: one for each length, made when the first vector of that length comes.

use std::fmt;
use std::ops::RangeInclusive;

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{Bool, Text};
use diesel::{PgConnection, RunQueryDsl as _, sql_query};

use super::setup;
use crate::failure::Failure;
use crate::knowledge::chunks;

/// Lengths of vectors that pgvector can store as `halfvec`.
pub(super) const LENGTHS: RangeInclusive<usize> = 1..=16_000;
/// Maximum length that its graph takes.
const MAX_GRAPH_LENGTH: usize = 4_000;
/// What the names begin with.
const PREFIX: &str = "kb_pgvector_";

/// The table of vectors of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct VectorTable(pub(super) usize);

impl fmt::Display for VectorTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.0)
    }
}

#[derive(Debug, diesel::QueryableByName)]
struct FlagRow {
    #[diesel(sql_type = Bool)]
    value: bool,
}

#[derive(Debug, diesel::QueryableByName)]
struct NameRow {
    #[diesel(sql_type = Text)]
    name: String,
}

impl VectorTable {
    /// Whether it can have a graph.
    pub(super) fn has_graph(self) -> bool {
        self.0 <= MAX_GRAPH_LENGTH
    }

    pub(super) fn exists(self, connection: &mut PgConnection) -> Result<bool, Failure> {
        let query = sql_query(format!("SELECT to_regclass('{self}') IS NOT NULL AS value"));
        Ok(query.get_result::<FlagRow>(connection)?.value)
    }

    /// Creates it with its indexes unless it exists. `graph`: whether the row is part of the graph.
    pub(super) fn create(self, connection: &mut PgConnection) -> Result<(), Failure> {
        if self.exists(connection)? {
            return Ok(());
        }
        // Another server may be creating it: `IF NOT EXISTS` alone fails then.
        setup::lock(connection)?;
        let length = self.0;
        connection.batch_execute(&format!(
            "CREATE TABLE IF NOT EXISTS {self} (
               chunk BIGINT NOT NULL, model TEXT NOT NULL, base BIGINT NOT NULL, item BIGINT NOT NULL,
               graph BOOLEAN NOT NULL DEFAULT FALSE, embedding halfvec({length}) NOT NULL,
               PRIMARY KEY (chunk, model));
             CREATE INDEX IF NOT EXISTS {self}_of_base ON {self} (base, model, graph, item);"
        ))?;
        if self.has_graph() {
            connection.batch_execute(&format!(
                "CREATE INDEX IF NOT EXISTS {self}_graph ON {self} USING hnsw (embedding halfvec_cosine_ops)
                 WHERE graph"
            ))?;
        }
        Ok(())
    }

    /// Those that exist.
    pub(super) fn all(connection: &mut PgConnection) -> Result<Vec<Self>, Failure> {
        let query = "SELECT tablename::text AS name FROM pg_tables \
             WHERE schemaname = current_schema() AND starts_with(tablename, $1)";
        let names: Vec<NameRow> = sql_query(query).bind::<Text, _>(PREFIX).load(connection)?;
        let length = |row: NameRow| row.name.strip_prefix(PREFIX)?.parse().ok().map(Self);
        let mut tables: Vec<Self> = names.into_iter().filter_map(length).collect();
        tables.sort_unstable();
        Ok(tables)
    }
}

/// The vector of length 1; `None` without a direction. Stored numbers have 16 bits, whose range the components
/// of other vectors can exceed.
pub(super) fn normalised(vector: &[f32]) -> Option<Vec<f32>> {
    let length = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
    let is_usable = length.is_finite() && length > 0.0 && LENGTHS.contains(&vector.len());
    is_usable.then(|| vector.iter().map(|number| (f64::from(*number) / length) as f32).collect())
}

/// The ids of an item's chunks.
pub(super) fn chunk_range(item: i64) -> (i64, i64) {
    (chunks::first_id(item), chunks::first_id(item.saturating_add(1)))
}
