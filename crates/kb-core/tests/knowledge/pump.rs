//! Indexes that follow the store: words by its changes, vectors by looking at all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use kb_core::{
    ChangeFeed, ChangeKind, ChunkKey, Found, Hit, IndexError, IndexMark, IndexProgress, LexicalIndex as _,
    MemoryKnowledge, MemoryLexicalIndex, VectorIndex, VectorQuery,
};

/// Applies changes as they come; never ends.
pub(crate) async fn follow(
    store: &MemoryKnowledge,
    words: &MemoryLexicalIndex,
    applied: &IndexProgress,
    held: &AtomicBool,
) {
    loop {
        let heard = applied.listen();
        let mark = words.mark().await.unwrap().unwrap_or_default();
        if !held.load(Ordering::SeqCst) {
            apply(store, words, mark).await;
            applied.announce(words.mark().await.unwrap().unwrap_or_default().sequence);
        }
        heard.await;
    }
}

async fn apply(store: &MemoryKnowledge, words: &MemoryLexicalIndex, mark: IndexMark) {
    let mut last = mark.sequence;
    for change in store.changes(last, u32::MAX).await.unwrap() {
        last = change.sequence;
        match change.what {
            ChangeKind::Put { item } => {
                words.remove(&[item], &[]).await.unwrap();
                let Some(indexed) = store.item(item).await.unwrap() else { continue };
                let chunks = ChangeFeed::chunks(store, item, 0, u32::MAX).await.unwrap();
                words.put(chunks.into_iter().map(|chunk| indexed.chunk(chunk)).collect()).await.unwrap();
            }
            ChangeKind::Gone { item } => words.remove(&[item], &[]).await.unwrap(),
            ChangeKind::BaseGone { base } => words.remove(&[], &[base]).await.unwrap(),
        }
    }
    words.commit(IndexMark { sequence: last, ..mark }).await.unwrap();
}

/// Compares with every vector of a base.
#[derive(Debug)]
pub(crate) struct AllVectors(pub(crate) Arc<MemoryKnowledge>);

#[async_trait]
impl VectorIndex for AllVectors {
    async fn changed(&self, _: &[(i64, i64)], _: &[i64]) -> Result<(), IndexError> {
        Ok(())
    }

    async fn reset(&self) {}

    async fn search(&self, query: &VectorQuery) -> Result<Found, IndexError> {
        let first = ChunkKey { item: -1, position: 0 };
        let all = self.0.vectors(query.base, &query.model, first, u32::MAX).await.unwrap();
        let wanted = |item| query.items.as_ref().is_none_or(|items| items.contains(item));
        let mut hits: Vec<Hit> = all
            .into_iter()
            .filter(|(key, _, _)| wanted(key.item))
            .map(|(key, sequence, vector)| Hit { key, sequence, score: cosine(&vector, &query.vector) })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
        let more = hits.len() > query.limit;
        hits.truncate(query.limit);
        Ok(Found { hits, more })
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    (dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt()).max(f32::MIN_POSITIVE)).max(0.0)
}
