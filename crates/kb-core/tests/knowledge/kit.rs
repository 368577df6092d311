//! The service over memory, and the processes that work on its items, in a time that tests move.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use document::{DocumentReader, MemoryParsedDocuments};
use files_core::{File, FileOrigin, FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles};
use futures_util::future::{Either, join3, select};
use gen_core::scripted::{VirtualTimer, run_until};
use gen_core::{Backend, CallerContext, GenService, Provider, RetryPolicy};
use jobs_core::{Dispatcher, DispatcherHandle, DispatcherSettings, LocalExecutor};
use kb_core::{
    Base, BaseChanges, BaseId, ChangeFeed, ChunkRepository, EntryAttributes, IndexProgress, Item, ItemId,
    ItemStatus, KnowledgeLimits, KnowledgePorts, KnowledgeService, MemoryKnowledge, MemoryLexicalIndex,
    MemoryVectorIndex, NewBase, NewData, NewPassage, NewText, QUEUE, SearchRequest, SearchResult,
};
use serde_json::{Map, Value};
use shared_core::{Author, Clock, Scope, SeededRng, Timer as _, Timestamp, UserId, WorkspaceId};

use crate::faults::FaultyItems;
use crate::models::{BagOfWords, CountingParser, CountingWorkers, Limits};
use crate::pump::follow;
use crate::web::Pages;

/// The model of the kit.
pub(crate) const MODEL: &str = "text-embedding-3-small@openai";
/// Another one.
pub(crate) const OTHER: &str = "text-embedding-3-large@openai";

pub(crate) fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

pub(crate) fn payer() -> CallerContext {
    CallerContext::keyless(scope())
}

/// A clock that goes with the timer.
#[derive(Debug)]
struct TimerClock(Arc<VirtualTimer>);

impl Clock for TimerClock {
    fn now(&self) -> Timestamp {
        let micros = i64::try_from(self.0.elapsed().as_micros()).unwrap();
        Timestamp::from_micros(1_700_000_000_000_000 + micros).unwrap()
    }
}

/// The service with the workspace `w`.
pub(crate) struct Kit {
    pub(crate) service: KnowledgeService,
    pub(crate) store: Arc<MemoryKnowledge>,
    pub(crate) items: Arc<FaultyItems>,
    pub(crate) model: Arc<BagOfWords>,
    pub(crate) parser: Arc<CountingParser>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) workers: Arc<CountingWorkers>,
    pub(crate) timer: Arc<VirtualTimer>,
    pub(crate) files: FilesService,
    pub(crate) words: MemoryLexicalIndex,
    pub(crate) web: Arc<Pages>,
    /// Whether the index of words stands still.
    pub(crate) held: Arc<AtomicBool>,
    pub(crate) applied: IndexProgress,
    clock: Arc<TimerClock>,
    ports: KnowledgePorts,
    settings: DispatcherSettings,
}

impl Kit {
    pub(crate) fn new() -> Self {
        let timer = Arc::new(VirtualTimer::default());
        let (clock, ids) = (Arc::new(TimerClock(timer.clone())), Arc::new(SeededRng::new(1)));
        let (model, parser) = (Arc::new(BagOfWords::default()), Arc::new(CountingParser::default()));
        let (limits, workers) = (Arc::new(Limits::default()), Arc::new(CountingWorkers::default()));
        let generation = GenService::builder()
            .provider(Provider::OpenAi, Backend { embed: Some(model.clone()), ..Backend::default() })
            .retry(RetryPolicy { retries: 0, ..RetryPolicy::default() })
            .timer(timer.clone())
            .meter(limits.clone())
            .build();
        let records = Arc::new(MemoryFiles::default());
        let store = Arc::new(MemoryKnowledge::sharing(records.refs()));
        let config = FilesConfig {
            max_bytes: 1_000_000,
            sniff: documents_core::sniff,
            urls: FileUrls::new("https://forms.example"),
        };
        let blobs = Arc::new(MemoryBlobs::default());
        let files = FilesService::new(records, blobs, clock.clone(), ids.clone(), config);
        let items = Arc::new(FaultyItems::new(store.clone()));
        let words = MemoryLexicalIndex::new();
        let web = Arc::new(Pages::default());
        let ports = KnowledgePorts {
            bases: store.clone(),
            items: items.clone(),
            ingest: items.clone(),
            chunks: items.clone(),
            embeddings: items.clone(),
            feed: store.clone(),
            words: Arc::new(words.clone()),
            vectors: Arc::new(MemoryVectorIndex::new(store.clone())),
            files: files.clone(),
            web: web.clone(),
            documents: DocumentReader::new(
                Arc::new(FileOrigin(files.clone())),
                parser.clone(),
                Arc::new(MemoryParsedDocuments::default()),
                clock.clone(),
            ),
            generation,
            jobs: DispatcherHandle::default(),
            workers: workers.clone(),
            clock: clock.clone(),
            timer: timer.clone(),
            ids,
        };
        let settings = DispatcherSettings {
            queue: QUEUE,
            worker: "first".into(),
            concurrency: 8,
            per_owner: 4,
            per_workspace: 8,
            lease: 30,
            poll: Duration::from_secs(1),
            drain: Duration::ZERO,
            max_delay: Duration::from_secs(3_600),
            is_exclusive: true,
        };
        let applied = IndexProgress::default();
        let service = KnowledgeService::new(ports.clone(), KnowledgeLimits::default(), applied.clone());
        let held = Arc::default();
        Self {
            service,
            store,
            items,
            model,
            parser,
            limits,
            workers,
            timer,
            files,
            words,
            web,
            held,
            applied,
            clock,
            ports,
            settings,
        }
    }

    /// The service of another process on the same stores.
    pub(crate) fn restart(&mut self) {
        self.ports.jobs = DispatcherHandle::default();
        self.applied = IndexProgress::default();
        self.settings.worker = format!("{} and next", self.settings.worker);
        self.service =
            KnowledgeService::new(self.ports.clone(), KnowledgeLimits::default(), self.applied.clone());
    }

    /// Runs the process until `test` is done, then drops it, as in a crash.
    pub(crate) fn play<T>(&self, test: impl Future<Output = T>) -> T {
        self.play_for(usize::MAX, test).unwrap()
    }

    /// As [`Kit::play`], but drops the process after this many steps; `None` when the test was not done by
    /// then.
    pub(crate) fn play_for<T>(&self, steps: usize, test: impl Future<Output = T>) -> Option<T> {
        let threads = Arc::new(LocalExecutor::default());
        let dispatcher = Dispatcher {
            queue: self.store.jobs(),
            handler: self.service.worker(|_| {}),
            jobs: self.ports.jobs.clone(),
            clock: self.clock.clone(),
            timer: self.timer.clone(),
            spawner: threads.clone(),
            settings: self.settings.clone(),
        };
        let follows = follow(&self.store, &self.words, &self.applied, &self.held);
        let process =
            join3(dispatcher.run(std::future::pending(), std::future::pending()), threads.run(), follows);
        let both = select(Box::pin(test), Box::pin(process));
        match run_until(&self.timer, steps, both)? {
            Either::Left((output, _process)) => Some(output),
            Either::Right(_) => unreachable!("a process never ends"),
        }
    }

    pub(crate) async fn base(&self, embedding: Option<&str>) -> BaseId {
        let author = Author { id: UserId("u".into()), name: "Ada".into(), email: String::new() };
        let embedding = embedding.map(str::to_owned);
        let new = NewBase { name: "Farm".into(), embedding, ..NewBase::default() };
        self.service.create(&scope(), &author, new).await.unwrap().id
    }

    pub(crate) async fn look(&self, base: &BaseId) -> Base {
        self.service.get(&scope(), base).await.unwrap()
    }

    /// The number of the last change for indexes.
    pub(crate) async fn latest(&self) -> i64 {
        ChangeFeed::state(self.store.as_ref()).await.unwrap().latest
    }

    pub(crate) async fn item(&self, id: &ItemId) -> Item {
        self.service.item(&scope(), id).await.unwrap()
    }

    pub(crate) async fn wants(&self, base: &BaseId, model: Option<&str>) {
        let embedding = Some(model.map(str::to_owned));
        let changes = BaseChanges { embedding, ..BaseChanges::default() };
        self.service.update(&scope(), base, changes).await.unwrap();
    }

    /// A file of the workspace.
    pub(crate) async fn file(&self, name: &str, text: &str) -> File {
        let mut upload = self.files.begin_upload(name.into()).await.unwrap();
        upload.write(text.to_owned().into_bytes().into()).await.unwrap();
        let staged = upload.finish().await.unwrap();
        self.files.store(&scope(), vec![staged]).await.unwrap().remove(0)
    }

    /// Adds texts as Markdown files, by their titles.
    pub(crate) async fn add(&self, base: &BaseId, texts: &[(&str, &str)]) -> Vec<Item> {
        let texts: Vec<(&str, &str, Value)> =
            texts.iter().map(|(title, text)| (*title, *text, Value::Object(Map::new()))).collect();
        self.add_with(base, &texts).await
    }

    /// Adds texts with their meta.
    pub(crate) async fn add_with(&self, base: &BaseId, texts: &[(&str, &str, Value)]) -> Vec<Item> {
        let text = |(title, content, meta): &(&str, &str, Value)| NewText {
            title: format!("{title}.md"),
            content: (*content).to_owned(),
            attributes: EntryAttributes {
                meta: meta.as_object().cloned().unwrap_or_default(),
                ..EntryAttributes::default()
            },
        };
        let data = NewData { texts: texts.iter().map(text).collect(), ..NewData::default() };
        self.service.add(&payer(), base, data).await.unwrap()
    }

    /// Adds ready-made chunks of one title.
    pub(crate) async fn add_chunks(&self, base: &BaseId, title: &str, texts: &[&str]) -> Item {
        let passage = |text: &&str| NewPassage {
            title: title.into(),
            content: (*text).to_owned(),
            ..NewPassage::default()
        };
        let data = NewData { chunks: texts.iter().map(passage).collect(), ..NewData::default() };
        self.service.add(&payer(), base, data).await.unwrap().remove(0)
    }

    /// Waits until nothing of the base waits or is worked on.
    pub(crate) async fn settled(&self, base: &BaseId) -> Base {
        loop {
            let base = self.look(base).await;
            if base.counts.queued + base.counts.processing == 0 {
                return base;
            }
            self.timer.sleep(Duration::from_millis(200)).await;
        }
    }

    pub(crate) async fn status(&self, id: &ItemId) -> (ItemStatus, Option<String>) {
        let item = self.item(id).await;
        (item.status, item.error.map(|error| error.code))
    }

    /// The texts of an item's chunks.
    pub(crate) async fn texts(&self, id: &ItemId) -> Vec<String> {
        let chunks = ChunkRepository::chunks(self.store.as_ref(), &scope(), id, 0, u32::MAX).await.unwrap();
        chunks.into_iter().map(|chunk| chunk.text).collect()
    }

    pub(crate) async fn search(&self, base: &BaseId, request: SearchRequest) -> Vec<SearchResult> {
        self.service.search(&scope(), &payer(), base, request).await.unwrap().results
    }

    /// The titles of what is found, without their endings.
    pub(crate) async fn titles(&self, base: &BaseId, request: SearchRequest) -> Vec<String> {
        let results = self.search(base, request).await;
        results.into_iter().map(|result| result.title.trim_end_matches(".md").to_owned()).collect()
    }
}

pub(crate) fn asking(query: &str) -> SearchRequest {
    SearchRequest::new(query)
}
