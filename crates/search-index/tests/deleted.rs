//! Deleted items are missing from the very next search, and written ones are found by it, with concurrent
//! writes, searches and rebuilds.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests, too, may fail loudly")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures_executor::block_on;
use kb_core::{
    Base, BaseId, BaseRepository, ChangeFeed, Chunk, ChunkRepository as _, Chunking, Contents, Counts, Found,
    IndexError, IndexProgress, Indexer, IndexerError, IndexerSettings, IndexerWatch, ItemId, ItemRepository,
    LexicalIndex, LexicalQuery, MemoryKnowledge, NewItem, Reindexed, Selection, Source, VectorIndex,
    VectorQuery,
};
use search_index::{LexicalSettings, TantivyLexicalIndex};
use shared_core::{Author, FixedClock, Revision, Scope, Timer, Timestamp, UserId, WorkspaceId};

const WRITERS: usize = 40;
const ROUNDS: usize = 50;
/// Maximum rounds in which all writers write, until the index has been rebuilt several times: the time for
/// that depends on the machine.
const WAVES: usize = 50;

fn now() -> Timestamp {
    Timestamp::from_micros(1_767_225_600_000_000).expect("a time")
}

#[derive(Debug)]
struct TokioTimer(Instant);

#[async_trait]
impl Timer for TokioTimer {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

#[derive(Debug)]
struct NoVectors;

#[async_trait]
impl VectorIndex for NoVectors {
    async fn changed(&self, _: &[(i64, i64)], _: &[i64]) -> Result<(), IndexError> {
        Ok(())
    }
    async fn reset(&self) {}
    async fn search(&self, _: &VectorQuery) -> Result<Found, IndexError> {
        Ok(Found::default())
    }
}

#[derive(Debug, Default)]
struct Count(AtomicUsize);

impl IndexerWatch for Count {
    fn trouble(&self, error: &IndexerError) {
        panic!("trouble: {error:?}");
    }
    fn rebuilding(&self, _: &'static str) {}
    fn rebuilt(&self, _: Reindexed) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A store with one base, its index, and the one who works there.
#[derive(Clone)]
struct Place {
    scope: Scope,
    store: Arc<MemoryKnowledge>,
    words: TantivyLexicalIndex,
    applied: IndexProgress,
    base: Base,
}

impl Place {
    fn new(words: TantivyLexicalIndex) -> Self {
        let scope = Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) };
        let base = Base {
            id: BaseId("kb".into()),
            number: 0,
            workspace: scope.workspace.clone(),
            author: Author { id: scope.user.clone(), name: String::new(), email: String::new() },
            name: "kb".into(),
            description: String::new(),
            embedding: None,
            serving: None,
            chunking: Chunking::default(),
            rerank: kb_core::RerankSettings::default(),
            counts: Counts::default(),
            languages: Vec::new(),
            written: 0,
            revision: Revision::FIRST,
            created: now(),
            updated: now(),
        };
        let store = Arc::new(MemoryKnowledge::default());
        let base = block_on(store.insert(&scope, &base)).expect("a base");
        Self { scope, store, words, applied: IndexProgress::default(), base }
    }

    async fn put(&self, id: &str, text: &str) {
        let chunk =
            Chunk { position: 0, page: None, start: 0, end: 0, heading: String::new(), text: text.into() };
        let item = NewItem {
            id: ItemId(id.into()),
            key: None,
            source: Source::Chunks,
            name: "notes".into(),
            meta: serde_json::Map::new(),
            bytes: 1,
            external_id: None,
            expires: None,
            fingerprint: id.into(),
            matter: Contents::Chunks { chunks: vec![chunk], language: Some("en".into()) },
        };
        self.store.add(&self.scope, &self.base.id, vec![item], u64::MAX, now()).await.expect("add");
        self.applied.written();
    }

    async fn delete(&self, id: &str) {
        let which = Selection::Ids(None, vec![ItemId(id.into())]);
        ItemRepository::delete(&*self.store, &self.scope, &which, now()).await.expect("delete");
        self.applied.written();
    }

    /// A search as the service makes it: what was written is waited for, and what is found is looked up.
    async fn found(&self, text: &str, timer: &dyn Timer) -> Vec<ItemId> {
        let base =
            BaseRepository::find(&*self.store, &self.scope, &self.base.id).await.expect("find").expect("it");
        assert!(self.applied.wait(base.written, timer, Duration::from_secs(60)).await, "it gets up to date");
        let query = LexicalQuery {
            base: base.number,
            text: text.into(),
            languages: base.languages,
            items: None,
            limit: 1000,
            ..LexicalQuery::default()
        };
        let hits = self.words.search(&query).await.expect("search").hits;
        let asked: Vec<_> = hits.iter().map(|hit| (hit.key, hit.sequence)).collect();
        let live = self.store.load_live_chunks(&self.scope, &self.base.id, &asked).await.expect("live");
        live.into_iter().flatten().map(|chunk| chunk.item).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_deleted_is_gone_from_the_very_next_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let place =
        Place::new(TantivyLexicalIndex::open(folder.path(), LexicalSettings::default()).expect("open"));
    let timer: Arc<dyn Timer> = Arc::new(TokioTimer(Instant::now()));
    let watch = Arc::new(Count::default());
    let indexer = Indexer {
        feed: place.store.clone(),
        words: Arc::new(place.words.clone()),
        vectors: Arc::new(NoVectors),
        applied: place.applied.clone(),
        clock: Arc::new(FixedClock::default()),
        timer: timer.clone(),
        watch: watch.clone(),
        // A short polling interval, so that it is rebuilt many times.
        settings: IndexerSettings { poll: Duration::from_millis(5), gather: Duration::from_millis(1) },
    };
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let working = tokio::spawn(indexer.run(async { drop(stopped.await) }));
    // The first index is no renewal, whatever is asked for before it.
    place.put("first", "The first.").await;
    assert_eq!(place.found("first", &*timer).await.len(), 1);
    place.delete("first").await;
    let writing = Arc::new(AtomicBool::new(true));
    let renewing = tokio::spawn({
        let (place, writing, watch) = (place.clone(), writing.clone(), watch.clone());
        async move {
            while writing.load(Ordering::Relaxed) {
                let before = watch.0.load(Ordering::Relaxed);
                place.store.renew().await.expect("renew");
                place.applied.written();
                while watch.0.load(Ordering::Relaxed) == before && writing.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        }
    });
    for wave in 0..WAVES {
        let writer = |writer| tokio::spawn(write(place.clone(), timer.clone(), (wave, writer)));
        let writers: Vec<_> = (0..WRITERS).map(writer).collect();
        for writer in writers {
            writer.await.expect("a writer");
        }
        if watch.0.load(Ordering::Relaxed) > 3 {
            break;
        }
    }
    writing.store(false, Ordering::Relaxed);
    renewing.await.expect("the renewal");
    let left = place.found("everything", &*timer).await;
    assert_eq!(left.len(), WRITERS * ROUNDS / 10, "every tenth of the first wave stays");
    assert!(watch.0.load(Ordering::Relaxed) > 3, "it was made anew meanwhile");
    drop(stop);
    working.await.expect("the indexer");
}

/// Writes and deletes, and looks each time. Of the first wave every tenth stays.
async fn write(place: Place, timer: Arc<dyn Timer>, (wave, writer): (usize, usize)) {
    for round in 0..ROUNDS {
        let id = format!("{wave} {writer} {round}");
        let word = format!("wave{wave}writer{writer}round{round}");
        let own = [ItemId(id.clone())];
        place.put(&id, &format!("Everything about {word}.")).await;
        assert_eq!(place.found(&word, &*timer).await.first(), own.first(), "{word} was written");
        if wave > 0 || round % 10 != 0 {
            place.delete(&id).await;
            assert!(
                !place.found(&format!("{word} everything"), &*timer).await.contains(&own[0]),
                "{word} is gone"
            );
        }
    }
}
