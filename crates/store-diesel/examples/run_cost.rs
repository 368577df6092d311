//! Measures the cost of a run of many groups in the store: storing it, claiming and finishing its groups,
//! reading them, closing it, and the memory used afterwards.
//!
//! `cargo run --release -p store-diesel --example run_cost [groups] [database URL, empty]`
#![allow(clippy::print_stdout, reason = "an example speaks")]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use accounts_core::{AccountsService, NewWorkspace};
use agents_core::{Agent, AgentRepository as _};
use delta_core::{
    CallAnswerRepository as _, DocumentRef, GroupId, GroupOutcome, GroupRepository as _, ItemError, QUEUE,
    Response, RunPlan, RunRepository as _,
};
use forms_core::SavedAnswer;
use futures_util::StreamExt as _;
use futures_util::stream;
use gen_core::Usage;
use jobs_core::{Claim, JobQueue as _};
use shared_core::{Author, Clock as _, Revision, Scope, SeededRng, StoreError, SystemClock};
use store_diesel::{Database, DatabaseSettings, DieselAccounts, DieselAgents, DieselJobs, DieselRuns};

const AT_ONCE: usize = 64;

/// A response of about 2 KB, as of a form of twenty fields.
fn response(number: u32) -> Response {
    let field = |n: u32| {
        (
            format!("field_{n}"),
            serde_json::json!(format!("value {number} of the field {n} {}", "x".repeat(60))),
        )
    };
    Response {
        gid: format!("resp_{number}"),
        record: (0..20).map(field).collect(),
        evidence: Default::default(),
        conflicts: Vec::new(),
        errors: Vec::new(),
        sources: Vec::new(),
        generation_duration: 0.5,
        scraping_duration: 0.1,
        total_duration: 0.6,
        created: SystemClock.now(),
        reused_from: None,
        class: None,
        reviews: Default::default(),
    }
}

/// Resident and peak memory, if the system reports them.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let wanted = status.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM"));
    wanted.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}

/// Processor time of this process in seconds.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields =
        stat.rsplit_once(") ").map(|(_, rest)| rest.split(' ').collect::<Vec<_>>()).unwrap_or_default();
    let ticks = |n: usize| fields.get(n).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) / 100.0
}

struct Bench {
    scope: Scope,
    runs: DieselRuns,
    jobs: DieselJobs,
}

impl Bench {
    async fn finish(&self, group: GroupId, token: i64, kept: bool) -> Result<(), StoreError> {
        if kept {
            let answer = SavedAnswer { text: "y".repeat(1_500), ..SavedAnswer::default() };
            self.runs.save_answer(&self.scope, group, "0123456789abcdef0123456789abcdef", &answer).await?;
        }
        let outcome = GroupOutcome {
            result: Ok(response(group.index)),
            failures: Vec::new(),
            usage: Usage { input_tokens: 900, output_tokens: 150, ..Usage::default() },
            cost: None,
            attempts: 1,
            fingerprint: Some(format!("{:064x}", group.index)),
            reviews: Vec::new(),
        };
        self.runs.finish_group(&self.scope, group, token, &outcome, SystemClock.now()).await
    }

    async fn all(&self, plan: &RunPlan, count: u32) -> Result<(), Box<dyn Error>> {
        let document = |n: u32| vec![DocumentRef::new(n.to_string())];
        let groups: Vec<Vec<DocumentRef>> = (0..count).map(document).collect();
        for kept in [false, true] {
            let began = Instant::now();
            let run = self.runs.create(&self.scope, plan, &groups, SystemClock.now()).await?;
            println!("{count} groups stored in {:?}", began.elapsed());
            let (mut claiming, mut finishing, mut used) = (Duration::ZERO, Duration::ZERO, 0.0);
            let mut done = 0;
            while done < count {
                let began = Instant::now();
                let now = SystemClock.now();
                let claim = Claim {
                    queue: QUEUE,
                    worker: "a",
                    now,
                    until: now.plus_seconds(60),
                    count: 1_024,
                    per_owner: 1_024,
                    per_workspace: 1_024,
                    owners: None,
                };
                let claimed = self.jobs.claim(&claim).await?;
                claiming += began.elapsed();
                let (began, before) = (Instant::now(), processor());
                done += u32::try_from(claimed.len())?;
                let finish =
                    |(position, token)| self.finish(GroupId { sid: run.sid, index: position }, token, kept);
                let jobs = claimed.into_iter().map(|job| (job.job.key.position, job.token));
                let mut ends = stream::iter(jobs.map(finish)).buffer_unordered(AT_ONCE);
                while let Some(end) = ends.next().await {
                    end?;
                }
                finishing += began.elapsed();
                used += processor() - before;
            }
            println!(
                "kept calls: {kept}; claimed in {claiming:?}, finished in {finishing:?}: {:?} and {:.1} µs of processor a group; {}",
                finishing / count,
                used * 1e6 / f64::from(count),
                memory()
            );
            let began = Instant::now();
            let mut from = 0;
            while let Some(last) = self.runs.finished(&self.scope, run.sid, from, 64).await?.last() {
                from = last.index + 1;
            }
            println!("read in order in {:?}; {}", began.elapsed(), memory());
        }
        let run = self.runs.create(&self.scope, plan, &groups, SystemClock.now()).await?;
        let error = ItemError { class: Default::default(), code: "x".into(), message: "y".into() };
        let began = Instant::now();
        self.runs.close(&self.scope, run.sid, &error, true, SystemClock.now()).await?;
        let closed = began.elapsed();
        let began = Instant::now();
        self.runs.reopen(&self.scope, run.sid, SystemClock.now()).await?;
        println!("closed in {closed:?}, reopened in {:?}; {}", began.elapsed(), memory());
        Ok(())
    }
}

async fn measure(url: &str, count: u32) -> Result<(), Box<dyn Error>> {
    let database = Database::open(url, DatabaseSettings::default())?;
    let clock = Arc::new(SystemClock);
    let accounts = DieselAccounts::new(database.clone());
    let accounts = AccountsService::new(Arc::new(accounts), clock, Arc::new(SeededRng::new(1)));
    let first =
        NewWorkspace { workspace: "W".into(), user_name: "U".into(), user_email: "u@example.com".into() };
    let key = accounts.bootstrap(first).await?.ok_or(StoreError::Taken("workspace"))?.key;
    let scope = Scope { workspace: key.workspace, user: key.user };
    let created = SystemClock.now();
    let agent = Agent {
        id: "agent".into(),
        workspace: scope.workspace.clone(),
        author: Author { id: scope.user.clone(), name: String::new(), email: String::new() },
        namespace: "runs".into(),
        name: "runs".into(),
        description: String::new(),
        instructions: String::new(),
        model_id: None,
        form_id: None,
        form_version: None,
        forms: Vec::new(),
        knowledge: Vec::new(),
        tools: Vec::new(),
        review: None,
        revision: Revision::FIRST,
        created,
        updated: created,
    };
    DieselAgents::new(database.clone()).insert(&scope, &agent).await?;
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
    println!("at the start: {}", memory());
    let bench =
        Bench { scope, runs: DieselRuns::new(database.clone()), jobs: DieselJobs::new(database.clone()) };
    bench.all(&plan, count).await?;
    database.close();
    println!("closed: {}", memory());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = format!("sqlite://{}", folder.path().join("runs.db").display());
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().map_or(Ok(10_000), |text| text.parse())?;
    let url = arguments.next().unwrap_or(file);
    tokio::runtime::Builder::new_multi_thread().worker_threads(4).build()?.block_on(measure(&url, count))
}
