//! The sweep over memory.

use parking_lot::Mutex;

use futures_executor::block_on;
use serde_json::Map;
use shared_core::{Author, Revision, Scope, Timestamp, UserId, WorkspaceId};

use super::*;
use crate::{
    Base, BaseId, BaseRepository, Chunk, Chunking, Contents, Counts, EmbeddingRepository as _, ItemId,
    ItemRepository, MemoryKnowledge, NewItem, Selection, Source,
};

const MODEL: &str = "m@x";
const HOUR: i64 = 60 * 60;

/// A clock that is set.
#[derive(Debug)]
struct Hands(Mutex<i64>);

impl Clock for Hands {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(*self.0.lock() * 1_000_000).unwrap()
    }
}

struct Kit {
    store: Arc<MemoryKnowledge>,
    clock: Arc<Hands>,
    sweep: VectorSweep,
    base: BaseId,
}

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

fn chunks(texts: &[&str]) -> Vec<Chunk> {
    let chunk = |(position, text): (usize, &&str)| Chunk {
        position: u32::try_from(position).unwrap(),
        page: None,
        start: 0,
        end: 0,
        heading: String::new(),
        text: (*text).to_owned(),
    };
    texts.iter().enumerate().map(chunk).collect()
}

impl Kit {
    fn new() -> Self {
        let store = Arc::new(MemoryKnowledge::default());
        let clock = Arc::new(Hands(Mutex::new(1_000_000)));
        let base = Base {
            id: BaseId("b".into()),
            number: 0,
            workspace: scope().workspace,
            author: Author { id: scope().user, name: String::new(), email: String::new() },
            name: "Base".into(),
            description: String::new(),
            embedding: Some(MODEL.into()),
            serving: None,
            chunking: Chunking::default(),
            rerank: crate::RerankSettings::default(),
            counts: Counts::default(),
            languages: Vec::new(),
            written: 0,
            revision: Revision::FIRST,
            created: clock.now(),
            updated: clock.now(),
        };
        let base = block_on(BaseRepository::insert(&*store, &scope(), &base)).unwrap().id;
        let sweep = VectorSweep { stock: store.clone(), clock: clock.clone() };
        Self { store, clock, sweep, base }
    }

    /// Puts an item with ready-made chunks in.
    fn add(&self, name: &str, texts: &[&str]) {
        let item = NewItem {
            id: ItemId(name.into()),
            key: None,
            source: Source::Chunks,
            name: name.into(),
            meta: Map::new(),
            bytes: 1,
            external_id: None,
            expires: None,
            fingerprint: name.into(),
            matter: Contents::Chunks { chunks: chunks(texts), language: None },
        };
        let (scope, now) = (scope(), self.clock.now());
        let added = self.store.add(&scope, &self.base, vec![item], u64::MAX, now);
        assert!(block_on(added).unwrap().unwrap()[0].new);
    }

    /// Keeps vectors of texts.
    fn keep(&self, texts: &[&str]) {
        let vectors = chunks(texts).iter().map(|chunk| (chunk.hash(), Arc::from([1.0_f32]))).collect();
        block_on(self.store.store_vectors(&scope(), MODEL, vectors)).unwrap();
    }

    fn delete(&self, name: &str) {
        let selection = Selection::Ids(None, vec![ItemId(name.into())]);
        block_on(ItemRepository::delete(&*self.store, &scope(), &selection, self.clock.now())).unwrap();
    }

    /// Which of the texts have vectors; looking so spares none.
    fn left(&self, texts: &[&str]) -> Vec<String> {
        let kind = VectorKind { workspace: scope().workspace, model: MODEL.into() };
        let names = block_on(self.store.names(&kind, None, 1_000)).unwrap();
        let there = |text: &&&str| names.contains(&chunks(&[**text])[0].hash());
        texts.iter().filter(there).map(|text| (*text).to_owned()).collect()
    }

    /// A pass so many hours later, with so many names at once.
    fn pass(&self, hours: i64, portion: usize) -> u64 {
        *self.clock.0.lock() += hours * HOUR;
        block_on(self.sweep.pass_by(portion)).unwrap()
    }
}

#[test]
fn vectors_of_what_was_deleted_go_a_day_after_that_was_seen_and_no_others() {
    for portion in [1, 2, PORTION] {
        let kit = Kit::new();
        let texts = ["oak", "elm", "ash", "fir", "yew"];
        kit.keep(&texts);
        kit.add("one", &texts[..3]);
        kit.add("two", &texts[2..]);
        assert_eq!((kit.pass(0, portion), kit.pass(48, portion)), (0, 0), "all are needed");
        kit.delete("two");
        assert_eq!((kit.pass(6, portion), kit.pass(23, portion)), (0, 0));
        assert_eq!(kit.left(&texts), texts);
        assert_eq!(kit.pass(2, portion), 2, "{portion}");
        assert_eq!(kit.left(&texts), texts[..3], "what both had stays");
        assert_eq!(kit.pass(48, portion), 0);
    }
}

#[test]
fn what_is_deleted_and_added_again_within_a_day_costs_nothing_whenever_it_is_deleted_again() {
    for portion in [1, PORTION] {
        let kit = Kit::new();
        kit.keep(&["oak", "elm"]);
        kit.pass(0, portion);
        kit.add("one", &["oak"]);
        assert_eq!(kit.pass(23, portion), 0);
        kit.delete("one");
        assert_eq!(kit.pass(2, portion), 1, "elm alone was never needed");
        assert_eq!(kit.pass(23, portion), 0, "the day begins anew");
        assert_eq!(kit.left(&["oak", "elm"]), ["oak"]);
        assert_eq!(kit.pass(2, portion), 1);
    }
}

#[test]
fn what_a_worker_looked_for_stays_for_a_day_from_then() {
    let kit = Kit::new();
    kit.keep(&["oak", "elm"]);
    kit.pass(0, PORTION);
    let oak = chunks(&["oak"])[0].hash();
    *kit.clock.0.lock() += 30 * HOUR;
    assert!(block_on(kit.store.find_embedded(&scope(), MODEL, &[oak])).unwrap().contains(&oak));
    assert_eq!(kit.pass(0, PORTION), 1);
    assert_eq!((kit.pass(23, PORTION), kit.left(&["oak", "elm"])), (0, vec!["oak".to_owned()]));
    kit.add("one", &["oak"]);
    assert_eq!((kit.pass(100, PORTION), kit.left(&["oak"]).len()), (0, 1));
}
