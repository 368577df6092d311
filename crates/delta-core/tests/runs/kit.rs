//! The service over memory, with a scripted model, a counting parser and a store that can be full.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use agents_core::{AgentsService, MemoryAgents, NewAgent};
use async_trait::async_trait;
use delta_core::{
    DeltaError, DocumentRef, FinishedGroup, GroupOutcome, MemoryRuns, QueuedGroup, ResponseCursor, Run,
    RunId, RunLimits, RunPlan, RunPorts, RunRepository, RunService, StoredResponse,
};
use documents_core::{
    DirectParser, Document, DocumentParser, DocumentReader, MemoryParsedDocuments, ParseError, Source,
};
use files_core::{FileOrigin, FilesConfig, FilesService, MemoryBlobs, MemoryFiles, OwnUrls};
use forms_core::{ExtractionEngine, FormsService, MemoryForms};
use gen_core::scripted::turn;
use gen_core::{
    ChatAnswer, ChatModel, ChatRequest, Fault, GenService, ModelId, Part, Payer, Provider, ProviderError,
    Usage,
};
use serde_json::json;
use shared_core::{Author, FixedClock, Scope, SeededIds, StoreError, Timestamp, UserId, WorkspaceId};

pub(crate) fn scope(workspace: &str) -> Scope {
    Scope { workspace: WorkspaceId(workspace.into()), user: UserId("u".into()) }
}

pub(crate) fn document(url: &str) -> DocumentRef {
    DocumentRef { description: String::new(), url: url.into() }
}

/// Answers `a` with the text of the first document; some texts make it slow, refuse or panic.
#[derive(Debug, Default)]
pub(crate) struct Scripted {
    pub(crate) calls: AtomicU32,
    pub(crate) most: AtomicU32,
    now: AtomicU32,
}

#[async_trait]
impl ChatModel for Scripted {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let parts = request.messages.iter().flat_map(|message| &message.parts);
        let texts: Vec<String> = parts
            .filter_map(|part| match part {
                Part::Document { text, .. } => Some(text.trim().to_owned()),
                Part::Text(_) => None,
            })
            .collect();
        self.calls.fetch_add(1, Ordering::SeqCst);
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let turns = if texts.iter().any(|text| text.starts_with("slow")) { 9 } else { 1 };
        for _ in 0..turns {
            turn().await;
        }
        self.now.fetch_sub(1, Ordering::SeqCst);
        assert!(!texts.iter().any(|text| text == "panic"), "as the script says");
        if texts.iter().any(|text| text == "refuse") {
            return Err(ProviderError::new(Fault::Refused, "as the script says"));
        }
        let usage = Usage { input_tokens: 10, ..Usage::default() };
        Ok(ChatAnswer { text: json!({ "a": texts.first() }).to_string(), usage, ..ChatAnswer::default() })
    }
}

#[derive(Debug, Default)]
pub(crate) struct CountingParser {
    pub(crate) calls: AtomicU32,
}

#[async_trait]
impl DocumentParser for CountingParser {
    async fn parse(&self, source: Source) -> Result<Document, ParseError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        turn().await;
        DirectParser::default().parse(source).await
    }
}

/// Refuses as many outcomes as it is told.
#[derive(Debug, Default)]
pub(crate) struct FullRuns {
    pub(crate) failures: AtomicU32,
    inner: MemoryRuns,
}

#[async_trait]
impl RunRepository for FullRuns {
    async fn create(
        &self,
        scope: &Scope,
        plan: &RunPlan,
        groups: &[Vec<DocumentRef>],
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        self.inner.create(scope, plan, groups, now).await
    }
    async fn find(&self, scope: &Scope, agent: &str, sid: RunId) -> Result<Option<Run>, StoreError> {
        self.inner.find(scope, agent, sid).await
    }
    async fn queued(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<QueuedGroup>, StoreError> {
        self.inner.queued(scope, sid, from, limit).await
    }
    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError> {
        self.inner.finished(scope, sid, from, limit).await
    }
    async fn finish_group(
        &self,
        scope: &Scope,
        sid: RunId,
        index: u32,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let left = |left: u32| left.checked_sub(1);
        if self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left).is_ok() {
            return Err(StoreError::Full);
        }
        self.inner.finish_group(scope, sid, index, outcome, now).await
    }
    async fn unfinished(&self) -> Result<Vec<(Scope, Run)>, StoreError> {
        self.inner.unfinished().await
    }
    async fn responses(
        &self,
        scope: &Scope,
        agent: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        limit: u32,
    ) -> Result<Vec<StoredResponse>, StoreError> {
        self.inner.responses(scope, agent, sid, after, limit).await
    }
    async fn count_responses(
        &self,
        scope: &Scope,
        agent: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError> {
        self.inner.count_responses(scope, agent, sid).await
    }
}

/// The service with the workspace `w` and its agents: `agent`, `plain` without a form, and `keyless`.
pub(crate) struct Kit {
    pub(crate) service: RunService,
    pub(crate) model: Arc<Scripted>,
    pub(crate) parser: Arc<CountingParser>,
    pub(crate) runs: Arc<FullRuns>,
    /// Moves on by a second at each look.
    pub(crate) clock: Arc<FixedClock>,
    files: FilesService,
}

impl Kit {
    pub(crate) async fn new() -> Self {
        Self::with(RunLimits::default()).await
    }

    pub(crate) async fn with(limits: RunLimits) -> Self {
        let (clock, ids) = (Arc::new(FixedClock::default()), Arc::new(SeededIds::new(1)));
        let model = Arc::new(Scripted::default());
        let generation = GenService::builder().with_chat(Provider::OpenAi, model.clone()).build();
        let forms = FormsService::new(Arc::new(MemoryForms::default()), clock.clone(), ids.clone());
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
            urls: OwnUrls::new("https://forms.example"),
        };
        let (records, blobs) = (Arc::new(MemoryFiles::default()), Arc::new(MemoryBlobs::default()));
        let files = FilesService::new(records, blobs, clock.clone(), ids.clone(), config);
        let author = Author { id: UserId("u".into()), name: "Ada".into(), email: String::new() };
        let schema = json!({"a": {"type": "string"}});
        let form = forms.create(&scope("w"), &author, "F".into(), schema).await.unwrap();
        for (namespace, form_id, model_id) in [
            ("agent", Some(form.id.clone()), None),
            ("plain", None, None),
            ("keyless", Some(form.id), Some("m@anthropic".to_owned())),
        ] {
            let new = NewAgent { namespace: namespace.into(), form_id, model_id, ..NewAgent::default() };
            agents.create(&scope("w"), &author, new).await.unwrap();
        }
        let (parser, runs) = (Arc::new(CountingParser::default()), Arc::new(FullRuns::default()));
        let clock = Arc::new(FixedClock::default());
        let ports = RunPorts {
            runs: runs.clone(),
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
            clock: clock.clone(),
            ids,
        };
        Self { service: RunService::new(ports, limits), model, parser, runs, clock, files }
    }

    pub(crate) async fn start(
        &self,
        groups: Vec<Vec<DocumentRef>>,
        partial: bool,
    ) -> Result<Run, DeltaError> {
        self.service.start(&Payer::keyless(scope("w")), "agent", groups, partial).await
    }

    /// An own file of this text, by its id.
    pub(crate) async fn file(&self, text: &str) -> DocumentRef {
        self.file_of("w", text).await
    }

    pub(crate) async fn file_of(&self, workspace: &str, text: &str) -> DocumentRef {
        let mut upload = self.files.begin("note.txt".into()).await.unwrap();
        upload.write(text.to_owned().into_bytes().into()).await.unwrap();
        let staged = upload.finish().await.unwrap();
        let file = self.files.store(&scope(workspace), vec![staged]).await.unwrap().remove(0);
        // Another workspace's file is named by its address, which is all that a stranger could have.
        document(&if workspace == "w" { file.id.0.to_string() } else { self.files.url(&file) })
    }
}
