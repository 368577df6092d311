//! The conformance suite of the port, for those who implement it.

use gen_core::Usage;
use indexmap::IndexMap;
use serde_json::json;
use shared_core::{Scope, StoreError, Timestamp};

use crate::{
    DocumentFailure, DocumentRef, GroupOutcome, ItemError, Response, ResponseCursor, RunId, RunPlan,
    RunRepository, RunState,
};

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
        key: Some("key_1".into()),
    }
}

fn groups(count: usize) -> Vec<Vec<DocumentRef>> {
    (0..count).map(|n| vec![DocumentRef { description: "d\u{0}".into(), url: n.to_string() }]).collect()
}

fn success(gid: &str) -> GroupOutcome {
    let record = json!({"zebra": null, "apple": 1.5, "odd": "\u{0}"});
    let response = Response {
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
    };
    let usage = Usage { input_tokens: 3, output_tokens: 2, cached_tokens: 1, ..Usage::default() };
    GroupOutcome { response: Some(response), failures: Vec::new(), usage }
}

fn failure() -> GroupOutcome {
    let document = DocumentRef { description: String::new(), url: "1".into() };
    let error = ItemError { code: "x".into(), message: "y".into() };
    GroupOutcome {
        response: None,
        failures: vec![DocumentFailure { document, error }],
        usage: Usage::default(),
    }
}

/// A run is stored with its groups, counts their outcomes, and is finished by the last one.
pub async fn counts_outcomes_and_finishes(store: &dyn RunRepository, own: &Scope, _other: &Scope) {
    let run = store.create(own, &plan(own), &groups(3), at(1)).await.expect("creates");
    assert_eq!((run.total, run.state, run.plan.clone()), (3, RunState::Running, plan(own)));
    let queued = store.queued(own, run.sid, 0, 9).await.expect("lists");
    assert_eq!(queued.iter().map(|group| group.documents.clone()).collect::<Vec<_>>(), groups(3));
    store.finish_group(own, run.sid, 2, &success("g2"), at(2)).await.expect("finishes");
    store.finish_group(own, run.sid, 0, &failure(), at(3)).await.expect("finishes");
    assert_eq!(store.queued(own, run.sid, 0, 9).await.expect("lists")[0].index, 1);
    assert_eq!(store.unfinished().await.expect("lists").len(), 1);
    store.finish_group(own, run.sid, 1, &success("g1"), at(4)).await.expect("finishes");
    let run = store.find(own, &agent_id(own), run.sid).await.expect("finds").expect("is there");
    assert_eq!(
        (run.successful, run.failed, run.state, run.finished),
        (2, 1, RunState::Finished, Some(at(4)))
    );
    assert_eq!(run.usage, Usage { input_tokens: 6, output_tokens: 4, cached_tokens: 2, ..Usage::default() });
    assert_eq!(store.unfinished().await.expect("lists").len(), 0);
    let finished = store.finished(own, run.sid, 1, 9).await.expect("lists");
    assert_eq!(finished.iter().map(|group| group.index).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(finished[1].outcome, success("g2"));
    assert_eq!(store.finished(own, run.sid, 0, 1).await.expect("lists")[0].outcome, failure());
}

/// A group has one outcome; a second is refused and changes nothing.
pub async fn a_group_is_finished_once(store: &dyn RunRepository, own: &Scope, _other: &Scope) {
    let run = store.create(own, &plan(own), &groups(2), at(1)).await.expect("creates");
    store.finish_group(own, run.sid, 0, &success("g"), at(2)).await.expect("finishes");
    let again = store.finish_group(own, run.sid, 0, &success("h"), at(3)).await;
    assert!(matches!(again, Err(StoreError::Stale)));
    assert!(matches!(
        store.finish_group(own, run.sid, 7, &success("h"), at(3)).await,
        Err(StoreError::Stale)
    ));
    let run = store.find(own, &agent_id(own), run.sid).await.expect("finds").expect("is there");
    assert_eq!((run.successful, run.failed), (1, 0));
}

/// Responses come by run, newest first, and by group in order, with or without a cursor.
pub async fn responses_come_in_order(store: &dyn RunRepository, own: &Scope, _other: &Scope) {
    let mut sids = Vec::new();
    for run in 0..2 {
        let stored = store.create(own, &plan(own), &groups(3), at(run)).await.expect("creates");
        for index in [2, 0, 1] {
            let outcome = if index == 1 { failure() } else { success(&format!("{run}-{index}")) };
            store.finish_group(own, stored.sid, index, &outcome, at(9)).await.expect("finishes");
        }
        sids.push(stored.sid);
    }
    let agent = agent_id(own);
    let all = store.responses(own, &agent, None, None, 9).await.expect("lists");
    let gids: Vec<&str> = all.iter().map(|one| one.response.gid.as_str()).collect();
    assert_eq!(gids, ["1-0", "1-2", "0-0", "0-2"]);
    assert!(all[0].response.record.keys().eq(["zebra", "apple", "odd"]), "keys keep their order");
    let after = Some(ResponseCursor { sid: sids[1], index: 0 });
    let rest = store.responses(own, &agent, None, after, 2).await.expect("lists");
    assert_eq!(rest.iter().map(|one| one.response.gid.as_str()).collect::<Vec<_>>(), ["1-2", "0-0"]);
    let one = store.responses(own, &agent, Some(sids[0]), None, 9).await.expect("lists");
    assert_eq!(one.len(), 2);
    assert_eq!(store.count_responses(own, &agent, None).await.expect("counts"), 4);
    assert_eq!(store.count_responses(own, &agent, Some(sids[0])).await.expect("counts"), 2);
    assert_eq!(store.count_responses(own, "another", None).await.expect("counts"), 0);
}

/// Another workspace neither sees nor finishes a run.
pub async fn isolates_workspaces(store: &dyn RunRepository, own: &Scope, other: &Scope) {
    let run = store.create(own, &plan(own), &groups(1), at(1)).await.expect("creates");
    assert!(store.find(other, &agent_id(own), run.sid).await.expect("finds").is_none());
    assert!(store.find(own, "another", run.sid).await.expect("finds").is_none());
    assert!(store.find(own, &agent_id(own), RunId(i64::MAX)).await.expect("finds").is_none());
    assert!(store.queued(other, run.sid, 0, 9).await.expect("lists").is_empty());
    let foreign = store.finish_group(other, run.sid, 0, &success("g"), at(2)).await;
    assert!(matches!(foreign, Err(StoreError::Stale)));
    store.finish_group(own, run.sid, 0, &success("g"), at(2)).await.expect("finishes");
    assert!(store.finished(other, run.sid, 0, 9).await.expect("lists").is_empty());
    assert!(store.responses(other, &agent_id(own), None, None, 9).await.expect("lists").is_empty());
}

/// A run of thousands of groups is stored at once.
pub async fn many_groups_are_stored(store: &dyn RunRepository, own: &Scope, _other: &Scope) {
    let run = store.create(own, &plan(own), &groups(2_500), at(1)).await.expect("creates");
    let last = store.queued(own, run.sid, 2_499, 9).await.expect("lists");
    assert_eq!((last.len(), last[0].documents[0].url.as_str()), (1, "2499"));
}

/// Expands to the tests of a [`RunRepository`]. `$run` takes a name and a closure from
/// `(store, own scope, other scope)` to a future and runs it on a fresh store in which the agents
/// [`agent_id`] of both scopes exist.
#[macro_export]
macro_rules! run_repository_contract {
    ($run:ident) => {
        $crate::run_repository_contract!($run: counts_outcomes_and_finishes a_group_is_finished_once responses_come_in_order isolates_workspaces many_groups_are_stored);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| {
                Box::pin(async move { $crate::contract::$name(&*store, &own, &other).await })
            });
        })*
    };
}
