//! The port in memory, for tests and embedders. Nothing survives the process.

mod batches;
mod reviews;
mod run;

use std::sync::Arc;

use async_trait::async_trait;
use forms_core::SavedAnswer;
use gen_core::{Cost, Spend, Usage};
use jobs_core::{Job, MemoryJobs, Priority};
use parking_lot::{Mutex, MutexGuard};
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use run::{Group, MemoryRun, add_spend, find, find_mut, job, key, number};

use crate::batch::batch_job;
use crate::review::Review;
use crate::{
    CallAnswerRepository, CallMode, DocumentRef, FinishedGroup, GroupId, GroupOutcome, GroupRepository,
    GroupStatus, ItemError, QUEUE, Response, ResponseCursor, ResponseRepository, Run, RunId, RunPlan,
    RunRepository, RunState, StoredResponse, fail_all,
};

/// Runs in memory, with the jobs of their groups. It has no agents: `Missing("agent")` never occurs.
#[derive(Debug, Default)]
pub struct MemoryRuns {
    rows: Mutex<Vec<MemoryRun>>,
    jobs: Arc<MemoryJobs>,
    /// Locked after `rows`.
    reviews: Mutex<Vec<(WorkspaceId, Review)>>,
    /// Locked after `rows`.
    batches: Mutex<batches::Batches>,
}

impl MemoryRuns {
    /// The queue of the open groups.
    #[must_use]
    pub fn jobs(&self) -> Arc<MemoryJobs> {
        Arc::clone(&self.jobs)
    }

    /// The runs over an evaluation set, newest first. The cursor's id is the run's number.
    pub fn of_evaluation_set(&self, scope: &Scope, set: &str, page: &PageRequest) -> Page<Run> {
        let rows = self.rows();
        let is_own = |row: &&MemoryRun| {
            row.run.workspace == scope.workspace && row.run.plan.evaluation_set.as_deref() == Some(set)
        };
        let runs = rows.iter().filter(is_own).map(|row| row.run.clone()).collect();
        Page::paginate(runs, page, |run: &Run| Cursor { created: run.created, id: run.sid.0.to_string() })
    }

    fn rows(&self) -> MutexGuard<'_, Vec<MemoryRun>> {
        self.rows.lock()
    }

    fn put_jobs(&self, run: &Run, positions: impl Iterator<Item = u32>, now: Timestamp) {
        self.jobs.put(positions.map(|position| job(run, position)), now);
        self.put_batch_job(run, now);
    }

    /// Enqueues the job of a run whose mode is batches.
    fn put_batch_job(&self, run: &Run, now: Timestamp) {
        if run.plan.settings.mode == CallMode::Batch {
            let (workspace, priority) = (run.workspace.clone(), Priority::Normal);
            let job = Job { key: batch_job(run.sid), workspace, priority };
            // A worker may still hold a token of an earlier job.
            self.jobs.restart(job, now, now.micros());
        }
    }
}

#[async_trait]
impl RunRepository for MemoryRuns {
    async fn create(
        &self,
        scope: &Scope,
        plan: &RunPlan,
        groups: &[Vec<DocumentRef>],
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        let mut rows = self.rows();
        let run = Run {
            sid: RunId(rows.last().map_or(1, |row| row.run.sid.0 + 1)),
            workspace: scope.workspace.clone(),
            plan: plan.clone(),
            state: RunState::Running,
            total: number(groups.len()),
            successful: 0,
            failed: 0,
            usage: plan.spent().usage,
            cost: plan.spent().cost,
            created: now,
            finished: None,
            stop: None,
            sequence: 0,
        };
        let group = |documents: &Vec<DocumentRef>| Group { documents: documents.clone(), ..Group::default() };
        let groups = groups.iter().map(group).collect();
        self.put_jobs(&run, 0..run.total, now);
        rows.push(MemoryRun { scope: scope.clone(), run: run.clone(), groups });
        Ok(run)
    }

    async fn find(&self, scope: &Scope, agent_id: &str, sid: RunId) -> Result<Option<Run>, StoreError> {
        let rows = self.rows();
        let own = find(&rows, &scope.workspace, sid).filter(|row| row.run.plan.agent_id == agent_id);
        Ok(own.map(|row| row.run.clone()))
    }

    async fn load(&self, workspace: &WorkspaceId, sid: RunId) -> Result<Option<(Scope, Run)>, StoreError> {
        Ok(find(&self.rows(), workspace, sid).map(|row| (row.scope.clone(), row.run.clone())))
    }

    async fn list(
        &self,
        scope: &Scope,
        agent_id: &str,
        label: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<Run>, StoreError> {
        let rows = self.rows();
        let own = |row: &&MemoryRun| {
            let labels = &row.run.plan.settings.labels;
            let has_label = label.is_none_or(|label| labels.iter().any(|own| own == label));
            row.run.workspace == scope.workspace && row.run.plan.agent_id == agent_id && has_label
        };
        let runs = rows.iter().filter(own).map(|row| row.run.clone()).collect();
        Ok(Page::paginate(runs, page, |run: &Run| Cursor { created: run.created, id: run.sid.0.to_string() }))
    }

    async fn close(
        &self,
        scope: &Scope,
        sid: RunId,
        error: &ItemError,
        held_too: bool,
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        let mut rows = self.rows();
        let row = find_mut(&mut rows, scope, sid).ok_or(StoreError::Missing("run"))?;
        if row.run.state.is_over() {
            return Err(StoreError::Stale);
        }
        row.run.stop.get_or_insert_with(|| error.clone());
        for index in self.jobs.remove(QUEUE, &sid.0.to_string(), held_too, now) {
            let Some(group) = row.groups.get(index as usize) else { continue };
            let outcome = GroupOutcome {
                result: Err(error.clone()),
                failures: fail_all(&group.documents, error),
                usage: Usage::default(),
                cost: Some(Cost::default()),
                attempts: 0,
                fingerprint: None,
                reviews: Vec::new(),
            };
            row.end(index, outcome, now);
        }
        Ok(row.run.clone())
    }

    async fn reopen(&self, scope: &Scope, sid: RunId, now: Timestamp) -> Result<(Run, u32), StoreError> {
        let mut rows = self.rows();
        let row = find_mut(&mut rows, scope, sid).ok_or(StoreError::Missing("run"))?;
        let mut opened = Vec::new();
        for (index, group) in row.groups.iter_mut().enumerate() {
            if group.outcome.as_ref().is_some_and(|outcome| outcome.result.is_err()) {
                group.outcome = None;
                group.sequence = None;
                opened.push(number(index));
            }
        }
        let count = number(opened.len());
        if count > 0 {
            row.run.failed -= count;
            row.run.state = RunState::Running;
            row.run.stop = None;
            row.run.finished = None;
            for position in opened {
                self.delete_reviews(GroupId { sid, index: position });
                // A worker may still hold a token of the group's earlier job.
                self.jobs.restart(job(&row.run, position), now, now.micros());
            }
            self.put_batch_job(&row.run, now);
        }
        Ok((row.run.clone(), count))
    }
}

#[async_trait]
impl GroupRepository for MemoryRuns {
    async fn documents(&self, scope: &Scope, group: GroupId) -> Result<Option<Vec<DocumentRef>>, StoreError> {
        let rows = self.rows();
        let found =
            find(&rows, &scope.workspace, group.sid).and_then(|row| row.groups.get(group.index as usize));
        Ok(found.filter(|group| group.outcome.is_none()).map(|group| group.documents.clone()))
    }

    async fn first_open(&self, scope: &Scope, sid: RunId, from: u32) -> Result<u32, StoreError> {
        let rows = self.rows();
        let groups = find(&rows, &scope.workspace, sid).map(|row| row.groups.as_slice()).unwrap_or_default();
        let open = groups.iter().skip(from as usize).position(|group| group.outcome.is_none());
        Ok(open.map_or(number(groups.len()), |open| from + number(open)))
    }

    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError> {
        let rows = self.rows();
        let groups = find(&rows, &scope.workspace, sid).map(|row| row.groups.as_slice()).unwrap_or_default();
        let finished = groups.iter().enumerate().skip(from as usize).filter_map(|(index, group)| {
            let GroupOutcome { result, failures, .. } = group.outcome.clone()?;
            Some(FinishedGroup { index: number(index), response: result.ok(), failures })
        });
        Ok(finished.take(limit as usize).collect())
    }

    async fn statuses(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<GroupStatus>, StoreError> {
        let rows = self.rows();
        let Some(row) = find(&rows, &scope.workspace, sid) else { return Ok(Vec::new()) };
        let until = row.run.total.min(from.saturating_add(limit));
        Ok((from..until).filter_map(|index| row.status(&self.jobs, index, now)).collect())
    }

    async fn events(
        &self,
        scope: &Scope,
        sid: RunId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<GroupStatus>, StoreError> {
        let rows = self.rows();
        let Some(row) = find(&rows, &scope.workspace, sid) else { return Ok(Vec::new()) };
        let status = |index| row.status(&self.jobs, index, row.run.created);
        let mut later: Vec<GroupStatus> = (0..row.run.total)
            .filter_map(status)
            .filter(|group| group.sequence.is_some_and(|sequence| sequence > after))
            .collect();
        later.sort_by_key(|group| group.sequence);
        later.truncate(limit as usize);
        Ok(later)
    }

    async fn finish_group(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let row = find_mut(&mut rows, scope, group.sid).ok_or(StoreError::Stale)?;
        if !self.jobs.end(&key(group.sid, group.index), token) {
            return Err(StoreError::Stale);
        }
        self.put_reviews(&row.run, group.index, &outcome.reviews, now);
        row.end(group.index, outcome.clone(), now);
        Ok(())
    }

    async fn record_failed_attempt(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        (error, mut spent): (&ItemError, Spend),
        forget: bool,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let row = find_mut(&mut rows, scope, group.sid).ok_or(StoreError::Stale)?;
        if !self.jobs.has_token(&key(group.sid, group.index), token) {
            return Err(StoreError::Stale);
        }
        let slot = row.groups.get_mut(group.index as usize).ok_or(StoreError::Stale)?;
        slot.error = Some(error.clone());
        if forget {
            spent += slot.delete_calls();
        }
        slot.spent += spent;
        add_spend(&mut row.run, spent);
        Ok(())
    }
}

#[async_trait]
impl CallAnswerRepository for MemoryRuns {
    async fn find_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
    ) -> Result<Option<SavedAnswer>, StoreError> {
        let rows = self.rows();
        let row = find(&rows, &scope.workspace, group.sid);
        Ok(row.and_then(|row| row.groups.get(group.index as usize)?.calls.get(call).cloned()))
    }

    async fn save_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
        answer: &SavedAnswer,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let row = find_mut(&mut rows, scope, group.sid);
        let slot = row.and_then(|row| row.groups.get_mut(group.index as usize));
        if let Some(slot) = slot.filter(|slot| slot.outcome.is_none()) {
            slot.calls.insert(call.to_owned(), answer.clone());
        }
        Ok(())
    }
}

#[async_trait]
impl ResponseRepository for MemoryRuns {
    async fn find_by_fingerprint(
        &self,
        scope: &Scope,
        fingerprint: &str,
    ) -> Result<Option<Response>, StoreError> {
        let rows = self.rows();
        let is_own =
            |row: &&MemoryRun| row.run.workspace == scope.workspace && row.run.plan.evaluation_set.is_none();
        let own = rows.iter().filter(is_own);
        let groups =
            own.flat_map(|row| (0..).zip(&row.groups).map(move |(index, group)| (row, index, group)));
        let same = groups.filter_map(|(row, index, group)| {
            let outcome = group.outcome.as_ref()?;
            let response = outcome.result.clone().ok()?;
            (outcome.fingerprint.as_deref() == Some(fingerprint)).then_some((row, index, response))
        });
        let newest = same.max_by_key(|(_, _, response)| response.created);
        Ok(newest.map(|(row, index, response)| self.reviewed(row, index, response)))
    }

    async fn responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        (skip, limit): (u64, u32),
    ) -> Result<Vec<StoredResponse>, StoreError> {
        let rows = self.rows();
        let mut all = Vec::new();
        for row in rows.iter().rev().filter(|row| row.run.workspace == scope.workspace) {
            let is_own = row.run.plan.agent_id == agent_id && row.run.plan.evaluation_set.is_none();
            let wanted = is_own && sid.is_none_or(|sid| sid == row.run.sid);
            for (index, group) in row.groups.iter().enumerate().filter(|_| wanted) {
                if let Some(response) = group.outcome.as_ref().and_then(|outcome| outcome.result.clone().ok())
                {
                    let form_version = response.form_version(row.run.plan.form_version);
                    all.push(StoredResponse {
                        sid: row.run.sid,
                        index: number(index),
                        form_version,
                        response: self.reviewed(row, number(index), response),
                    });
                }
            }
        }
        let later = |one: &StoredResponse| {
            after.is_none_or(|seen| one.sid < seen.sid || (one.sid == seen.sid && one.index > seen.index))
        };
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        Ok(all.into_iter().filter(later).skip(skip).take(limit as usize).collect())
    }

    async fn count_responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError> {
        Ok(self.responses(scope, agent_id, sid, None, (0, u32::MAX)).await?.len() as u64)
    }
}
