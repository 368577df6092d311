//! The embedding step over the store in memory and a made-up model.

mod documents;
mod queries;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_executor::block_on;
use futures_util::future::{join, join_all};
use gen_core::scripted::turn;
use gen_core::{
    Backend, CallerContext, EmbedModel, EmbedPurpose, EmbedRequest, Embeddings, Fault, GenService, ModelId,
    Provider, ProviderError, RetryPolicy,
};
use parking_lot::Mutex;
use serde_json::Map;
use shared_core::{
    Author, FixedClock, InlineOffload, Revision, Scope, StoreError, Timer, Timestamp, UserId, WorkspaceId,
};

use super::in_flight::TextsInFlight;
use super::query_cache::QueryCache;
use super::{EmbedFailure, Embedder, Progress, Retryability};
use crate::{
    Base, BaseId, BaseRepository as _, Chunk, Chunking, Contents, Counts, EmbeddingRepository as _,
    IngestRepository as _, ItemId, ItemRepository as _, MemoryKnowledge, NewItem, Source, Task, VectorKind,
    VectorStore as _,
};

const MODEL: &str = "text-embedding-3-small@openai";

type Fails = fn(&EmbedRequest, usize) -> Option<Fault>;

/// A model that records its requests, and fails on request.
#[derive(Debug)]
struct Model {
    calls: Mutex<Vec<EmbedRequest>>,
    fails: Mutex<Fails>,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

impl Model {
    fn texts(&self) -> Vec<String> {
        self.calls.lock().iter().flat_map(|call| call.texts.clone()).collect()
    }

    fn calls(&self) -> usize {
        self.calls.lock().len()
    }

    fn fails(&self, fails: Fails) {
        *self.fails.lock() = fails;
    }
}

#[async_trait::async_trait]
impl EmbedModel for Model {
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError> {
        let fault = {
            let mut calls = self.calls.lock();
            let fault = self.fails.lock()(&request, calls.len());
            if fault.is_none() {
                calls.push(request.clone());
            }
            fault
        };
        let now = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(now, Ordering::SeqCst);
        for _ in 0..3 {
            turn().await;
        }
        self.at_once.fetch_sub(1, Ordering::SeqCst);
        match fault {
            Some(fault) => Err(ProviderError::new(fault, "as the test says")),
            None => {
                let numbers = |text: &String| if text.contains("less") { 1 } else { 2 };
                let vector = |text: &String| [text.len() as f32, 1.0][..numbers(text)].to_vec();
                let vectors = request.texts.iter().map(vector).collect();
                Ok(Embeddings { vectors, ..Embeddings::default() })
            }
        }
    }
}

/// Keeps what it hears; from some report on it does not want to go on.
#[derive(Debug, Default)]
struct Heard {
    reports: Mutex<Vec<(u64, u64)>>,
    until: Option<usize>,
}

#[async_trait::async_trait]
impl Progress for Heard {
    async fn report(&self, done: u64, total: u64) -> Result<(), EmbedFailure> {
        let mut reports = self.reports.lock();
        reports.push((done, total));
        if self.until.is_some_and(|until| reports.len() >= until) {
            Err(StoreError::Stale.into())
        } else {
            Ok(())
        }
    }
}

struct Kit {
    store: Arc<MemoryKnowledge>,
    model: Arc<Model>,
    timer: Arc<Watch>,
    embedder: Embedder,
}

/// A watch that is set.
#[derive(Debug, Default)]
struct Watch(Mutex<Duration>);

#[async_trait::async_trait]
impl Timer for Watch {
    fn elapsed(&self) -> Duration {
        *self.0.lock()
    }

    async fn sleep(&self, _: Duration) {}
}

impl Kit {
    fn new() -> Self {
        let model = Arc::new(Model {
            calls: Mutex::default(),
            fails: Mutex::new(|_, _| None),
            at_once: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
        });
        let backend = Backend { embed: Some(model.clone()), ..Backend::default() };
        let generation = GenService::builder()
            .provider(Provider::OpenAi, backend)
            .retry(RetryPolicy { retries: 0, ..RetryPolicy::default() })
            .build();
        let (store, timer) = (Arc::new(MemoryKnowledge::default()), Arc::new(Watch::default()));
        let embedder = Embedder {
            chunks: store.clone(),
            embeddings: store.clone(),
            timer: timer.clone(),
            workers: Arc::new(InlineOffload),
            generation,
            flights: TextsInFlight::default(),
            queries: QueryCache::new(Arc::new(FixedClock::new(0, 0))),
        };
        Self { store, model, timer, embedder }
    }

    /// A task for an item of ready-made chunks.
    fn task(&self, name: &str, chunks: &[Chunk]) -> Task {
        let (scope, now) = (scope(), now());
        block_on(async {
            let base = BaseId("base".to_owned());
            if self.store.find_base(&scope, &base).await.is_none() {
                self.store.insert(&scope, &empty(&scope)).await.unwrap();
            }
            let item = NewItem {
                id: ItemId(name.to_owned()),
                key: Some("key".to_owned()),
                source: Source::Chunks,
                name: name.to_owned(),
                meta: Map::new(),
                bytes: 1,
                external_id: None,
                expires: None,
                fingerprint: name.to_owned(),
                matter: Contents::Chunks { chunks: chunks.to_vec(), language: None },
            };
            let added = self.store.add(&scope, &base, vec![item], u64::MAX, now).await.unwrap().unwrap();
            let place = added[0].item.place;
            self.store.task(&scope.workspace, &base, place).await.unwrap().unwrap()
        })
    }

    fn embed(&self, task: &Task, chunks: &[Chunk]) -> Result<(), EmbedFailure> {
        block_on(self.embedder.embed(task, chunks, &model(), &Heard::default()))
    }

    fn has_all(&self, task: &Task, chunks: &[Chunk]) -> bool {
        let hashes: Vec<_> = chunks.iter().map(Chunk::hash).collect();
        let there = block_on(self.store.find_embedded(&task.scope, MODEL, &hashes)).unwrap();
        hashes.iter().all(|hash| there.contains(hash))
    }
}

impl MemoryKnowledge {
    async fn find_base(&self, scope: &Scope, id: &BaseId) -> Option<Base> {
        crate::BaseRepository::find(self, scope, id).await.unwrap()
    }
}

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".to_owned()), user: UserId("u".to_owned()) }
}

fn now() -> Timestamp {
    Timestamp::from_micros(1_700_000_000_000_000).unwrap()
}

fn model() -> ModelId {
    MODEL.parse().unwrap()
}

fn empty(scope: &Scope) -> Base {
    Base {
        id: BaseId("base".to_owned()),
        number: 0,
        workspace: scope.workspace.clone(),
        author: Author { id: scope.user.clone(), name: String::new(), email: String::new() },
        name: "base".to_owned(),
        description: String::new(),
        embedding: Some(MODEL.to_owned()),
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

fn chunks(texts: impl IntoIterator<Item = String>) -> Vec<Chunk> {
    let chunk = |(position, text): (usize, String)| Chunk {
        position: position as u32,
        page: None,
        start: 0,
        end: 0,
        heading: "Trees".to_owned(),
        text,
    };
    texts.into_iter().enumerate().map(chunk).collect()
}

fn numbered(count: usize) -> Vec<Chunk> {
    chunks((0..count).map(|number| format!("oak number {number}")))
}
