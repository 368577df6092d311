//! The lexical index in memory, for tests and embedders.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;
use language::bm25::idf;
use parking_lot::{Mutex, MutexGuard};

use super::bm25::{CHUNK_BM25, chunk_terms};
use crate::analysis::{QueryWord, query_words};
use crate::{
    ChunkKey, Found, Hit, IndexError, IndexMark, IndexedChunk, ItemSet, LexicalIndex, LexicalQuery, Rebuild,
    TermConstraint, TermPrefix,
};

/// A lexical index that lives as long as its process. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct MemoryLexicalIndex(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    mark: Option<IndexMark>,
    bases: BaseIndex,
    /// Uncommitted writes.
    pending: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Remove(Vec<i64>, Vec<i64>),
    Put(Vec<IndexedChunk>),
}

#[derive(Debug, Default)]
struct BaseIndex(HashMap<i64, BTreeMap<ChunkKey, Entry>>);

#[derive(Debug)]
struct Entry {
    sequence: i64,
    length: u32,
    counts: HashMap<String, u32>,
}

impl Entry {
    fn meets(&self, constraint: &TermConstraint) -> bool {
        let has = |term: &String| self.counts.contains_key(term);
        constraint.required.iter().all(|terms| terms.iter().any(has)) && !constraint.excluded.iter().any(has)
    }
}

/// The terms of a prefix as a word that a chunk need not have.
fn prefix_word(prefix: &TermPrefix, chunks: &BTreeMap<ChunkKey, Entry>) -> QueryWord {
    let terms = chunks.values().flat_map(|entry| entry.counts.keys());
    let begun: BTreeSet<&String> = terms.filter(|term| term.starts_with(&prefix.prefix)).collect();
    let begun = begun.into_iter().take(TermPrefix::MAX_TERMS);
    QueryWord { terms: begun.chain(&prefix.terms).cloned().collect(), weight: 1.0, beside: true }
}

impl BaseIndex {
    fn apply(&mut self, step: Step) {
        match step {
            Step::Remove(items, bases) => {
                let items: HashSet<i64> = items.into_iter().collect();
                self.0.retain(|base, _| !bases.contains(base));
                for chunks in self.0.values_mut() {
                    chunks.retain(|key, _| !items.contains(&key.item));
                }
            }
            Step::Put(chunks) => chunks.iter().for_each(|chunk| self.put(chunk)),
        }
    }

    fn put(&mut self, chunk: &IndexedChunk) {
        let mut entry = Entry { sequence: chunk.sequence, length: 0, counts: HashMap::new() };
        chunk_terms(chunk, &mut |term| {
            entry.length += 1;
            *entry.counts.entry(term.to_owned()).or_default() += 1;
        });
        self.0.entry(chunk.base).or_default().insert(chunk.key, entry);
    }

    fn search(&self, query: &LexicalQuery) -> Found {
        let Some(chunks) = self.0.get(&query.base).filter(|chunks| !chunks.is_empty()) else {
            return Found::default();
        };
        let all = chunks.len() as u64;
        let average = chunks.values().map(|entry| f64::from(entry.length)).sum::<f64>() / all as f64;
        let (mut scores, mut reachable) = (BTreeMap::<ChunkKey, (i64, f32)>::new(), 0.0);
        let further = query.constraint.prefixes.iter().map(|prefix| prefix_word(prefix, chunks));
        for word in query_words(&query.text, &query.languages).into_iter().chain(further) {
            let having: Vec<(&ChunkKey, &Entry, u32)> = chunks
                .iter()
                .map(|(key, entry)| {
                    let counts = word.terms.iter().filter_map(|term| entry.counts.get(term));
                    (key, entry, counts.copied().max().unwrap_or(0))
                })
                .filter(|(_, _, count)| *count > 0)
                .collect();
            if having.is_empty() && word.beside {
                continue;
            }
            let weight = idf(having.len() as u64, all) * word.weight;
            reachable += weight;
            for (key, entry, count) in having {
                let share = CHUNK_BM25.share(count as f32, entry.length as f32, average as f32);
                scores.entry(*key).or_insert((entry.sequence, 0.0)).1 += weight * share;
            }
        }
        let wanted = |key: &ChunkKey| {
            query.items.as_ref().is_none_or(|items| items.contains(key.item))
                && chunks.get(key).is_some_and(|entry| entry.meets(&query.constraint))
        };
        let mut hits: Vec<Hit> = scores
            .into_iter()
            .filter(|(key, _)| wanted(key))
            .map(|(key, (sequence, score))| Hit { key, sequence, score: score / reachable })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
        let more = hits.len() > query.limit;
        hits.truncate(query.limit);
        Found { hits, more }
    }
}

impl MemoryLexicalIndex {
    /// An index that is up to date with an empty store.
    #[must_use]
    pub fn new() -> Self {
        let words = Self::default();
        words.state().mark = Some(IndexMark::default());
        words
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

#[async_trait]
impl LexicalIndex for MemoryLexicalIndex {
    async fn mark(&self) -> Result<Option<IndexMark>, IndexError> {
        Ok(self.state().mark)
    }

    async fn remove(&self, items: &[i64], bases: &[i64]) -> Result<(), IndexError> {
        self.state().pending.push(Step::Remove(items.to_vec(), bases.to_vec()));
        Ok(())
    }

    async fn put(&self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError> {
        self.state().pending.push(Step::Put(chunks));
        Ok(())
    }

    async fn commit(&self, mark: IndexMark) -> Result<(), IndexError> {
        let mut state = self.state();
        for step in std::mem::take(&mut state.pending) {
            state.bases.apply(step);
        }
        state.mark = Some(mark);
        Ok(())
    }

    async fn rebuild(&self) -> Result<Box<dyn Rebuild>, IndexError> {
        Ok(Box::new(Fresh { words: self.clone(), bases: BaseIndex::default() }))
    }

    async fn search(&self, query: &LexicalQuery) -> Result<Found, IndexError> {
        Ok(self.state().bases.search(query))
    }

    async fn matching_items(&self, query: &LexicalQuery) -> Result<ItemSet, IndexError> {
        let all = LexicalQuery { limit: usize::MAX, ..query.clone() };
        let found = self.state().bases.search(&all);
        Ok(ItemSet::new(found.hits.iter().map(|hit| hit.key.item).collect()))
    }
}

#[derive(Debug)]
struct Fresh {
    words: MemoryLexicalIndex,
    bases: BaseIndex,
}

#[async_trait]
impl Rebuild for Fresh {
    async fn put(&mut self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError> {
        self.bases.apply(Step::Put(chunks));
        Ok(())
    }

    async fn finish(self: Box<Self>, mark: IndexMark) -> Result<(), IndexError> {
        *self.words.state() = State { mark: Some(mark), bases: self.bases, pending: Vec::new() };
        Ok(())
    }
}
