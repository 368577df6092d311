//! Times the vector index: `cargo run --release -p search-index --example vectors -- COUNT [DIMENSIONS]
//! [FILE|random]`. The vectors come from a file of 32-bit floats, one after the other. Where there are too few,
//! mixes of two of them are added. Without a file they are synthetic, which is much harder to search than the
//! vectors of texts.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, reason = "a program for developers")]

#[path = "../src/vectors/rows_alone.rs"]
mod rows_alone;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_executor::block_on;
use kb_core::{ChunkKey, ItemSet, VectorIndex as _, VectorQuery};
use rows_alone::{Page, Rows, RowsAlone};
use search_index::{InMemoryVectorIndex, VectorSettings};
use shared_core::StoreError;

/// Chunks per item.
const CHUNKS: i64 = 10;
const QUERIES: usize = 200;

#[derive(Debug)]
struct Store {
    numbers: Vec<f32>,
    dimensions: usize,
}

impl Store {
    fn count(&self) -> usize {
        self.numbers.len() / self.dimensions
    }

    fn vector(&self, at: usize) -> &[f32] {
        &self.numbers[at * self.dimensions..(at + 1) * self.dimensions]
    }

    fn truth(&self, vector: &[f32], wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let mut all: Vec<(f32, usize)> = (0..self.count())
            .filter(|at| wanted(*at))
            .map(|at| (dot(vector, self.vector(at)) / dot(self.vector(at), self.vector(at)).sqrt(), at))
            .collect();
        all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().take(10).map(|(_, at)| at).collect()
    }
}

fn at(key: ChunkKey) -> usize {
    (key.item * CHUNKS) as usize + key.position as usize
}

impl Rows for Store {
    fn page(&self, _: i64, _: &str, after: ChunkKey, limit: u32) -> Result<Page, StoreError> {
        let from = match after.item {
            ..0 => 0,
            item => (item * CHUNKS + i64::from(after.position).min(CHUNKS - 1)) as usize + 1,
        };
        let to = self.count().min(from + limit as usize);
        let key = |at: usize| ChunkKey { item: at as i64 / CHUNKS, position: (at as i64 % CHUNKS) as u32 };
        Ok((from..to).map(|at| (key(at), 1, self.vector(at).into())).collect())
    }
}

struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
    }

    fn bell(&mut self) -> f32 {
        (0..4).map(|_| self.next()).sum()
    }
}

/// Texts are about overlapping topics: each vector is a mix of three of 2,000 directions and one of its own.
fn made_up(count: usize, dimensions: usize) -> Vec<f32> {
    let mut draw = Draw(0x1234_5678_9ABC_DEF1);
    let topics: Vec<Vec<f32>> = (0..2_000).map(|_| (0..dimensions).map(|_| draw.bell()).collect()).collect();
    let mut numbers = Vec::with_capacity(count * dimensions);
    for _ in 0..count {
        let of: Vec<usize> = (0..3).map(|_| ((draw.next() + 0.5) * 1_999.0) as usize).collect();
        let shares: Vec<f32> = (0..3).map(|_| draw.next() + 0.5).collect();
        let mixed = |dimension: usize| {
            of.iter().zip(&shares).map(|(topic, share)| topics[*topic][dimension] * share).sum::<f32>()
        };
        numbers.extend((0..dimensions).map(mixed).map(|topic| topic + 0.6 * draw.bell()));
    }
    numbers
}

/// Directions without any structure: the hardest there are.
fn random(count: usize, dimensions: usize) -> Vec<f32> {
    let mut draw = Draw(0x1234_5678_9ABC_DEF1);
    (0..count * dimensions).map(|_| draw.bell()).collect()
}

fn read(path: &str) -> Vec<f32> {
    let bytes = std::fs::read(path).expect("the file can be read");
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// Fills up to `all` numbers with mixes of two of the vectors. The mixes are put first, so that the last
/// vectors stay last.
fn mixed(own: Vec<f32>, all: usize, dimensions: usize) -> Vec<f32> {
    let mut draw = Draw(0x9E37_79B9_7F4A_7C15);
    let (mut numbers, count) = (Vec::with_capacity(all), own.len() / dimensions);
    while numbers.len() + own.len() < all {
        let mut pick = || {
            let at = ((draw.next() + 0.5) * (count - 1) as f32) as usize * dimensions;
            &own[at..at + dimensions]
        };
        let (a, b) = (pick(), pick());
        let share = draw.next() + 0.5;
        numbers.extend(a.iter().zip(b).map(|(a, b)| a * share + b * (1.0 - share) + 0.01 * draw.bell()));
    }
    numbers.extend(own);
    numbers
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (count, dimensions) = (number(0, 50_000_usize), number(1, 384_usize));
    let all = (count + QUERIES) * dimensions;
    let mut numbers = match arguments.get(2) {
        Some(name) if name == "random" => random(count + QUERIES, dimensions),
        Some(path) => mixed(read(path), all, dimensions),
        None => made_up(count + QUERIES, dimensions),
    };
    numbers.truncate(all);
    // The last vectors are the queries.
    let queries = numbers.split_off(numbers.len() - QUERIES * dimensions);
    let store = Arc::new(Store { numbers, dimensions });
    let queries: Vec<&[f32]> = queries.chunks_exact(dimensions).collect();
    println!("{} vectors of {dimensions} numbers", store.count());
    let settings = VectorSettings { bytes: 8 << 30, graph_from: usize::MAX, threads: 2 };
    measure("scan", &store, &queries, settings);
    measure("graph", &store, &queries, VectorSettings { graph_from: 1_000, ..settings });
}

fn query(vector: &[f32], items: Option<&ItemSet>) -> VectorQuery {
    VectorQuery {
        base: 1,
        model: String::new(),
        vector: vector.into(),
        items: items.cloned(),
        exact: false,
        limit: 10,
    }
}

fn measure(name: &str, store: &Arc<Store>, queries: &[&[f32]], settings: VectorSettings) {
    let index = InMemoryVectorIndex::new(Arc::new(RowsAlone(Arc::clone(store))), settings);
    let start = Instant::now();
    block_on(index.search(&query(queries[0], None))).expect("a search");
    println!("{name}: read in {:.2?}", start.elapsed());
    let plain = index.bytes();
    if settings.graph_from < store.count() {
        while index.bytes() == plain {
            std::thread::sleep(Duration::from_millis(10));
        }
        println!("{name}: built in {:.1?} by {} threads", start.elapsed(), settings.threads);
    }
    if let Some(recall) = index.recall(1) {
        println!("{name}: recall@10 {recall:.4}, measured by the index");
    }
    println!("{name}: {} MB, {} bytes a chunk", index.bytes() >> 20, index.bytes() / store.count());
    ask(name, &index, store, queries, None);
    let items = store.count() as i64 / CHUNKS;
    for part in [2, 10, 100] {
        let some = ItemSet::new((0..items).filter(|item| item % part == 0).collect());
        ask(&format!("{name}, one of {part} items"), &index, store, queries, Some(&some));
    }
}

fn ask(name: &str, index: &InMemoryVectorIndex, store: &Store, queries: &[&[f32]], items: Option<&ItemSet>) {
    let mut times = Vec::new();
    let mut found = 0;
    let compared = if store.count() > 200_000 { 50 } else { QUERIES };
    for (number, vector) in queries.iter().enumerate() {
        let asked = query(vector, items);
        let start = Instant::now();
        let hits = block_on(index.search(&asked)).expect("a search").hits;
        times.push(start.elapsed());
        if number < compared {
            let wanted = |at: usize| items.is_none_or(|items| items.contains(at as i64 / CHUNKS));
            let truth = store.truth(vector, wanted);
            found += hits.iter().filter(|hit| truth.contains(&at(hit.key))).count();
        }
    }
    times.sort_unstable();
    let part = |part: usize| times[(times.len() - 1) * part / 100];
    println!(
        "{name}: p50 {:.2?}, p99 {:.2?}, recall@10 {:.4}",
        part(50),
        part(99),
        found as f64 / (10 * compared) as f64
    );
}
