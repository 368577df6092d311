//! Calls that wait for batches.

use super::*;
use crate::{BATCH_QUEUE, BatchLease, BatchStep, CallMode, CallState, DeferredCall, RunSettings};

const LIMITS: (u32, u64) = (100, 1_000);

fn deferred(call: &str) -> DeferredCall {
    DeferredCall { call: call.into(), body: format!("{{\"of\":\"{call}\"}}"), cost: Some(Cost(7)) }
}

fn answered(body: &str) -> CallState {
    CallState::Answered(body.into())
}

impl RunStores {
    async fn batch_run(&self, scope: &Scope, count: usize) -> Run {
        let settings = RunSettings { mode: CallMode::Batch, ..RunSettings::default() };
        let plan = RunPlan { settings, ..plan(scope) };
        self.runs.create(scope, &plan, &groups(count), at(1)).await.expect("creates")
    }

    /// The lease on the job of the run's batches.
    async fn lease(&self, scope: &Scope, sid: RunId, now: i64) -> Option<BatchLease> {
        let claim = Claim {
            queue: BATCH_QUEUE,
            worker: "batches",
            now: at(now),
            until: at(now + 1_000),
            count: 100,
            per_owner: 1,
            per_workspace: 100,
            owners: None,
        };
        let claimed = self.jobs.claim(&claim).await.expect("claims");
        let own = claimed.into_iter().find(|job| job.job.key.owner == sid.0.to_string())?;
        Some(BatchLease { workspace: scope.workspace.clone(), sid, token: own.token })
    }

    async fn defer(&self, scope: &Scope, group: GroupId, token: i64, calls: &[&str], now: i64) {
        let calls: Vec<DeferredCall> = calls.iter().map(|call| deferred(call)).collect();
        let times = (at(now), at(now + 1_000_000));
        self.batches.defer_group(scope, group, token, &calls, times).await.expect("defers");
    }
}

/// Calls are gathered, make a batch, and are answered in any order; then their groups are due.
pub async fn groups_wait_for_their_batch(stores: &RunStores, own: &Scope, other: &Scope) {
    let batches = &stores.batches;
    let run = stores.batch_run(own, 3).await;
    let (sid, group) = (run.sid, |index| GroupId { sid: run.sid, index });
    let tokens = stores.claim(sid, 2).await;
    stores.defer(own, group(0), tokens[&0], &["a", "b"], 3).await;
    stores.defer(own, group(1), tokens[&1], &["a"], 4).await;
    let again = batches.defer_group(own, group(0), tokens[&0] - 1, &[], (at(3), at(4))).await;
    assert!(matches!(again, Err(StoreError::Stale)), "another worker has the group");
    let foreign = batches.defer_group(other, group(2), tokens[&2], &[deferred("x")], (at(3), at(4))).await;
    assert!(matches!(foreign, Err(StoreError::Stale)), "the run is another workspace's");
    assert!(stores.claim(sid, 500).await.keys().eq(&[2]), "those that wait are not due");
    let waiting = |call: &str| (call.to_owned(), CallState::Waiting);
    assert_eq!(batches.calls(own, group(0)).await.expect("reads"), [waiting("a"), waiting("b")]);
    assert!(batches.calls(other, group(0)).await.expect("reads").is_empty());
    let found = batches.gathered(&own.workspace, sid).await.expect("counts");
    assert_eq!((found.requests, found.bytes, found.newest), (3, 30, Some(at(4))));
    assert_eq!(batches.gathered(&other.workspace, sid).await.expect("counts").requests, 0);
    assert_eq!(batches.waiting_cost(own, sid).await.expect("sums"), Cost(21));
    assert_eq!(batches.waiting_cost(other, sid).await.expect("sums"), Cost(0));

    let lease = stores.lease(own, sid, 5).await.expect("the run has its job");
    batches.seal(&lease, ("fw_1", "m@openai"), (2, 1_000), at(6)).await.expect("seals");
    batches
        .seal(&lease, ("fw_2", "m@openai"), (9, 1), at(6))
        .await
        .expect("seals what is left, however large");
    batches.seal(&lease, ("fw_3", "m@openai"), LIMITS, at(6)).await.expect("finds nothing");
    let open = batches.open(&own.workspace, sid).await.expect("lists");
    let told: Vec<_> = open.iter().map(|one| (one.number, one.reference.as_str(), one.requests)).collect();
    assert_eq!(told, [(1, "fw_1", 2), (2, "fw_2", 1)]);
    assert_eq!(
        (&open[0].step, open[0].model.as_str(), open[0].created),
        (&BatchStep::Sealed, "m@openai", at(6))
    );
    let requests = batches.requests(&own.workspace, sid, 1).await.expect("reads");
    let told: Vec<_> = requests.iter().map(|one| (one.id.as_str(), one.body.as_str())).collect();
    assert_eq!(told, [("fw_1-0", "{\"of\":\"a\"}"), ("fw_1-1", "{\"of\":\"b\"}")]);
    batches.advance(&lease, 1, &BatchStep::Submitting, at(7)).await.expect("advances");
    batches.advance(&lease, 1, &BatchStep::Submitted("v".into()), at(8)).await.expect("advances");
    let first = batches.open(&own.workspace, sid).await.expect("lists").remove(0);
    assert_eq!((first.step, first.changed), (BatchStep::Submitted("v".into()), at(8)));

    let results = [(1, answered("of b")), (77, answered("of none"))];
    batches.close_batch(&lease, 1, &results, &CallState::Direct, at(9)).await.expect("closes");
    assert!(batches.close_batch(&lease, 1, &results, &CallState::Direct, at(9)).await.is_err(), "once");
    let states = batches.calls(own, group(0)).await.expect("reads");
    assert_eq!(states, [("a".into(), CallState::Direct), ("b".into(), answered("of b"))]);
    assert!(stores.claim(sid, 10).await.keys().eq(&[0]), "the group of the batch is due, and no other");
    batches.close_batch(&lease, 2, &[], &CallState::Refused("no".into()), at(11)).await.expect("closes");
    assert_eq!(
        batches.calls(own, group(1)).await.expect("reads"),
        [("a".into(), CallState::Refused("no".into()))]
    );
    assert_eq!(batches.waiting_cost(own, sid).await.expect("sums"), Cost(7), "one answer is not read");

    let answer =
        SavedAnswer { text: "b".into(), usage: SPENT, cost: Some(Cost(5)), ..SavedAnswer::default() };
    batches.save_read_answer(own, group(0), "b", &answer).await.expect("saves");
    assert_eq!(stores.answers.find_answer(own, group(0), "b").await.expect("finds"), Some(answer));
    assert_eq!(batches.waiting_cost(own, sid).await.expect("sums"), Cost(0));
    batches.forget_calls(own, group(1)).await.expect("forgets");
    assert!(batches.calls(own, group(1)).await.expect("reads").is_empty());
}

/// The job of a run's batches ends with the run, and begins again when it is reopened. A worker that lost it changes
/// nothing.
pub async fn the_job_of_batches_lives_as_long_as_its_run(stores: &RunStores, own: &Scope, _other: &Scope) {
    let batches = &stores.batches;
    let plain = stores.run(own, 1).await;
    assert_eq!(stores.lease(own, plain.sid, 2).await, None, "a run without batches has none");
    let run = stores.batch_run(own, 1).await;
    let (sid, group) = (run.sid, GroupId { sid: run.sid, index: 0 });
    let token = stores.claim(sid, 2).await[&0];
    stores.defer(own, group, token, &["a"], 3).await;
    let lost = stores.lease(own, sid, 4).await.expect("the job");
    let lease = stores.lease(own, sid, 2_000).await.expect("the job");
    let refused = [
        batches.seal(&lost, ("fw_1", "m@openai"), LIMITS, at(5)).await,
        batches.advance(&lost, 1, &BatchStep::Submitting, at(5)).await,
        batches.close_batch(&lost, 1, &[], &CallState::Direct, at(5)).await,
        batches.end_job(&lost).await.map(drop),
    ];
    assert!(refused.iter().all(|one| matches!(one, Err(StoreError::Stale))), "{refused:?}");
    batches.seal(&lease, ("fw_1", "m@openai"), LIMITS, at(2_001)).await.expect("seals");
    assert!(!batches.end_job(&lease).await.expect("asks"), "the run is not over");
    stores.runs.close(own, sid, &error(ErrorClass::Cancelled), true, at(2_002)).await.expect("cancels");
    assert!(!batches.end_job(&lease).await.expect("asks"), "it has an open batch");
    assert!(
        batches.requests(&own.workspace, sid, 1).await.expect("reads").is_empty(),
        "nobody wants the answer"
    );
    batches.close_batch(&lease, 1, &[], &CallState::Direct, at(2_003)).await.expect("closes");
    assert!(batches.end_job(&lease).await.expect("ends"));
    assert_eq!(stores.lease(own, sid, 9_000).await, None);
    assert!(batches.calls(own, group).await.expect("reads").is_empty());
    let (_, opened) = stores.runs.reopen(own, sid, at(9_001)).await.expect("reopens");
    assert_eq!(opened, 1);
    let again = stores.lease(own, sid, 9_002).await.expect("it has its job again");
    assert!(again.token > lease.token, "the earlier worker has lost it");
    let token = stores.claim(sid, 9_003).await[&0];
    stores.defer(own, group, token, &["a"], 9_004).await;
    assert_eq!(batches.gathered(&own.workspace, sid).await.expect("counts").requests, 1);
}
