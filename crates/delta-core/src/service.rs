//! The use cases of batch extraction: start, read, cancel and retry runs.

use std::sync::Arc;

use agents_core::{Agent, AgentForm, AgentsService};
use document::DocumentReader;
use forms_core::{ExtractionEngine, FormsService};
use gen_core::{CallerContext, Cost, GenService, ModelId, Provider};
use jobs_core::DispatcherHandle;
use shared_core::{Clock, Offload, Page, PageRequest, Rng, Scope, StoreError, Timer, Violation};

use crate::deduplication::WorkLocks;
use crate::followers::Followers;
use crate::review::{ReviewRepository, learn};
use crate::rules::{MAX_VIOLATIONS, violations};
use crate::{
    BatchRepository, CallAnswerRepository, CallMode, Classification, DeltaError, DocumentRef, ErrorClass,
    FinishedGroup, GroupRepository, GroupStatus, ItemError, LeftOutDocument, QUEUE, ResponseRepository, Run,
    RunId, RunLimits, RunPlan, RunRepository, RunSettings,
};

/// The ports of the service.
#[derive(Clone, Debug)]
pub struct RunPorts {
    /// Stores runs; their groups have a port of their own.
    pub runs: Arc<dyn RunRepository>,
    /// Groups of documents, with their outcomes.
    pub groups: Arc<dyn GroupRepository>,
    /// Reads the records of finished groups.
    pub responses: Arc<dyn ResponseRepository>,
    /// The model answers of open groups.
    pub answers: Arc<dyn CallAnswerRepository>,
    /// The calls that wait for batches of the provider.
    pub batches: Arc<dyn BatchRepository>,
    /// What people review.
    pub reviews: Arc<dyn ReviewRepository>,
    /// Agents.
    pub agents: AgentsService,
    /// Forms.
    pub forms: FormsService,
    /// Reads documents.
    pub documents: DocumentReader,
    /// The extraction engine.
    pub engine: ExtractionEngine,
    /// Model calls.
    pub generation: GenService,
    /// The link to the dispatcher of [`QUEUE`](crate::QUEUE) in this process.
    pub jobs: DispatcherHandle,
    /// The link to the dispatcher of [`BATCH_QUEUE`](crate::BATCH_QUEUE) in this process.
    pub batch_jobs: DispatcherHandle,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Waits between polls and retries.
    pub timer: Arc<dyn Timer>,
    /// Randomness.
    pub rng: Arc<dyn Rng>,
    /// Where documents are divided and classified.
    pub workers: Arc<dyn Offload>,
}

/// Options of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunOptions {
    /// Whether an unreadable document is skipped instead of failing its group.
    pub partial: bool,
    /// Whether to call models even if identical work was done before.
    pub fresh: bool,
    /// `model@provider`; the agent's when `None`.
    pub model_id: Option<String>,
    /// The form that the agent must have, if it matters.
    pub form_id: Option<String>,
    /// The version of the agent's form, a draft too; the agent's when `None`.
    pub form_version: Option<u32>,
    /// The evaluation set whose groups they are.
    pub evaluation_set: Option<String>,
    /// What became of the classification of its documents; `None` for a run of one form.
    pub classification: Option<Classification>,
    /// How its model is called, what it may cost, and its labels.
    pub settings: RunSettings,
}

/// The use cases of batch extraction. Clones share the state.
#[derive(Clone, Debug)]
pub struct RunService {
    pub(crate) ports: Arc<RunPorts>,
    pub(crate) limits: RunLimits,
    pub(crate) followers: Arc<Followers>,
    pub(crate) work_locks: Arc<WorkLocks>,
}

impl RunService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(ports: RunPorts, limits: RunLimits) -> Self {
        Self { ports: Arc::new(ports), limits, followers: Arc::default(), work_locks: Arc::default() }
    }

    /// Validates and stores a run with its groups; its calls are charged to `payer`. The dispatcher processes
    /// it from then on, whether or not a client follows it.
    ///
    /// # Errors
    /// When the agent is unknown or has no form, its model cannot be called, the groups break a rule,
    /// or the store fails.
    pub async fn start(
        &self,
        payer: &CallerContext,
        namespace: &str,
        groups: Vec<Vec<DocumentRef>>,
        options: RunOptions,
    ) -> Result<Run, DeltaError> {
        let mut plan = self.plan(payer, namespace, &groups, options).await?;
        if plan.review.as_ref().is_some_and(|policy| policy.calibrate) {
            let (reviews, runs) = (self.ports.reviews.as_ref(), self.ports.runs.as_ref());
            plan.calibration = learn(reviews, runs, &payer.scope, &plan.agent_id, &plan.model_id).await?;
        }
        let run = self.ports.runs.create(&payer.scope, &plan, &groups, self.ports.clock.now()).await?;
        self.ports.jobs.record_origin(&run.sid.0.to_string(), None);
        self.ports.jobs.wake();
        self.ports.batch_jobs.wake();
        Ok(run)
    }

    /// The plan of a run, after all checks. What reviewers' decisions teach is added when it starts.
    pub(crate) async fn plan(
        &self,
        payer: &CallerContext,
        namespace: &str,
        groups: &[Vec<DocumentRef>],
        options: RunOptions,
    ) -> Result<RunPlan, DeltaError> {
        let scope = &payer.scope;
        let agent = self.ports.agents.get(scope, namespace).await?;
        let form = chosen_form(&agent, &options)?;
        let found = match &options.classification {
            Some(found) if groups.is_empty() => left_out_violations(found),
            _ => violations(groups, &self.limits),
        };
        if !found.is_empty() {
            return Err(DeltaError::Invalid(found));
        }
        let found = options.settings.violations();
        if !found.is_empty() {
            return Err(DeltaError::InvalidSettings(found));
        }
        let model = match &options.model_id {
            Some(id) => self.ports.agents.model(id)?,
            None => self.ports.agents.model_of(&agent)?,
        };
        self.ports.generation.check_ready(&model)?;
        self.check_price(&model, options.settings.budget)?;
        if options.settings.mode == CallMode::Batch && self.ports.generation.batch_model(&model)?.is_none() {
            let able = self.ports.generation.providers_with_batches();
            let able: Vec<&str> = able.into_iter().map(Provider::display_name).collect();
            let able = if able.is_empty() {
                "no configured provider has".to_owned()
            } else {
                format!("these have: {}", able.join(", "))
            };
            let rule = format!("the provider of {model} has no batches; {able}");
            return Err(DeltaError::InvalidSettings(vec![Violation::new("?mode", rule)]));
        }
        let AgentForm { form_id, form_version } = form;
        let form_version = self.ports.forms.resolve(scope, &form_id, form_version).await?.version;
        Ok(RunPlan {
            agent_id: agent.id,
            namespace: agent.namespace,
            form_id,
            form_version,
            model_id: model.to_string(),
            instructions: agent.instructions,
            partial: options.partial,
            fresh: options.fresh,
            review: agent.review.filter(|_| options.evaluation_set.is_none()),
            calibration: None,
            evaluation_set: options.evaluation_set,
            settings: options.settings,
            key: payer.key.clone(),
            classification: options.classification,
        })
    }

    /// Refuses a budget that cannot be kept.
    pub(crate) fn check_price(&self, model: &ModelId, budget: Option<Cost>) -> Result<(), DeltaError> {
        let is_priced = model.is_extractive() || self.ports.generation.describe(model).price.is_some();
        if budget.is_none() || is_priced {
            return Ok(());
        }
        let rule = format!("the price of {model} is not known, so that no budget can be kept");
        Err(DeltaError::InvalidSettings(vec![Violation::new("?budget", rule)]))
    }

    /// Every rule of runs that the groups break; paths are relative to the array of groups.
    #[must_use]
    pub fn violations(&self, groups: &[Vec<DocumentRef>]) -> Vec<Violation> {
        violations(groups, &self.limits)
    }

    /// A run of the agent.
    ///
    /// # Errors
    /// When the agent is unknown, it has no such run, or the store fails.
    pub async fn get(&self, scope: &Scope, namespace: &str, sid: RunId) -> Result<Run, DeltaError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        self.ports.runs.find(scope, &agent.id, sid).await?.ok_or(DeltaError::RunNotFound)
    }

    /// A run over an evaluation set; `None` when it is none.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn of_evaluation_set(
        &self,
        scope: &Scope,
        set: &str,
        sid: RunId,
    ) -> Result<Option<Run>, DeltaError> {
        let found = self.evaluation(scope, sid).await?;
        Ok(found.filter(|run| run.plan.evaluation_set.as_deref() == Some(set)))
    }

    /// A run over any evaluation set; `None` when it is none.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn evaluation(&self, scope: &Scope, sid: RunId) -> Result<Option<Run>, DeltaError> {
        let found = self.ports.runs.load(&scope.workspace, sid).await?;
        Ok(found.map(|(_, run)| run).filter(|run| run.plan.evaluation_set.is_some()))
    }

    /// The outcomes of a run from the group `from` on, at most `limit`, in the order of the groups.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn finished_from(
        &self,
        scope: &Scope,
        run: &Run,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, DeltaError> {
        Ok(self.ports.groups.finished(scope, run.sid, from, limit).await?)
    }

    /// The runs of the agent, newest first; with `label` those that have it.
    ///
    /// # Errors
    /// When the agent is unknown, or the store fails.
    pub async fn list(
        &self,
        scope: &Scope,
        namespace: &str,
        label: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<Run>, DeltaError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        Ok(self.ports.runs.list(scope, &agent.id, label, page).await?)
    }

    /// The status of the run's groups from index `from`, at most `limit`, in order.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn groups(
        &self,
        scope: &Scope,
        run: &Run,
        from: u32,
        limit: u32,
    ) -> Result<Vec<GroupStatus>, DeltaError> {
        Ok(self.ports.groups.statuses(scope, run.sid, from, limit, self.ports.clock.now()).await?)
    }

    /// Cancels a run: groups without an outcome fail as cancelled, and those in progress are aborted. Returns
    /// the updated run.
    ///
    /// # Errors
    /// When the agent is unknown, it has no such run, the run is over, or the store fails.
    pub async fn cancel(&self, scope: &Scope, namespace: &str, sid: RunId) -> Result<Run, DeltaError> {
        let run = self.get(scope, namespace, sid).await?;
        let error = ItemError {
            class: ErrorClass::Cancelled,
            code: "run_cancelled".to_owned(),
            message: "the run was cancelled".to_owned(),
        };
        let closed = self.ports.runs.close(scope, sid, &error, true, self.ports.clock.now()).await;
        let closed = match closed {
            Err(StoreError::Stale) => return Err(DeltaError::RunOver(self.reload(scope, &run).await?.state)),
            closed => closed?,
        };
        self.ports.jobs.abort_jobs(QUEUE, &sid.0.to_string());
        self.followers.mark_stale(sid);
        self.ports.batch_jobs.wake();
        Ok(closed)
    }

    /// Retries the failed groups, and no others. Returns the updated run.
    ///
    /// # Errors
    /// When the agent is unknown, it has no such run, none of its groups failed, its model cannot be
    /// called, or the store fails.
    pub async fn retry(&self, scope: &Scope, namespace: &str, sid: RunId) -> Result<Run, DeltaError> {
        let run = self.get(scope, namespace, sid).await?;
        let model = run.plan.model_id.parse().map_err(gen_core::GenError::from)?;
        self.ports.generation.check_ready(&model)?;
        let (run, count) = self.ports.runs.reopen(scope, sid, self.ports.clock.now()).await?;
        if count == 0 {
            return Err(DeltaError::NothingFailed);
        }
        self.ports.jobs.record_origin(&run.sid.0.to_string(), None);
        self.ports.jobs.wake();
        self.ports.batch_jobs.wake();
        Ok(run)
    }

    /// Reads the current state of the run.
    ///
    /// # Errors
    /// [`DeltaError::RunNotFound`], or when the store fails.
    pub async fn reload(&self, scope: &Scope, run: &Run) -> Result<Run, DeltaError> {
        let found = self.ports.runs.find(scope, &run.plan.agent_id, run.sid).await?;
        found.ok_or(DeltaError::RunNotFound)
    }
}

/// The form of a run; the first one of a run of several.
fn chosen_form(agent: &Agent, options: &RunOptions) -> Result<AgentForm, DeltaError> {
    if let Some(found) = &options.classification {
        if options.form_version.is_some() {
            let rule = "'form_version' is for a run of one form";
            return Err(DeltaError::InvalidSettings(vec![Violation::new("?form_version", rule)]));
        }
        let first = found.forms.first().cloned().ok_or(DeltaError::AgentWithoutForm)?;
        return Ok(AgentForm { form_id: first.form_id, form_version: Some(first.form_version) });
    }
    let all = agent.all_forms();
    let form = match &options.form_id {
        None if agent.form_id.is_none() && !agent.forms.is_empty() => {
            let rule = "the agent has several forms and no 'form_id': leave out 'classify=false', so that the form of \
                        each part is found, or give the agent the 'form_id' that all documents are to fill";
            return Err(DeltaError::InvalidSettings(vec![Violation::new("?classify", rule)]));
        }
        None => agent.form_id.as_ref().and_then(|_| all.first()).ok_or(DeltaError::AgentWithoutForm)?,
        Some(_) if all.is_empty() => return Err(DeltaError::AgentWithoutForm),
        Some(wanted) => all.iter().find(|form| form.form_id == *wanted).ok_or(DeltaError::OtherForm)?,
    };
    let form_version = options.form_version.or(form.form_version);
    Ok(AgentForm { form_version, ..form.clone() })
}

/// Why a run has no groups: each document that was left out.
fn left_out_violations(found: &Classification) -> Vec<Violation> {
    let one = |left: &LeftOutDocument| {
        let pages = left.pages.as_ref().map(|pages| format!("pages {pages}: ")).unwrap_or_default();
        Violation::new(format!("/{}/{}", left.group, left.index), format!("{pages}{}", left.message))
    };
    found.left_out.iter().take(MAX_VIOLATIONS).map(one).collect()
}
