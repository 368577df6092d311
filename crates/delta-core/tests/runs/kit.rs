//! The service over memory, with a scripted model, a counting parser, a store that can be full, and the
//! processes that work on its runs, in a time that tests move.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use agents_core::{AgentChanges, AgentsService, MemoryAgents, NewAgent, ReviewPolicy};
use async_trait::async_trait;
use delta_core::review::ReviewService;
use delta_core::{
    DeltaError, DocumentRef, ErrorClass, FinishedGroup, GroupId, GroupOutcome, GroupRepository as _,
    ItemError, MemoryRuns, QUEUE, Run, RunLimits, RunOptions, RunPorts, RunService,
};
use document::{Document, DocumentParser, DocumentReader, MemoryParsedDocuments, Page, ParseError, Source};
use documents_core::DirectParser;
use files_core::{FileOrigin, FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles};
use forms_core::{ExtractionEngine, FormChange, FormsService};
use futures_util::TryStreamExt as _;
use futures_util::future::{Either, join, select};
use gen_core::scripted::{self, VirtualTimer, turn};
use gen_core::{
    CallerContext, ChatAnswer, ChatModel, ChatRequest, Fault, GenService, ModelId, Part, Provider,
    ProviderError, RetryPolicy, Role, Usage,
};
use jobs_core::{Claim, Dispatcher, DispatcherHandle, DispatcherSettings, JobQueue as _, LocalExecutor};
use parking_lot::Mutex;
use serde_json::{Value, json};
use shared_core::{Author, Clock, Scope, SeededRng, Timer as _, Timestamp, UserId, WorkspaceId};

use crate::budget::Budget;
use crate::busy::BusyForms;
use crate::full::FullGroups;

pub(crate) fn scope(workspace: &str) -> Scope {
    Scope { workspace: WorkspaceId(workspace.into()), user: UserId("u".into()) }
}

pub(crate) fn document(url: &str) -> DocumentRef {
    DocumentRef::new(url)
}

/// A clock that follows the timer.
#[derive(Debug)]
struct TimerClock(Arc<VirtualTimer>);

impl Clock for TimerClock {
    fn now(&self) -> Timestamp {
        let micros = i64::try_from(self.0.elapsed().as_micros()).unwrap();
        Timestamp::from_micros(1_700_000_000_000_000 + micros).unwrap()
    }
}

/// Answers `a` with the text of the first document; some texts make it slow, fail, refuse or panic.
#[derive(Debug, Default)]
pub(crate) struct Scripted {
    pub(crate) calls: AtomicU32,
    pub(crate) most: AtomicU32,
    /// Remaining calls to fail, for documents that start with `flaky`.
    pub(crate) failures: AtomicU32,
    /// Descriptions of the documents of all calls.
    pub(crate) descriptions: Mutex<Vec<Option<String>>>,
    now: AtomicU32,
    timer: Arc<VirtualTimer>,
}

/// Decrements the counter, also when the call is dropped.
struct Call<'a>(&'a AtomicU32);

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Decrements a counter; `false` when it is 0.
pub(crate) fn take_one(left: &AtomicU32) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}

#[async_trait]
impl ChatModel for Scripted {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let parts = request.messages.iter().flat_map(|message| &message.parts);
        let texts: Vec<String> = parts
            .filter_map(|part| match part {
                Part::Document { text, .. } => Some(text.trim().to_owned()),
                _ => None,
            })
            .collect();
        for part in request.messages.iter().flat_map(|message| &message.parts) {
            if let Part::Document { description, .. } = part {
                self.descriptions.lock().push(description.clone());
            }
        }
        let begins = |word: &str| texts.iter().any(|text| text.starts_with(word));
        let before = self.calls.fetch_add(1, Ordering::SeqCst);
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let _call = Call(&self.now);
        turn().await;
        if begins("slow") {
            self.timer.sleep(Duration::from_secs(1)).await;
        }
        assert!(!begins("panic"), "as the script says");
        let usage = Usage { input_tokens: 10, ..Usage::default() };
        if begins("refuse") {
            return Err(ProviderError::new(Fault::Refused, "as the script says"));
        }
        if begins("flaky") && take_one(&self.failures) {
            return Err(ProviderError {
                usage,
                ..ProviderError::new(Fault::Overloaded, "as the script says")
            });
        }
        if begins("unsteady") && before == 1 {
            return Err(ProviderError::new(Fault::Overloaded, "as the script says"));
        }
        let corrects = request.messages.iter().any(|message| message.role == Role::Assistant);
        if begins("half lost") && corrects {
            return Err(ProviderError::new(Fault::Overloaded, "as the script says"));
        }
        if begins("half lost") {
            let text = json!({"a": texts.first(), "n": "as the script says"}).to_string();
            return Ok(ChatAnswer { text, usage, ..ChatAnswer::default() });
        }
        if (begins("unsteady") && !corrects) || begins("babble") && take_one(&self.failures) {
            return Ok(ChatAnswer { text: "no record".into(), usage, ..ChatAnswer::default() });
        }
        Ok(ChatAnswer { text: json!({ "a": texts.first() }).to_string(), usage, ..ChatAnswer::default() })
    }
}

#[derive(Debug, Default)]
pub(crate) struct CountingParser {
    pub(crate) calls: AtomicU32,
    timer: Arc<VirtualTimer>,
}

#[async_trait]
impl DocumentParser for CountingParser {
    fn parser_version(&self) -> u32 {
        documents_core::PARSER_VERSION
    }

    async fn parse(&self, source: Source) -> Result<Document, ParseError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        turn().await;
        let mut document = DirectParser::default().parse(source).await?;
        if document.text.starts_with("slow same") {
            self.timer.sleep(Duration::from_millis(500)).await;
        }
        if document.text.starts_with("half read") {
            document.pages = vec![Page { number: 2, needs_ocr: true, ..Page::default() }];
        }
        Ok(document)
    }
}

/// The service with the workspace `w` and its agents: `agent`, `plain` without a form, and `keyless`.
pub(crate) struct Kit {
    pub(crate) service: RunService,
    pub(crate) model: Arc<Scripted>,
    pub(crate) parser: Arc<CountingParser>,
    pub(crate) runs: Arc<MemoryRuns>,
    pub(crate) groups: Arc<FullGroups>,
    pub(crate) timer: Arc<VirtualTimer>,
    pub(crate) budget: Arc<Budget>,
    pub(crate) forms: Arc<BusyForms>,
    clock: Arc<TimerClock>,
    ports: RunPorts,
    files: FilesService,
    settings: DispatcherSettings,
}

impl Kit {
    pub(crate) async fn new() -> Self {
        Self::with(16, 64).await
    }

    /// At most `per_run` groups of a run and `places` groups in total are in flight.
    pub(crate) async fn with(per_run: u32, places: u32) -> Self {
        let timer = Arc::new(VirtualTimer::default());
        let (clock, ids) = (Arc::new(TimerClock(timer.clone())), Arc::new(SeededRng::new(1)));
        let budget = Arc::new(Budget::new(timer.clone()));
        let model = Arc::new(Scripted { timer: timer.clone(), ..Scripted::default() });
        let generation = GenService::builder()
            .with_chat(Provider::OpenAi, model.clone())
            .retry(RetryPolicy { retries: 0, ..RetryPolicy::default() })
            .timer(timer.clone())
            .meter(budget.clone())
            .build();
        let stored_forms = Arc::new(BusyForms::default());
        let forms = FormsService::new(stored_forms.clone(), clock.clone(), ids.clone());
        let agents = AgentsService::new(
            Arc::new(MemoryAgents::default()),
            forms.clone(),
            generation.clone(),
            "scripted@openai".parse::<ModelId>().unwrap(),
            clock.clone(),
            ids.clone(),
        );
        let config = FilesConfig {
            max_bytes: 1_000,
            sniff: documents_core::sniff,
            urls: FileUrls::new("https://forms.example"),
        };
        let (records, blobs) = (Arc::new(MemoryFiles::default()), Arc::new(MemoryBlobs::default()));
        let files = FilesService::new(records, blobs, clock.clone(), ids.clone(), config);
        let author = Author { id: UserId("u".into()), name: "Ada".into(), email: String::new() };
        let schema = json!({"a": {"type": "string"}});
        let form = forms.create(&scope("w"), &author, "F".into(), schema, None).await.unwrap();
        for (namespace, form_id, model_id) in [
            ("agent", Some(form.id.clone()), None),
            ("plain", None, None),
            ("keyless", Some(form.id), Some("m@anthropic".to_owned())),
        ] {
            let new = NewAgent { namespace: namespace.into(), form_id, model_id, ..NewAgent::default() };
            agents.create(&scope("w"), &author, new).await.unwrap();
        }
        let (parser, runs) = (
            Arc::new(CountingParser { timer: timer.clone(), ..CountingParser::default() }),
            Arc::new(MemoryRuns::default()),
        );
        let groups = Arc::new(FullGroups { failures: AtomicU32::new(0), inner: runs.clone() });
        let ports = RunPorts {
            runs: runs.clone(),
            groups: groups.clone(),
            responses: runs.clone(),
            answers: runs.clone(),
            batches: runs.clone(),
            reviews: runs.clone(),
            agents,
            forms,
            documents: DocumentReader::new(
                Arc::new(FileOrigin(files.clone())),
                parser.clone(),
                Arc::new(MemoryParsedDocuments::default()),
                clock.clone(),
            ),
            engine: ExtractionEngine::new(generation.clone()),
            generation,
            jobs: DispatcherHandle::default(),
            batch_jobs: DispatcherHandle::default(),
            clock: clock.clone(),
            timer: timer.clone(),
            rng: ids,
            workers: Arc::new(shared_core::InlineOffload),
        };
        let settings = DispatcherSettings {
            queue: QUEUE,
            worker: "first".into(),
            concurrency: places,
            per_owner: per_run,
            per_workspace: places,
            lease: 30,
            poll: Duration::from_secs(1),
            drain: Duration::ZERO,
            max_delay: Duration::from_secs(3_600),
            is_exclusive: true,
        };
        let service = RunService::new(ports.clone(), RunLimits::default());
        Self {
            service,
            model,
            parser,
            runs,
            groups,
            timer,
            budget,
            forms: stored_forms,
            clock,
            ports,
            files,
            settings,
        }
    }

    /// The service of another process on the same stores.
    pub(crate) fn restart(&mut self) {
        self.ports.jobs = DispatcherHandle::default();
        self.settings.worker = format!("{} and next", self.settings.worker);
        self.service = RunService::new(self.ports.clone(), RunLimits::default());
    }

    /// Runs the process until `test` completes, then drops it, as by a crash.
    pub(crate) fn play<T>(&self, test: impl Future<Output = T>) -> T {
        let threads = Arc::new(LocalExecutor::default());
        let dispatcher = Dispatcher {
            queue: self.runs.jobs(),
            handler: self.service.worker(|_| {}),
            jobs: self.ports.jobs.clone(),
            clock: self.clock.clone(),
            timer: self.timer.clone(),
            spawner: threads.clone(),
            settings: self.settings.clone(),
        };
        let process = join(dispatcher.run(std::future::pending(), std::future::pending()), threads.run());
        let both = select(Box::pin(test), Box::pin(process));
        match scripted::run(&self.timer, both).unwrap() {
            Either::Left((output, _process)) => output,
            Either::Right(_) => unreachable!("a process never ends"),
        }
    }

    /// Waits for the outcomes of a run.
    pub(crate) async fn complete(&self, run: &Run) -> Vec<FinishedGroup> {
        self.service.outcomes(&scope("w"), run).try_collect().await.unwrap()
    }

    pub(crate) async fn start(
        &self,
        groups: Vec<Vec<DocumentRef>>,
        partial: bool,
    ) -> Result<Run, DeltaError> {
        let options = RunOptions { partial, fresh: true, ..RunOptions::default() };
        self.service.start(&CallerContext::keyless(scope("w")), "agent", groups, options).await
    }

    /// Gives the group to another worker, as after an expired lease; returns the token of that worker.
    pub(crate) async fn take_over(&self, run: &Run, index: u32) -> i64 {
        let (jobs, now) = (self.runs.jobs(), self.clock.now());
        let claim = Claim {
            queue: QUEUE,
            worker: "another",
            now: now.plus_seconds(31),
            until: now.plus_seconds(60),
            count: 9,
            per_owner: 9,
            per_workspace: 9,
            owners: None,
        };
        let claimed = jobs.claim(&claim).await.unwrap();
        for job in claimed.iter().filter(|job| job.job.key.position != index) {
            jobs.requeue(&job.job.key, job.token, now, false).await.unwrap();
        }
        let own = claimed.iter().find(|job| job.job.key.position == index);
        own.filter(|job| job.job.key.owner == run.sid.0.to_string()).unwrap().token
    }

    /// Ends a group under a token of another worker.
    pub(crate) async fn finish(&self, run: &Run, index: u32, token: i64) {
        let error = ItemError { class: ErrorClass::Parse, code: "x".into(), message: "y".into() };
        let outcome = GroupOutcome {
            result: Err(error),
            failures: Vec::new(),
            usage: Usage::default(),
            cost: None,
            attempts: 1,
            fingerprint: None,
            reviews: Vec::new(),
        };
        let group = GroupId { sid: run.sid, index };
        self.runs.finish_group(&scope("w"), group, token, &outcome, self.clock.now()).await.unwrap();
    }

    /// Gives `agent` rules of review, and returns the service of the queue.
    pub(crate) async fn reviewing(&self, policy: ReviewPolicy) -> ReviewService {
        let changes = AgentChanges { review: Some(Some(policy)), ..AgentChanges::default() };
        self.ports.agents.update(&scope("w"), "agent", changes).await.unwrap();
        self.review_service()
    }

    /// The service of the queue.
    pub(crate) fn review_service(&self) -> ReviewService {
        ReviewService::new(self.service.clone())
    }

    /// A run that may reuse stored responses.
    pub(crate) async fn start_again(&self, groups: Vec<Vec<DocumentRef>>) -> Run {
        let payer = CallerContext::keyless(scope("w"));
        self.service.start(&payer, "agent", groups, RunOptions::default()).await.unwrap()
    }

    pub(crate) async fn look(&self, run: &Run) -> Run {
        self.service.reload(&scope("w"), run).await.unwrap()
    }

    /// Gives the form of a run this schema, as a new version.
    pub(crate) async fn change_form(&self, run: &Run, schema: Value) {
        self.ports
            .forms
            .update(
                &scope("w"),
                &run.plan.form_id,
                FormChange { schema: Some(schema), ..FormChange::default() },
            )
            .await
            .unwrap();
    }

    /// Gives `agent` another form and deletes the one of the run.
    pub(crate) async fn replace_form(&self, run: &Run, schema: Value) {
        let author = Author { id: UserId("u".into()), name: "Ada".into(), email: String::new() };
        let form = self.ports.forms.create(&scope("w"), &author, "G".into(), schema, None).await.unwrap();
        let changes = AgentChanges { form_id: Some(Some(form.id)), ..AgentChanges::default() };
        self.ports.agents.update(&scope("w"), "agent", changes).await.unwrap();
        self.ports.forms.delete(&scope("w"), &run.plan.form_id).await.unwrap();
    }

    /// An own file of this text, by its id.
    pub(crate) async fn file(&self, text: &str) -> DocumentRef {
        self.file_of("w", text).await
    }

    pub(crate) async fn file_of(&self, workspace: &str, text: &str) -> DocumentRef {
        let mut upload = self.files.begin_upload("note.txt".into()).await.unwrap();
        upload.write(text.to_owned().into_bytes().into()).await.unwrap();
        let staged = upload.finish().await.unwrap();
        let file = self.files.store(&scope(workspace), vec![staged]).await.unwrap().remove(0);
        // A file of another workspace is referenced by its URL, which is all that another user can have.
        document(&if workspace == "w" { file.id.0.to_string() } else { self.files.url(&file) })
    }
}
