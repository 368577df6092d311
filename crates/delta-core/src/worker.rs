//! Processes the groups of runs as jobs. A job is one group and ends in the store together with its result.
//! It must not know how extraction works.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use agents_core::ReviewPolicy;
use async_trait::async_trait;
use forms_core::FormsError;
use futures_util::future::{Either, select};
use gen_core::{Spend, Usage};
use jobs_core::{ClaimedJob, JobHandler, JobOutcome, LeaseCell};
use parking_lot::Mutex;
use shared_core::{DomainError as _, Scope, StoreError, new_id};

use crate::batch::BatchRound;
use crate::deduplication::rebind_response;
use crate::followers::RunInterruption;
use crate::group::{
    ExtractFailure, GroupInput, ReadFailure, RunContext, document_failures, internal_error, panic_error,
};
use crate::group_answers::GroupAnswers;
use crate::repository::GroupId;
use crate::retry::{GroupDecision, decide_retry, item_error};
use crate::review::{NewReview, of_outcome};
use crate::{DeltaError, DocumentFailure, DocumentRef, GroupOutcome, ItemError, Response, RunId, RunService};

/// The back-off after a failure of the store. Chosen by hand; no measurement is recorded.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(5);
/// Back-off in seconds between attempts to store a result; the last one repeats. A paid answer is kept for as
/// long as the store is away. Chosen by hand; no measurement is recorded.
const STORE_RETRY_DELAYS: [u64; 6] = [0, 0, 1, 5, 15, 60];
/// Gives a group back to whichever process claims it next.
const RELEASE: JobOutcome = JobOutcome::Retry { after: Duration::ZERO, failed: false };
/// Contexts of runs in the cache; it is cleared when it is full. Bounds the memory. Chosen by hand; no
/// measurement is recorded.
const MAX_CONTEXTS: usize = 64;

/// The handler of the queue [`QUEUE`](crate::QUEUE).
#[derive(Debug)]
pub(crate) struct RunWorker {
    pub(crate) service: RunService,
    contexts: Mutex<HashMap<RunId, Arc<RunContext>>>,
    on_store_error: fn(&StoreError),
}

/// One attempt at a group.
pub(crate) struct GroupAttempt<'a> {
    pub(crate) scope: Scope,
    pub(crate) group: GroupId,
    documents: Vec<DocumentRef>,
    /// Failed attempts before this one.
    failed: u32,
    is_retried: bool,
    policy: Option<ReviewPolicy>,
    pub(crate) lease: &'a LeaseCell,
}

/// The scope of a run, and its context or why it cannot be processed any more, such as after its form was
/// deleted.
type LoadedContext = (Scope, Result<Arc<RunContext>, DeltaError>);

impl RunService {
    /// The handler of groups, for the dispatcher of [`QUEUE`](crate::QUEUE). `trouble` is called with
    /// failures of the store, which are retried.
    #[must_use]
    pub fn worker(&self, trouble: fn(&StoreError)) -> Arc<dyn JobHandler> {
        Arc::new(RunWorker::new(self.clone(), trouble))
    }
}

impl RunWorker {
    fn new(service: RunService, on_store_error: fn(&StoreError)) -> Self {
        Self { service, contexts: Mutex::default(), on_store_error }
    }

    /// The group of a job and the context of its run; `None` when the group does not exist or has an outcome.
    async fn load_attempt<'a>(
        &self,
        job: &ClaimedJob,
        lease: &'a LeaseCell,
    ) -> Result<Option<(GroupAttempt<'a>, Result<Arc<RunContext>, DeltaError>)>, StoreError> {
        let key = &job.job.key;
        let Ok(sid) = key.owner.parse().map(RunId) else { return Ok(None) };
        let Some((scope, context)) = self.run_context(job, sid).await? else { return Ok(None) };
        let group = GroupId { sid, index: key.position };
        let Some(documents) = self.service.ports.groups.documents(&scope, group).await? else {
            return Ok(None);
        };
        let context = context.map(|context| context.of_group(&documents));
        // The first claim raises the token to 1. A reopened group has a larger one, and no stored answers.
        let begun_before = job.token > 1;
        let policy = context.as_ref().ok().and_then(|context| context.plan.review.clone());
        let failed = job.attempts;
        let attempt =
            GroupAttempt { scope, group, documents, failed, is_retried: begun_before, policy, lease };
        Ok(Some((attempt, context)))
    }

    /// The context of a run. It is cached, because a run's plan never changes.
    async fn run_context(&self, job: &ClaimedJob, sid: RunId) -> Result<Option<LoadedContext>, StoreError> {
        let known = self.lock_contexts().get(&sid).cloned();
        if let Some(context) = known {
            return Ok(Some((context.payer.scope.clone(), Ok(context))));
        }
        let Some((scope, run)) = self.service.ports.runs.load(&job.job.workspace, sid).await? else {
            return Ok(None);
        };
        let context = match RunContext::load(&self.service.ports, &scope, run.plan).await {
            Ok(context) => Arc::new(context),
            // A failure of the store is retried; it says nothing about the run.
            Err(DeltaError::Store(error) | DeltaError::Forms(FormsError::Store(error))) => return Err(error),
            Err(error) => return Ok(Some((scope, Err(error)))),
        };
        let mut contexts = self.lock_contexts();
        if contexts.len() >= MAX_CONTEXTS {
            contexts.clear();
        }
        contexts.insert(sid, Arc::clone(&context));
        Ok(Some((scope, Ok(context))))
    }

    fn lock_contexts(&self) -> parking_lot::MutexGuard<'_, HashMap<RunId, Arc<RunContext>>> {
        self.contexts.lock()
    }

    async fn process_group(
        &self,
        attempt: &GroupAttempt<'_>,
        context: &RunContext,
        job: &ClaimedJob,
    ) -> JobOutcome {
        if job.is_interruption_cause() {
            let interrupted = job.interrupted;
            let message = format!("it was given up after {interrupted} attempts that ended with the process");
            let error = internal_error("interrupted", message);
            return self.fail(attempt, &[], &error, Spend::default()).await;
        }
        let round = match self.begin_round(attempt, context).await {
            Ok(round) => round,
            Err(outcome) => return outcome,
        };
        // What a batch has answered is paid.
        let has_answers = matches!(round, BatchRound::Over(_));
        match self.exceeded_budget(attempt, context).await {
            Ok(None) => {}
            Ok(Some(_)) if has_answers => {}
            Ok(Some(error)) => {
                self.stop_run(attempt, &error).await;
                return self.fail(attempt, &[], &error, Spend::default()).await;
            }
            Err(error) => return self.retry_store_failure(&error),
        }
        // Nothing is paid yet, so the group can be given back at any time.
        let jobs = &self.service.ports.jobs;
        let drained = pin!(jobs.drained(&attempt.lease.key().owner));
        let read = match select(pin!(context.read(&attempt.documents)), drained).await {
            Either::Left((read, _)) => read,
            Either::Right(_) => return RELEASE,
        };
        match read {
            Ok(read) => self.reuse_or_extract(attempt, context, read, round).await,
            Err(ReadFailure::Failed(own)) => self.fail_unread(attempt, own, Spend::default()).await,
            Err(ReadFailure::Retryable { error, after }) => {
                if self.is_last(attempt) {
                    return self.fail(attempt, &[], &error, Spend::default()).await;
                }
                self.schedule_retry(attempt, &error, Spend::default(), false, after).await
            }
            Err(ReadFailure::Store(error)) => self.retry_store_failure(&error),
        }
    }

    /// Reuses the response of identical work, or calls the model.
    async fn reuse_or_extract(
        &self,
        attempt: &GroupAttempt<'_>,
        context: &RunContext,
        mut read: GroupInput,
        round: BatchRound,
    ) -> JobOutcome {
        let (ports, workspace) = (&self.service.ports, &attempt.scope.workspace);
        let mut _turn = None;
        if !context.plan.fresh {
            // Held until the outcome is stored, where the next one finds it.
            _turn = Some(self.service.work_locks.lock(&(workspace.clone(), read.fingerprint.clone())).await);
            match ports.responses.find_by_fingerprint(&attempt.scope, &read.fingerprint).await {
                Ok(Some(known)) => {
                    if let Some(response) = rebind_response(&known, &read.sources) {
                        let response = context.reuse_response(response, &read);
                        return self.succeed(attempt, response, read, Spend::default()).await;
                    }
                }
                Ok(None) => {}
                Err(error) => return self.retry_store_failure(&error),
            }
        }
        let begun = (attempt.is_retried, !self.is_last(attempt));
        let calls = GroupAnswers::new(ports, attempt.scope.clone(), attempt.group, begun, round);
        match context.extract(&mut read, &calls).await {
            Ok((response, spent)) => self.succeed(attempt, response, read, calls.unsaved_spend(spent)).await,
            Err(ExtractFailure::Unread(own, spent)) => {
                self.fail_unread(attempt, own, calls.unsaved_spend(spent)).await
            }
            Err(ExtractFailure::Panicked) => {
                self.fail(attempt, &read.failures, &panic_error(), Spend::default()).await
            }
            Err(ExtractFailure::Extract(error)) => {
                let (told, spent) = (item_error(&error), calls.unsaved_spend(error.spent()));
                match decide_retry(&error, attempt.failed, self.service.limits.attempts) {
                    GroupDecision::Wait(after) => {
                        self.set_aside(attempt, &told, spent, JobOutcome::Saturated { after }).await
                    }
                    GroupDecision::Release => self.set_aside(attempt, &told, spent, RELEASE).await,
                    GroupDecision::Retry { after, forget } => {
                        self.schedule_retry(attempt, &told, spent, forget, after).await
                    }
                    GroupDecision::Defer => self.defer_group(attempt, &calls).await,
                    GroupDecision::Fail => self.fail(attempt, &read.failures, &told, spent).await,
                    GroupDecision::Stop => {
                        self.stop_run(attempt, &told).await;
                        self.fail(attempt, &read.failures, &told, spent).await
                    }
                }
            }
        }
    }

    /// Ends the groups of the run that are not in progress.
    async fn stop_run(&self, attempt: &GroupAttempt<'_>, error: &ItemError) {
        let ports = &self.service.ports;
        match ports.runs.close(&attempt.scope, attempt.group.sid, error, false, ports.clock.now()).await {
            Ok(_) => self.service.followers.mark_stale(attempt.group.sid),
            Err(StoreError::Stale) => {}
            // The next group that hits the budget tries again.
            Err(error) => self.report_store_error(&error),
        }
    }

    async fn succeed(
        &self,
        attempt: &GroupAttempt<'_>,
        response: Response,
        read: GroupInput,
        spent: Spend,
    ) -> JobOutcome {
        let mut outcome = attempt.outcome(Ok(response), read.failures, spent);
        outcome.fingerprint = Some(read.fingerprint);
        self.finish(attempt, outcome).await
    }

    /// Ends a group with the failures of its documents.
    async fn fail_unread(
        &self,
        attempt: &GroupAttempt<'_>,
        own: Vec<DocumentFailure>,
        spent: Spend,
    ) -> JobOutcome {
        let error = own.first().map_or_else(panic_error, |failure| failure.error.clone());
        self.finish(attempt, attempt.outcome(Err(error), own, spent)).await
    }

    pub(crate) async fn fail(
        &self,
        attempt: &GroupAttempt<'_>,
        own: &[DocumentFailure],
        error: &ItemError,
        spent: Spend,
    ) -> JobOutcome {
        let listed = document_failures(&attempt.documents, own, error);
        self.finish(attempt, attempt.outcome(Err(error.clone()), listed, spent)).await
    }

    /// Ends an attempt that is not counted; returns `then` once its spend is stored.
    async fn set_aside(
        &self,
        attempt: &GroupAttempt<'_>,
        error: &ItemError,
        spent: Spend,
        then: JobOutcome,
    ) -> JobOutcome {
        // Most such groups have spent nothing, so skip the write for them.
        match spent.usage == Usage::default() {
            true => then,
            false => self.record_failure(attempt, error, spent, false, then).await,
        }
    }

    async fn schedule_retry(
        &self,
        attempt: &GroupAttempt<'_>,
        error: &ItemError,
        spent: Spend,
        forget: bool,
        after: Duration,
    ) -> JobOutcome {
        self.record_failure(attempt, error, spent, forget, JobOutcome::Retry { after, failed: true }).await
    }

    /// Records a failed attempt; returns `then` once that is stored.
    async fn record_failure(
        &self,
        attempt: &GroupAttempt<'_>,
        error: &ItemError,
        spent: Spend,
        forget: bool,
        then: JobOutcome,
    ) -> JobOutcome {
        let groups = &self.service.ports.groups;
        let token = attempt.lease.token();
        match groups.record_failed_attempt(&attempt.scope, attempt.group, token, (error, spent), forget).await
        {
            Ok(()) => then,
            Err(StoreError::Stale) => JobOutcome::Ended,
            Err(error) => self.retry_store_failure(&error),
        }
    }

    /// Stores the outcome. If the store rejects it, retries without end, so that a paid result is not lost.
    async fn finish(&self, attempt: &GroupAttempt<'_>, mut outcome: GroupOutcome) -> JobOutcome {
        let ports = &self.service.ports;
        outcome.reviews = self.reviews(attempt, &outcome);
        let pauses = STORE_RETRY_DELAYS.iter().chain(STORE_RETRY_DELAYS.last().into_iter().cycle());
        for pause in pauses {
            let (token, now) = (attempt.lease.token(), ports.clock.now());
            match ports.groups.finish_group(&attempt.scope, attempt.group, token, &outcome, now).await {
                Ok(()) => {
                    self.service.followers.mark_finished(attempt.group.sid, attempt.group.index);
                    break;
                }
                // The lease was lost and the group is open, or an earlier attempt to store succeeded after all.
                Err(StoreError::Stale) => {
                    self.service.followers.mark_stale(attempt.group.sid);
                    break;
                }
                Err(error) => {
                    if *pause > 0 {
                        self.report_store_error(&error);
                        self.service
                            .followers
                            .mark_failed(attempt.group.sid, RunInterruption::from_error(&error));
                        ports.timer.sleep(Duration::from_secs(*pause)).await;
                    }
                }
            }
        }
        JobOutcome::Ended
    }

    /// What people review of an outcome.
    fn reviews(&self, attempt: &GroupAttempt<'_>, outcome: &GroupOutcome) -> Vec<NewReview> {
        let Some(policy) = &attempt.policy else { return Vec::new() };
        let ports = &self.service.ports;
        let id = || new_id("review", ports.clock.now(), ports.rng.as_ref());
        of_outcome(policy, outcome.result.as_ref(), id)
    }

    /// Whether no further attempt follows.
    fn is_last(&self, attempt: &GroupAttempt<'_>) -> bool {
        attempt.failed.saturating_add(1) >= self.service.limits.attempts
    }

    pub(crate) fn retry_store_failure(&self, error: &StoreError) -> JobOutcome {
        self.report_store_error(error);
        JobOutcome::Retry { after: STORE_RETRY_DELAY, failed: false }
    }
}

impl GroupAttempt<'_> {
    fn outcome(
        &self,
        result: Result<Response, ItemError>,
        failures: Vec<DocumentFailure>,
        Spend { usage, cost }: Spend,
    ) -> GroupOutcome {
        let attempts = self.failed.saturating_add(1);
        GroupOutcome { result, failures, usage, cost, attempts, fingerprint: None, reviews: Vec::new() }
    }
}

#[async_trait]
impl JobHandler for RunWorker {
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> JobOutcome {
        match self.load_attempt(&job, &lease).await {
            Ok(Some((attempt, Ok(context)))) => self.process_group(&attempt, &context, &job).await,
            Ok(Some((attempt, Err(error)))) => {
                let error = internal_error(error.code(), error.to_string());
                self.fail(&attempt, &[], &error, Spend::default()).await
            }
            Ok(None) => JobOutcome::OwnerGone,
            Err(error) => self.retry_store_failure(&error),
        }
    }

    fn report_store_error(&self, error: &StoreError) {
        (self.on_store_error)(error);
    }
}
