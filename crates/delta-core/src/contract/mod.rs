//! The conformance suite of the port, for its implementations.

mod batches;
mod lookups;
mod outcomes;
mod reviews;

use std::sync::Arc;

use forms_core::SavedAnswer;
use gen_core::{Cost, Spend, Usage};
use indexmap::IndexMap;
use jobs_core::{Claim, JobQueue};
use serde_json::json;
use shared_core::{PageRequest, Position, Scope, StoreError, Timestamp};

pub use batches::{groups_wait_for_their_batch, the_job_of_batches_lives_as_long_as_its_run};
pub use lookups::{
    calls_are_kept_until_the_group_is_done, identical_work_is_found, isolates_workspaces,
    many_groups_are_stored, responses_come_in_order, runs_are_listed,
};
pub use outcomes::{
    a_late_writer_is_refused, a_run_begins_with_the_cost_of_its_classification, closing_ends_the_open_groups,
    counts_outcomes_and_ends, failed_attempts_are_counted, failed_groups_are_reopened,
    the_state_tells_how_groups_ended,
};

pub use reviews::{
    reviews_are_applied_to_responses, reviews_are_listed_by_confidence, reviews_are_listed_by_what_they_are,
    reviews_change_together_or_not_at_all, reviews_come_with_their_outcome,
};

use crate::review::ReviewRepository;
use crate::{
    BatchRepository, CallAnswerRepository, Classification, DocumentClass, DocumentFailure, DocumentRef,
    ErrorClass, GroupId, GroupOutcome, GroupRepository, GroupState, ItemError, QUEUE, Response,
    ResponseCursor, ResponseRepository, Run, RunForm, RunId, RunPlan, RunRepository, RunState, fail_all,
};

/// The port, and the queue in which it enqueues jobs.
#[derive(Clone, Debug)]
pub struct RunStores {
    /// Stores runs; their groups have a port of their own.
    pub runs: Arc<dyn RunRepository>,
    /// Groups of documents, with their outcomes.
    pub groups: Arc<dyn GroupRepository>,
    /// Reads the records of finished groups.
    pub responses: Arc<dyn ResponseRepository>,
    /// The model answers of open groups.
    pub answers: Arc<dyn CallAnswerRepository>,
    /// Calls that wait for batches.
    pub batches: Arc<dyn BatchRepository>,
    /// What people review.
    pub reviews: Arc<dyn ReviewRepository>,
    /// Their jobs.
    pub jobs: Arc<dyn JobQueue>,
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

/// The agent of the suite's runs; stores with foreign keys must create it first.
#[must_use]
pub fn agent_id(scope: &Scope) -> String {
    format!("agent-{}-runs", scope.workspace)
}

/// The plan of the suite's runs, of the agent [`agent_id`].
#[must_use]
pub fn plan(scope: &Scope) -> RunPlan {
    RunPlan {
        agent_id: agent_id(scope),
        namespace: "runs".into(),
        form_id: "form".into(),
        form_version: 1,
        model_id: "extractive@formwork".into(),
        instructions: "odd \u{0}\u{1f600}".into(),
        partial: false,
        fresh: true,
        review: None,
        evaluation_set: None,
        calibration: None,
        settings: crate::RunSettings::default(),
        classification: None,
        key: Some("key_1".into()),
    }
}

/// Documents of which every other one is meant in part.
fn groups(count: usize) -> Vec<Vec<DocumentRef>> {
    let document = |n: usize| DocumentRef {
        description: "d\u{0}".into(),
        pages: n.is_multiple_of(2).then(|| "1-3,7".parse().expect("pages")),
        unit: n.is_multiple_of(3).then_some(document::DocumentUnit::Row(2)),
        class: n.is_multiple_of(2).then(|| Box::new(class(n))),
        ..DocumentRef::new(n.to_string())
    };
    (0..count).map(|n| vec![document(n)]).collect()
}

fn class(n: usize) -> DocumentClass {
    DocumentClass {
        form: RunForm { form_id: format!("form{n}"), form_version: 3 },
        probability: 0.75,
        evidence: Vec::new(),
    }
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
        class: None,
        reviews: IndexMap::new(),
    }
}

/// The usage of one group of the suite, and of two.
const SPENT: Usage = Usage { input_tokens: 3, output_tokens: 2, cached_tokens: 1, reasoning_tokens: 1 };
const TWICE: Usage = Usage { input_tokens: 6, output_tokens: 4, cached_tokens: 2, reasoning_tokens: 2 };

const PAID: Spend = Spend { usage: SPENT, cost: Some(Cost(5)) };

fn success(gid: &str) -> GroupOutcome {
    GroupOutcome {
        result: Ok(response(gid)),
        failures: Vec::new(),
        usage: SPENT,
        cost: Some(Cost(5)),
        attempts: 1,
        fingerprint: Some(format!("print of {gid}")),
        reviews: Vec::new(),
    }
}

fn error(class: ErrorClass) -> ItemError {
    ItemError { class, code: "x\u{0}".into(), message: "y".into() }
}

fn failure() -> GroupOutcome {
    let document = DocumentRef::new("1");
    GroupOutcome {
        result: Err(error(ErrorClass::Parse)),
        failures: vec![DocumentFailure { document, error: error(ErrorClass::Parse) }],
        usage: Usage::default(),
        cost: Some(Cost(0)),
        attempts: 2,
        fingerprint: None,
        reviews: Vec::new(),
    }
}

impl RunStores {
    async fn run(&self, scope: &Scope, count: usize) -> Run {
        self.runs.create(scope, &plan(scope), &groups(count), at(1)).await.expect("creates")
    }

    /// Claims every ready group of the run; returns the fencing tokens by group.
    async fn claim(&self, sid: RunId, now: i64) -> std::collections::BTreeMap<u32, i64> {
        let claim = Claim {
            queue: QUEUE,
            worker: "suite",
            now: at(now),
            until: at(now + 100),
            count: 5_000,
            per_owner: 5_000,
            per_workspace: 5_000,
            owners: None,
        };
        let claimed = self.jobs.claim(&claim).await.expect("claims");
        let own = claimed.into_iter().filter(|job| job.job.key.owner == sid.0.to_string());
        own.map(|job| (job.job.key.position, job.token)).collect()
    }

    async fn finish(&self, scope: &Scope, sid: RunId, index: u32, token: i64, outcome: &GroupOutcome) {
        let group = GroupId { sid, index };
        self.groups.finish_group(scope, group, token, outcome, at(7)).await.expect("finishes");
    }

    async fn look(&self, scope: &Scope, sid: RunId) -> Run {
        self.runs.find(scope, &agent_id(scope), sid).await.expect("finds").expect("is there")
    }
}

/// Expands to the tests of a [`RunRepository`]. `$run` takes a name and a closure from
/// `(stores, own scope, other scope)` to a future and runs it on fresh stores in which the agents
/// [`agent_id`] of both scopes exist.
#[macro_export]
macro_rules! run_repository_contract {
    ($run:ident) => {
        $crate::run_repository_contract!($run: counts_outcomes_and_ends a_run_begins_with_the_cost_of_its_classification the_state_tells_how_groups_ended a_late_writer_is_refused failed_attempts_are_counted closing_ends_the_open_groups failed_groups_are_reopened identical_work_is_found calls_are_kept_until_the_group_is_done responses_come_in_order runs_are_listed isolates_workspaces many_groups_are_stored reviews_come_with_their_outcome reviews_are_applied_to_responses reviews_are_listed_by_what_they_are reviews_are_listed_by_confidence reviews_change_together_or_not_at_all groups_wait_for_their_batch the_job_of_batches_lives_as_long_as_its_run);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |stores, own, other| {
                Box::pin(async move { $crate::contract::$name(&stores, &own, &other).await })
            });
        })*
    };
}
