//! Runs are started, followed, cancelled and retried while servers die.

use std::sync::Arc;
use std::time::Duration;

use agents_core::{AgentsService, MemoryAgents, NewAgent};
use delta_core::{
    DocumentRef, GroupId, GroupRepository as _, MemoryRuns, QUEUE, Run, RunLimits, RunOptions, RunPorts,
    RunRepository as _, RunService, RunState,
};
use document::{DocumentReader, MemoryParsedDocuments};
use documents_core::DirectParser;
use files_core::{FileOrigin, FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles};
use forms_core::{ExtractionEngine, FormsService, MemoryForms};
use futures_util::{FutureExt as _, StreamExt as _};
use gen_core::{CallerContext, GenService, ModelId, Provider, RetryPolicy};
use jobs_core::{DispatcherHandle, JobKey};
use parking_lot::Mutex;
use serde_json::json;
use shared_core::{Author, Clock, PageRequest, Scope, SeededRng, UserId, WorkspaceId};

use super::group_ledger::GroupLedger;
use super::store::RunStore;
use super::vendor::{SimulatedVendor, TOKENS, document_text};
use crate::bug::PlantedBug;
use crate::faults::{Connection, FaultRates};
use crate::operator::{Server, Servers, operate};
use crate::ports::{ProcessClock, WorldTimer};
use crate::queue::{JobServer, LeaseLedger, ProcessQueue};
use crate::scenario::Scenario;
use crate::world::{OUTSIDE, ProcessId, World};

/// The agent of all runs.
const AGENT: &str = "agent";
/// Runs, and groups of each at most.
const RUNS: i64 = 3;
const MAX_GROUPS: u64 = 8;

/// What all processes share.
struct Cluster {
    world: World,
    rates: FaultRates,
    bug: Option<PlantedBug>,
    runs: Arc<MemoryRuns>,
    agents: Arc<MemoryAgents>,
    forms: Arc<MemoryForms>,
    files: FilesService,
    parsed: Arc<MemoryParsedDocuments>,
    ledger: Arc<LeaseLedger>,
    groups: Arc<GroupLedger>,
    servers: Mutex<Vec<(ProcessId, RunService)>>,
    started: Mutex<Vec<Run>>,
}

/// The service of a process with its store and its link to the dispatcher.
struct ProcessRuns {
    service: RunService,
    store: RunStore,
    jobs: DispatcherHandle,
}

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

/// Begins the scenario.
pub(crate) fn begin(world: &World, bug: Option<PlantedBug>) -> Box<dyn Scenario> {
    let clock = ProcessClock::start(world, OUTSIDE, false);
    let config = FilesConfig {
        max_bytes: 1_000,
        sniff: documents_core::sniff,
        urls: FileUrls::new("https://forms.example"),
    };
    let ids = Arc::new(SeededRng::new(world.random().bits()));
    let (records, blobs) = (Arc::new(MemoryFiles::default()), Arc::new(MemoryBlobs::default()));
    let cluster = Arc::new(Cluster {
        world: world.clone(),
        rates: FaultRates::draw(world),
        bug,
        runs: Arc::default(),
        agents: Arc::default(),
        forms: Arc::default(),
        files: FilesService::new(records, blobs, clock, ids, config),
        parsed: Arc::default(),
        ledger: Arc::new(LeaseLedger::new(world)),
        groups: Arc::new(GroupLedger::new(world)),
        servers: Mutex::default(),
        started: Mutex::default(),
    });
    let own = Arc::clone(&cluster);
    world.spawn(OUTSIDE, Box::pin(async move { own.play().await }));
    Box::new(BatchScenario(cluster))
}

impl Cluster {
    /// The service of a process; `connection` is without faults for the client outside.
    fn service(&self, process: ProcessId, clock: Arc<dyn Clock>, rates: FaultRates) -> ProcessRuns {
        let store = RunStore {
            runs: Arc::clone(&self.runs),
            ledger: Arc::clone(&self.ledger),
            groups: Arc::clone(&self.groups),
            connection: Connection::new(&self.world, process, rates),
            bug: self.bug,
        };
        let (runs, ids) = (Arc::new(store.clone()), Arc::new(SeededRng::new(self.world.random().bits())));
        let (timer, world) = (Arc::new(WorldTimer(self.world.clone())), self.world.clone());
        let vendor = SimulatedVendor { world, process, groups: Arc::clone(&self.groups) };
        let generation = GenService::builder()
            .with_chat(Provider::OpenAi, Arc::new(vendor))
            .retry(RetryPolicy { retries: 0, ..RetryPolicy::default() })
            .timer(timer.clone())
            .rng(ids.clone())
            .build();
        let forms = FormsService::new(self.forms.clone(), clock.clone(), ids.clone());
        let model: ModelId = "simulated@openai".parse().unwrap_or_else(|_| ModelId::extractive());
        let agents = AgentsService::new(
            self.agents.clone(),
            forms.clone(),
            generation.clone(),
            model,
            clock.clone(),
            ids.clone(),
        );
        let jobs = DispatcherHandle::default();
        let ports = RunPorts {
            runs: runs.clone(),
            groups: runs.clone(),
            responses: runs.clone(),
            answers: runs,
            batches: Arc::clone(&self.runs) as _,
            reviews: self.runs.clone(),
            agents,
            forms,
            documents: DocumentReader::new(
                Arc::new(FileOrigin(self.files.clone())),
                Arc::new(DirectParser::default()),
                self.parsed.clone(),
                clock.clone(),
            ),
            engine: ExtractionEngine::new(generation.clone()),
            generation,
            jobs: jobs.clone(),
            batch_jobs: DispatcherHandle::default(),
            clock,
            timer,
            rng: ids,
            workers: Arc::new(shared_core::InlineOffload),
        };
        ProcessRuns { service: RunService::new(ports, RunLimits::default()), store, jobs }
    }

    /// Creates the agent, starts the servers, and then the runs.
    async fn play(self: Arc<Self>) {
        let clock = ProcessClock::start(&self.world, OUTSIDE, false);
        let none = FaultRates { before: 0, after: 0, slow: 0, ..self.rates };
        let ProcessRuns { service, .. } = self.service(OUTSIDE, clock.clone(), none);
        if let Err(error) = self.create_agent(clock).await {
            self.world.violate(format!("the agent could not be created: {error}"));
        }
        operate(&self.world, self.rates, Arc::new(BatchServers(Arc::clone(&self))));
        for run in 1..=RUNS {
            self.start_run(&service, run).await;
            self.world.sleep(self.world.random().millis(0, 20_000)).await;
        }
    }

    async fn create_agent(&self, clock: Arc<dyn Clock>) -> anyhow::Result<()> {
        let ids = Arc::new(SeededRng::new(self.world.random().bits()));
        let forms = FormsService::new(self.forms.clone(), clock.clone(), ids.clone());
        let author = Author { id: UserId("u".into()), name: "Ada".into(), email: String::new() };
        let form =
            forms.create(&scope(), &author, "F".into(), json!({"a": {"type": "string"}}), None).await?;
        let generation = GenService::builder().build();
        let model = ModelId::extractive();
        let agents = AgentsService::new(self.agents.clone(), forms, generation, model, clock, ids);
        let new = NewAgent { namespace: AGENT.into(), form_id: Some(form.id), ..NewAgent::default() };
        agents.create(&scope(), &author, new).await?;
        Ok(())
    }

    async fn start_run(&self, service: &RunService, number: i64) {
        let mut groups = Vec::new();
        for index in 0..=u32::try_from(self.world.random().below(MAX_GROUPS)).unwrap_or_default() {
            match self.document(&document_text(number, index)).await {
                Ok(document) => groups.push(vec![document]),
                Err(error) => self.world.violate(format!("a file could not be stored: {error}")),
            }
        }
        let options = RunOptions { fresh: self.world.random().happens(500), ..RunOptions::default() };
        let payer = CallerContext::keyless(scope());
        match service.start(&payer, AGENT, groups, options).await {
            Ok(run) => {
                self.started.lock().push(run.clone());
                self.use_run(run);
            }
            Err(error) => self.world.violate(format!("a run could not be started: {error}")),
        }
    }

    async fn document(&self, text: &str) -> anyhow::Result<DocumentRef> {
        let mut upload = self.files.begin_upload("note.txt".into()).await?;
        upload.write(text.to_owned().into_bytes().into()).await?;
        let mut stored = self.files.store(&scope(), vec![upload.finish().await?]).await?;
        let id = stored.pop().map(|file| file.id.0.to_string()).unwrap_or_default();
        Ok(DocumentRef::new(id))
    }

    /// Clients follow the run on one server; some cancel it, or retry what failed.
    fn use_run(&self, run: Run) {
        let servers = self.servers.lock();
        let random = self.world.random();
        let Some((process, service)) = servers.get(random.index(servers.len())).cloned() else { return };
        drop(servers);
        let (world, followed, service_too) = (self.world.clone(), run.clone(), service.clone());
        let follow = async move {
            let mut outcomes = service.outcomes(&scope(), &followed);
            let mut next = 0;
            while let Some(group) = outcomes.next().await {
                let Ok(group) = group else { return };
                if group.index != next {
                    world.violate(format!(
                        "outcome {} of run {} is told where {next} is due",
                        group.index, followed.sid.0
                    ));
                }
                next += 1;
            }
            if next != followed.total {
                world.violate(format!("the outcomes of run {} end before {next}", followed.sid.0));
            }
        };
        self.world.spawn(process, Box::pin(follow));
        if random.happens(200) {
            let (world, delay) = (self.world.clone(), random.millis(0, 40_000));
            let cancel = async move {
                world.sleep(delay).await;
                let _ = service_too.cancel(&scope(), AGENT, run.sid).await;
                world.sleep(Duration::from_secs(30)).await;
                if world.random().happens(300) {
                    let _ = service_too.retry(&scope(), AGENT, run.sid).await;
                }
            };
            self.world.spawn(process, Box::pin(cancel));
        }
    }
}

struct BatchServers(Arc<Cluster>);

impl Servers for BatchServers {
    fn start(&self, is_alone: bool) -> Server {
        let cluster = &self.0;
        let world = cluster.world.clone();
        let process = world.start_process();
        let clock = ProcessClock::start(&world, process, cluster.bug == Some(PlantedBug::ClockSkew));
        let ProcessRuns { service, store, jobs: handle } =
            cluster.service(process, clock.clone(), cluster.rates);
        let (jobs, ledger) = (cluster.runs.jobs(), Arc::clone(&cluster.ledger));
        let queue = ProcessQueue::new(jobs, Arc::clone(&ledger), store.connection, cluster.bug);
        let mut servers = cluster.servers.lock();
        servers.retain(|(process, _)| world.is_alive(*process));
        servers.push((process, service.clone()));
        drop(servers);
        let server = JobServer {
            process,
            name: QUEUE,
            queue: Arc::new(queue),
            handler: service.worker(|_| {}),
            ledger,
            jobs: handle,
            clock,
            is_exclusive: is_alone,
            world,
        };
        Server { process, stop: server.start() }
    }
}

struct BatchScenario(Arc<Cluster>);

impl BatchScenario {
    fn runs(&self) -> Vec<Run> {
        let started = self.0.started.lock();
        let current = started.iter().filter_map(|run| {
            self.0.runs.find(&scope(), &run.plan.agent_id, run.sid).now_or_never()?.ok().flatten()
        });
        current.collect()
    }

    /// The groups without an outcome, and their jobs.
    fn describe_open(&self, run: &Run) -> String {
        let (scope, now) = (scope(), self.0.world.database_time());
        let statuses = self.0.runs.statuses(&scope, run.sid, 0, run.total, now);
        let statuses = statuses.now_or_never().and_then(Result::ok).unwrap_or_default();
        let open = statuses.iter().filter(|status| status.sequence.is_none());
        let jobs = self.0.runs.jobs();
        let job = |index| {
            jobs.status(&JobKey { queue: QUEUE, owner: run.sid.0.to_string(), position: index }, run.created)
        };
        open.map(|status| format!("{} is {:?} with job {:?}", status.index, status.state, job(status.index)))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// A group is booked for what was paid for it, and at least once where it has a result of its own.
    fn check_group(&self, run: &Run, index: u32) {
        let group = GroupId { sid: run.sid, index };
        let statuses = self.0.runs.statuses(&scope(), run.sid, index, 1, run.created).now_or_never();
        let Some(Ok(statuses)) = statuses else { return };
        let booked = statuses.first().map(|status| status.usage.input_tokens).unwrap_or_default();
        let paid = self.0.groups.bookable(group) * TOKENS;
        if booked > paid {
            self.0
                .world
                .violate(format!("{booked} tokens of {}/{index} are booked and {paid} paid", run.sid.0));
        }
    }
}

impl Scenario for BatchScenario {
    fn is_done(&self) -> bool {
        let world = &self.0.world;
        // Every run is looked at, which is not cheap.
        if !world.is_calm()
            || !world.steps().is_multiple_of(16)
            || self.0.started.lock().len() < RUNS as usize
        {
            return false;
        }
        self.runs().iter().all(|run| run.state.is_over())
    }

    fn check(&self) {
        self.0.ledger.check();
    }

    fn check_end(&self) {
        for run in self.runs() {
            if run.successful + run.failed != run.total || run.state == RunState::Running {
                self.0.world.violate(format!("run {} is not complete", run.sid.0));
            }
            (0..run.total).for_each(|index| self.check_group(&run, index));
        }
        if self.0.ledger.leased() > 0 {
            self.0.world.violate("groups are under lease after the last one ended");
        }
        let page = PageRequest::first(10);
        let agent = self.0.started.lock().first().map(|run| run.plan.agent_id.clone()).unwrap_or_default();
        let listed = self.0.runs.list(&scope(), &agent, None, &page).now_or_never();
        if !matches!(listed, Some(Ok(page)) if page.total == RUNS as u64) {
            self.0.world.violate("there are other runs than were started");
        }
    }

    fn describe(&self) -> String {
        let describe = |run: &Run| {
            let Run { sid, successful, failed, total, .. } = run;
            format!("run {}: {successful} and {failed} of {total}, {}", sid.0, self.describe_open(run))
        };
        self.runs().iter().map(describe).collect::<Vec<_>>().join("; ")
    }
}
