//! Compares the vector index in memory with the one in PostgreSQL, on the server with pgvector that
//! `FORMWORK_TEST_PGVECTOR` names: `cargo run --release -p store-diesel --example nearest -- [COUNT…]`.
//! `cargo xtask bench vectors` starts such a server. The vectors are made up: clusters around random directions.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, reason = "a program for developers")]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kb_core::{
    Base, BaseId, BaseRepository as _, ChangeFeed as _, Chunk, ChunkKey, Chunking, Contents, Counts,
    EmbeddingRepository as _, ItemId, ItemRepository as _, ItemSet, NewItem, Source, VectorIndex,
    VectorQuery,
};
use search_index::{InMemoryVectorIndex, VectorSettings};
use shared_core::{Author, Revision, Scope, Timestamp};
use store_diesel::{DieselKnowledge, PgVectorIndex, PgVectorSettings};

const MODEL: &str = "made-up@bench";
const DIMENSIONS: usize = 384;
/// Chunks per item.
const CHUNKS: usize = 10;
/// Items that are added together.
const ADDED: usize = 500;
const QUERIES: usize = 200;
/// Vectors per cluster.
const CLUSTER: usize = 50;

/// Pseudo-random numbers, the same in every run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
    }

    fn direction(&mut self) -> Vec<f32> {
        let vector: Vec<f32> = (0..DIMENSIONS).map(|_| (0..4).map(|_| self.next()).sum()).collect();
        unit(&vector)
    }
}

fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.iter().map(|number| number / length).collect()
}

/// Clusters: each vector is a random centre and as much noise.
fn vectors(count: usize, draw: &mut Draw) -> Vec<Vec<f32>> {
    let centres: Vec<Vec<f32>> = (0..count.div_ceil(CLUSTER)).map(|_| draw.direction()).collect();
    let mut near = |centre: &Vec<f32>| {
        let noise = draw.direction();
        unit(&centre.iter().zip(noise).map(|(a, b)| a + b).collect::<Vec<_>>())
    };
    (0..count).map(|at| near(&centres[at % centres.len()])).collect()
}

/// The true ten nearest among the vectors that are wanted.
fn truth(all: &[Vec<f32>], query: &[f32], wanted: impl Fn(usize) -> bool) -> HashSet<usize> {
    let dot = |one: &[f32]| one.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
    let mut rated: Vec<(f32, usize)> =
        all.iter().enumerate().filter(|(at, _)| wanted(*at)).map(|(at, one)| (dot(one), at)).collect();
    rated.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    rated.into_iter().take(10).map(|(_, at)| at).collect()
}

/// Resident memory of this process in MiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1_024
}

async fn fill(store: &DieselKnowledge, scope: &Scope, all: &[Vec<f32>]) -> (Base, i64) {
    let now = Timestamp::from_micros(1).unwrap();
    let base = Base {
        id: BaseId("kb_bench".into()),
        number: 0,
        workspace: scope.workspace.clone(),
        author: Author { id: scope.user.clone(), name: String::new(), email: String::new() },
        name: "Bench".into(),
        description: String::new(),
        embedding: Some(MODEL.into()),
        serving: None,
        chunking: Chunking::default(),
        rerank: kb_core::RerankSettings::default(),
        counts: Counts::default(),
        languages: Vec::new(),
        written: 0,
        revision: Revision::FIRST,
        created: now,
        updated: now,
    };
    let base = store.insert(scope, &base).await.unwrap();
    let mut first = None;
    for (batch, part) in all.chunks(ADDED * CHUNKS).enumerate() {
        let (mut items, mut rows) = (Vec::new(), Vec::new());
        for (place, group) in part.chunks(CHUNKS).enumerate() {
            let name = format!("{batch}-{place}");
            let chunk = |position: usize| Chunk {
                position: position as u32,
                page: None,
                heading: String::new(),
                text: format!("{name} {position}"),
                start: position as u64,
                end: position as u64 + 1,
            };
            let chunks: Vec<Chunk> = (0..group.len()).map(chunk).collect();
            rows.extend(chunks.iter().zip(group).map(|(chunk, one)| (chunk.hash(), one.as_slice().into())));
            items.push(NewItem {
                id: ItemId(format!("item_{name}")),
                key: None,
                source: Source::Chunks,
                external_id: None,
                expires: None,
                fingerprint: name.clone(),
                name,
                meta: serde_json::Map::new(),
                bytes: 1,
                matter: Contents::Chunks { chunks, language: None },
            });
        }
        store.store_vectors(scope, MODEL, rows).await.unwrap();
        let added = store.add(scope, &base.id, items, u64::MAX, now).await.unwrap().unwrap();
        first.get_or_insert(added[0].item.number);
    }
    (base, first.unwrap())
}

struct Questions<'a> {
    base: i64,
    first: i64,
    queries: &'a [Vec<f32>],
    truths: &'a [HashSet<usize>],
    items: Option<ItemSet>,
}

/// The median time of a search in ms, and the recall of ten results.
async fn measure(index: &dyn VectorIndex, questions: &Questions<'_>) -> (f64, f64) {
    let (mut times, mut found) = (Vec::new(), 0);
    for (query, truth) in questions.queries.iter().zip(questions.truths) {
        let asked = VectorQuery {
            base: questions.base,
            model: MODEL.into(),
            vector: query.as_slice().into(),
            items: questions.items.clone(),
            exact: false,
            // What the service asks for: 100 candidates for ten results.
            limit: 100,
        };
        let begun = Instant::now();
        let hits = index.search(&asked).await.unwrap().hits;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        let place = |key: ChunkKey| (key.item - questions.first) as usize * CHUNKS + key.position as usize;
        found += hits.iter().take(10).filter(|hit| truth.contains(&place(hit.key))).count();
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], found as f64 / (times.len() * 10) as f64)
}

/// Waits until the graph of the index in memory is built, if it gets one.
async fn settle(index: &InMemoryVectorIndex, count: usize) {
    let scanned = index.bytes();
    for _ in 0..1_200 {
        if count < VectorSettings::default().graph_from || index.bytes() > scanned + count * 50 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

async fn compare(count: usize) {
    let throwaway = common::fresh(common::Kind::PgVector).expect("FORMWORK_TEST_PGVECTOR names a server");
    let (scope, _) = common::two_workspaces(&throwaway.database).await;
    let mut draw = Draw(0x9E37_79B9_7F4A_7C15);
    let all = vectors(count, &mut draw);
    let queries: Vec<Vec<f32>> = (0..QUERIES)
        .map(|at| {
            let noise = draw.direction();
            unit(&all[at * 37 % count].iter().zip(noise).map(|(a, b)| a + 0.7 * b).collect::<Vec<_>>())
        })
        .collect();
    let store = DieselKnowledge::new(throwaway.database.clone());
    let (base, first) = fill(&store, &scope, &all).await;
    assert!(store.state().await.unwrap().latest > 0);
    let everything: Vec<HashSet<usize>> = queries.iter().map(|query| truth(&all, query, |_| true)).collect();
    let tenth: Vec<i64> = (0..count / CHUNKS).filter(|at| at % 10 == 0).map(|at| first + at as i64).collect();
    let of_tenth: Vec<HashSet<usize>> =
        queries.iter().map(|query| truth(&all, query, |at| (at / CHUNKS).is_multiple_of(10))).collect();
    let whole = Questions { base: base.number, first, queries: &queries, truths: &everything, items: None };
    let filtered = Questions { truths: &of_tenth, items: Some(ItemSet::new(tenth)), ..whole };

    let before = resident();
    let begun = Instant::now();
    let settings = VectorSettings { bytes: 1 << 30, ..VectorSettings::default() };
    let memory = InMemoryVectorIndex::new(Arc::new(store), settings);
    measure(&memory, &Questions { queries: &queries[..1], ..whole_of(&whole) }).await;
    let loaded = begun.elapsed().as_secs_f64();
    settle(&memory, count).await;
    let built = begun.elapsed().as_secs_f64();
    let (p50, recall) = measure(&memory, &whole).await;
    let (filtered_p50, filtered_recall) = measure(&memory, &filtered).await;
    let more = resident().saturating_sub(before);
    println!(
        "| {count} | memory | {p50:.2} | {recall:.4} | {filtered_p50:.2} | {filtered_recall:.4} | {more} \
         ({:.0} by its own count) | {loaded:.1} s, {built:.1} s with the graph |",
        memory.bytes() as f64 / 1_048_576.0
    );
    memory.reset().await;
    drop(memory);

    let index =
        PgVectorIndex::open(throwaway.database.clone(), PgVectorSettings::default(), true).await.unwrap();
    let before = resident();
    let begun = Instant::now();
    let mut after = 0;
    while let Some(next) = index.reconcile(after).await.unwrap() {
        after = next;
    }
    let stored = begun.elapsed().as_secs_f64();
    let (exact_p50, exact_recall) =
        measure(&index, &Questions { queries: &queries[..50], ..whole_of(&whole) }).await;
    while index.maintain().await.unwrap() {}
    let built = begun.elapsed().as_secs_f64();
    let (p50, recall) = measure(&index, &whole).await;
    let (filtered_p50, filtered_recall) = measure(&index, &filtered).await;
    let more = resident().saturating_sub(before);
    println!(
        "| {count} | pgvector, exact | {exact_p50:.2} | {exact_recall:.4} | | | | {stored:.1} s |\n\
         | {count} | pgvector, graph | {p50:.2} | {recall:.4} | {filtered_p50:.2} | {filtered_recall:.4} | {more} \
         | {built:.1} s |"
    );
}

/// The same questions, to change a part of them.
fn whole_of<'a>(questions: &Questions<'a>) -> Questions<'a> {
    Questions { items: questions.items.clone(), ..*questions }
}

#[tokio::main]
async fn main() {
    let counts: Vec<usize> = std::env::args().skip(1).map(|count| count.parse().expect("a number")).collect();
    println!(
        "| vectors | index | p50 ms | recall@10 | p50 ms, 1 of 10 | recall@10, 1 of 10 | MiB more | made in |\n\
         |---|---|---|---|---|---|---|---|"
    );
    for count in if counts.is_empty() { vec![20_000, 100_000] } else { counts } {
        compare(count).await;
    }
}
