//! The vector index in memory, for tests and embedders: exact search over the vectors of the store.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{ChangeFeed, ChunkKey, Found, Hit, IndexError, VectorIndex, VectorQuery};

/// Compares a query with every vector of its base, which the change feed reads from the store. It stores nothing itself. Right
/// for some ten thousand chunks; `search-index` has one for more.
#[derive(Clone, Debug)]
pub struct MemoryVectorIndex(Arc<dyn ChangeFeed>);

impl MemoryVectorIndex {
    /// An index over the vectors of `feed`.
    #[must_use]
    pub fn new(feed: Arc<dyn ChangeFeed>) -> Self {
        Self(feed)
    }
}

#[async_trait]
impl VectorIndex for MemoryVectorIndex {
    async fn changed(&self, _: &[(i64, i64)], _: &[i64]) -> Result<(), IndexError> {
        Ok(())
    }

    async fn reset(&self) {}

    async fn search(&self, query: &VectorQuery) -> Result<Found, IndexError> {
        let first = ChunkKey { item: -1, position: 0 };
        let all = self.0.vectors(query.base, &query.model, first, u32::MAX).await;
        let all = all.map_err(|error| IndexError::Failed(error.into()))?;
        let is_wanted = |item| query.items.as_ref().is_none_or(|items| items.contains(item));
        let has_direction = |vector: &[f32]| length(vector).is_finite() && length(vector) > 0.0;
        if !has_direction(&query.vector) || query.limit == 0 {
            return Ok(Found::default());
        }
        let mut hits: Vec<Hit> = all
            .into_iter()
            .filter(|(key, _, vector)| is_wanted(key.item) && vector.len() == query.vector.len())
            .filter(|(_, _, vector)| has_direction(vector))
            .map(|(key, sequence, vector)| Hit { key, sequence, score: cosine(&vector, &query.vector) })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
        let more = hits.len() > query.limit;
        hits.truncate(query.limit);
        Ok(Found { hits, more })
    }
}

/// The cosine of two vectors, not below 0.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    (dot / (length(a) * length(b))).max(0.0)
}

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|number| number * number).sum::<f32>().sqrt()
}
