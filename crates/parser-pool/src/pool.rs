//! A few warm worker processes behind a queue.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use document::{
    Document, DocumentParser, PageColours, PageRenderer, ParseError, RecognisedPage, RecognisedParser,
    RenderSize, Source, Thumbnail, ThumbnailOptions,
};
use parking_lot::Mutex;
use sandbox::{Confinement, SandboxMode};
use shared_core::{DomainError as _, LiveCount};
use tokio::sync::Semaphore;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};
use utilities_core::web::{PageParser, PageSource};
use webpage_core::WebPage;

use crate::fallback;
use crate::figures::{CallObserver, CallReport, NoopCallObserver, PoolFigures};
use crate::frame::{Answer, Task};
use crate::process::{TaskFailure, Worker};
use crate::settings::PoolSettings;

/// Parses documents in worker processes. Clones share the workers.
#[derive(Clone, Debug)]
pub struct ParserPool(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: PoolSettings,
    permits: Semaphore,
    warm: Mutex<Vec<(Worker, Instant)>>,
    /// How the first worker was confined. The others are confined in the same way.
    confinement: OnceLock<Confinement>,
    /// Calls that wait for a permit.
    waiting: LiveCount,
    /// Workers started so far.
    started: AtomicU64,
    observer: Arc<dyn CallObserver>,
}

impl ParserPool {
    /// Starts no process; workers start with the first task.
    #[must_use]
    pub fn new(settings: PoolSettings) -> Self {
        Self::with_observer(settings, Arc::new(NoopCallObserver))
    }

    /// The same with an observer of its calls.
    #[must_use]
    pub fn with_observer(settings: PoolSettings, observer: Arc<dyn CallObserver>) -> Self {
        let free = Semaphore::new(settings.workers.max(1));
        let (warm, confinement) = (Mutex::new(Vec::new()), OnceLock::new());
        let (waiting, started) = (LiveCount::default(), AtomicU64::new(0));
        Self(Arc::new(Inner { settings, permits: free, warm, confinement, waiting, started, observer }))
    }

    /// What it does at the moment.
    #[must_use]
    pub fn figures(&self) -> PoolFigures {
        let Inner { settings, permits, warm, waiting, started, .. } = &*self.0;
        PoolFigures {
            busy: settings.workers.max(1).saturating_sub(permits.available_permits()),
            idle: warm.lock().len(),
            waiting: waiting.get(),
            started: started.load(Ordering::Relaxed),
        }
    }

    /// How workers are confined; `None` before the first one has started.
    #[must_use]
    pub fn confinement(&self) -> Option<Confinement> {
        self.0.confinement.get().copied()
    }

    /// Stops workers that have been idle for longer than `idle`.
    pub async fn end_idle(&self) {
        let old: Vec<Worker> = {
            let mut warm = self.0.warm.lock();
            let idle = self.0.settings.idle;
            let (old, young) = warm.drain(..).partition(|(_, since)| since.elapsed() >= idle);
            *warm = young;
            let old: Vec<(Worker, Instant)> = old;
            old.into_iter().map(|(worker, _)| worker).collect()
        };
        for worker in old {
            worker.end().await;
        }
    }

    /// Stops idle workers at intervals, for as long as the future is polled.
    pub async fn run_idle_reaper(&self) {
        let mut tick = tokio::time::interval(self.0.settings.idle.max(Duration::from_secs(1)));
        loop {
            tick.tick().await;
            self.end_idle().await;
        }
    }

    fn take_worker(&self) -> Result<Worker, ParseError> {
        let warm = self.0.warm.lock().pop();
        match warm {
            Some((worker, _)) => Ok(worker),
            None => {
                let started = Worker::spawn(&self.0.settings);
                let worker = started.map_err(|error| ParseError::Unavailable(error.into()))?;
                self.0.started.fetch_add(1, Ordering::Relaxed);
                Ok(worker)
            }
        }
    }

    fn put_back(&self, worker: Worker) {
        if worker.served < self.0.settings.recycle_after {
            self.0.warm.lock().push((worker, Instant::now()));
        }
    }

    /// The raw text of a document, as [`documents_core::raw_text`] returns it.
    ///
    /// # Errors
    /// As [`DocumentParser::parse`].
    pub async fn raw_text(&self, source: Source) -> Result<String, ParseError> {
        match self.run(Task::RawText, source).await? {
            (Answer::Text(text), _) => Ok(text),
            _ => Err(unexpected_answer()),
        }
    }

    async fn run(&self, task: Task, source: Source) -> Result<(Answer, Vec<u8>), ParseError> {
        if source.bytes == 0 {
            return Err(ParseError::Empty);
        }
        if source.bytes > self.0.settings.max_input {
            return Err(ParseError::Limit("room"));
        }
        let (task_name, bytes) = (task.name(), source.bytes);
        let span = tracing::error_span!("parser_call", task = task_name, bytes, failure = Empty);
        self.run_when_free(&task, source).instrument(span).await
    }

    /// Waits for a permit, and runs the task on a worker.
    async fn run_when_free(&self, task: &Task, source: Source) -> Result<(Answer, Vec<u8>), ParseError> {
        let waiting = self.0.waiting.enter();
        let _place = self.0.permits.acquire().await.map_err(|error| ParseError::Unavailable(error.into()))?;
        drop(waiting);
        let begun = Instant::now();
        let outcome = match self.take_worker() {
            Ok(worker) => self.run_on_worker(worker, task, source).await,
            Err(error) => Err(error),
        };
        self.report(task, &outcome, begun.elapsed());
        outcome
    }

    /// Tells the observer and the span how a call ended.
    fn report(&self, task: &Task, outcome: &Result<(Answer, Vec<u8>), ParseError>, took: Duration) {
        let format = match outcome {
            Ok((Answer::Document(document), _)) => Some(document.format),
            _ => None,
        };
        let failure = outcome.as_ref().err().map(|error| error.code());
        if let Some(failure) = failure {
            Span::current().record("failure", failure);
        }
        self.0.observer.note(&CallReport { task: task.name(), format, failure, took });
    }

    /// Learns how a new worker is confined. Logs a warning once when a layer is missing.
    async fn check_confinement(&self, worker: &mut Worker) -> Result<(), TaskFailure> {
        let confinement = worker.read_confinement().await?;
        let missing = confinement.missing().join(", ");
        let mode = self.0.settings.sandbox;
        if self.0.confinement.set(confinement).is_ok() && mode != SandboxMode::Off && !missing.is_empty() {
            tracing::warn!(missing, "parser processes are not confined completely");
        }
        if mode == SandboxMode::Required && !missing.is_empty() {
            let reason = format!("the sandbox is required and lacks {missing}");
            return Err(TaskFailure::Abandoned(ParseError::Unavailable(reason.into())));
        }
        Ok(())
    }

    async fn run_on_worker(
        &self,
        mut worker: Worker,
        task: &Task,
        source: Source,
    ) -> Result<(Answer, Vec<u8>), ParseError> {
        let settings = &self.0.settings;
        let answered = async {
            if worker.served == 0 {
                self.check_confinement(&mut worker).await?;
            }
            worker.answer(task, source, settings.max_output).await
        };
        match tokio::time::timeout(settings.wall, answered).await {
            Ok(Ok(answer)) => {
                self.put_back(worker);
                Ok(answer)
            }
            Ok(Err(TaskFailure::Reported(error))) => {
                self.put_back(worker);
                Err(error)
            }
            // The worker is dropped, which kills it.
            Ok(Err(TaskFailure::Abandoned(error))) => Err(error),
            Ok(Err(TaskFailure::Died)) => Err(worker.into_exit_error().await),
            Err(_) => Err(ParseError::Limit("time")),
        }
    }
}

#[async_trait]
impl DocumentParser for ParserPool {
    fn parser_version(&self) -> u32 {
        documents_core::PARSER_VERSION
    }

    async fn parse(&self, source: Source) -> Result<Document, ParseError> {
        match self.run(Task::Parse, source).await? {
            (Answer::Document(document), _) => Ok(*document),
            _ => Err(unexpected_answer()),
        }
    }
}

#[async_trait]
impl RecognisedParser for ParserPool {
    async fn parse_recognised(
        &self,
        source: Source,
        pages: Vec<RecognisedPage>,
    ) -> Result<Document, ParseError> {
        match self.run(Task::ParseRecognised(pages), source).await? {
            (Answer::Document(document), _) => Ok(*document),
            _ => Err(unexpected_answer()),
        }
    }
}

#[async_trait]
impl PageRenderer for ParserPool {
    fn renderer_version(&self) -> u32 {
        documents_core::RENDERER_VERSION
    }

    async fn page(
        &self,
        source: Source,
        number: u32,
        size: RenderSize,
        colours: PageColours,
    ) -> Result<Vec<u8>, ParseError> {
        match self.run(Task::Page { number, size, colours }, source).await? {
            (Answer::Page, image) => Ok(image),
            _ => Err(unexpected_answer()),
        }
    }

    async fn thumbnail(&self, source: Source, options: ThumbnailOptions) -> Result<Thumbnail, ParseError> {
        let name = source.name.clone();
        let (source, beginning) = fallback::capture_head(source);
        match self.run(Task::Thumbnail(options), source).await {
            Ok((Answer::Thumbnail { width, height, format, page, is_card }, bytes)) => {
                Ok(Thumbnail { bytes, width, height, format, page, is_card })
            }
            Ok(_) => Err(unexpected_answer()),
            Err(error @ (ParseError::Source(_) | ParseError::Unavailable(_))) => Err(error),
            // The worker died. The card for an unreadable file is drawn here instead.
            Err(_) => fallback::draw_card(name, beginning, options).await,
        }
    }
}

#[async_trait]
impl PageParser for ParserPool {
    async fn parse_page(&self, page: PageSource) -> Result<WebPage, ParseError> {
        let PageSource { url, content_type, bytes, content } = page;
        let source = Source { name: String::new(), bytes, content };
        match self.run(Task::WebPage { url, content_type }, source).await? {
            (Answer::WebPage(page), _) => Ok(*page),
            _ => Err(unexpected_answer()),
        }
    }

    fn sniff(&self, prefix: &[u8], name: &str) -> &'static str {
        documents_core::sniff(prefix, name)
    }
}

/// The worker answered with the result of another task.
fn unexpected_answer() -> ParseError {
    ParseError::Unavailable("the worker answered another task".into())
}
