//! Runs where many work on one at the same time, where their agent goes, and in databases of older
//! versions. On both databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use std::collections::{BTreeMap, HashSet};

use agents_core::{Agent, AgentRepository as _};
use delta_core::{
    CallAnswerRepository as _, DocumentRef, ErrorClass, GroupId, GroupOutcome, GroupRepository as _,
    GroupState, ItemError, QUEUE, Run, RunPlan, RunRepository as _, RunState, fail_all,
};
use diesel::connection::SimpleConnection as _;
use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl as _};
use forms_core::SavedAnswer;
use futures_util::future::join_all;
use gen_core::Usage;
use jobs_core::{Claim, JobQueue as _};
use shared_core::{Scope, StoreError, Timestamp};
use store_diesel::{AnyConnection, Database, DieselAgents, DieselJobs, DieselRuns};

use common::{Kind, Throwaway, block_on, fresh, two_workspaces};

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap()
}

struct Bench {
    throwaway: Throwaway,
    own: Scope,
    runs: DieselRuns,
    jobs: DieselJobs,
}

impl Bench {
    fn database(&self) -> Database {
        self.throwaway.database.clone()
    }

    async fn run(&self, count: usize) -> Run {
        let plan = RunPlan {
            classification: None,
            agent_id: "agent".into(),
            namespace: "runs".into(),
            form_id: "form".into(),
            form_version: 1,
            model_id: "extractive@formwork".into(),
            instructions: String::new(),
            partial: false,
            fresh: false,
            review: None,
            evaluation_set: None,
            calibration: None,
            settings: delta_core::RunSettings::default(),
            key: None,
        };
        self.runs.create(&self.own, &plan, &vec![vec![document()]; count], at(1)).await.unwrap()
    }

    async fn claim(&self) -> BTreeMap<u32, i64> {
        let (now, until, count) = (at(2), at(1_000), 10_000);
        let (per_owner, per_workspace) = (count, count);
        let claim =
            Claim { queue: QUEUE, worker: "test", now, until, count, per_owner, per_workspace, owners: None };
        let claimed = self.jobs.claim(&claim).await.unwrap();
        claimed.into_iter().map(|job| (job.job.key.position, job.token)).collect()
    }

    async fn finish(&self, run: &Run, index: u32, token: i64) -> Result<(), StoreError> {
        let failed = GroupOutcome {
            result: Err(error(ErrorClass::Model)),
            failures: fail_all(&[document()], &error(ErrorClass::Model)),
            usage: Usage { input_tokens: 1, ..Usage::default() },
            cost: None,
            attempts: 1,
            fingerprint: None,
            reviews: Vec::new(),
        };
        self.runs.finish_group(&self.own, GroupId { sid: run.sid, index }, token, &failed, at(3)).await
    }

    async fn look(&self, run: &Run) -> Option<Run> {
        self.runs.find(&self.own, "agent", run.sid).await.unwrap()
    }
}

fn document() -> DocumentRef {
    DocumentRef::new("7")
}

fn error(class: ErrorClass) -> ItemError {
    ItemError { class, code: "code".into(), message: "words".into() }
}

async fn on_both(test: impl AsyncFn(Bench)) {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(throwaway) = fresh(kind) else { continue };
        let (own, _) = two_workspaces(&throwaway.database).await;
        let agent = Agent { id: "agent".into(), ..agents_core::contract::agent(&own, "runs", 1) };
        DieselAgents::new(throwaway.database.clone()).insert(&own, &agent).await.unwrap();
        let runs = DieselRuns::new(throwaway.database.clone());
        let jobs = DieselJobs::new(throwaway.database.clone());
        test(Bench { throwaway, own, runs, jobs }).await;
    }
}

#[test]
fn every_group_has_one_outcome_when_a_run_is_closed_while_others_finish_its_groups() {
    block_on(on_both(async |bench| {
        for held_too in [true, false] {
            let run = bench.run(120).await;
            let tokens = bench.claim().await;
            assert_eq!(tokens.len(), 120);
            let finish = async |index: u32| bench.finish(&run, index, tokens[&index]).await;
            let cancelled = error(ErrorClass::Cancelled);
            let (first, closed, last) = tokio::join!(
                join_all((0..60).map(finish)),
                bench.runs.close(&bench.own, run.sid, &cancelled, held_too, at(3)),
                join_all((60..120).map(finish)),
            );
            let stored = first.into_iter().chain(last).filter(|end| match end {
                Ok(()) => true,
                Err(StoreError::Stale) => false,
                Err(other) => panic!("{other}"),
            });
            let stored = u64::try_from(stored.count()).unwrap();
            let after = bench.look(&run).await.unwrap();
            // On PostgreSQL the last group may be finished before the run is closed.
            assert!(closed.is_ok() || matches!(closed, Err(StoreError::Stale)));
            assert_eq!((after.failed, after.usage.input_tokens), (120, stored));
            assert!(held_too || stored == 120, "what is held is left to its workers");
            assert_eq!(after.state == RunState::Cancelled, closed.is_ok(), "{:?}", after.state);
            let events = bench.runs.events(&bench.own, run.sid, 0, 1_000).await.unwrap();
            let numbers: HashSet<u64> = events.iter().filter_map(|event| event.sequence).collect();
            assert_eq!(numbers.len(), 120);
            assert!(numbers.iter().all(|number| *number <= after.sequence));
            assert!(bench.claim().await.is_empty());
        }
    }));
}

#[test]
fn who_follows_the_events_misses_none_while_many_finish_at_once() {
    block_on(on_both(async |bench| {
        let run = bench.run(150).await;
        let tokens = bench.claim().await;
        let follow = async {
            let (mut after, mut seen) = (0, Vec::new());
            while seen.len() < 150 {
                let events = bench.runs.events(&bench.own, run.sid, after, 9).await.unwrap();
                after = events.last().and_then(|event| event.sequence).unwrap_or(after);
                seen.extend(events.into_iter().map(|event| event.index));
                tokio::task::yield_now().await;
            }
            seen
        };
        let finish = join_all(tokens.iter().map(|(index, token)| bench.finish(&run, *index, *token)));
        let (seen, ends) = tokio::join!(follow, finish);
        assert!(ends.iter().all(Result::is_ok));
        assert_eq!(seen.iter().collect::<HashSet<_>>().len(), 150, "each once");
    }));
}

#[test]
fn with_its_agent_goes_a_run_with_all_it_has() {
    block_on(on_both(async |bench| {
        let run = bench.run(2).await;
        let tokens = bench.claim().await;
        let group = GroupId { sid: run.sid, index: 0 };
        bench.runs.save_answer(&bench.own, group, "call", &SavedAnswer::default()).await.unwrap();
        assert!(DieselAgents::new(bench.database()).delete(&bench.own, "runs").await.unwrap());
        assert!(bench.look(&run).await.is_none());
        assert!(bench.runs.find_answer(&bench.own, group, "call").await.unwrap().is_none());
        assert!(bench.runs.documents(&bench.own, group).await.unwrap().is_none());
        assert!(matches!(bench.finish(&run, 0, tokens[&0]).await, Err(StoreError::Stale)));
        bench.runs.save_answer(&bench.own, group, "call", &SavedAnswer::default()).await.unwrap();
        for (position, token) in tokens {
            let job = jobs_core::JobKey { queue: QUEUE, owner: run.sid.0.to_string(), position };
            bench.jobs.discard(&job, token).await.unwrap();
        }
    }));
}

/// A run of three groups that is done, and one that was interrupted, as the version before stored them.
const OLD_ROWS: &str = r#"
INSERT INTO runs (workspace, agent, author, plan, state, total, successful, failed, input_tokens, output_tokens,
  cached_tokens, created, finished)
VALUES ('own', 'agent', 'user-own', '{"agent_id":"agent","namespace":"runs","form_id":"form","form_version":1,"model_id":"extractive@formwork","instructions":"","partial":false}',
  'finished', 3, 2, 1, 6, 4, 2, 5, 9);
INSERT INTO runs (workspace, agent, author, plan, state, total, successful, failed, input_tokens, output_tokens,
  cached_tokens, created, finished)
VALUES ('own', 'agent', 'user-own', '{"agent_id":"agent","namespace":"runs","form_id":"form","form_version":1,"model_id":"extractive@formwork","instructions":"","partial":false}',
  'running', 2, 0, 1, 0, 0, 0, 6, NULL);
INSERT INTO run_groups (workspace, sid, position, documents, done, failures, token_usage)
SELECT 'own', sid, position, '[{"description":"","url":"7"}]', sid = first OR position = 0,
  CASE WHEN position = 1 OR sid > first
    THEN '[{"description":"","url":"7","error":{"code":"x","message":"y"}}]' ELSE '[]' END,
  '{"inputTokens":3,"outputTokens":2,"cachedTokens":1}'
FROM runs, (SELECT min(sid) AS first FROM runs) AS firsts, (SELECT 0 AS position UNION SELECT 1 UNION SELECT 2) AS places
WHERE position < total;
INSERT INTO responses (workspace, agent, sid, position, gid, content, created)
SELECT 'own', 'agent', min(sid), 0, 'resp_1', '{"gid":"resp_1","record":{"a":1},"evidence":{},"conflicts":[],"errors":[],"sources":[],"generation_duration":0.5,"scraping_duration":0.5,"total_duration":1.0,"created":"1970-01-01T00:00:00Z"}', 8 FROM runs;
INSERT INTO responses (workspace, agent, sid, position, gid, content, created)
SELECT workspace, agent, sid, 2, 'resp_2', content, created FROM responses;
"#;

fn down(kind: Kind) -> &'static str {
    match kind {
        Kind::Sqlite => include_str!("../../../migrations/sqlite/2026-11-21-000008_durable_runs/down.sql"),
        Kind::Postgres | Kind::PostgresOverTls | Kind::PgVector => {
            include_str!("../../../migrations/postgres/2026-11-21-000008_durable_runs/down.sql")
        }
    }
}

#[test]
fn runs_of_the_version_before_are_kept_and_go_on() {
    block_on(on_both(async |bench| {
        let kind = if bench.throwaway.url.starts_with("sqlite") { Kind::Sqlite } else { Kind::Postgres };
        let back = move |connection: &mut AnyConnection| {
            connection.batch_execute(down(kind))?;
            connection.batch_execute(OLD_ROWS)?;
            let forget = "DELETE FROM __diesel_schema_migrations WHERE version = '20261121000008'";
            Ok(connection.batch_execute(forget)?)
        };
        bench.database().write(back).await.unwrap();
        let applied = Database::migrate(&bench.throwaway.url).unwrap();
        assert_eq!(applied, ["20261121000008"]);

        let page = shared_core::PageRequest::first(9);
        let runs = bench.runs.list(&bench.own, "agent", None, &page).await.unwrap().items;
        let [running, done] = runs.as_slice() else { panic!("{} runs", runs.len()) };
        assert_eq!((done.state, done.sequence, done.usage.input_tokens), (RunState::PartlyFailed, 3, 6));
        let groups = bench.runs.finished(&bench.own, done.sid, 0, 9).await.unwrap();
        let told: Vec<(bool, usize)> =
            groups.iter().map(|group| (group.response.is_some(), group.failures.len())).collect();
        assert_eq!(told, [(true, 0), (false, 1), (true, 0)]);
        let states = bench.runs.statuses(&bench.own, done.sid, 0, 9, at(9)).await.unwrap();
        let states: Vec<GroupState> = states.iter().map(|group| group.state).collect();
        assert_eq!(states, [GroupState::Succeeded, GroupState::Failed, GroupState::Succeeded]);

        let tokens = bench.claim().await;
        assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), [1], "the open group is a job");
        bench.finish(running, 1, tokens[&1]).await.unwrap();
        let ended = bench.look(running).await.unwrap();
        assert_eq!((ended.state, ended.failed, ended.sequence), (RunState::Failed, 2, 3));
        let (reopened, count) = bench.runs.reopen(&bench.own, done.sid, at(10)).await.unwrap();
        assert_eq!((reopened.state, count), (RunState::Running, 1));
    }));
}

#[derive(Debug, QueryableByName)]
struct Step {
    #[diesel(sql_type = Text)]
    detail: String,
}

#[test]
fn events_and_identical_work_are_found_through_their_indexes() {
    let Some(throwaway) = fresh(Kind::Sqlite) else { return };
    let asked = [
        (
            "SELECT documents FROM run_groups WHERE workspace = 'w' AND sid = 1 AND sequence > 5 \
             ORDER BY sequence LIMIT 9",
            "run_groups_by_event (workspace=? AND sid=? AND sequence>?)",
        ),
        (
            "SELECT content FROM responses WHERE workspace = 'w' AND fingerprint = 'f' \
             ORDER BY created DESC LIMIT 1",
            "responses_by_fingerprint (workspace=? AND fingerprint=?)",
        ),
        (
            "SELECT position FROM jobs WHERE queue = 'delta' AND owner = '1' AND position >= 5 \
             AND workspace = 'w' ORDER BY position LIMIT 1",
            "sqlite_autoindex_jobs_1 (queue=? AND owner=? AND position>?)",
        ),
        (
            "DELETE FROM jobs WHERE queue = 'delta' AND owner = '1' AND position = 5 AND token = 1",
            "sqlite_autoindex_jobs_1 (queue=? AND owner=? AND position=?)",
        ),
    ];
    for (query, index) in asked {
        let plan = block_on(throwaway.database.read(move |connection| {
            let AnyConnection::Sqlite(inner) = connection else { panic!("SQLite") };
            Ok(diesel::sql_query(format!("EXPLAIN QUERY PLAN {query}")).load::<Step>(inner)?)
        }))
        .unwrap();
        assert!(plan.len() == 1 && plan[0].detail.contains(index), "{plan:?} without {index}");
    }
}
