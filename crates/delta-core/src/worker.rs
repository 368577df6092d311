//! Working on a run's groups as jobs: one at a time is handed over, and ended in the store with its
//! result. It must not know what extraction is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use forms_core::{FormSchema, FormsError};
use gen_core::{GenError, ModelId, Payer, Spend, Usage};
use jobs_core::{ClaimedJob, JobHandler, LeaseCell, Verdict};
use shared_core::{DomainError as _, Scope, StoreError};

use crate::calls::GroupCalls;
use crate::follow::Stop;
use crate::group::{Read, Unmade, Unread, Workshop, failures, internal, panicked};
use crate::identical::repeated;
use crate::repository::GroupId;
use crate::retry::{Next, item_error, next};
use crate::{
    DeltaError, DocumentFailure, DocumentRef, GroupOutcome, ItemError, Response, Run, RunId, RunService,
};

/// Times that a group may be lost in the middle, as by crashes, before it is taken for their cause.
const MAX_INTERRUPTIONS: u32 = 20;
/// The pause before a store that failed is asked again.
const STORE_PAUSE: Duration = Duration::from_secs(5);
/// Pauses between offers of a result to a store that does not take it; the last one repeats.
const OFFERS: [u64; 6] = [0, 0, 1, 5, 15, 60];
/// Plans of runs that are kept at hand.
const PLANS: usize = 64;

/// The handler of the queue [`QUEUE`](crate::QUEUE).
#[derive(Debug)]
pub(crate) struct RunWorker {
    service: RunService,
    workshops: Mutex<HashMap<RunId, Arc<Workshop>>>,
    trouble: fn(&StoreError),
}

/// One attempt at a group.
struct Attempt<'a> {
    scope: Scope,
    group: GroupId,
    documents: Vec<DocumentRef>,
    /// Failed attempts before this one.
    failed: u32,
    begun_before: bool,
    lease: &'a LeaseCell,
}

/// What a run is worked on with, or why it can no longer be worked on, such as when its form is gone; and the
/// scope that it was started under.
type Equipped = (Scope, Result<Arc<Workshop>, DeltaError>);

impl RunWorker {
    pub(crate) fn new(service: RunService, trouble: fn(&StoreError)) -> Self {
        Self { service, workshops: Mutex::default(), trouble }
    }

    /// The group of a job and what to work on it with; `None` when it is gone, or done.
    async fn attempt<'a>(
        &self,
        job: &ClaimedJob,
        lease: &'a LeaseCell,
    ) -> Result<Option<(Attempt<'a>, Result<Arc<Workshop>, DeltaError>)>, StoreError> {
        let key = &job.job.key;
        let Ok(sid) = key.owner.parse().map(RunId) else { return Ok(None) };
        let Some((scope, workshop)) = self.workshop(job, sid).await? else { return Ok(None) };
        let group = GroupId { sid, index: key.position };
        let Some(documents) = self.service.ports.runs.documents(&scope, group).await? else {
            return Ok(None);
        };
        let begun_before = job.attempts > 0 || job.interrupted > 0;
        let attempt = Attempt { scope, group, documents, failed: job.attempts, begun_before, lease };
        Ok(Some((attempt, workshop)))
    }

    /// What the run is worked on with; a run's plan never changes.
    async fn workshop(&self, job: &ClaimedJob, sid: RunId) -> Result<Option<Equipped>, StoreError> {
        let known = self.workshops().get(&sid).cloned();
        if let Some(workshop) = known {
            return Ok(Some((workshop.payer.scope.clone(), Ok(workshop))));
        }
        let Some((scope, run)) = self.service.ports.runs.load(&job.job.workspace, sid).await? else {
            return Ok(None);
        };
        let workshop = match self.equip(&scope, run).await {
            Ok(workshop) => Arc::new(workshop),
            // The store's failure says nothing about the run.
            Err(DeltaError::Store(error) | DeltaError::Forms(FormsError::Store(error))) => return Err(error),
            Err(error) => return Ok(Some((scope, Err(error)))),
        };
        let mut workshops = self.workshops();
        if workshops.len() >= PLANS {
            workshops.clear();
        }
        workshops.insert(sid, Arc::clone(&workshop));
        Ok(Some((scope, Ok(workshop))))
    }

    fn workshops(&self) -> std::sync::MutexGuard<'_, HashMap<RunId, Arc<Workshop>>> {
        self.workshops.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn equip(&self, scope: &Scope, run: Run) -> Result<Workshop, DeltaError> {
        let ports = &self.service.ports;
        let version = ports.forms.version(scope, &run.plan.form_id, run.plan.form_version).await?;
        let schema = FormSchema::parse(&version.schema).map_err(DeltaError::FormInvalid)?;
        let model: ModelId = run.plan.model_id.parse().map_err(GenError::from)?;
        Ok(Workshop {
            payer: Payer { scope: scope.clone(), key: run.plan.key.clone() },
            documents: ports.documents.clone(),
            engine: ports.engine.clone(),
            schema: Arc::new(schema),
            model,
            clock: Arc::clone(&ports.clock),
            ids: Arc::clone(&ports.ids),
            plan: run.plan,
        })
    }

    async fn work_on(&self, attempt: &Attempt<'_>, workshop: &Workshop, interrupted: u32) -> Verdict {
        if interrupted > MAX_INTERRUPTIONS {
            let message = format!("it was given up after {interrupted} attempts that ended with the process");
            let error = internal("interrupted", message);
            return self.fail(attempt, &[], &error, Spend::default()).await;
        }
        match workshop.read(&attempt.documents).await {
            Ok(read) => self.answer(attempt, workshop, read).await,
            Err(Unread::Failed(own)) => {
                let error = own.first().map_or_else(panicked, |failure| failure.error.clone());
                let outcome = attempt.outcome(Err(error), own, Spend::default());
                self.finish(attempt, outcome).await
            }
            Err(Unread::Later { error, after }) => {
                if self.is_last(attempt) {
                    return self.fail(attempt, &[], &error, Spend::default()).await;
                }
                self.later(attempt, &error, Spend::default(), false, after).await
            }
            Err(Unread::Store(error)) => self.unstored(&error),
        }
    }

    /// From the store, where identical work was done before; else from the model.
    async fn answer(&self, attempt: &Attempt<'_>, workshop: &Workshop, read: Read) -> Verdict {
        let (runs, workspace) = (&self.service.ports.runs, &attempt.scope.workspace);
        let mut _turn = None;
        if !workshop.plan.fresh {
            // Held until the outcome is stored, where the next one finds it.
            _turn = Some(self.service.identical.turn(workspace, &read.fingerprint).await);
            match runs.answer(&attempt.scope, &read.fingerprint).await {
                Ok(Some(known)) => {
                    if let Some(response) = repeated(&known, &read.sources) {
                        let response = workshop.again(response, &read);
                        return self.succeed(attempt, response, read, Spend::default()).await;
                    }
                }
                Ok(None) => {}
                Err(error) => return self.unstored(&error),
            }
        }
        let begun = (attempt.begun_before, !self.is_last(attempt));
        let calls = GroupCalls::new(Arc::clone(runs), attempt.scope.clone(), attempt.group, begun);
        match workshop.extract(&read, &calls).await {
            Ok((response, spent)) => self.succeed(attempt, response, read, spent).await,
            Err(Unmade::Panicked) => self.fail(attempt, &read.failures, &panicked(), Spend::default()).await,
            Err(Unmade::Extract(error)) => {
                let told = item_error(&error);
                match next(&error, attempt.failed, self.service.limits.attempts) {
                    Next::Wait(after) => {
                        let spent = calls.lost_of(error.spent());
                        // Most of those that wait have spent nothing; what is not noted costs no write.
                        match spent.usage == Usage::default() {
                            true => Verdict::NoRoom { after },
                            false => self.note(attempt, &told, spent, false, Verdict::NoRoom { after }).await,
                        }
                    }
                    Next::Again { after, forget } => {
                        let spent = if forget { error.spent() } else { calls.lost_of(error.spent()) };
                        self.later(attempt, &told, spent, forget, after).await
                    }
                    Next::Fail => self.fail(attempt, &read.failures, &told, error.spent()).await,
                    Next::Stop => {
                        self.stop(attempt, &told).await;
                        self.fail(attempt, &read.failures, &told, error.spent()).await
                    }
                }
            }
        }
    }

    /// Ends the groups of the run that are not being worked on.
    async fn stop(&self, attempt: &Attempt<'_>, error: &ItemError) {
        let ports = &self.service.ports;
        match ports.runs.close(&attempt.scope, attempt.group.sid, error, false, ports.clock.now()).await {
            Ok(_) => self.service.followers.look_again(attempt.group.sid),
            Err(StoreError::Stale) => {}
            // The next group that finds the budget used up tries again.
            Err(error) => self.trouble(&error),
        }
    }

    async fn succeed(&self, attempt: &Attempt<'_>, response: Response, read: Read, spent: Spend) -> Verdict {
        let mut outcome = attempt.outcome(Ok(response), read.failures, spent);
        outcome.fingerprint = Some(read.fingerprint);
        self.finish(attempt, outcome).await
    }

    async fn fail(
        &self,
        attempt: &Attempt<'_>,
        own: &[DocumentFailure],
        error: &ItemError,
        spent: Spend,
    ) -> Verdict {
        let listed = failures(&attempt.documents, own, error);
        self.finish(attempt, attempt.outcome(Err(error.clone()), listed, spent)).await
    }

    async fn later(
        &self,
        attempt: &Attempt<'_>,
        error: &ItemError,
        spent: Spend,
        forget: bool,
        after: Duration,
    ) -> Verdict {
        self.note(attempt, error, spent, forget, Verdict::Later { after, failed: true }).await
    }

    /// Notes a failed attempt; `then` is the verdict when that is stored.
    async fn note(
        &self,
        attempt: &Attempt<'_>,
        error: &ItemError,
        spent: Spend,
        forget: bool,
        then: Verdict,
    ) -> Verdict {
        let runs = &self.service.ports.runs;
        let token = attempt.lease.token();
        match runs.note_failed(&attempt.scope, attempt.group, token, (error, spent), forget).await {
            Ok(()) => then,
            Err(StoreError::Stale) => Verdict::Ended,
            Err(error) => self.unstored(&error),
        }
    }

    /// Stores the outcome. A store that does not take it is offered it again, for as long as it takes: what
    /// was paid for is not thrown away.
    async fn finish(&self, attempt: &Attempt<'_>, outcome: GroupOutcome) -> Verdict {
        let ports = &self.service.ports;
        let pauses = OFFERS.iter().chain(OFFERS.last().into_iter().cycle());
        for pause in pauses {
            let (token, now) = (attempt.lease.token(), ports.clock.now());
            match ports.runs.finish_group(&attempt.scope, attempt.group, token, &outcome, now).await {
                // Stale: the lease was lost, or an offer before this one went through after all.
                Ok(()) | Err(StoreError::Stale) => break,
                Err(error) => {
                    if *pause > 0 {
                        self.trouble(&error);
                        self.service.followers.trouble(attempt.group.sid, Stop::of(&error));
                        ports.timer.sleep(Duration::from_secs(*pause)).await;
                    }
                }
            }
        }
        self.service.followers.finished(attempt.group.sid, attempt.group.index);
        Verdict::Ended
    }

    /// Whether no attempt follows when this one fails.
    fn is_last(&self, attempt: &Attempt<'_>) -> bool {
        attempt.failed.saturating_add(1) >= self.service.limits.attempts
    }

    fn unstored(&self, error: &StoreError) -> Verdict {
        self.trouble(error);
        Verdict::Later { after: STORE_PAUSE, failed: false }
    }
}

impl Attempt<'_> {
    fn outcome(
        &self,
        result: Result<Response, ItemError>,
        failures: Vec<DocumentFailure>,
        Spend { usage, cost }: Spend,
    ) -> GroupOutcome {
        let attempts = self.failed.saturating_add(1);
        GroupOutcome { result, failures, usage, cost, attempts, fingerprint: None }
    }
}

#[async_trait]
impl JobHandler for RunWorker {
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> Verdict {
        match self.attempt(&job, &lease).await {
            Ok(Some((attempt, Ok(workshop)))) => self.work_on(&attempt, &workshop, job.interrupted).await,
            Ok(Some((attempt, Err(error)))) => {
                let error = internal(error.code(), error.to_string());
                self.fail(&attempt, &[], &error, Spend::default()).await
            }
            Ok(None) => Verdict::Gone,
            Err(error) => self.unstored(&error),
        }
    }

    fn trouble(&self, error: &StoreError) {
        (self.trouble)(error);
    }
}
