//! The use cases of batch extraction: start a run, drive it, follow its outcomes, read what is kept.

use std::sync::Arc;

use agents_core::AgentsService;
use async_lock::Semaphore;
use documents_core::DocumentReader;
use forms_core::{ExtractionEngine, FormsService};
use futures_util::stream::{self, BoxStream, StreamExt as _, TryStreamExt as _};
use gen_core::{GenService, Payer};
use shared_core::{Clock, IdSource, Scope};

use crate::rules::violations;
use crate::{
    DeltaError, DocumentRef, FinishedGroup, Progress, ResponseCursor, Run, RunId, RunLimits, RunPlan,
    RunRepository, StoredResponse,
};

/// Rows read at once from the store.
pub(crate) const PAGE: u32 = 64;

/// What the service is built on.
#[derive(Clone, Debug)]
pub struct RunPorts {
    /// Runs and responses.
    pub runs: Arc<dyn RunRepository>,
    /// Agents.
    pub agents: AgentsService,
    /// Forms.
    pub forms: FormsService,
    /// Reads documents.
    pub documents: DocumentReader,
    /// Extracts.
    pub engine: ExtractionEngine,
    /// Models.
    pub generation: GenService,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub ids: Arc<dyn IdSource>,
}

/// Batch extraction.
#[derive(Clone, Debug)]
pub struct RunService {
    pub(crate) ports: Arc<RunPorts>,
    pub(crate) limits: RunLimits,
    /// Places for groups of all runs.
    pub(crate) places: Arc<Semaphore>,
}

impl RunService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(ports: RunPorts, limits: RunLimits) -> Self {
        let places = Arc::new(Semaphore::new(limits.total_concurrency.max(1)));
        Self { ports: Arc::new(ports), limits, places }
    }

    /// Checks and stores a run with its groups, on the account of `payer`. Nothing is worked on before `drive`.
    ///
    /// # Errors
    /// When the agent is unknown or has no form, its model cannot be called, the groups break a rule,
    /// or the store fails.
    pub async fn start(
        &self,
        payer: &Payer,
        namespace: &str,
        groups: Vec<Vec<DocumentRef>>,
        partial: bool,
    ) -> Result<Run, DeltaError> {
        let scope = &payer.scope;
        let agent = self.ports.agents.get(scope, namespace).await?;
        let form_id = agent.form_id.clone().ok_or(DeltaError::AgentWithoutForm)?;
        let found = violations(&groups, &self.limits);
        if !found.is_empty() {
            return Err(DeltaError::Invalid(found));
        }
        let model = self.ports.agents.model_of(&agent)?;
        self.ports.generation.ready(&model)?;
        let form = self.ports.forms.get(scope, &form_id).await?;
        let plan = RunPlan {
            agent_id: agent.id,
            namespace: agent.namespace,
            form_id,
            form_version: form.version,
            model_id: model.to_string(),
            instructions: agent.instructions,
            partial,
            key: payer.key.clone(),
        };
        Ok(self.ports.runs.create(scope, &plan, &groups, self.ports.clock.now()).await?)
    }

    /// The outcomes of a run in the order of its groups, as they come; ends after the last one.
    ///
    /// An error item ends it: the store's failure, or [`DeltaError::Stopped`] when the drive that
    /// `progress` belongs to ended early.
    pub fn outcomes(
        &self,
        scope: Scope,
        run: &Run,
        progress: Progress,
    ) -> BoxStream<'static, Result<FinishedGroup, DeltaError>> {
        let (runs, sid, total) = (Arc::clone(&self.ports.runs), run.sid, run.total);
        let pages = stream::try_unfold(0_u32, move |next| {
            let (runs, scope, progress) = (Arc::clone(&runs), scope.clone(), progress.clone());
            async move {
                if next >= total {
                    return Ok(None);
                }
                let ready = wait_for(&progress, next).await?;
                let page = runs.finished(&scope, sid, next, (ready - next).min(PAGE)).await?;
                let after = page.last().map_or(total, |group| group.index + 1);
                Ok::<_, DeltaError>(Some((stream::iter(page.into_iter().map(Ok)), after)))
            }
        });
        pages.try_flatten().boxed()
    }

    /// The outcomes of a run that is finished, in the order of its groups.
    pub fn finished(&self, scope: Scope, run: &Run) -> BoxStream<'static, Result<FinishedGroup, DeltaError>> {
        let (runs, sid) = (Arc::clone(&self.ports.runs), run.sid);
        let pages = stream::try_unfold(Some(0_u32), move |from| {
            let (runs, scope) = (Arc::clone(&runs), scope.clone());
            async move {
                let Some(from) = from else { return Ok(None) };
                let page = runs.finished(&scope, sid, from, PAGE).await?;
                let next = page.last().map(|group| group.index + 1);
                Ok::<_, DeltaError>(Some((stream::iter(page.into_iter().map(Ok)), next)))
            }
        });
        pages.try_flatten().boxed()
    }

    /// The run as it is stored now.
    ///
    /// # Errors
    /// [`DeltaError::RunNotFound`], or when the store fails.
    pub async fn reload(&self, scope: &Scope, run: &Run) -> Result<Run, DeltaError> {
        let found = self.ports.runs.find(scope, &run.plan.agent_id, run.sid).await?;
        found.ok_or(DeltaError::RunNotFound)
    }

    /// A run of the agent.
    ///
    /// # Errors
    /// When the agent is unknown, it has no such run, or the store fails.
    pub async fn get(&self, scope: &Scope, namespace: &str, sid: RunId) -> Result<Run, DeltaError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        self.ports.runs.find(scope, &agent.id, sid).await?.ok_or(DeltaError::RunNotFound)
    }

    /// Runs that a restart interrupted, with the scope they were started under.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn unfinished(&self) -> Result<Vec<(Scope, Run)>, DeltaError> {
        Ok(self.ports.runs.unfinished().await?)
    }

    /// The responses that the agent keeps, of one run or of all: runs newest first, groups in order,
    /// read from the store in pages as the stream is read; and how many there were at the start.
    ///
    /// # Errors
    /// When the agent is unknown or has no form, it has no such run, or the store fails.
    pub async fn responses(
        &self,
        scope: &Scope,
        namespace: &str,
        sid: Option<RunId>,
    ) -> Result<(u64, BoxStream<'static, Result<StoredResponse, DeltaError>>), DeltaError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        if agent.form_id.is_none() {
            return Err(DeltaError::AgentWithoutForm);
        }
        let runs = Arc::clone(&self.ports.runs);
        if let Some(sid) = sid {
            runs.find(scope, &agent.id, sid).await?.ok_or(DeltaError::RunNotFound)?;
        }
        let total = runs.count_responses(scope, &agent.id, sid).await?;
        let (scope, agent) = (scope.clone(), agent.id);
        let pages = stream::try_unfold(Some(None::<ResponseCursor>), move |after| {
            let (runs, scope, agent) = (Arc::clone(&runs), scope.clone(), agent.clone());
            async move {
                let Some(after) = after else { return Ok(None) };
                let page = runs.responses(&scope, &agent, sid, after, PAGE).await?;
                let next = page.last().map(|last| Some(ResponseCursor { sid: last.sid, index: last.index }));
                Ok::<_, DeltaError>(Some((stream::iter(page.into_iter().map(Ok)), next)))
            }
        });
        Ok((total, pages.try_flatten().boxed()))
    }

    /// The parsed text of the documents that a response was made from, parted by a blank line.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn context(&self, scope: &Scope, response: &StoredResponse) -> Result<String, DeltaError> {
        let mut texts = Vec::new();
        for source in &response.response.sources {
            let found = self.ports.documents.parsed(scope, &source.sha256, source.parser_version).await?;
            texts.push(found.map(|document| document.text.clone()).unwrap_or_default());
        }
        Ok(texts.join("\n\n"))
    }
}

/// Waits until the group `next` has its outcome; answers how many have.
async fn wait_for(progress: &Progress, next: u32) -> Result<u32, DeltaError> {
    loop {
        // Listen before looking, so that no change is missed in between.
        let change = progress.listen();
        match progress.look() {
            (ready, _) if ready > next => return Ok(ready),
            (_, Some(stop)) => return Err(DeltaError::Stopped(stop)),
            (_, None) => change.await,
        }
    }
}
