//! The index on tantivy finds what the plain index in memory finds, with the same scores, whether it scores all or
//! skips what cannot be among the best, and however it is cut into segments.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests, too, may fail loudly")]

use futures_executor::block_on;
use kb_core::{
    ChunkKey, Found, IndexMark, IndexedChunk, ItemSet, LexicalIndex, LexicalQuery, MemoryLexicalIndex,
};
use search_index::{LexicalSettings, TantivyLexicalIndex};

const CHUNKS: i64 = 12_000;

/// A linear congruential generator (Knuth's constants).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// One of sixty words, the first of them the most frequent.
    fn word(&mut self) -> String {
        let bound = 1 + self.below(60);
        format!(
            "w{}x",
            char::from(b'a' + (self.below(bound) % 26) as u8).to_string().repeat(1 + bound as usize / 20)
        )
    }

    fn text(&mut self, words: u64) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

fn chunks() -> Vec<IndexedChunk> {
    let mut dice = Dice(11);
    (0..CHUNKS)
        .map(|item| {
            let words = 3 + dice.below(27);
            IndexedChunk {
                key: ChunkKey { item: item / 3, position: (item % 3) as u32 },
                // Another base, with longer texts of the same words, lies between.
                base: 1 + i64::from(item % 5 == 0),
                sequence: item,
                title: String::new(),
                heading: String::new(),
                text: dice.text(if item % 5 == 0 { words + 200 } else { words }),
                language: Some("en".to_owned()),
            }
        })
        .collect()
}

fn fill(words: &dyn LexicalIndex) {
    for (part, sequence) in chunks().chunks(2_500).zip(1..) {
        block_on(words.put(part.to_vec())).expect("put");
        block_on(words.commit(IndexMark { sequence, generation: 0 })).expect("commit");
    }
}

/// `exact`: lengths are kept as they are, so that the same chunks are found.
fn compare(plain: &Found, found: &Found, exact: bool, what: &str) {
    assert_eq!((plain.hits.len(), plain.more), (found.hits.len(), found.more), "{what}");
    // The index on disk keeps lengths in steps, and counts the base as a term of the chunk.
    for (expected, hit) in plain.hits.iter().zip(&found.hits) {
        assert!((expected.score - hit.score).abs() < 0.03, "{what}: {expected:?} {hit:?}");
    }
    if exact {
        let same = found.hits.iter().filter(|hit| plain.hits.iter().any(|one| one.key == hit.key)).count();
        assert!(same * 10 >= found.hits.len() * 8, "{what}: {same} of {}", found.hits.len());
    }
}

#[test]
fn the_same_is_found_as_by_the_plain_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = TantivyLexicalIndex::open(folder.path(), LexicalSettings::default()).expect("open");
    block_on(async { words.rebuild().await?.finish(IndexMark::default()).await }).expect("an index");
    let plain = MemoryLexicalIndex::new();
    fill(&words);
    fill(&plain);
    let mut dice = Dice(99);
    for length in [1, 2, 3, 5, 8, 60, 120] {
        for base in [1, 2] {
            for items in
                [None, Some(ItemSet::new((0..700).collect())), Some(ItemSet::new((9..2_000).collect()))]
            {
                let query = LexicalQuery {
                    base,
                    text: dice.text(length),
                    languages: vec!["en".to_owned()],
                    items,
                    limit: 20,
                    ..LexicalQuery::default()
                };
                let (expected, found) = (block_on(plain.search(&query)), block_on(words.search(&query)));
                let what = format!("{length} words in base {base}");
                compare(&expected.expect("search"), &found.expect("search"), base == 1, &what);
            }
        }
    }
}

/// Queries of frequent words, so that what cannot be among the best is skipped.
fn searched(folder: &std::path::Path, searchers: usize) -> Vec<Found> {
    let settings = LexicalSettings { searchers, ..LexicalSettings::default() };
    let words = TantivyLexicalIndex::open(folder, settings).expect("open");
    let mut dice = Dice(7);
    let query = |length| LexicalQuery {
        base: 1,
        text: dice.text(length),
        languages: vec!["en".to_owned()],
        items: None,
        limit: 50,
        ..LexicalQuery::default()
    };
    let queries: Vec<_> = [8, 20, 60, 120].into_iter().map(query).collect();
    queries.iter().map(|query| block_on(words.search(query)).expect("search")).collect()
}

#[test]
fn threads_that_share_a_search_find_what_one_finds_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = TantivyLexicalIndex::open(folder.path(), LexicalSettings::default()).expect("open");
    block_on(async { words.rebuild().await?.finish(IndexMark::default()).await }).expect("an index");
    fill(&words);
    drop(words);
    let alone = searched(folder.path(), 1);
    assert!(alone.iter().all(|found| found.hits.len() == 50));
    for _ in 0..20 {
        for (shared, alone) in searched(folder.path(), 4).iter().zip(&alone) {
            let keys = |found: &Found| found.hits.iter().map(|hit| hit.key).collect::<Vec<_>>();
            assert_eq!(keys(shared), keys(alone));
            // What is skipped depends on the others, and with it the order in which a score is summed up.
            let near = shared.hits.iter().zip(&alone.hits).all(|(a, b)| (a.score - b.score).abs() < 1e-4);
            assert!(near, "{shared:?} {alone:?}");
        }
    }
}
