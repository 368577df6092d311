//! Measures speed and size of the index with texts whose words follow Zipf's law.

use std::path::Path;
use std::time::{Duration, Instant};

use futures_executor::block_on;
use kb_core::{ChunkKey, IndexMark, IndexedChunk, ItemSet, LexicalIndex, LexicalQuery};

/// Words per chunk.
const WORDS: usize = 60;
/// Distinct words in all.
const VOCABULARY: f64 = 200_000.0;

/// An xorshift generator: the same texts in each run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A word by Zipf's law; its rank is sampled by the inverse of the distribution.
    fn word(&mut self) -> String {
        name(VOCABULARY.powf(self.share()) as u64)
    }

    fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

/// A pronounceable name for a number.
fn name(mut number: u64) -> String {
    let mut word = String::new();
    loop {
        word.push(b"bdfgklmnprstvz"[(number % 14) as usize] as char);
        number /= 14;
        word.push(b"aeiou"[(number % 5) as usize] as char);
        number /= 5;
        if number == 0 {
            return word;
        }
    }
}

pub(crate) fn run(folder: &Path, bases: i64, chunks: i64) {
    let words = crate::empty(folder);
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut texts = Duration::ZERO;
    let started = Instant::now();
    let mut item = 0;
    for base in 1..=bases {
        let mut left = chunks;
        while left > 0 {
            let many = left.min(1000);
            left -= many;
            let making = Instant::now();
            let batch = (0..many).map(|_| {
                item += 1;
                IndexedChunk {
                    key: ChunkKey { item, position: 0 },
                    base,
                    sequence: item,
                    title: String::new(),
                    heading: String::new(),
                    text: dice.text(WORDS),
                    language: Some("en".to_owned()),
                }
            });
            let batch = batch.collect();
            texts += making.elapsed();
            block_on(words.put(batch)).expect("put");
            if item % 50_000 == 0 {
                block_on(words.commit(IndexMark { sequence: item, generation: 0 })).expect("commit");
            }
        }
    }
    block_on(words.commit(IndexMark { sequence: item, generation: 0 })).expect("commit");
    let took = started.elapsed().saturating_sub(texts);
    println!("{item} chunks in {took:.1?}: {:.0} chunks/s; {}", item as f64 / took.as_secs_f64(), memory());
    size(folder, item);
    std::thread::sleep(Duration::from_secs(30));
    println!("after the merges: {}", memory());
    size(folder, item);
    for length in [1, 3, 5, 10, 30] {
        searches(&words, &mut dice, bases, length, None);
    }
    for items in [10, 1000, 100_000] {
        searches(&words, &mut dice, bases, 5, Some(items));
    }
    println!("{}", memory());
    small_commits(&words, &mut dice, item);
    let removing = Instant::now();
    block_on(words.remove(&[], &[1])).expect("remove");
    block_on(words.commit(IndexMark { sequence: item + 1, generation: 0 })).expect("commit");
    println!("a base removed in {:.1?}", removing.elapsed());
    let opening = Instant::now();
    drop(words);
    let words = search_index::TantivyLexicalIndex::open(folder, search_index::LexicalSettings::default())
        .expect("open");
    println!("opened again in {:.1?}, {:?}", opening.elapsed(), block_on(words.mark()));
}

/// Commits of one chunk each.
fn small_commits(words: &dyn LexicalIndex, dice: &mut Dice, item: i64) {
    let mut times: Vec<f64> = (1..=200)
        .map(|next| {
            let started = Instant::now();
            let key = ChunkKey { item: item + next, position: 0 };
            let (title, heading, language) = (String::new(), String::new(), None);
            let chunk = IndexedChunk {
                key,
                base: 1,
                sequence: item + next,
                title,
                heading,
                text: dice.text(WORDS),
                language,
            };
            block_on(words.remove(&[item + next], &[])).expect("remove");
            block_on(words.put(vec![chunk])).expect("put");
            block_on(words.commit(IndexMark { sequence: item + next, generation: 0 })).expect("commit");
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("commits of one chunk: p50 {:.1} ms, p99 {:.1} ms", times[100], times[197]);
}

fn searches(words: &dyn LexicalIndex, dice: &mut Dice, bases: i64, length: usize, items: Option<i64>) {
    let mut times: Vec<f64> = (0..2000)
        .map(|_| {
            let base = 1 + (dice.next() % bases as u64) as i64;
            let items = items
                .map(|count| ItemSet::new((0..count).map(|_| (dice.next() % 1_000_000) as i64).collect()));
            let query = LexicalQuery {
                base,
                text: dice.text(length),
                languages: vec!["en".to_owned()],
                items,
                limit: 30,
                ..LexicalQuery::default()
            };
            let started = Instant::now();
            block_on(words.search(&query)).expect("search");
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{length} words{}: p50 {:.3} ms, p90 {:.3}, p99 {:.3}, most {:.3}",
        items.map_or(String::new(), |items| format!(" in {items} items")),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}

fn size(folder: &Path, chunks: i64) {
    let mut stack = vec![folder.to_owned()];
    let (mut bytes, mut kinds) = (0, std::collections::BTreeMap::<String, u64>::new());
    while let Some(next) = stack.pop() {
        for entry in std::fs::read_dir(next).expect("the folder").flatten() {
            let Ok(about) = entry.metadata() else { continue };
            if about.is_dir() {
                stack.push(entry.path());
            } else {
                bytes += about.len();
                let kind =
                    entry.path().extension().map_or(String::new(), |kind| kind.to_string_lossy().into());
                *kinds.entry(kind).or_default() += about.len();
            }
        }
    }
    kinds.retain(|_, bytes| *bytes > 100_000);
    println!("{bytes} bytes, {:.1} a chunk: {kinds:?}", bytes as f64 / chunks as f64);
}

/// Anonymous memory of this process.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    format!("{} {}", line("RssAnon"), line("VmHWM")).replace('\t', " ")
}
