//! The indexer over memory: whatever fails and whenever it stops, the index ends up as the store is.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use futures_executor::block_on;
use futures_util::future::select;
use parking_lot::Mutex;
use serde_json::Map;
use shared_core::{FixedClock, InstantTimer, Revision, Scope, UserId, WorkspaceId};

use super::*;
use crate::{
    Base, BaseId, BaseRepository, Change, Chunk, ChunkKey, ChunkRepository as _, Chunking, Contents, Counts,
    Found, IndexedItem, ItemChange, ItemId, ItemRepository, LexicalQuery, MemoryKnowledge,
    MemoryLexicalIndex, NewItem, Selection, Source, VectorQuery,
};

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

fn now() -> Timestamp {
    FixedClock::default().now()
}

/// Counts down to a failure; negative: none comes.
#[derive(Debug)]
struct Fuse(AtomicI64);

impl Fuse {
    fn burns(&self) -> Result<(), StoreError> {
        match self.0.fetch_sub(1, Ordering::Relaxed) {
            0 => Err(StoreError::Unavailable("it fails once".into())),
            _ => Ok(()),
        }
    }
}

/// A feed that fails once, after so many calls.
#[derive(Debug)]
struct Feed(Arc<MemoryKnowledge>, Arc<Fuse>);

#[async_trait]
impl ChangeFeed for Feed {
    async fn state(&self) -> Result<FeedState, StoreError> {
        self.1.burns()?;
        ChangeFeed::state(&*self.0).await
    }
    async fn changes(&self, after: i64, limit: u32) -> Result<Vec<Change>, StoreError> {
        self.1.burns()?;
        self.0.changes(after, limit).await
    }
    async fn next_change_time(&self, after: i64) -> Result<Option<Timestamp>, StoreError> {
        self.0.next_change_time(after).await
    }
    async fn item(&self, number: i64) -> Result<Option<IndexedItem>, StoreError> {
        self.1.burns()?;
        self.0.item(number).await
    }
    async fn items(&self, after: i64, limit: u32) -> Result<Vec<IndexedItem>, StoreError> {
        self.1.burns()?;
        self.0.items(after, limit).await
    }
    async fn chunks(&self, item: i64, from: u32, limit: u32) -> Result<Vec<Chunk>, StoreError> {
        self.1.burns()?;
        ChangeFeed::chunks(&*self.0, item, from, limit).await
    }
    async fn vectors(
        &self,
        base: i64,
        model: &str,
        after: ChunkKey,
        limit: u32,
    ) -> Result<Vec<(ChunkKey, i64, Arc<[f32]>)>, StoreError> {
        self.0.vectors(base, model, after, limit).await
    }
    async fn renew(&self) -> Result<i64, StoreError> {
        self.0.renew().await
    }
    async fn forget(&self, before: Timestamp, applied: i64) -> Result<u64, StoreError> {
        self.0.forget(before, applied).await
    }
}

/// Records the calls of the vector index.
#[derive(Debug, Default)]
struct Told(Mutex<Vec<String>>);

#[async_trait]
impl VectorIndex for Told {
    async fn changed(&self, items: &[(i64, i64)], bases: &[i64]) -> Result<(), IndexError> {
        self.0.lock().push(format!("{items:?} {bases:?}"));
        Ok(())
    }
    async fn reset(&self) {
        self.0.lock().push("reset".to_owned());
    }
    async fn search(&self, _: &VectorQuery) -> Result<Found, IndexError> {
        Ok(Found::default())
    }
}

#[derive(Debug, Default)]
struct Log(Mutex<Vec<String>>);

impl IndexerWatch for Log {
    fn trouble(&self, error: &IndexerError) {
        self.0.lock().push(error.to_string());
    }
    fn rebuilding(&self, why: &'static str) {
        self.0.lock().push(why.to_owned());
    }
    fn rebuilt(&self, what: Reindexed) {
        self.0.lock().push(format!("{} items, {} chunks", what.items, what.chunks));
    }
}

struct Kit {
    store: Arc<MemoryKnowledge>,
    words: MemoryLexicalIndex,
    vectors: Arc<Told>,
    log: Arc<Log>,
    fuse: Arc<Fuse>,
    base: Base,
    indexer: Indexer,
}

impl Kit {
    fn new() -> Self {
        let store = Arc::new(MemoryKnowledge::default());
        let words = MemoryLexicalIndex::default();
        let (vectors, log) = (Arc::new(Told::default()), Arc::new(Log::default()));
        let fuse = Arc::new(Fuse(AtomicI64::new(-1)));
        let base = block_on(store.insert(&scope(), &base("kb"))).unwrap();
        let indexer = Indexer {
            feed: Arc::new(Feed(store.clone(), fuse.clone())),
            words: Arc::new(words.clone()),
            vectors: vectors.clone(),
            applied: IndexProgress::default(),
            clock: Arc::new(FixedClock::default()),
            timer: Arc::new(InstantTimer),
            watch: log.clone(),
            settings: IndexerSettings::default(),
        };
        Self { store, words, vectors, log, fuse, base, indexer }
    }

    fn put(&self, id: &str, texts: &[&str]) {
        let chunks = (0..).zip(texts).map(|(position, text)| Chunk {
            position,
            page: None,
            start: 0,
            end: 0,
            heading: String::new(),
            text: (*text).to_owned(),
        });
        let item = NewItem {
            id: ItemId(id.to_owned()),
            key: None,
            source: Source::Chunks,
            name: format!("name of {id}"),
            meta: Map::new(),
            bytes: 1,
            external_id: None,
            expires: None,
            fingerprint: id.to_owned(),
            matter: Contents::Chunks { chunks: chunks.collect(), language: Some("en".to_owned()) },
        };
        block_on(self.store.add(&scope(), &self.base.id, vec![item], u64::MAX, now())).unwrap();
    }

    fn delete(&self, id: &str) {
        let which = Selection::Ids(None, vec![ItemId(id.to_owned())]);
        block_on(ItemRepository::delete(&*self.store, &scope(), &which, now())).unwrap();
    }

    fn rename(&self, id: &str, name: &str) {
        let change = ItemChange { name: Some(name.to_owned()), ..ItemChange::default() };
        let id = ItemId(id.to_owned());
        block_on(ItemRepository::update(&*self.store, &scope(), &id, &change, now())).unwrap();
    }

    fn round(&self) -> Result<(), IndexerError> {
        block_on(self.indexer.round(&mut None))
    }

    fn latest(&self) -> i64 {
        block_on(ChangeFeed::state(&*self.store)).unwrap().latest
    }

    /// The chunks that are found, and whether each is as the store has it now.
    fn found(&self, text: &str) -> Vec<(i64, u32, bool)> {
        let query = LexicalQuery {
            base: self.base.number,
            text: text.to_owned(),
            languages: vec!["en".to_owned()],
            items: None,
            limit: 10_000,
            ..LexicalQuery::default()
        };
        let hits = block_on(self.words.search(&query)).unwrap().hits;
        let asked: Vec<_> = hits.iter().map(|hit| (hit.key, hit.sequence)).collect();
        let live = block_on(self.store.load_live_chunks(&scope(), &self.base.id, &asked)).unwrap();
        let mut found: Vec<_> = hits
            .iter()
            .zip(live)
            .map(|(hit, live)| (hit.key.item, hit.key.position, live.is_some()))
            .collect();
        found.sort_unstable();
        found
    }

    fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.log.0.lock())
    }
}

fn base(id: &str) -> Base {
    Base {
        id: BaseId(id.to_owned()),
        number: 0,
        workspace: scope().workspace,
        author: shared_core::Author { id: scope().user, name: String::new(), email: String::new() },
        name: id.to_owned(),
        description: String::new(),
        embedding: None,
        serving: None,
        chunking: Chunking::default(),
        rerank: crate::RerankSettings::default(),
        counts: Counts::default(),
        languages: Vec::new(),
        written: 0,
        revision: Revision::FIRST,
        created: now(),
        updated: now(),
    }
}

#[test]
fn what_changes_is_found_as_it_is_now_and_announced() {
    let kit = Kit::new();
    assert_eq!(kit.indexer.applied.sequence(), -1);
    kit.round().unwrap();
    assert_eq!(kit.log(), [""; 0], "an index of nothing is no news");
    kit.put("a", &["an early otter", "a late otter"]);
    kit.put("b", &["another otter"]);
    kit.rename("a", "heron");
    kit.delete("b");
    kit.round().unwrap();
    assert_eq!(kit.indexer.applied.sequence(), kit.latest());
    assert_eq!(kit.found("otter").iter().map(|one| one.2).collect::<Vec<_>>(), [true, true]);
    assert_eq!(kit.found("heron").len(), 2);
    let told = kit.vectors.0.lock().clone();
    assert_eq!(told, ["reset".to_owned(), format!("[(1, {}), (2, 0)] []", kit.base.number)]);
    block_on(BaseRepository::delete(&*kit.store, &scope(), &kit.base.id, now())).unwrap();
    kit.round().unwrap();
    assert_eq!(kit.found("otter heron"), []);
    assert_eq!(kit.log(), [""; 0]);
}

#[test]
fn the_lag_is_the_number_of_changes_behind_and_the_age_of_the_first() {
    let kit = Kit::new();
    kit.round().unwrap();
    kit.put("a", &["an otter"]);
    kit.round().unwrap();
    assert_eq!(block_on(kit.indexer.lag()).unwrap(), IndexLag { position: 1, changes: 0, seconds: 0.0 });
    kit.put("b", &["an otter"]);
    kit.delete("b");
    let clock = Arc::new(FixedClock::new(now().micros() + 7_000_000, 0));
    let later = Indexer { clock, ..kit.indexer.clone() };
    assert_eq!(block_on(later.lag()).unwrap(), IndexLag { position: 1, changes: 2, seconds: 7.0 });
}

#[test]
fn an_item_with_many_chunks_is_read_page_by_page() {
    let kit = Kit::new();
    let texts = vec!["a pebble"; 1000];
    kit.put("rebuilt", &texts);
    kit.round().unwrap();
    assert_eq!(kit.log()[1], "1 items, 1000 chunks");
    kit.put("followed", &texts);
    kit.put("last", &["a pebble"]);
    kit.round().unwrap();
    assert_eq!(kit.found("pebble").len(), 2001);
}

#[test]
fn whatever_fails_and_whenever_no_change_is_lost() {
    for calls in 0.. {
        let kit = Kit::new();
        kit.round().unwrap();
        kit.put("a", &["an otter"; 300]);
        kit.put("b", &["an otter"]);
        kit.delete("a");
        kit.put("c", &["an otter"; 600]);
        kit.rename("b", "changed");
        kit.fuse.0.store(calls, Ordering::Relaxed);
        if kit.round().is_ok() {
            assert!(calls > 8, "it fails at each of the calls");
            return;
        }
        assert!(kit.indexer.applied.sequence() <= kit.latest());
        kit.put("d", &["an otter"]);
        kit.delete("c");
        kit.round().unwrap();
        assert_eq!(kit.found("otter"), [(2, 0, true), (4, 0, true)], "after {calls} calls");
        assert_eq!(kit.indexer.applied.sequence(), kit.latest());
    }
}

#[test]
fn an_index_is_made_anew_when_it_cannot_go_on() {
    let kit = Kit::new();
    kit.put("a", &["an otter"]);
    kit.round().unwrap();
    kit.log();
    let set = |mark| block_on(kit.words.commit(mark)).unwrap();
    let applied = || kit.indexer.applied.sequence();

    block_on(kit.store.renew()).unwrap();
    kit.round().unwrap();
    assert_eq!(kit.log(), ["a rebuild was requested", "1 items, 1 chunks"]);

    set(IndexMark { sequence: kit.latest() + 5, generation: 1 });
    kit.put("b", &["an otter"]);
    kit.fuse.0.store(1, Ordering::Relaxed);
    kit.round().unwrap_err();
    assert_eq!(applied(), -1, "what a later state has is not known here");
    kit.round().unwrap();
    assert_eq!(
        kit.log()[1..],
        ["the index is of another store, or of a later state of this one", "2 items, 2 chunks"]
    );

    for _ in 0..3 {
        kit.rename("a", "again");
    }
    kit.round().unwrap();
    block_on(kit.store.forget(now().plus_seconds(9), kit.latest())).unwrap();
    set(IndexMark { sequence: 1, generation: 1 });
    kit.put("c", &["an otter"]);
    kit.round().unwrap();
    assert_eq!(kit.log(), ["the index is older than the retained changes", "3 items, 3 chunks"]);
    assert_eq!(kit.found("otter").iter().filter(|one| one.2).count(), 3);
    assert_eq!(applied(), kit.latest());
    kit.round().unwrap();
    assert_eq!(kit.log(), [""; 0]);
}

#[test]
fn changes_that_are_a_day_old_are_forgotten_once_they_are_applied() {
    let kit = Kit::new();
    kit.put("a", &["an otter"]);
    kit.put("b", &["an otter"]);
    kit.round().unwrap();
    let later = now().plus_seconds(KEPT + 10).micros();
    let indexer = Indexer { clock: Arc::new(FixedClock::new(later, 1)), ..kit.indexer.clone() };
    let mut last = None;
    block_on(indexer.round(&mut last)).unwrap();
    assert_eq!(block_on(ChangeFeed::state(&*kit.store)).unwrap().forgotten, kit.latest());
    kit.put("c", &["an otter"]);
    block_on(indexer.round(&mut last)).unwrap();
    assert!(block_on(ChangeFeed::state(&*kit.store)).unwrap().forgotten < kit.latest(), "not every time");
    assert_eq!(kit.found("otter").len(), 3);
}

#[test]
fn who_waits_for_a_change_is_woken_when_it_is_seen() {
    let kit = Kit::new();
    let stop = Arc::new(event_listener::Event::<()>::new());
    let (indexer, stopped) = (kit.indexer.clone(), stop.listen());
    let working = std::thread::spawn(move || block_on(indexer.run(stopped)));
    for round in 0..50 {
        kit.put(&format!("item {round}"), &["an otter"]);
        // Its time never passes, so that this ends only when the indexer wakes it.
        assert!(block_on(kit.indexer.applied.wait(kit.latest(), &Never, Duration::from_secs(1))));
        assert_eq!(kit.found("otter").len(), round + 1);
    }
    stop.notify(1);
    working.join().unwrap();
}

#[test]
fn a_store_that_fails_is_asked_again_until_it_answers() {
    let kit = Kit::new();
    kit.put("a", &["an otter"]);
    kit.fuse.0.store(0, Ordering::Relaxed);
    let seen = kit.indexer.applied.wait(kit.latest(), &Never, Duration::from_secs(1));
    block_on(select(Box::pin(kit.indexer.clone().run(std::future::pending())), Box::pin(seen)));
    assert_eq!(kit.log()[0], "the store cannot be read");
    assert_eq!(kit.found("otter").len(), 1);
}

/// A timer whose time never comes.
#[derive(Debug)]
struct Never;

#[async_trait]
impl Timer for Never {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
    async fn sleep(&self, _: Duration) {
        std::future::pending().await
    }
}
