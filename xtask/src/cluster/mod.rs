//! `cargo xtask cluster`: three servers on one PostgreSQL and one bucket behind haproxy work through a batch, while
//! clients use all of them and parts of the cluster fail at random. No client may get a wrong answer, and at the end
//! everything that was acknowledged must be there once.

mod answers;
mod balancer;
mod checks;
mod clients;
mod engines;
mod faults;
mod node;
mod run;
mod workload;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};

pub(crate) use self::answers::Tally;
pub(crate) use self::clients::Clients;
pub(crate) use self::engines::Engines;
pub(crate) use self::node::{Node, Storage};
pub(crate) use self::run::BatchRun;
use crate::server::binary;
use crate::shell::{cargo, run as run_command};

use self::faults::{Fault, Faults};

/// Servers behind the balancer.
const SERVERS: usize = 3;
/// Groups of the batch unless told otherwise.
const GROUPS: usize = 3_000;
/// Latency of the vendor.
pub(crate) const LATENCY: Duration = Duration::from_millis(500);
/// Groups of the run that a server works on: few, so that the batch meets many faults.
const CONCURRENCY: usize = 8;
/// Duration of leases in seconds: a server that is away for longer loses its jobs.
const LEASE: u64 = 5;
/// Faults at least, also when the batch ends earlier.
const MIN_FAULTS: usize = 12;
/// The longest time of the batch with all its faults.
const PATIENCE: Duration = Duration::from_secs(1_200);

/// What the command line asks for.
#[derive(Clone, Debug)]
struct Options {
    groups: usize,
    seed: u64,
    /// The binary; the release build unless told otherwise.
    binary: Option<PathBuf>,
    /// An older binary that the servers are upgraded from.
    previous: Option<PathBuf>,
}

pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let options = parse(arguments)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(prove(&options))
}

fn parse(arguments: &[&str]) -> anyhow::Result<Options> {
    let mut options = Options { groups: GROUPS, seed: 1, binary: None, previous: None };
    let mut rest = arguments.iter();
    while let (Some(name), Some(value)) = (rest.next(), rest.next()) {
        match *name {
            "--groups" => options.groups = value.parse().context("--groups")?,
            "--seed" => options.seed = value.parse().context("--seed")?,
            "--binary" => options.binary = Some(std::fs::canonicalize(value).context("--binary")?),
            "--previous" => options.previous = Some(std::fs::canonicalize(value).context("--previous")?),
            _ => bail!("cargo xtask cluster [--groups N] [--seed S] [--binary PATH] [--previous PATH]"),
        }
    }
    Ok(options)
}

/// Builds the release binary.
pub(crate) fn built_binary() -> anyhow::Result<PathBuf> {
    run_command(&mut cargo(&["build", "--workspace", "--bins", "--release"]))?;
    binary()
}

async fn prove(options: &Options) -> anyhow::Result<()> {
    let program = options.binary.clone().map_or_else(built_binary, Ok)?;
    let first = options.previous.as_ref().unwrap_or(&program);
    // A version before buckets has the contents of files in a folder that all servers share.
    let storage = if node::knows_buckets(first)? { Storage::Bucket } else { Storage::Folder };
    let mut engines = Engines::start(SERVERS, LATENCY)?;
    let limits = [
        ("FORMWORK_LIMITS__RUN_CONCURRENCY", CONCURRENCY.to_string()),
        ("FORMWORK_LIMITS__LEASE_SECONDS", LEASE.to_string()),
        ("FORMWORK_LIMITS__DATABASE_SECONDS", "2".to_owned()),
    ];
    let mut nodes = engines.nodes(first, storage, &limits)?;
    for node in &mut nodes {
        node.start().await?;
    }
    let key = nodes.first().context("a server")?.first_key()?;
    let tally = Tally::default();
    let clients = Clients::new(&engines.balancer.url(), &key, tally.clone())?;
    let batch = BatchRun::start(&clients, &engines, options.groups).await?;
    println!("{} groups are in run {}; the faults begin (seed {})", options.groups, batch.sid, options.seed);
    let began = Instant::now();
    let work = workload::start_all(&clients, &batch);
    let mut faults = Faults::new(options.seed);
    if options.previous.is_some() {
        for number in 0..nodes.len() {
            faults.apply(Fault::Upgrade(number, program.clone()), &mut nodes, &mut engines).await?;
        }
    }
    while !batch.is_over(&clients).await? || faults.count() < MIN_FAULTS {
        ensure!(began.elapsed() < PATIENCE, "the batch is not over after {PATIENCE:?}: {tally:?}");
        let fault = faults.draw(nodes.len());
        faults.apply(fault, &mut nodes, &mut engines).await?;
    }
    let seconds = began.elapsed().as_secs_f64();
    let receipts = work.finish().await?;
    checks::check(&clients, &batch, &engines, &receipts).await?;
    checks::check_paid_calls(&engines, options.groups, faults.interrupted_calls(CONCURRENCY))?;
    for node in &mut nodes {
        node.stop().await?;
        node.check_log()?;
    }
    nodes.first().context("a server")?.check_data()?;
    println!("\nThe batch took {seconds:.0} s with {} faults: {}", faults.count(), faults.summary());
    println!("{}", tally.table());
    tally.ensure_right()
}
