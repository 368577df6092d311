//! The outcomes of groups and runs.

use super::*;

/// A run is stored with its groups and jobs, counts outcomes, and is ended by the last one.
pub async fn counts_outcomes_and_ends(stores: &RunStores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 3).await;
    assert_eq!((run.total, run.state, run.plan.clone(), run.sequence), (3, RunState::Running, plan(own), 0));
    let loaded = stores.runs.load(&own.workspace, run.sid).await.expect("loads");
    assert_eq!(loaded, Some((own.clone(), run.clone())));
    let tokens = stores.claim(run.sid, 2).await;
    assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), [0, 1, 2]);
    let documents = stores.groups.documents(own, GroupId { sid: run.sid, index: 2 }).await.expect("reads");
    assert_eq!(documents.as_ref(), groups(3).get(2));
    stores.finish(own, run.sid, 2, tokens[&2], &success("g2")).await;
    assert_eq!(stores.groups.documents(own, GroupId { sid: run.sid, index: 2 }).await.expect("reads"), None);
    assert_eq!(stores.groups.first_open(own, run.sid, 0).await.expect("asks"), 0);
    stores.finish(own, run.sid, 0, tokens[&0], &failure()).await;
    assert_eq!(stores.groups.first_open(own, run.sid, 0).await.expect("asks"), 1);
    assert_eq!(stores.groups.first_open(own, run.sid, 2).await.expect("asks"), 3);
    stores.finish(own, run.sid, 1, tokens[&1], &success("g1")).await;
    assert_eq!(stores.groups.first_open(own, run.sid, 0).await.expect("asks"), 3);
    let run = stores.look(own, run.sid).await;
    assert_eq!((run.successful, run.failed, run.state), (2, 1, RunState::PartlyFailed));
    assert_eq!((run.finished, run.sequence), (Some(at(7)), 3));
    assert_eq!((run.usage, run.cost), (TWICE, Some(Cost(10))));
    let finished = stores.groups.finished(own, run.sid, 1, 9).await.expect("lists");
    assert_eq!(finished.iter().map(|group| group.index).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(finished[1].response, Some(response("g2")));
    let first = stores.groups.finished(own, run.sid, 0, 1).await.expect("lists");
    assert_eq!((first[0].response.as_ref(), &first[0].failures), (None, &failure().failures));
    assert!(stores.claim(run.sid, 900).await.is_empty(), "the jobs went with the outcomes");
}

/// A run begins with what the classification of its documents cost, which its budget pays too.
pub async fn a_run_begins_with_the_cost_of_its_classification(
    stores: &RunStores,
    own: &Scope,
    _other: &Scope,
) {
    for (gid, cost, sum) in [("g1", Some(Cost(5)), Some(Cost(10))), ("g2", None, None)] {
        let found = Classification { spent: Spend { usage: SPENT, cost }, ..Classification::default() };
        let plan = RunPlan { classification: Some(found), ..plan(own) };
        let run = stores.runs.create(own, &plan, &groups(1), at(1)).await.expect("creates");
        assert_eq!((run.usage, run.cost, &run.plan), (SPENT, cost, &plan));
        let tokens = stores.claim(run.sid, 2).await;
        stores.finish(own, run.sid, 0, tokens[&0], &success(gid)).await;
        let run = stores.look(own, run.sid).await;
        assert_eq!((run.usage, run.cost), (TWICE, sum));
    }
}

/// The state of a run is never success when a group failed.
pub async fn the_state_tells_how_groups_ended(stores: &RunStores, own: &Scope, _other: &Scope) {
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

/// A worker that lost its lease is refused, and a group has one outcome.
pub async fn a_late_writer_is_refused(stores: &RunStores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 2).await;
    let first = stores.claim(run.sid, 2).await;
    let second = stores.claim(run.sid, 200).await;
    let group = GroupId { sid: run.sid, index: 0 };
    let late = stores.groups.finish_group(own, group, first[&0], &success("late"), at(201)).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    let told = (&error(ErrorClass::Model), PAID);
    let late = stores.groups.record_failed_attempt(own, group, first[&0], told, false).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    stores.finish(own, run.sid, 0, second[&0], &success("g")).await;
    let again = stores.groups.finish_group(own, group, second[&0], &success("h"), at(202)).await;
    assert!(matches!(again, Err(StoreError::Stale)));
    let nowhere = GroupId { sid: run.sid, index: 7 };
    let none = stores.groups.finish_group(own, nowhere, 1, &success("h"), at(203)).await;
    assert!(matches!(none, Err(StoreError::Stale)));
    let run = stores.look(own, run.sid).await;
    assert_eq!((run.successful, run.failed, run.usage), (1, 0, SPENT));
    assert_eq!(stores.responses.count_responses(own, &agent_id(own), None).await.expect("counts"), 1);
}

/// The usage of a failed attempt is counted, and its error is visible while the group is open.
pub async fn failed_attempts_are_counted(stores: &RunStores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 1).await;
    let group = GroupId { sid: run.sid, index: 0 };
    let token = stores.claim(run.sid, 2).await[&0];
    let told = error(ErrorClass::Model);
    stores.groups.record_failed_attempt(own, group, token, (&told, PAID), false).await.expect("notes");
    let running = stores.groups.statuses(own, run.sid, 0, 9, at(3)).await.expect("lists");
    assert_eq!((running[0].state, running[0].attempts, running[0].usage), (GroupState::Running, 1, SPENT));
    let key = jobs_core::JobKey { queue: QUEUE, owner: run.sid.0.to_string(), position: 0 };
    stores.jobs.requeue(&key, token, at(50), true).await.expect("gives back");
    let waiting = stores.groups.statuses(own, run.sid, 0, 9, at(3)).await.expect("lists");
    assert_eq!((waiting[0].state, waiting[0].attempts), (GroupState::Queued, 1));
    assert_eq!((&waiting[0].error, waiting[0].sequence), (&Some(told), None));
    assert_eq!(waiting[0].documents, groups(1)[0]);
    let token = stores.claim(run.sid, 60).await[&0];
    stores.finish(own, run.sid, 0, token, &GroupOutcome { attempts: 2, ..success("g") }).await;
    let done = stores.groups.statuses(own, run.sid, 0, 9, at(61)).await.expect("lists");
    assert_eq!((done[0].state, done[0].attempts, &done[0].error), (GroupState::Succeeded, 2, &None));
    assert_eq!((done[0].usage, stores.look(own, run.sid).await.usage), (TWICE, TWICE));
}

/// Closing a run ends its open groups: the waiting ones, or all.
pub async fn closing_ends_the_open_groups(stores: &RunStores, own: &Scope, _other: &Scope) {
    let budget = error(ErrorClass::Budget);
    let run = stores.run(own, 4).await;
    let tokens = stores.claim(run.sid, 2).await;
    stores.finish(own, run.sid, 1, tokens[&1], &success("g")).await;
    for index in [2, 3] {
        let key = jobs_core::JobKey { queue: QUEUE, owner: run.sid.0.to_string(), position: index };
        stores.jobs.requeue(&key, tokens[&index], at(1), false).await.expect("gives back");
    }
    for index in [0, 2] {
        let group = GroupId { sid: run.sid, index };
        let answer = SavedAnswer { usage: SPENT, cost: Some(Cost(5)), ..SavedAnswer::default() };
        stores.answers.save_answer(own, group, "call", &answer).await.expect("keeps");
    }
    let closed = stores.runs.close(own, run.sid, &budget, false, at(5)).await.expect("closes");
    for (index, kept) in [(0, true), (2, false)] {
        let call =
            stores.answers.find_answer(own, GroupId { sid: run.sid, index }, "call").await.expect("finds");
        assert_eq!(call.is_some(), kept, "what is left to its worker keeps its calls");
    }
    assert_eq!((closed.state, closed.failed, &closed.stop), (RunState::Running, 2, &Some(budget.clone())));
    assert_eq!(
        (closed.usage, closed.cost),
        (TWICE, Some(Cost(10))),
        "the answer of the closed group is counted"
    );
    let again = stores.runs.close(own, run.sid, &error(ErrorClass::Cancelled), false, at(5)).await;
    assert_eq!(again.expect("closes").stop, Some(budget.clone()), "the first reason stays");
    stores.finish(own, run.sid, 0, tokens[&0], &success("h")).await;
    let ended = stores.look(own, run.sid).await;
    assert_eq!((ended.state, ended.successful, ended.failed), (RunState::Stopped, 2, 2));
    let finished = stores.groups.finished(own, run.sid, 2, 9).await.expect("lists");
    assert_eq!(finished[0].failures, fail_all(&groups(4)[2], &budget));
    let over = stores.runs.close(own, run.sid, &budget, true, at(6)).await;
    assert!(matches!(over, Err(StoreError::Stale)));

    let run = stores.run(own, 2).await;
    let tokens = stores.claim(run.sid, 2).await;
    let cancelled = error(ErrorClass::Cancelled);
    let closed = stores.runs.close(own, run.sid, &cancelled, true, at(5)).await.expect("closes");
    assert_eq!((closed.state, closed.failed, closed.finished), (RunState::Cancelled, 2, Some(at(5))));
    let late = GroupId { sid: run.sid, index: 0 };
    let late = stores.groups.finish_group(own, late, tokens[&0], &success("late"), at(6)).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    let none = stores.runs.close(own, RunId(i64::MAX), &cancelled, true, at(5)).await;
    assert!(matches!(none, Err(StoreError::Missing("run"))));
}

/// Failed groups are reopened, and no others; events continue to be counted.
pub async fn failed_groups_are_reopened(stores: &RunStores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 3).await;
    let tokens = stores.claim(run.sid, 2).await;
    for (index, outcome) in [(2, failure()), (0, success("g")), (1, failure())] {
        stores.finish(own, run.sid, index, tokens[&index], &outcome).await;
    }
    let order = |events: Vec<crate::GroupStatus>| -> Vec<(u32, Option<u64>)> {
        events.iter().map(|event| (event.index, event.sequence)).collect()
    };
    let events = stores.groups.events(own, run.sid, 0, 9).await.expect("lists");
    assert_eq!(order(events), [(2, Some(1)), (0, Some(2)), (1, Some(3))]);
    let events = stores.groups.events(own, run.sid, 1, 1).await.expect("lists");
    assert_eq!((events[0].index, events[0].state), (0, GroupState::Succeeded));
    let (reopened, count) = stores.runs.reopen(own, run.sid, at(8)).await.expect("reopens");
    assert_eq!((reopened.state, reopened.failed, reopened.finished, count), (RunState::Running, 0, None, 2));
    assert_eq!(stores.groups.first_open(own, run.sid, 0).await.expect("asks"), 1);
    let tokens = stores.claim(run.sid, 9).await;
    assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), [1, 2]);
    for index in [1, 2] {
        stores.finish(own, run.sid, index, tokens[&index], &success(&format!("again {index}"))).await;
    }
    assert_eq!(stores.look(own, run.sid).await.state, RunState::Succeeded);
    let events = stores.groups.events(own, run.sid, 3, 9).await.expect("lists");
    assert_eq!(order(events), [(1, Some(4)), (2, Some(5))]);
    let (_, count) = stores.runs.reopen(own, run.sid, at(9)).await.expect("reopens");
    assert_eq!(count, 0);
    let closed = stores.run(own, 2).await;
    let before = stores.claim(closed.sid, 2).await;
    stores.runs.close(own, closed.sid, &error(ErrorClass::Budget), true, at(5)).await.expect("closes");
    let (reopened, count) = stores.runs.reopen(own, closed.sid, at(9)).await.expect("reopens");
    assert_eq!((reopened.stop, count), (None, 2));
    let after = stores.claim(closed.sid, 9).await;
    assert!(after[&0] > before[&0], "who worked on it before has lost it");
    let late = GroupId { sid: closed.sid, index: 0 };
    let late = stores.groups.finish_group(own, late, before[&0], &success("late"), at(10)).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    let none = stores.runs.reopen(own, RunId(i64::MAX), at(9)).await;
    assert!(matches!(none, Err(StoreError::Missing("run"))));
}
