//! The vector index in PostgreSQL, by its extension pgvector: a table for each length of vectors, with a graph
//! (HNSW) of large knowledge bases. It is derived from the stored chunks and vectors, as an index outside the
//! database would be, and serves the whole process, so its statements name no workspace.

mod graphs;
mod rows;
mod search;
mod setup;
mod table;

use async_trait::async_trait;
use kb_core::{ChunkKey, Found, Hit, IndexError, VectorIndex, VectorQuery};
use shared_core::StoreError;

use self::search::NearestQuery;
use self::table::normalised;
use crate::database::Database;
use crate::text_encoding::encode;

pub use setup::PgVectorError;

/// Items that one transaction brings up to date. Bounds how long it holds their locks.
const ITEM_BATCH: usize = 32;
/// Maximum results of a search. Twice as many as any search of the service asks for; protects memory.
const MAX_RESULTS: usize = 25_600;

/// Limits of the index.
#[derive(Clone, Copy, Debug)]
pub struct PgVectorSettings {
    /// Chunks from which on a knowledge base gets a graph.
    pub graph_from: u32,
}

impl Default for PgVectorSettings {
    fn default() -> Self {
        // An exact search of 10,000 vectors of 384 numbers takes about ten milliseconds
        // (`docs/benchmarks/retrieval.md`, Vectors in PostgreSQL).
        Self { graph_from: 10_000 }
    }
}

/// Finds chunks by their vectors in PostgreSQL. All servers on the database share the tables.
#[derive(Clone, Debug)]
pub struct PgVectorIndex {
    database: Database,
    settings: PgVectorSettings,
}

impl PgVectorIndex {
    /// Creates the tables that do not depend on the vectors, and with `create` the extension.
    ///
    /// # Errors
    /// When the database is not PostgreSQL, or the extension is missing, too old, or must not be created.
    pub async fn open(
        database: Database,
        settings: PgVectorSettings,
        create: bool,
    ) -> Result<Self, PgVectorError> {
        setup::prepare(&database, create).await?;
        Ok(Self { database: database.bulk(), settings })
    }

    /// Brings items with a greater number than `after` up to date that are not: what changed while no server
    /// kept this index. Returns the number to continue from; `None` at the end.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn reconcile(&self, after: i64) -> Result<Option<i64>, StoreError> {
        let due = self.database.read(move |connection| rows::due(connection, after)).await?;
        self.apply(&due).await?;
        Ok(due.last().copied())
    }

    /// Adds some vectors to the graphs of large bases, or removes some of models that are no longer used.
    /// Returns whether there was something to do. One server at a time does so.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn maintain(&self) -> Result<bool, StoreError> {
        let from = i64::from(self.settings.graph_from);
        self.database.write(move |connection| graphs::step(connection, from)).await
    }

    async fn apply(&self, items: &[i64]) -> Result<(), StoreError> {
        let mut items = items.to_vec();
        // In the order of the numbers, so that servers that apply the same changes do not deadlock.
        items.sort_unstable();
        items.dedup();
        for batch in items.chunks(ITEM_BATCH) {
            let batch = batch.to_vec();
            self.database.write(move |connection| rows::apply(connection, &batch)).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl VectorIndex for PgVectorIndex {
    async fn changed(&self, items: &[(i64, i64)], bases: &[i64]) -> Result<(), IndexError> {
        let items: Vec<i64> = items.iter().map(|(item, _)| *item).collect();
        self.apply(&items).await.map_err(failed)?;
        for base in bases.iter().copied() {
            let gone = self.database.write(move |connection| rows::remove_base(connection, base)).await;
            gone.map_err(failed)?;
        }
        Ok(())
    }

    /// The tables stay: other servers keep them up to date. [`PgVectorIndex::reconcile`] adds what is missing.
    async fn reset(&self) {}

    async fn search(&self, query: &VectorQuery) -> Result<Found, IndexError> {
        let limit = query.limit.min(MAX_RESULTS);
        let Some(vector) = normalised(&query.vector).filter(|_| limit > 0) else {
            return Ok(Found::default());
        };
        let asked = NearestQuery {
            base: query.base,
            model: encode(&query.model).into_owned(),
            vector,
            items: query.items.as_ref().map(|items| items.numbers().to_vec()),
            exact: query.exact,
            // One more shows whether there are more.
            limit: limit + 1,
        };
        let rows = self.database.read(move |connection| search::nearest(connection, &asked)).await;
        let mut hits = rows.map_err(failed)?;
        let more = hits.len() > limit;
        hits.truncate(limit);
        let hit = |(key, sequence, distance): (ChunkKey, i64, f64)| Hit {
            key,
            sequence,
            score: (1.0 - distance).clamp(0.0, 1.0) as f32,
        };
        Ok(Found { hits: hits.into_iter().map(hit).collect(), more })
    }
}

fn failed(error: StoreError) -> IndexError {
    match error {
        StoreError::Full => IndexError::Full,
        other => IndexError::Failed(other.into()),
    }
}
