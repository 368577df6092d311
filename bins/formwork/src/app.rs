//! The composition root: builds adapters into services, and services into the state of the HTTP handlers.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use accounts_core::AccountsService;
use accounts_core::audit::AuditService;
use accounts_core::idempotency::IdempotencyService;
use accounts_core::oidc::OidcService;
use accounts_core::usage::UsageService;
use agents_core::AgentsService;
use agents_core::chat::{ChatLimits, ChatPorts, ChatService, SessionsService};
use anyhow::Context as _;
use delta_core::review::ReviewService;
use delta_core::{RunPorts, RunService};
use document::{DocumentReader, Recognition};
use evaluation_core::EvaluationService;
use evaluation_core::retrieval::RetrievalEvaluationService;
use files_core::{FileOrigin, FileUrls, FilesConfig, FilesService};
use forms_core::{ExtractionEngine, FormsService};
use gen_core::{GenService, GenerateLimits, GeneratePorts, GenerateService, ModelId};
use jobs_core::{DispatcherHandle, Isolation};
use kb_core::{Grounding, KnowledgeService};
use notes_core::{NoteLimits, NotesService};
use page_chromium::Chromium;
use parser_pool::ParserPool;
use rules_engine::nlu::RuleNlu;
use rules_engine::schema::SchemaGenerator;
use runtime_tokio::{TokioOffload, TokioSpawn, TokioTimer};
use shared_core::{Clock, Offload};
use store_diesel::{
    Database, DieselAgents, DieselFiles, DieselForms, DieselIdempotency, DieselNotes, DieselParsedDocuments,
    DieselRuns, DieselSessions, DieselThumbnails, OperationDeadline,
};
use tokio::runtime::Handle;
use utilities_core::search::SearchService;
use utilities_core::web::{PagesService, PictureOrigin, WebOrigin};
use utilities_core::{Thumbnails, UtilitiesPorts, UtilitiesService};
use webhooks_core::WebhooksService;

use crate::adapters::Adapters;
use crate::background::{self, OffloadedExtractive};
use crate::conversations;
use crate::csv::CsvWriter;
use crate::database::{operation_deadline, reservation_deadline};
use crate::document_reading::{FilesAsMedia, ReadDocuments};
use crate::generation::{self, GenerationPorts, local};
use crate::http::{self, rate::Rates, sign_in::SignInFailures};
use crate::knowledge::{KnowledgeBuilder, KnowledgeWork};
use crate::meter::UsageMeter;
use crate::metrics::{Metrics, measure, measure_ocr};
use crate::readiness::Readiness;
use crate::resources::{NamedBases, ServiceResources};
use crate::search;
use crate::settings::{LimitSettings, Settings, Switch, threads};
use crate::shared_services::{accounts, audit, ports, usage};
use crate::shutdown::Shutdown;
use crate::web::Web;
use crate::{evaluations, ocr, oidc, parsers, traces, url_signing, webhooks};

/// Shared state of the handlers. Clones are cheap.
#[derive(Clone, Debug)]
pub struct AppState {
    /// Workspaces, users and API keys.
    pub accounts: AccountsService,
    /// Sign-in by OpenID Connect, if it is configured.
    pub oidc: Option<OidcService>,
    /// The audit log.
    pub audit: AuditService,
    /// Threads for work that occupies the processor.
    pub workers: Arc<dyn Offload>,
    /// Deduplicates requests that carry an `Idempotency-Key`.
    pub idempotency: IdempotencyService,
    /// Failed sign-ins by address.
    pub sign_in_failures: SignInFailures,
    /// Rate limits of API keys.
    pub rates: Rates,
    /// Recorded usage of models.
    pub usage: UsageService,
    /// Reserves and settles model calls.
    pub meter: UsageMeter,
    /// Stores, lists and serves files.
    pub files: FilesService,
    /// Stores forms and their versions.
    pub forms: FormsService,
    /// Generates schemas from descriptions.
    pub schemas: SchemaGenerator,
    /// Model catalogue and calls.
    pub generation: GenService,
    /// Generation with a context.
    pub generate: GenerateService,
    /// Stores agents.
    pub agents: AgentsService,
    /// Sessions with agents, and their submissions.
    pub sessions: SessionsService,
    /// Answers messages to agents.
    pub chat: ChatService,
    /// Knowledge bases.
    pub knowledge: KnowledgeService,
    /// Background work on knowledge bases.
    pub knowledge_work: KnowledgeWork,
    /// Stores notes on agents, files and knowledge bases.
    pub notes: NotesService,
    /// Stores webhooks and emits their events.
    pub webhooks: WebhooksService,
    /// Wakes the dispatcher of webhook deliveries.
    pub webhook_jobs: DispatcherHandle,
    /// Web and news search.
    pub search: SearchService,
    /// Document utilities.
    pub utilities: UtilitiesService,
    /// Web pages.
    pub pages: PagesService,
    /// Wall clock.
    pub clock: Arc<dyn Clock>,
    /// Batch extraction.
    pub runs: RunService,
    /// The queue of values that people review.
    pub reviews: ReviewService,
    /// Evaluation sets.
    pub evaluations: EvaluationService,
    /// Evaluation of knowledge bases.
    pub retrieval: RetrievalEvaluationService,
    /// Wakes the dispatcher of runs.
    pub jobs: DispatcherHandle,
    /// Wakes the dispatcher of batches.
    pub batch_jobs: DispatcherHandle,
    /// Reads documents without OCR.
    pub without_ocr: DocumentReader,
    /// Parser processes.
    pub parsers: ParserPool,
    /// The phase of the server. Long-lived streams end with the drain.
    pub shutdown: Shutdown,
    /// Runtime for work that outlives its request.
    pub background: Handle,
    /// Public base URL of the server, without a trailing slash.
    pub public_url: Arc<str>,
    /// Request limits.
    pub limits: LimitSettings,
    /// Writes comma-separated values.
    pub csv: CsvWriter,
    /// Whether reading a file's content needs an API key as well as the capability URL.
    pub content_needs_key: bool,
    /// The OpenAPI document, built on first use.
    pub openapi: Arc<OnceLock<String>>,
    /// The database. It is closed at shutdown.
    pub database: Database,
    /// Time limit of the database operations of a request.
    pub database_deadline: OperationDeadline,
    /// Whether the parts that requests need work.
    pub readiness: Readiness,
    /// Where requests are recorded, if metrics are served.
    pub metrics: Option<Metrics>,
    /// OCR, if there is one.
    pub recognition: Option<Recognition>,
    /// The browser, if there is one.
    pub browser: Option<Chromium>,
    /// Whether requests are recorded in traces.
    pub are_traces_on: bool,
    /// What only the Model Context Protocol needs.
    pub mcp: http::McpParts,
}

/// Wires everything. The port is bound before `public_url` is known.
///
/// # Errors
/// One sentence for the operator.
pub fn compose(
    settings: &Settings,
    Adapters { database, words, vectors, tesseract, blobs, metrics }: Adapters,
    public_url: &str,
    background: Handle,
) -> anyhow::Result<AppState> {
    let (clock, ids) = ports(&database);
    let default_model: ModelId =
        settings.models.default.parse().context("the setting models.default is not valid")?;
    let files_config = FilesConfig {
        max_bytes: settings.limits.file_bytes,
        sniff: documents_core::sniff,
        urls: FileUrls::new(public_url).with_signing(url_signing::signing(settings)?),
    };
    let files = DieselFiles::new(database.clone());
    let files =
        FilesService::new(Arc::new(files), Arc::new(blobs.clone()), clock.clone(), ids.clone(), files_config);
    let forms = FormsService::new(Arc::new(DieselForms::new(database.clone())), clock.clone(), ids.clone());
    let offload = TokioOffload::new(threads(settings.workers.model_threads));
    let extractive = OffloadedExtractive::new(offload.clone());
    // A call ends before this, and its booking soon after it.
    let longest_call = Duration::from_secs(settings.models.call_seconds.saturating_add(60));
    let usage = usage(&database).with_max_call_duration(longest_call);
    let meter = UsageMeter::new(usage.clone(), reservation_deadline(&settings.limits, &database));
    let ports = GenerationPorts {
        extractive: extractive.clone(),
        model_folders: local::folders(settings)?,
        threads: threads(settings.workers.model_threads),
        meter: measure(meter.clone(), metrics.clone()),
        clock: clock.clone(),
        ids: ids.clone(),
        metrics: metrics.clone(),
        trace: traces::sent_to_providers(&settings.traces),
    };
    let generation = generation::service(&settings.models, ports)?;
    generation.check(&default_model).context("the setting models.default is not valid")?;
    let schemas = SchemaGenerator::new(generation.clone(), default_model.clone());
    let parsers = parsers::pool(settings, metrics.as_ref())?;
    let web = Web::new(settings, clock.clone())?;
    let reader = web.pages(&parsers);
    let origin = Arc::new(WebOrigin::new(FileOrigin(files.clone()), web.fetcher(), reader.clone()));
    let mut documents = DocumentReader::new(
        origin.clone(),
        Arc::new(parsers.clone()),
        Arc::new(DieselParsedDocuments::new(database.clone())),
        clock.clone(),
    )
    .with_renderer(Arc::new(parsers.clone()));
    let without_ocr = documents.clone();
    let recognition = tesseract.map(|tesseract| {
        let recogniser = measure_ocr(tesseract, metrics.clone());
        ocr::recognition(recogniser, &settings.ocr, &parsers, clock.clone())
    });
    if let Some(recognition) = &recognition {
        documents = documents.with_recognition(recognition.clone());
    }
    let isolation = Isolation::default();
    let knowledge = KnowledgeBuilder {
        jobs: DispatcherHandle::new(isolation.clone()),
        database: database.clone(),
        words,
        vectors,
        files: files.clone(),
        documents: documents.clone(),
        web: origin.clone(),
        generation: generation.clone(),
        workers: Arc::new(offload.clone()),
        clock: clock.clone(),
        ids: ids.clone(),
    };
    let (knowledge, knowledge_work) = knowledge.build(settings);
    let agents = DieselAgents::new(database.clone());
    let agents = AgentsService::new(
        Arc::new(agents),
        forms.clone(),
        generation.clone(),
        default_model,
        clock.clone(),
        ids.clone(),
    )
    .with_knowledge(Arc::new(NamedBases(knowledge.clone())))
    .with_tool_servers(web.tool_servers());
    let stored_sessions = Arc::new(DieselSessions::new(database.clone()));
    let sessions =
        SessionsService::new(agents.clone(), forms.clone(), stored_sessions.clone(), clock.clone());
    let resources =
        ServiceResources { agents: agents.clone(), files: files.clone(), knowledge: knowledge.clone() };
    let notes = NotesService::new(
        Arc::new(DieselNotes::new(database.clone())),
        Arc::new(resources),
        clock.clone(),
        NoteLimits { bytes: settings.limits.note_bytes },
    );
    let sources = GeneratePorts {
        documents: Arc::new(ReadDocuments(documents.clone())),
        knowledge: Arc::new(Grounding(knowledge.clone())),
        media: Arc::new(FilesAsMedia(files.clone())),
    };
    let workers: Arc<dyn Offload> = Arc::new(offload);
    let tasks = Arc::new(TokioSpawn::new(background.clone()));
    let pages =
        PagesService::new(FileOrigin(files.clone()), web.fetcher(), reader, documents.clone(), tasks.clone());
    let search = search::service(&settings.search, web.usable(), Arc::new(pages.clone()), clock.clone())?;
    let utilities = UtilitiesService::new(UtilitiesPorts {
        documents: documents.clone(),
        origin: Arc::new(PictureOrigin::new(origin.as_ref().clone())),
        files: files.clone(),
        workers: Arc::clone(&workers),
        tasks,
        thumbnails: Thumbnails::new(
            Arc::new(DieselThumbnails::new(database.clone())),
            Arc::new(parsers.clone()),
            files.clone(),
            clock.clone(),
            ids.clone(),
        ),
    });
    let generate = GenerateService::new(generation.clone(), sources, GenerateLimits::default())
        .workers(Arc::clone(&workers));
    let jobs = DispatcherHandle::new(isolation.clone());
    let batch_jobs = DispatcherHandle::new(isolation.clone());
    let engine = ExtractionEngine::new(generation.clone())
        .with_trust((&settings.extraction).into())
        .with_picture_options((&settings.extraction).into());
    let chat = ChatPorts {
        agents: agents.clone(),
        sessions: stored_sessions,
        documents: documents.clone(),
        engine: engine.clone(),
        generate: generate.clone(),
        nlu: Arc::new(RuleNlu),
        models: generation.clone(),
        clock: clock.clone(),
        timer: Arc::new(TokioTimer::default()),
        ids: ids.clone(),
    };
    let stored_runs = Arc::new(DieselRuns::new(database.clone()));
    let ports = RunPorts {
        runs: stored_runs.clone(),
        groups: stored_runs.clone(),
        responses: stored_runs.clone(),
        answers: stored_runs.clone(),
        batches: stored_runs.clone(),
        reviews: stored_runs,
        agents: agents.clone(),
        forms: forms.clone(),
        documents: documents.clone(),
        engine: engine.clone(),
        generation: generation.clone(),
        jobs: jobs.clone(),
        batch_jobs: batch_jobs.clone(),
        clock: clock.clone(),
        timer: Arc::new(TokioTimer::default()),
        rng: ids.clone(),
        workers: Arc::clone(&workers),
    };
    let readiness = Readiness::new(
        settings,
        &database,
        blobs,
        Arc::clone(&knowledge_work.index_failing),
        background.clone(),
    )?;
    let webhook_jobs = DispatcherHandle::new(isolation);
    let webhooks = webhooks::service(web.sender(), &database, &webhook_jobs, clock.clone(), ids.clone());
    let runs = RunService::new(ports, background::run_limits(&settings.limits, &settings.batches));
    let reviews = ReviewService::new(runs.clone());
    let evaluations = evaluations::service(&database, &runs, &reviews, &forms, &documents);
    let retrieval = evaluations::retrieval(&database, &knowledge);
    let turn = Duration::from_secs(settings.chat.turn_seconds);
    let chat = ChatService::new(chat, ChatLimits { turn, ..ChatLimits::default() })
        .with_memory(Arc::new(conversations::StoredResponses(runs.clone())));
    let accounts = accounts(&database);
    Ok(AppState {
        oidc: oidc::service(&settings.sign_in.oidc, accounts.clone(), public_url, clock.clone())?,
        chat,
        clock: clock.clone(),
        webhooks,
        webhook_jobs,
        batch_jobs,
        accounts,
        audit: audit(&database, settings.audit.days),
        workers,
        sign_in_failures: SignInFailures::new(clock.clone()),
        idempotency: IdempotencyService::new(
            Arc::new(DieselIdempotency::new(database.clone())),
            clock,
            ids,
            settings.limits.lease_seconds,
        ),
        rates: Rates::new(settings.limits.requests_per_minute),
        usage,
        meter,
        files,
        forms,
        schemas,
        generation,
        generate,
        agents,
        sessions,
        knowledge,
        knowledge_work,
        notes,
        search,
        utilities,
        pages,
        runs,
        reviews,
        evaluations,
        retrieval,
        jobs,
        without_ocr,
        parsers,
        shutdown: Shutdown::default(),
        background,
        public_url: public_url.trim_end_matches('/').into(),
        limits: settings.limits.clone(),
        csv: settings.export.csv(),
        content_needs_key: settings.files.require_key == Switch::On,
        openapi: Arc::default(),
        database_deadline: operation_deadline(&settings.limits),
        readiness,
        metrics,
        recognition,
        browser: web.browser(),
        are_traces_on: settings.traces.is_on(),
        mcp: http::McpParts::new(settings, engine, web.usable().is_some())?,
        database,
    })
}
