//! The embedding step over the store in memory and a made-up model.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_executor::block_on;
use futures_util::future::{join, join_all};
use gen_core::scripted::turn;
use gen_core::{
    Backend, EmbedModel, EmbedPurpose, EmbedRequest, Embeddings, Fault, GenService, ModelId, Payer, Provider,
    ProviderError, Retry,
};
use serde_json::Map;
use shared_core::{Author, Revision, Scope, StoreError, Timer, Timestamp, UserId, WorkspaceId};

use super::flights::Flights;
use super::queries::Queries;
use super::{EmbedFailure, Embedder, Progress, Prospect};
use crate::{
    Base, BaseId, BaseRepository as _, Chunk, Chunking, Counts, ItemId, ItemRepository as _, Matter,
    MemoryKnowledge, NewItem, Source, Task, VectorKind, VectorStock as _,
};

const MODEL: &str = "text-embedding-3-small@openai";

type Fails = fn(&EmbedRequest, usize) -> Option<Fault>;

/// A model that keeps what it was asked, and fails when it is told to.
#[derive(Debug)]
struct Model {
    calls: Mutex<Vec<EmbedRequest>>,
    fails: Mutex<Fails>,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
}

impl Model {
    fn texts(&self) -> Vec<String> {
        self.calls.lock().unwrap().iter().flat_map(|call| call.texts.clone()).collect()
    }

    fn calls(&self) -> usize {
        self.calls.lock().unwrap().len()
    }

    fn fails(&self, fails: Fails) {
        *self.fails.lock().unwrap() = fails;
    }
}

#[async_trait::async_trait]
impl EmbedModel for Model {
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError> {
        let fault = {
            let mut calls = self.calls.lock().unwrap();
            let fault = self.fails.lock().unwrap()(&request, calls.len());
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
                let vectors = request.texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect();
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
    async fn report(&self, done: u64, total: u64) -> Result<(), StoreError> {
        let mut reports = self.reports.lock().unwrap();
        reports.push((done, total));
        if self.until.is_some_and(|until| reports.len() >= until) { Err(StoreError::Stale) } else { Ok(()) }
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
        *self.0.lock().unwrap()
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
            .retry(Retry { retries: 0, ..Retry::default() })
            .build();
        let (store, timer) = (Arc::new(MemoryKnowledge::default()), Arc::new(Watch::default()));
        let embedder = Embedder {
            items: store.clone(),
            timer: timer.clone(),
            generation,
            flights: Flights::default(),
            queries: Queries::default(),
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
                fingerprint: name.to_owned(),
                matter: Matter::Chunks { chunks: chunks.to_vec(), language: None },
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
        let there = block_on(self.store.embedded(&task.scope, MODEL, &hashes)).unwrap();
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

#[test]
fn each_text_is_paid_once_however_often_and_wherever_it_stands() {
    let kit = Kit::new();
    let first = chunks(["oak", "elm", "oak", " "].map(str::to_owned));
    kit.embed(&kit.task("a", &first), &first).unwrap();
    assert_eq!(kit.model.texts(), ["Trees\n\noak", "Trees\n\nelm", "Trees\n\n"]);
    let second = chunks(["ash", "elm"].map(str::to_owned));
    let task = kit.task("b", &second);
    kit.embed(&task, &second).unwrap();
    assert_eq!(kit.model.texts()[3..], ["Trees\n\nash"]);
    assert!(kit.has_all(&task, &second));
    kit.embed(&task, &second).unwrap();
    assert_eq!(kit.model.texts().len(), 4);
}

#[test]
fn documents_and_queries_are_told_apart() {
    let kit = Kit::new();
    let chunks = numbered(1);
    kit.embed(&kit.task("a", &chunks), &chunks).unwrap();
    block_on(kit.embedder.query(&Payer::keyless(scope()), &model(), "oak")).unwrap();
    let purposes: Vec<_> = kit.model.calls.lock().unwrap().iter().map(|call| call.purpose).collect();
    assert_eq!(purposes, [EmbedPurpose::Document, EmbedPurpose::Query]);
}

#[test]
fn what_was_paid_before_a_failure_is_kept_and_not_paid_again() {
    let kit = Kit::new();
    let chunks = numbered(1_000);
    let task = kit.task("a", &chunks);
    kit.model.fails(|_, calls| (calls >= 5).then_some(Fault::Overloaded));
    let failure = kit.embed(&task, &chunks).unwrap_err();
    assert_eq!(failure.prospect(), Prospect::MayPass(None));
    let paid = kit.model.texts().len();
    assert_eq!(paid, 5 * 64);
    kit.model.fails(|_, _| None);
    kit.embed(&task, &chunks).unwrap();
    assert!(kit.has_all(&task, &chunks));
    let texts = kit.model.texts();
    let different: std::collections::HashSet<&String> = texts.iter().collect();
    assert_eq!((texts.len(), different.len()), (1_000, 1_000));
}

#[test]
fn calls_under_way_when_one_fails_are_waited_for_and_kept() {
    let kit = Kit::new();
    let chunks = numbered(256);
    let task = kit.task("a", &chunks);
    kit.model.fails(|request, _| request.texts[0].ends_with(" 0").then_some(Fault::Auth));
    assert_eq!(kit.embed(&task, &chunks).unwrap_err().prospect(), Prospect::Lasts);
    assert_eq!(kit.model.texts().len(), 192);
    assert!(kit.has_all(&task, &chunks[64..]));
}

#[test]
fn the_same_texts_at_the_same_time_are_embedded_once() {
    let kit = Kit::new();
    let chunks = numbered(300);
    let tasks: Vec<Task> = (0..6).map(|number| kit.task(&format!("item {number}"), &chunks)).collect();
    let heard = Heard::default();
    let model = model();
    let all = tasks.iter().map(|task| kit.embedder.embed(task, &chunks, &model, &heard));
    block_on(join_all(all)).into_iter().for_each(|done| done.unwrap());
    assert_eq!(kit.model.texts().len(), 300);
}

#[test]
fn who_waits_for_another_embeds_itself_when_that_fails() {
    let kit = Kit::new();
    let chunks = numbered(3);
    let (a, b) = (kit.task("a", &chunks), kit.task("b", &chunks));
    static FAILED: AtomicUsize = AtomicUsize::new(0);
    kit.model.fails(|_, _| (FAILED.fetch_add(1, Ordering::SeqCst) == 0).then_some(Fault::Failed));
    let (heard, model) = (Heard::default(), model());
    let (first, second) = block_on(join(
        kit.embedder.embed(&a, &chunks, &model, &heard),
        kit.embedder.embed(&b, &chunks, &model, &heard),
    ));
    assert!(first.is_err() && second.is_ok());
    assert!(kit.has_all(&b, &chunks));
}

#[test]
fn work_that_is_given_up_lets_others_go_on() {
    let kit = Kit::new();
    let chunks = numbered(3);
    let task = kit.task("a", &chunks);
    let (heard, model) = (Heard::default(), model());
    {
        let mut given_up = Box::pin(kit.embedder.embed(&task, &chunks, &model, &heard));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(given_up.as_mut().poll(&mut context).is_pending());
    }
    kit.embed(&task, &chunks).unwrap();
    assert!(kit.has_all(&task, &chunks));
}

#[test]
fn batches_are_bounded_and_a_few_are_under_way_at_the_same_time() {
    let kit = Kit::new();
    let mut texts: Vec<String> = (0..400).map(|number| format!("oak {number}")).collect();
    texts.extend((0..10).map(|number| format!("{number} {}", "elm ".repeat(7_900))));
    let chunks = chunks(texts);
    kit.embed(&kit.task("a", &chunks), &chunks).unwrap();
    for call in kit.model.calls.lock().unwrap().iter() {
        let tokens: usize = call.texts.iter().map(|text| gen_core::estimate_tokens(text)).sum();
        assert!(call.texts.len() <= 64 && tokens <= 16_384, "{} texts, {tokens} tokens", call.texts.len());
    }
    let most = kit.model.most_at_once.load(Ordering::SeqCst);
    assert!((2..=4).contains(&most), "{most}");
}

#[test]
fn a_text_that_the_provider_finds_too_long_is_cut_and_its_neighbours_are_not() {
    let kit = Kit::new();
    let chunks = chunks(["oak".to_owned(), "elm ".repeat(2_000), "ash".to_owned()]);
    let task = kit.task("a", &chunks);
    kit.model.fails(|request, _| {
        let long = request.texts.iter().any(|text| text.len() > 5_000);
        long.then_some(Fault::ContextTooLong)
    });
    kit.embed(&task, &chunks).unwrap();
    assert!(kit.has_all(&task, &chunks));
    let texts = kit.model.texts();
    let longest = texts.iter().map(String::len).max().unwrap();
    assert!(texts.len() == 3 && longest > 3_000, "{longest}");
}

#[test]
fn a_text_that_the_provider_finds_wrong_fails_the_item_after_the_others_are_kept() {
    let kit = Kit::new();
    let chunks = numbered(8);
    let task = kit.task("a", &chunks);
    kit.model.fails(|request, _| {
        request.texts.iter().any(|text| text.ends_with(" 5")).then_some(Fault::InvalidRequest)
    });
    let failure = kit.embed(&task, &chunks).unwrap_err();
    assert_eq!(failure.prospect(), Prospect::Lasts);
    assert_eq!(failure.item_error().code, "provider_invalid_request");
    assert!(kit.has_all(&task, &chunks[..5]));
}

#[test]
fn progress_grows_to_all_chunks_and_who_hears_it_can_end_the_work() {
    let kit = Kit::new();
    let mut chunks = numbered(700);
    chunks.extend(chunks.clone());
    chunks.iter_mut().enumerate().for_each(|(position, chunk)| chunk.position = position as u32);
    let task = kit.task("a", &chunks);
    let heard = Heard::default();
    block_on(kit.embedder.embed(&task, &chunks, &model(), &heard)).unwrap();
    let reports = heard.reports.into_inner().unwrap();
    assert!(reports.windows(2).all(|pair| pair[0].0 <= pair[1].0) && reports.len() > 5);
    assert_eq!(reports.last(), Some(&(1_400, 1_400)));
    let (kit, heard) = (Kit::new(), Heard { until: Some(1), ..Heard::default() });
    let task = kit.task("a", &chunks);
    let stopped = block_on(kit.embedder.embed(&task, &chunks, &model(), &heard));
    assert!(matches!(stopped, Err(EmbedFailure::Store(StoreError::Stale))));
    assert!(kit.model.calls() <= 4);
}

#[test]
fn the_chunks_that_the_store_has_are_embedded_for_another_model() {
    let kit = Kit::new();
    let chunks = numbered(1_300);
    let task = kit.task("a", &chunks);
    block_on(kit.embedder.embed_stored(&task, &model(), &Heard::default())).unwrap();
    assert_eq!(kit.model.texts().len(), 1_300);
    assert!(kit.has_all(&task, &chunks));
}

#[test]
fn a_repeated_query_costs_nothing_and_one_of_another_workspace_is_its_own() {
    let kit = Kit::new();
    let (model, payer) = (model(), Payer::keyless(scope()));
    let ask = |payer, text| block_on(kit.embedder.query(payer, &model, text)).unwrap();
    let first = ask(&payer, "which tree?");
    assert_eq!(ask(&payer, " which tree? "), first);
    assert_eq!(kit.model.calls(), 1);
    let other = Scope { workspace: WorkspaceId("v".to_owned()), ..scope() };
    ask(&Payer::keyless(other), "which tree?");
    assert_eq!(kit.model.calls(), 2);
}

#[test]
fn a_query_asked_many_times_at_once_is_embedded_once_and_a_failure_is_not_remembered() {
    let kit = Kit::new();
    let (model, payer) = (model(), Payer::keyless(scope()));
    let at_once = (0..10).map(|_| kit.embedder.query(&payer, &model, "which tree?"));
    assert!(block_on(join_all(at_once)).into_iter().all(|vector| vector.is_ok()));
    assert_eq!(kit.model.calls(), 1);
    kit.model.fails(|_, _| Some(Fault::Unreachable));
    assert!(block_on(kit.embedder.query(&payer, &model, "which bush?")).is_err());
    kit.model.fails(|_, _| None);
    assert!(block_on(kit.embedder.query(&payer, &model, "which bush?")).is_ok());
}

#[test]
fn a_model_that_is_not_there_lasts() {
    let kit = Kit::new();
    let chunks = numbered(1);
    let task = kit.task("a", &chunks);
    for name in ["mistral-embed@mistral", "gpt-6-luna@openai", "unknown@formwork"] {
        let model: ModelId = name.parse().unwrap();
        let failure = block_on(kit.embedder.embed(&task, &chunks, &model, &Heard::default())).unwrap_err();
        assert_eq!(failure.prospect(), Prospect::Lasts, "{name}");
    }
}

/// Takes half an hour for each report, and loses all vectors at the first end.
struct Slow<'a>(&'a Kit, AtomicUsize);

#[async_trait::async_trait]
impl Progress for Slow<'_> {
    async fn report(&self, done: u64, total: u64) -> Result<(), StoreError> {
        if self.1.fetch_add(1, Ordering::SeqCst) < 3 {
            *self.0.timer.0.lock().unwrap() += Duration::from_secs(30 * 60);
        }
        if done == total && self.1.load(Ordering::SeqCst) == 3 {
            let kind = VectorKind { workspace: scope().workspace, model: MODEL.to_owned() };
            let names = self.0.store.names(&kind, None, 99).await?;
            for later in [0, 1] {
                self.0.store.discard(&kind, &names, now().plus_seconds(later), now()).await?;
            }
        }
        Ok(())
    }
}

#[test]
fn an_attempt_of_hours_ends_with_all_its_vectors_though_some_went_meanwhile() {
    let kit = Kit::new();
    // Each is a call of its own.
    let chunks = chunks((0..2).map(|at| format!("{at} {}", "w".repeat(60_000))));
    let task = kit.task("one", &chunks);
    let slow = Slow(&kit, AtomicUsize::new(0));
    block_on(kit.embedder.embed(&task, &chunks, &model(), &slow)).unwrap();
    assert!(kit.has_all(&task, &chunks));
    assert_eq!(kit.model.texts().len(), 4, "both were lost, and made once more");
}
