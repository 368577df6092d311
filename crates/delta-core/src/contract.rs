//! The conformance suite of the port, for those who implement it.

use std::sync::Arc;

use forms_core::KeptAnswer;
use gen_core::Usage;
use indexmap::IndexMap;
use jobs_core::{Claim, JobQueue};
use serde_json::json;
use shared_core::{PageRequest, Position, Scope, StoreError, Timestamp};

use crate::{
    DocumentFailure, DocumentRef, ErrorClass, GroupId, GroupOutcome, GroupState, ItemError, QUEUE, Response,
    ResponseCursor, Run, RunId, RunPlan, RunRepository, RunState, all_failed,
};

/// The port, and the queue that it puts its jobs in.
#[derive(Clone, Debug)]
pub struct Stores {
    /// Runs.
    pub runs: Arc<dyn RunRepository>,
    /// Their jobs.
    pub jobs: Arc<dyn JobQueue>,
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

/// The agent that the suites' runs belong to; stores with foreign keys make it beforehand.
#[must_use]
pub fn agent_id(scope: &Scope) -> String {
    format!("agent-{}-runs", scope.workspace)
}

fn plan(scope: &Scope) -> RunPlan {
    RunPlan {
        agent_id: agent_id(scope),
        namespace: "runs".into(),
        form_id: "form".into(),
        form_version: 1,
        model_id: "extractive@formwork".into(),
        instructions: "odd \u{0}\u{1f600}".into(),
        partial: false,
        fresh: true,
        key: Some("key_1".into()),
    }
}

fn groups(count: usize) -> Vec<Vec<DocumentRef>> {
    (0..count).map(|n| vec![DocumentRef { description: "d\u{0}".into(), url: n.to_string() }]).collect()
}

fn response(gid: &str) -> Response {
    let record = json!({"zebra": null, "apple": 1.5, "odd": "\u{0}"});
    Response {
        gid: gid.into(),
        record: record.as_object().cloned().unwrap_or_default(),
        evidence: IndexMap::new(),
        conflicts: Vec::new(),
        errors: Vec::new(),
        sources: Vec::new(),
        generation_duration: 0.5,
        scraping_duration: 0.25,
        total_duration: 0.75,
        created: at(9),
        reused_from: None,
    }
}

/// What the suite's groups take, and two of them.
const SPENT: Usage = Usage { input_tokens: 3, output_tokens: 2, cached_tokens: 1, reasoning_tokens: 1 };
const TWICE: Usage = Usage { input_tokens: 6, output_tokens: 4, cached_tokens: 2, reasoning_tokens: 2 };

fn success(gid: &str) -> GroupOutcome {
    GroupOutcome {
        result: Ok(response(gid)),
        failures: Vec::new(),
        usage: SPENT,
        attempts: 1,
        fingerprint: Some(format!("print of {gid}")),
    }
}

fn error(class: ErrorClass) -> ItemError {
    ItemError { class, code: "x\u{0}".into(), message: "y".into() }
}

fn failure() -> GroupOutcome {
    let document = DocumentRef { description: String::new(), url: "1".into() };
    GroupOutcome {
        result: Err(error(ErrorClass::Parse)),
        failures: vec![DocumentFailure { document, error: error(ErrorClass::Parse) }],
        usage: Usage::default(),
        attempts: 2,
        fingerprint: None,
    }
}

impl Stores {
    async fn run(&self, scope: &Scope, count: usize) -> Run {
        self.runs.create(scope, &plan(scope), &groups(count), at(1)).await.expect("creates")
    }

    /// Claims every group of the run that can be had; the tokens by group.
    async fn claim(&self, sid: RunId, now: i64) -> std::collections::BTreeMap<u32, i64> {
        let claim = Claim {
            queue: QUEUE,
            worker: "suite",
            now: at(now),
            until: at(now + 100),
            count: 5_000,
            per_owner: 5_000,
            per_workspace: 5_000,
        };
        let claimed = self.jobs.claim(&claim).await.expect("claims");
        let own = claimed.into_iter().filter(|job| job.job.key.owner == sid.0.to_string());
        own.map(|job| (job.job.key.position, job.token)).collect()
    }

    async fn finish(&self, scope: &Scope, sid: RunId, index: u32, token: i64, outcome: &GroupOutcome) {
        let group = GroupId { sid, index };
        self.runs.finish_group(scope, group, token, outcome, at(7)).await.expect("finishes");
    }

    async fn look(&self, scope: &Scope, sid: RunId) -> Run {
        self.runs.find(scope, &agent_id(scope), sid).await.expect("finds").expect("is there")
    }
}

/// A run is stored with its groups and jobs, counts outcomes, and is ended by the last one.
pub async fn counts_outcomes_and_ends(stores: &Stores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 3).await;
    assert_eq!((run.total, run.state, run.plan.clone(), run.sequence), (3, RunState::Running, plan(own), 0));
    let loaded = stores.runs.load(&own.workspace, run.sid).await.expect("loads");
    assert_eq!(loaded, Some((own.clone(), run.clone())));
    let tokens = stores.claim(run.sid, 2).await;
    assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), [0, 1, 2]);
    let documents = stores.runs.documents(own, GroupId { sid: run.sid, index: 2 }).await.expect("reads");
    assert_eq!(documents.as_ref(), groups(3).get(2));
    stores.finish(own, run.sid, 2, tokens[&2], &success("g2")).await;
    assert_eq!(stores.runs.documents(own, GroupId { sid: run.sid, index: 2 }).await.expect("reads"), None);
    assert_eq!(stores.runs.first_open(own, run.sid, 0).await.expect("asks"), 0);
    stores.finish(own, run.sid, 0, tokens[&0], &failure()).await;
    assert_eq!(stores.runs.first_open(own, run.sid, 0).await.expect("asks"), 1);
    assert_eq!(stores.runs.first_open(own, run.sid, 2).await.expect("asks"), 3);
    stores.finish(own, run.sid, 1, tokens[&1], &success("g1")).await;
    assert_eq!(stores.runs.first_open(own, run.sid, 0).await.expect("asks"), 3);
    let run = stores.look(own, run.sid).await;
    assert_eq!((run.successful, run.failed, run.state), (2, 1, RunState::PartlyFailed));
    assert_eq!((run.finished, run.sequence), (Some(at(7)), 3));
    assert_eq!(run.usage, TWICE);
    let finished = stores.runs.finished(own, run.sid, 1, 9).await.expect("lists");
    assert_eq!(finished.iter().map(|group| group.index).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(finished[1].response, Some(response("g2")));
    let first = stores.runs.finished(own, run.sid, 0, 1).await.expect("lists");
    assert_eq!((first[0].response.as_ref(), &first[0].failures), (None, &failure().failures));
    assert!(stores.claim(run.sid, 900).await.is_empty(), "the jobs went with the outcomes");
}

/// The state of a run never says success when a group failed.
pub async fn the_state_tells_how_groups_ended(stores: &Stores, own: &Scope, _other: &Scope) {
    for (outcomes, state) in [
        ([success("a"), success("b")], RunState::Succeeded),
        ([failure(), failure()], RunState::Failed),
        ([failure(), success("c")], RunState::PartlyFailed),
    ] {
        let run = stores.run(own, 2).await;
        let tokens = stores.claim(run.sid, 2).await;
        for (index, outcome) in (0..).zip(&outcomes) {
            stores.finish(own, run.sid, index, tokens[&index], outcome).await;
        }
        assert_eq!(stores.look(own, run.sid).await.state, state);
    }
}

/// Who lost the lease is refused, and a group has one outcome.
pub async fn a_late_writer_is_refused(stores: &Stores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 2).await;
    let first = stores.claim(run.sid, 2).await;
    let second = stores.claim(run.sid, 200).await;
    let group = GroupId { sid: run.sid, index: 0 };
    let late = stores.runs.finish_group(own, group, first[&0], &success("late"), at(201)).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    let told = (&error(ErrorClass::Model), SPENT);
    let late = stores.runs.note_failed(own, group, first[&0], told, false).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    stores.finish(own, run.sid, 0, second[&0], &success("g")).await;
    let again = stores.runs.finish_group(own, group, second[&0], &success("h"), at(202)).await;
    assert!(matches!(again, Err(StoreError::Stale)));
    let nowhere = GroupId { sid: run.sid, index: 7 };
    let none = stores.runs.finish_group(own, nowhere, 1, &success("h"), at(203)).await;
    assert!(matches!(none, Err(StoreError::Stale)));
    let run = stores.look(own, run.sid).await;
    assert_eq!((run.successful, run.failed, run.usage), (1, 0, SPENT));
    assert_eq!(stores.runs.count_responses(own, &agent_id(own), None).await.expect("counts"), 1);
}

/// What a failed attempt spent is counted, and its error is told while the group is open.
pub async fn failed_attempts_are_counted(stores: &Stores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 1).await;
    let group = GroupId { sid: run.sid, index: 0 };
    let token = stores.claim(run.sid, 2).await[&0];
    let told = error(ErrorClass::Model);
    stores.runs.note_failed(own, group, token, (&told, SPENT), false).await.expect("notes");
    let running = stores.runs.statuses(own, run.sid, 0, 9, at(3)).await.expect("lists");
    assert_eq!((running[0].state, running[0].attempts, running[0].usage), (GroupState::Running, 1, SPENT));
    let key = jobs_core::JobKey { queue: QUEUE, owner: run.sid.0.to_string(), position: 0 };
    stores.jobs.give_back(&key, token, at(50), true).await.expect("gives back");
    let waiting = stores.runs.statuses(own, run.sid, 0, 9, at(3)).await.expect("lists");
    assert_eq!((waiting[0].state, waiting[0].attempts), (GroupState::Queued, 1));
    assert_eq!((&waiting[0].error, waiting[0].sequence), (&Some(told), None));
    assert_eq!(waiting[0].documents, groups(1)[0]);
    let token = stores.claim(run.sid, 60).await[&0];
    stores.finish(own, run.sid, 0, token, &GroupOutcome { attempts: 2, ..success("g") }).await;
    let done = stores.runs.statuses(own, run.sid, 0, 9, at(61)).await.expect("lists");
    assert_eq!((done[0].state, done[0].attempts, &done[0].error), (GroupState::Succeeded, 2, &None));
    assert_eq!((done[0].usage, stores.look(own, run.sid).await.usage), (TWICE, TWICE));
}

/// Closing a run ends its open groups: those that wait, or all.
pub async fn closing_ends_the_open_groups(stores: &Stores, own: &Scope, _other: &Scope) {
    let budget = error(ErrorClass::Budget);
    let run = stores.run(own, 4).await;
    let tokens = stores.claim(run.sid, 2).await;
    stores.finish(own, run.sid, 1, tokens[&1], &success("g")).await;
    for index in [2, 3] {
        let key = jobs_core::JobKey { queue: QUEUE, owner: run.sid.0.to_string(), position: index };
        stores.jobs.give_back(&key, tokens[&index], at(1), false).await.expect("gives back");
    }
    for index in [0, 2] {
        let group = GroupId { sid: run.sid, index };
        stores.runs.keep_call(own, group, "call", &KeptAnswer::default()).await.expect("keeps");
    }
    let closed = stores.runs.close(own, run.sid, &budget, false, at(5)).await.expect("closes");
    for (index, kept) in [(0, true), (2, false)] {
        let call = stores.runs.find_call(own, GroupId { sid: run.sid, index }, "call").await.expect("finds");
        assert_eq!(call.is_some(), kept, "what is left to its worker keeps its calls");
    }
    assert_eq!((closed.state, closed.failed, &closed.stop), (RunState::Running, 2, &Some(budget.clone())));
    let again = stores.runs.close(own, run.sid, &error(ErrorClass::Cancelled), false, at(5)).await;
    assert_eq!(again.expect("closes").stop, Some(budget.clone()), "the first reason stays");
    stores.finish(own, run.sid, 0, tokens[&0], &success("h")).await;
    let ended = stores.look(own, run.sid).await;
    assert_eq!((ended.state, ended.successful, ended.failed), (RunState::Stopped, 2, 2));
    let finished = stores.runs.finished(own, run.sid, 2, 9).await.expect("lists");
    assert_eq!(finished[0].failures, all_failed(&groups(4)[2], &budget));
    let over = stores.runs.close(own, run.sid, &budget, true, at(6)).await;
    assert!(matches!(over, Err(StoreError::Stale)));

    let run = stores.run(own, 2).await;
    let tokens = stores.claim(run.sid, 2).await;
    let cancelled = error(ErrorClass::Cancelled);
    let closed = stores.runs.close(own, run.sid, &cancelled, true, at(5)).await.expect("closes");
    assert_eq!((closed.state, closed.failed, closed.finished), (RunState::Cancelled, 2, Some(at(5))));
    let late = GroupId { sid: run.sid, index: 0 };
    let late = stores.runs.finish_group(own, late, tokens[&0], &success("late"), at(6)).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    let none = stores.runs.close(own, RunId(i64::MAX), &cancelled, true, at(5)).await;
    assert!(matches!(none, Err(StoreError::Missing("run"))));
}

/// What failed is put back, and nothing else; events go on counting.
pub async fn failed_groups_are_reopened(stores: &Stores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 3).await;
    let tokens = stores.claim(run.sid, 2).await;
    for (index, outcome) in [(2, failure()), (0, success("g")), (1, failure())] {
        stores.finish(own, run.sid, index, tokens[&index], &outcome).await;
    }
    let order = |events: Vec<crate::GroupStatus>| -> Vec<(u32, Option<u64>)> {
        events.iter().map(|event| (event.index, event.sequence)).collect()
    };
    let events = stores.runs.events(own, run.sid, 0, 9).await.expect("lists");
    assert_eq!(order(events), [(2, Some(1)), (0, Some(2)), (1, Some(3))]);
    let events = stores.runs.events(own, run.sid, 1, 1).await.expect("lists");
    assert_eq!((events[0].index, events[0].state), (0, GroupState::Succeeded));
    let (reopened, count) = stores.runs.reopen(own, run.sid, at(8)).await.expect("reopens");
    assert_eq!((reopened.state, reopened.failed, reopened.finished, count), (RunState::Running, 0, None, 2));
    assert_eq!(stores.runs.first_open(own, run.sid, 0).await.expect("asks"), 1);
    let tokens = stores.claim(run.sid, 9).await;
    assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), [1, 2]);
    for index in [1, 2] {
        stores.finish(own, run.sid, index, tokens[&index], &success(&format!("again {index}"))).await;
    }
    assert_eq!(stores.look(own, run.sid).await.state, RunState::Succeeded);
    let events = stores.runs.events(own, run.sid, 3, 9).await.expect("lists");
    assert_eq!(order(events), [(1, Some(4)), (2, Some(5))]);
    let (_, count) = stores.runs.reopen(own, run.sid, at(9)).await.expect("reopens");
    assert_eq!(count, 0);
    let closed = stores.run(own, 2).await;
    stores.runs.close(own, closed.sid, &error(ErrorClass::Budget), true, at(5)).await.expect("closes");
    let (reopened, count) = stores.runs.reopen(own, closed.sid, at(9)).await.expect("reopens");
    assert_eq!((reopened.stop, count), (None, 2));
    let none = stores.runs.reopen(own, RunId(i64::MAX), at(9)).await;
    assert!(matches!(none, Err(StoreError::Missing("run"))));
}

/// Identical work finds the newest response with its fingerprint.
pub async fn identical_work_is_found(stores: &Stores, own: &Scope, other: &Scope) {
    let run = stores.run(own, 3).await;
    let tokens = stores.claim(run.sid, 2).await;
    for (index, gid, created) in [(0, "old", 5), (1, "new", 8), (2, "middle", 6)] {
        let response = Response { created: at(created), ..response(gid) };
        let outcome = GroupOutcome { result: Ok(response), fingerprint: Some("same".into()), ..success(gid) };
        stores.finish(own, run.sid, index, tokens[&index], &outcome).await;
    }
    let found = stores.runs.answer(own, "same").await.expect("looks");
    assert_eq!(found.map(|response| response.gid), Some("new".to_owned()));
    assert!(stores.runs.answer(own, "another").await.expect("looks").is_none());
    assert!(stores.runs.answer(other, "same").await.expect("looks").is_none());
}

/// Calls are kept while their group is open.
pub async fn calls_are_kept_until_the_group_is_done(stores: &Stores, own: &Scope, other: &Scope) {
    let run = stores.run(own, 2).await;
    let tokens = stores.claim(run.sid, 2).await;
    let (group, next) = (GroupId { sid: run.sid, index: 0 }, GroupId { sid: run.sid, index: 1 });
    let answer = KeptAnswer { text: "{\"a\": \"\u{0}\"}".into(), usage: SPENT, ..KeptAnswer::default() };
    stores.runs.keep_call(own, group, "call", &KeptAnswer::default()).await.expect("keeps");
    stores.runs.keep_call(own, group, "call", &answer).await.expect("keeps");
    stores.runs.keep_call(other, group, "call", &KeptAnswer::default()).await.expect("does nothing");
    let find = async |scope: &Scope, group| stores.runs.find_call(scope, group, "call").await.expect("finds");
    assert_eq!(find(own, group).await, Some(answer.clone()));
    assert_eq!((find(own, next).await, find(other, group).await), (None, None));
    let told = error(ErrorClass::Validation);
    stores.runs.note_failed(own, group, tokens[&0], (&told, SPENT), true).await.expect("notes");
    assert_eq!(find(own, group).await, None, "they are forgotten when the attempt says so");
    stores.runs.keep_call(own, group, "call", &answer).await.expect("keeps");
    stores.finish(own, run.sid, 0, tokens[&0], &success("g")).await;
    assert_eq!(find(own, group).await, None);
    stores.runs.keep_call(own, group, "call", &answer).await.expect("does nothing");
    assert_eq!(find(own, group).await, None, "a late writer keeps nothing");
}

/// Responses come by run, newest first, and by group in order, with or without a cursor.
pub async fn responses_come_in_order(stores: &Stores, own: &Scope, _other: &Scope) {
    let mut sids = Vec::new();
    for number in 0..2 {
        let run = stores.run(own, 3).await;
        let tokens = stores.claim(run.sid, 2).await;
        for index in [2, 0, 1] {
            let outcome = if index == 1 { failure() } else { success(&format!("{number}-{index}")) };
            stores.finish(own, run.sid, index, tokens[&index], &outcome).await;
        }
        sids.push(run.sid);
    }
    let agent = agent_id(own);
    let gids = async |sid, after, cut| -> Vec<String> {
        let found = stores.runs.responses(own, &agent, sid, after, cut).await.expect("lists");
        found.into_iter().map(|one| one.response.gid).collect()
    };
    assert_eq!(gids(None, None, (0, 9)).await, ["1-0", "1-2", "0-0", "0-2"]);
    assert_eq!(gids(None, None, (1, 2)).await, ["1-2", "0-0"]);
    let after = Some(ResponseCursor { sid: sids[1], index: 0 });
    assert_eq!(gids(None, after, (0, 2)).await, ["1-2", "0-0"]);
    assert_eq!(gids(Some(sids[0]), None, (0, 9)).await, ["0-0", "0-2"]);
    let all = stores.runs.responses(own, &agent, None, None, (0, 1)).await.expect("lists");
    assert!(all[0].response.record.keys().eq(["zebra", "apple", "odd"]), "keys keep their order");
    assert_eq!(stores.runs.count_responses(own, &agent, None).await.expect("counts"), 4);
    assert_eq!(stores.runs.count_responses(own, &agent, Some(sids[0])).await.expect("counts"), 2);
    assert_eq!(stores.runs.count_responses(own, "another", None).await.expect("counts"), 0);
}

/// Runs are listed newest first, by page and by cursor.
pub async fn runs_are_listed(stores: &Stores, own: &Scope, other: &Scope) {
    let mut sids = Vec::new();
    for _ in 0..3 {
        sids.push(stores.run(own, 1).await.sid);
    }
    let list = async |scope: &Scope, position| {
        let page = PageRequest { position, limit: 2 };
        stores.runs.list(scope, &agent_id(own), &page).await.expect("lists")
    };
    let first = list(own, Position::Number(1)).await;
    assert_eq!(first.items.iter().map(|run| run.sid).collect::<Vec<_>>(), [sids[2], sids[1]]);
    assert_eq!(first.total, 3);
    let next = list(own, Position::After(first.next.expect("more follow"))).await;
    assert_eq!(next.items.iter().map(|run| run.sid).collect::<Vec<_>>(), [sids[0]]);
    assert!(next.next.is_none());
    assert!(list(other, Position::Number(1)).await.items.is_empty());
}

/// Another workspace neither sees nor changes a run.
pub async fn isolates_workspaces(stores: &Stores, own: &Scope, other: &Scope) {
    let run = stores.run(own, 2).await;
    let runs = &stores.runs;
    assert!(runs.find(other, &agent_id(own), run.sid).await.expect("finds").is_none());
    assert!(runs.find(own, "another", run.sid).await.expect("finds").is_none());
    assert!(runs.find(own, &agent_id(own), RunId(i64::MAX)).await.expect("finds").is_none());
    assert!(runs.load(&other.workspace, run.sid).await.expect("loads").is_none());
    let group = GroupId { sid: run.sid, index: 0 };
    assert!(runs.documents(other, group).await.expect("reads").is_none());
    assert!(runs.statuses(other, run.sid, 0, 9, at(1)).await.expect("lists").is_empty());
    let token = stores.claim(run.sid, 2).await[&0];
    let foreign = runs.finish_group(other, group, token, &success("g"), at(2)).await;
    assert!(matches!(foreign, Err(StoreError::Stale)));
    let told = error(ErrorClass::Model);
    let foreign = runs.note_failed(other, group, token, (&told, SPENT), false).await;
    assert!(matches!(foreign, Err(StoreError::Stale)));
    let foreign = runs.close(other, run.sid, &told, true, at(3)).await;
    assert!(matches!(foreign, Err(StoreError::Missing("run"))));
    assert!(matches!(runs.reopen(other, run.sid, at(3)).await, Err(StoreError::Missing("run"))));
    stores.finish(own, run.sid, 0, token, &success("g")).await;
    assert!(runs.finished(other, run.sid, 0, 9).await.expect("lists").is_empty());
    assert!(runs.events(other, run.sid, 0, 9).await.expect("lists").is_empty());
    assert!(runs.responses(other, &agent_id(own), None, None, (0, 9)).await.expect("lists").is_empty());
    assert_eq!(runs.count_responses(other, &agent_id(own), None).await.expect("counts"), 0);
    assert_eq!(runs.first_open(other, run.sid, 0).await.expect("asks"), 0);
    assert_eq!(runs.first_open(own, RunId(i64::MAX), 0).await.expect("asks"), 0);
    let run = stores.look(own, run.sid).await;
    assert_eq!((run.successful, run.failed, run.usage), (1, 0, SPENT));
}

/// A run of thousands of groups is stored, and ended, at once.
pub async fn many_groups_are_stored(stores: &Stores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 2_500).await;
    let last = stores.runs.statuses(own, run.sid, 2_499, 9, at(2)).await.expect("lists");
    assert_eq!((last.len(), last[0].documents[0].url.as_str()), (1, "2499"));
    let tokens = stores.claim(run.sid, 2).await;
    assert_eq!(tokens.len(), 2_500);
    stores.finish(own, run.sid, 1_000, tokens[&1_000], &success("g")).await;
    let closed = stores.runs.close(own, run.sid, &error(ErrorClass::Cancelled), true, at(5)).await;
    assert_eq!(closed.expect("closes").failed, 2_499);
    let mut after = 1;
    let mut seen = 0;
    loop {
        let page = stores.runs.events(own, run.sid, after, 100).await.expect("lists");
        let Some(last) = page.last() else { break };
        after = last.sequence.expect("has one");
        seen += page.len();
    }
    assert_eq!(seen, 2_499, "each closed group has an event of its own");
}

/// Expands to the tests of a [`RunRepository`]. `$run` takes a name and a closure from
/// `(stores, own scope, other scope)` to a future and runs it on fresh stores in which the agents
/// [`agent_id`] of both scopes exist.
#[macro_export]
macro_rules! run_repository_contract {
    ($run:ident) => {
        $crate::run_repository_contract!($run: counts_outcomes_and_ends the_state_tells_how_groups_ended a_late_writer_is_refused failed_attempts_are_counted closing_ends_the_open_groups failed_groups_are_reopened identical_work_is_found calls_are_kept_until_the_group_is_done responses_come_in_order runs_are_listed isolates_workspaces many_groups_are_stored);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |stores, own, other| {
                Box::pin(async move { $crate::contract::$name(&stores, &own, &other).await })
            });
        })*
    };
}
