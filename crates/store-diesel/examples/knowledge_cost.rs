//! Measures the cost of knowledge bases in the store: adding ready-made chunks, their storage size, looking
//! up hits, lists, reading all chunks for an index, garbage collection of vectors, and deletion.
//!
//! `cargo run --release -p store-diesel --example knowledge_cost [chunks] [database URL, empty]`
#![allow(clippy::print_stdout, reason = "an example speaks")]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use accounts_core::{AccountsService, NewWorkspace};
use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl as _};
use kb_core::{
    Base, BaseId, BaseRepository, ChangeFeed as _, Chunk, ChunkKey, ChunkRepository as _, Chunking,
    ContentHash, Contents, Counts, EmbeddingRepository as _, ItemFilter, ItemId, ItemRepository, ItemStatus,
    NewItem, Source, VectorKind, VectorStore as _, VectorSweep,
};
use shared_core::{
    Author, Clock as _, FixedClock, PageRequest, Position, Revision, Scope, SeededRng, StoreError,
    SystemClock,
};
use store_diesel::{AnyConnection, Database, DatabaseSettings, DieselAccounts, DieselKnowledge};

/// The model of the vectors.
const MODEL: &str = "m@x";
/// Number of chunks per request.
const TOGETHER: usize = 1_000;

/// How a knowledge base is filled.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Number of chunks per item.
    of_each: usize,
    /// Size of a text in bytes.
    bytes: usize,
}

/// A unique text without surrounding white space, so that it is embedded unchanged.
fn text(n: usize, bytes: usize) -> String {
    let mut text = format!("passage {n}");
    while text.len() < bytes {
        text.push_str(" of some words");
    }
    text
}

fn item(base: &BaseId, number: usize, shape: Shape) -> NewItem {
    let chunk = |position: u32| Chunk {
        position,
        page: Some(1),
        start: u64::from(position) * 300,
        end: u64::from(position) * 300 + 300,
        heading: String::new(),
        text: text(number * shape.of_each + position as usize, shape.bytes),
    };
    let chunks = (0..u32::try_from(shape.of_each).unwrap_or(u32::MAX)).map(chunk).collect();
    NewItem {
        id: ItemId(format!("kbf_{}_{number}", base.0)),
        key: None,
        source: Source::Chunks,
        name: format!("item {number}"),
        meta: serde_json::Map::new(),
        bytes: 10,
        external_id: None,
        expires: None,
        fingerprint: format!("{number:064x}"),
        matter: Contents::Chunks { chunks, language: Some("en".into()) },
    }
}

struct Bench {
    scope: Scope,
    store: DieselKnowledge,
    database: Database,
    /// Whether it is SQLite.
    embedded: bool,
}

#[derive(Debug, QueryableByName)]
struct Size {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

impl Bench {
    /// Size of the used pages in bytes.
    async fn size(&self) -> Result<f64, StoreError> {
        let size = |connection: &mut AnyConnection| {
            let AnyConnection::Sqlite(inner) = connection else { return Ok(0.0) };
            let pages = "SELECT (page_count - freelist_count) * page_size AS bytes FROM pragma_page_count, \
                 pragma_freelist_count, pragma_page_size";
            Ok(diesel::sql_query(pages).get_result::<Size>(inner)?.bytes as f64)
        };
        self.database.read(size).await
    }

    async fn base(&self, id: &str) -> Result<Base, Box<dyn Error>> {
        let now = SystemClock.now();
        let base = Base {
            id: BaseId(id.into()),
            number: 0,
            workspace: self.scope.workspace.clone(),
            author: Author { id: self.scope.user.clone(), name: String::new(), email: String::new() },
            name: id.into(),
            description: String::new(),
            embedding: None,
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
        Ok(self.store.insert(&self.scope, &base).await?)
    }

    async fn fill(&self, base: &Base, items: usize, shape: Shape) -> Result<(), Box<dyn Error>> {
        let (before, mut took) = (self.size().await?, Duration::ZERO);
        let at_once = (TOGETHER / shape.of_each).max(1);
        for first in (0..items).step_by(at_once) {
            let given = (first..items.min(first + at_once)).map(|n| item(&base.id, n, shape)).collect();
            let began = Instant::now();
            self.store.add(&self.scope, &base.id, given, u64::MAX, SystemClock.now()).await?;
            took += began.elapsed();
        }
        let chunks = (items * shape.of_each) as f64;
        let texts: usize = (0..items * shape.of_each).map(|n| text(n, shape.bytes).len()).sum();
        println!("  {:.0} chunks/s stored", chunks / took.as_secs_f64());
        if self.embedded {
            let size = self.size().await?;
            println!("  {:.0} bytes a chunk beyond its text", (size - before - texts as f64) / chunks);
        }
        Ok(())
    }

    async fn ask(&self, base: &Base, shape: Shape) -> Result<(), Box<dyn Error>> {
        let mut found = Vec::new();
        let mut after = 0;
        let began = Instant::now();
        let mut read = 0;
        loop {
            let items = self.store.items(after, 1_000).await?;
            let Some(last) = items.last() else { break };
            after = last.number;
            for item in items.iter().filter(|item| item.base == base.number) {
                read += self.read(item.number).await?;
                let position = u32::try_from(found.len() % shape.of_each)?;
                found.push((ChunkKey { item: item.number, position }, item.sequence));
            }
        }
        println!("  {:.0} chunks/s read for an index", f64::from(read) / began.elapsed().as_secs_f64());
        let findings: Vec<_> = found.iter().step_by((found.len() / 50).max(1)).copied().take(50).collect();
        let mut times: Vec<Duration> = Vec::new();
        for _ in 0..200 {
            let began = Instant::now();
            self.store.load_live_chunks(&self.scope, &base.id, &findings).await?;
            times.push(began.elapsed());
        }
        times.sort_unstable();
        println!("  {} findings looked up in {:?} (median of 200)", findings.len(), times[100]);
        let filter = ItemFilter {
            base: Some(base.id.clone()),
            status: Some(ItemStatus::Ready),
            ..ItemFilter::default()
        };
        let last = u32::try_from(found.len() / 100)?.max(1);
        for page in [1, last] {
            let request = PageRequest { position: Position::Number(page), limit: 100 };
            let began = Instant::now();
            let listed = ItemRepository::list(&self.store, &self.scope, &filter, &request).await?;
            println!("  page {page} of {} items in {:?}", listed.total, began.elapsed());
        }
        Ok(())
    }

    /// Number of chunks of an item, read as for an index.
    async fn read(&self, item: i64) -> Result<u32, Box<dyn Error>> {
        let (mut from, mut read) = (0, 0);
        loop {
            let chunks = kb_core::ChangeFeed::chunks(&self.store, item, from, 1_000).await?;
            let Some(last) = chunks.last() else { return Ok(read) };
            from = last.position + 1;
            read += u32::try_from(chunks.len())?;
        }
    }

    /// Stores a vector of each chunk, which the base needs.
    async fn keep(&self, base: &Base, items: usize, shape: Shape) -> Result<(), Box<dyn Error>> {
        let wanted = Base { embedding: Some(MODEL.into()), ..base.clone() };
        BaseRepository::update(&self.store, &self.scope, &wanted, base.revision, SystemClock.now()).await?;
        let vector: Arc<[f32]> = vec![0.5; 384].into();
        let began = Instant::now();
        let all: Vec<usize> = (0..items * shape.of_each).collect();
        for part in all.chunks(1_000) {
            let name = |n: &usize| ContentHash::of(&text(*n, shape.bytes));
            let vectors = part.iter().map(|n| (name(n), Arc::clone(&vector))).collect();
            self.store.store_vectors(&self.scope, MODEL, vectors).await?;
        }
        println!("  {:.0} vectors/s kept", all.len() as f64 / began.elapsed().as_secs_f64());
        Ok(())
    }

    /// A garbage collection of vectors at `later` seconds from now.
    async fn sweep(&self, what: &str, later: i64) -> Result<(), Box<dyn Error>> {
        let now = SystemClock.now().plus_seconds(later);
        let clock = Arc::new(FixedClock::new(now.micros(), 0));
        let sweep = VectorSweep { stock: Arc::new(self.store.clone()), clock };
        let began = Instant::now();
        let gone = sweep.pass().await?;
        println!("  a sweep {what} in {:?}: {gone} vectors deleted", began.elapsed());
        Ok(())
    }

    /// Fails if a needed vector was marked as unneeded, because that write would be measured, too.
    async fn none_noted(&self) -> Result<(), Box<dyn Error>> {
        let kind = VectorKind { workspace: self.scope.workspace.clone(), model: MODEL.into() };
        let noted = self.store.unneeded(&kind, None, 1).await?;
        noted.is_empty().then_some(()).ok_or_else(|| "vectors of chunks were marked as unneeded".into())
    }

    async fn all(&self, items: usize, shape: Shape) -> Result<(), Box<dyn Error>> {
        println!("{items} items of {} chunks of {} bytes", shape.of_each, shape.bytes);
        let base = self.base(&format!("kb_{}_{}", shape.of_each, shape.bytes)).await?;
        self.fill(&base, items, shape).await?;
        self.ask(&base, shape).await?;
        self.keep(&base, items, shape).await?;
        self.sweep("with nothing to do", 0).await?;
        self.none_noted().await?;
        let began = Instant::now();
        BaseRepository::delete(&self.store, &self.scope, &base.id, SystemClock.now()).await?;
        println!("  deleted in {:?}", began.elapsed());
        self.sweep("that marks all", 0).await?;
        self.sweep("that deletes all", 25 * 3_600).await
    }
}

async fn measure(url: &str, chunks: usize) -> Result<(), Box<dyn Error>> {
    let embedded = url.starts_with("sqlite:");
    let database = Database::open(url, DatabaseSettings::default())?;
    let accounts = DieselAccounts::new(database.clone());
    let clock = Arc::new(SystemClock);
    let accounts = AccountsService::new(Arc::new(accounts), clock, Arc::new(SeededRng::new(1)));
    let first =
        NewWorkspace { workspace: "W".into(), user_name: "U".into(), user_email: "u@example.com".into() };
    let key = accounts.bootstrap(first).await?.ok_or(StoreError::Taken("workspace"))?.key;
    let scope = Scope { workspace: key.workspace, user: key.user };
    let bench =
        Bench { scope, store: DieselKnowledge::new(database.clone()), database: database.clone(), embedded };
    for (of_each, bytes) in [(1_000, 250), (1, 250), (1_000, 1_200)] {
        bench.all(chunks / of_each, Shape { of_each, bytes }).await?;
    }
    database.close();
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = format!("sqlite://{}", folder.path().join("knowledge.db").display());
    let mut arguments = std::env::args().skip(1);
    let chunks = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let url = arguments.next().unwrap_or(file);
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).build()?.block_on(measure(&url, chunks))
}
