//! Fixtures for tests: vectors, and a store of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use kb_core::{ChunkKey, VectorQuery};
use parking_lot::{Mutex, MutexGuard};
use shared_core::StoreError;

use super::rows_alone::{Page, Rows};

/// The model id of the tests.
pub(super) const MODEL: &str = "model@test";

/// Pseudo-random numbers, the same in every run.
pub(super) fn vector(seed: u64, length: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678_9ABC_DEF1);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
    };
    // Sums of four are closer to the distribution of embeddings than single ones.
    (0..length).map(|_| next() + next() + next() + next()).collect()
}

pub(super) fn key(item: i64, position: u32) -> ChunkKey {
    ChunkKey { item, position }
}

pub(super) fn query(base: i64, vector: &[f32], limit: usize) -> VectorQuery {
    VectorQuery { base, model: MODEL.to_owned(), vector: vector.into(), items: None, exact: false, limit }
}

type Stored = (i64, Arc<[f32]>);

/// Vectors of bases; the rest of the feed is not used.
#[derive(Debug, Default)]
pub(super) struct Store {
    rows: Mutex<BTreeMap<(i64, ChunkKey), Stored>>,
    /// How often vectors were read, and how many were returned.
    pub(super) asked: AtomicUsize,
    pub(super) given: AtomicUsize,
    pub(super) broken: AtomicBool,
}

impl Store {
    fn rows(&self) -> MutexGuard<'_, BTreeMap<(i64, ChunkKey), Stored>> {
        self.rows.lock()
    }

    pub(super) fn put(&self, base: i64, key: ChunkKey, sequence: i64, vector: Vec<f32>) {
        self.rows().insert((base, key), (sequence, vector.into()));
    }

    pub(super) fn remove(&self, base: i64, item: i64) {
        self.rows().retain(|(of, key), _| *of != base || key.item != item);
    }

    pub(super) fn asked(&self) -> usize {
        self.asked.swap(0, Ordering::Relaxed)
    }

    pub(super) fn given(&self) -> usize {
        self.given.swap(0, Ordering::Relaxed)
    }

    /// The nearest by a plain computation.
    pub(super) fn truth(&self, base: i64, vector: &[f32], limit: usize) -> Vec<(ChunkKey, f64)> {
        let dot =
            |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let norm = dot(vector, vector);
        let mut all: Vec<_> = self
            .rows()
            .iter()
            .filter(|((of, _), _)| *of == base)
            .map(|((_, key), (_, own))| (*key, dot(vector, own) / (norm * dot(own, own)).sqrt()))
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(limit);
        all
    }
}

impl Rows for Store {
    fn page(&self, base: i64, model: &str, after: ChunkKey, limit: u32) -> Result<Page, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.broken.load(Ordering::Relaxed) {
            return Err(StoreError::Full);
        }
        if model != MODEL {
            return Ok(Vec::new());
        }
        let rows = self.rows();
        let after = rows.range((std::ops::Bound::Excluded((base, after)), std::ops::Bound::Unbounded));
        let of_base = after.take_while(|((of, _), _)| *of == base).take(limit as usize);
        let page: Vec<_> =
            of_base.map(|((_, key), (sequence, vector))| (*key, *sequence, Arc::clone(vector))).collect();
        self.given.fetch_add(page.len(), Ordering::Relaxed);
        Ok(page)
    }
}
