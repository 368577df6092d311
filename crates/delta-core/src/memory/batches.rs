//! Calls that wait for batches, in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;
use forms_core::SavedAnswer;
use gen_core::{BatchRequest, Cost};
use shared_core::{Scope, StoreError, Timestamp, WorkspaceId};

use super::MemoryRuns;
use super::run::{find, key};
use crate::batch::request_id;
use crate::{
    BatchLease, BatchRepository, BatchStep, CallAnswerRepository as _, CallState, DeferredCall,
    GatheredCalls, GroupId, OpenBatch, RunId,
};

/// Calls and batches; runs have numbers that no other workspace has.
#[derive(Debug, Default)]
pub(super) struct Batches {
    calls: BTreeMap<(RunId, u32, String), Call>,
    open: BTreeMap<(RunId, u32), OpenBatch>,
}

#[derive(Clone, Debug)]
struct Call {
    workspace: WorkspaceId,
    body: String,
    cost: Cost,
    created: Timestamp,
    state: CallState,
    /// The batch, and the number in it.
    place: Option<(u32, u32)>,
}

impl MemoryRuns {
    fn require_batch_lease(&self, lease: &BatchLease) -> Result<(), StoreError> {
        if self.jobs.has_token(&lease.key(), lease.token) { Ok(()) } else { Err(StoreError::Stale) }
    }
}

#[async_trait]
impl BatchRepository for MemoryRuns {
    async fn calls(&self, scope: &Scope, group: GroupId) -> Result<Vec<(String, CallState)>, StoreError> {
        let rows = self.batches.lock();
        let own = rows.calls.iter().filter(|((sid, index, _), call)| {
            (*sid, *index) == (group.sid, group.index) && call.workspace == scope.workspace
        });
        Ok(own.map(|((.., name), call)| (name.clone(), call.state.clone())).collect())
    }

    async fn defer_group(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        calls: &[DeferredCall],
        (now, ready): (Timestamp, Timestamp),
    ) -> Result<(), StoreError> {
        let groups = self.rows();
        if find(&groups, &scope.workspace, group.sid).is_none() {
            return Err(StoreError::Stale);
        }
        let mut rows = self.batches.lock();
        self.jobs.put_back(&key(group.sid, group.index), token, ready)?;
        for DeferredCall { call, body, cost } in calls {
            let row = Call {
                workspace: scope.workspace.clone(),
                body: body.clone(),
                cost: cost.unwrap_or_default(),
                created: now,
                state: CallState::Waiting,
                place: None,
            };
            rows.calls.insert((group.sid, group.index, call.clone()), row);
        }
        Ok(())
    }

    async fn save_read_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
        answer: &SavedAnswer,
    ) -> Result<(), StoreError> {
        self.save_answer(scope, group, call, answer).await?;
        let mut rows = self.batches.lock();
        let row = rows.calls.get_mut(&(group.sid, group.index, call.to_owned()));
        if let Some(row) = row.filter(|row| row.workspace == scope.workspace) {
            row.state = CallState::Direct;
        }
        Ok(())
    }

    async fn forget_calls(&self, scope: &Scope, group: GroupId) -> Result<(), StoreError> {
        self.batches.lock().calls.retain(|(sid, index, _), call| {
            (*sid, *index) != (group.sid, group.index) || call.workspace != scope.workspace
        });
        Ok(())
    }

    async fn waiting_cost(&self, scope: &Scope, sid: RunId) -> Result<Cost, StoreError> {
        let rows = self.batches.lock();
        let mut sum = Cost::default();
        for ((run, ..), call) in &rows.calls {
            let is_open = matches!(call.state, CallState::Waiting | CallState::Answered(_));
            if *run == sid && call.workspace == scope.workspace && is_open {
                sum += call.cost;
            }
        }
        Ok(sum)
    }

    async fn open(&self, _: &WorkspaceId, sid: RunId) -> Result<Vec<OpenBatch>, StoreError> {
        let rows = self.batches.lock();
        Ok(rows.open.iter().filter(|((run, _), _)| *run == sid).map(|(_, batch)| batch.clone()).collect())
    }

    async fn gathered(&self, workspace: &WorkspaceId, sid: RunId) -> Result<GatheredCalls, StoreError> {
        let rows = self.batches.lock();
        let mut found = GatheredCalls::default();
        for ((run, ..), call) in &rows.calls {
            let is_free = call.place.is_none() && call.state == CallState::Waiting;
            if *run == sid && call.workspace == *workspace && is_free {
                found.requests += 1;
                found.bytes += call.body.len() as u64;
                found.newest = found.newest.max(Some(call.created));
            }
        }
        Ok(found)
    }

    async fn seal(
        &self,
        lease: &BatchLease,
        (reference, model): (&str, &str),
        (most, most_bytes): (u32, u64),
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.require_batch_lease(lease)?;
        let mut rows = self.batches.lock();
        let last = rows.calls.iter().filter(|((run, ..), _)| *run == lease.sid);
        let number = last.filter_map(|(_, call)| call.place).map(|(batch, _)| batch).max().unwrap_or(0) + 1;
        let (mut count, mut bytes) = (0, 0);
        let mut free: Vec<&mut Call> = rows
            .calls
            .iter_mut()
            .filter(|((run, ..), call)| {
                *run == lease.sid && call.place.is_none() && call.state == CallState::Waiting
            })
            .map(|(_, call)| call)
            .collect();
        free.sort_by_key(|call| call.created);
        for call in free {
            bytes += call.body.len() as u64;
            if count == most || (count > 0 && bytes > most_bytes) {
                break;
            }
            call.place = Some((number, count));
            count += 1;
        }
        if count > 0 {
            let batch = OpenBatch {
                number,
                reference: reference.to_owned(),
                model: model.to_owned(),
                requests: count,
                step: BatchStep::Sealed,
                created: now,
                changed: now,
            };
            rows.open.insert((lease.sid, number), batch);
        }
        Ok(())
    }

    async fn requests(
        &self,
        workspace: &WorkspaceId,
        sid: RunId,
        number: u32,
    ) -> Result<Vec<BatchRequest>, StoreError> {
        let groups = self.rows();
        let rows = self.batches.lock();
        let Some(batch) = rows.open.get(&(sid, number)) else { return Ok(Vec::new()) };
        let run = find(&groups, workspace, sid);
        let is_open = |index: u32| {
            let group = run.and_then(|run| run.groups.get(index as usize));
            group.is_some_and(|group| group.outcome.is_none())
        };
        let mut requests: Vec<(u32, BatchRequest)> = rows
            .calls
            .iter()
            .filter(|((run, index, _), call)| {
                *run == sid && call.place.is_some_and(|(batch, _)| batch == number) && is_open(*index)
            })
            .filter_map(|(_, call)| {
                let (_, line) = call.place?;
                let id = request_id(&batch.reference, line);
                Some((line, BatchRequest { id, body: call.body.clone() }))
            })
            .collect();
        requests.sort_by_key(|(line, _)| *line);
        Ok(requests.into_iter().map(|(_, request)| request).collect())
    }

    async fn advance(
        &self,
        lease: &BatchLease,
        number: u32,
        step: &BatchStep,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.require_batch_lease(lease)?;
        let mut rows = self.batches.lock();
        if matches!(step, BatchStep::Submitted(_)) {
            let own = rows.calls.iter_mut().filter(|((run, ..), _)| *run == lease.sid);
            for (_, call) in own.filter(|(_, call)| call.place.is_some_and(|(batch, _)| batch == number)) {
                call.body.clear();
            }
        }
        let batch = rows.open.get_mut(&(lease.sid, number)).ok_or(StoreError::Stale)?;
        (batch.step, batch.changed) = (step.clone(), now);
        Ok(())
    }

    async fn close_batch(
        &self,
        lease: &BatchLease,
        number: u32,
        results: &[(u32, CallState)],
        rest: &CallState,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.require_batch_lease(lease)?;
        let mut rows = self.batches.lock();
        rows.open.remove(&(lease.sid, number)).ok_or(StoreError::Stale)?;
        let mut touched = Vec::new();
        for ((run, index, _), call) in &mut rows.calls {
            let line = call.place.filter(|(batch, _)| *batch == number).map(|(_, line)| line);
            let (Some(line), true, CallState::Waiting) = (line, *run == lease.sid, &call.state) else {
                continue;
            };
            let result = results.iter().find(|(number, _)| *number == line);
            call.state = result.map_or(rest, |(_, state)| state).clone();
            call.body.clear();
            touched.push(*index);
        }
        touched.dedup();
        for index in touched {
            let waits = rows.calls.iter().any(|((run, group, _), call)| {
                (*run, *group) == (lease.sid, index) && call.state == CallState::Waiting
            });
            if !waits {
                self.jobs.make_due(&key(lease.sid, index), now);
            }
        }
        Ok(())
    }

    async fn end_job(&self, lease: &BatchLease) -> Result<bool, StoreError> {
        self.require_batch_lease(lease)?;
        let groups = self.rows();
        let run = find(&groups, &lease.workspace, lease.sid);
        let is_over = run.is_none_or(|run| run.run.state.is_over());
        let mut rows = self.batches.lock();
        if !is_over || rows.open.keys().any(|(run, _)| *run == lease.sid) {
            return Ok(false);
        }
        rows.calls.retain(|(run, ..), _| *run != lease.sid);
        Ok(self.jobs.end(&lease.key(), lease.token))
    }
}
