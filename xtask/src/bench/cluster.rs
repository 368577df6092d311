//! Benchmark: a batch on one, two and three servers over one PostgreSQL, creates on PostgreSQL, and how soon the work
//! of a killed server goes on.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;

use super::load::{Connection, Requests, measure, request};
use crate::cluster::{BatchRun, Clients, Engines, Node, Storage, Tally, built_binary};

/// Latency of the vendor: long, so that two processors can serve three servers, PostgreSQL, vendor and load.
const LATENCY: Duration = Duration::from_secs(2);
/// Groups of a run that a server works on at the same time: the default.
const CONCURRENCY: usize = 64;
/// Groups for each server and each of its permits.
const WAVES: usize = 10;
/// Interval between two looks at the run.
const INTERVAL: Duration = Duration::from_millis(100);
/// Seconds of a lease.
const LEASE: u64 = 5;
/// Connections and seconds of the measurement of creates.
const CREATES: (usize, f64) = (64, 5.0);
/// Agents whose notes are created.
const AGENTS: usize = 16;

/// Prints the tables.
pub(super) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let program = built_binary()?;
    runtime.block_on(async {
        throughput(&program).await?;
        recovery(&program).await?;
        creates(&program).await
    })
}

/// Servers that run, and who asks them.
struct Cluster {
    engines: Engines,
    nodes: Vec<Node>,
    clients: Clients,
}

impl Cluster {
    async fn start(program: &Path, servers: usize, latency: Duration) -> anyhow::Result<Self> {
        let engines = Engines::start(servers, latency)?;
        let lease = [("FORMWORK_LIMITS__LEASE_SECONDS", LEASE.to_string())];
        let mut nodes = engines.nodes(program, Storage::Folder, &lease)?;
        for node in &mut nodes {
            node.start().await?;
        }
        let key = nodes.first().context("a server")?.first_key()?;
        let clients = Clients::new(&engines.balancer.url(), &key, Tally::default())?;
        Ok(Self { engines, nodes, clients })
    }

    fn cpu_seconds(&self) -> anyhow::Result<f64> {
        self.nodes.iter().map(Node::cpu_seconds).sum()
    }

    /// Waits for the end of the run.
    async fn finish(&self, batch: &BatchRun) -> anyhow::Result<()> {
        while !batch.is_over(&self.clients).await? {
            tokio::time::sleep(INTERVAL).await;
        }
        let run = batch.look(&self.clients).await?;
        anyhow::ensure!(run["successful"] == batch.groups, "the run ended as {run}");
        Ok(())
    }
}

async fn throughput(program: &Path) -> anyhow::Result<()> {
    println!(
        "{WAVES} × {CONCURRENCY} groups for each server, a vendor of {LATENCY:?} to {:?}, documents in a shared folder\n",
        LATENCY + LATENCY / 5
    );
    println!(
        "| servers | groups | seconds | groups/s | ratio | CPU ms a group: servers | PostgreSQL | calls |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut single = None;
    for servers in 1..=3 {
        let cluster = Cluster::start(program, servers, LATENCY).await?;
        let groups = WAVES * CONCURRENCY * servers;
        let cpu = (cluster.cpu_seconds()?, cluster.engines.postgres_cpu_seconds()?);
        let batch = BatchRun::start(&cluster.clients, &cluster.engines, groups).await?;
        let began = Instant::now();
        cluster.finish(&batch).await?;
        let seconds = began.elapsed().as_secs_f64();
        let rate = groups as f64 / seconds;
        let ratio = rate / *single.get_or_insert(rate);
        let a_group = |after: f64, before: f64| (after - before) * 1e3 / groups as f64;
        println!(
            "| {servers} | {groups} | {seconds:.1} | {rate:.1} | {ratio:.2} | {:.2} | {:.2} | {} |",
            a_group(cluster.cpu_seconds()?, cpu.0),
            a_group(cluster.engines.postgres_cpu_seconds()?, cpu.1),
            cluster.engines.vendor.calls()
        );
    }
    Ok(())
}

/// Both servers work on all groups when one is killed; the other takes over when the leases end.
async fn recovery(program: &Path) -> anyhow::Result<()> {
    let mut cluster = Cluster::start(program, 2, LATENCY).await?;
    let batch = BatchRun::start(&cluster.clients, &cluster.engines, 2 * CONCURRENCY).await?;
    cluster.engines.vendor.until_called(2 * CONCURRENCY as u64).await;
    let killed = Instant::now();
    cluster.nodes.last_mut().context("a server")?.kill();
    cluster.finish(&batch).await?;
    let seconds = (killed.elapsed() - LATENCY).as_secs_f64();
    println!(
        "\nA server that holds {CONCURRENCY} groups is killed: {seconds:.1} s later, without the time of the calls, the other \
         has ended them; leases last {LEASE} s. Calls: {}.",
        cluster.engines.vendor.calls()
    );
    Ok(())
}

/// Notes of one agent, whose number is one row that all creates change, and of several.
async fn creates(program: &Path) -> anyhow::Result<()> {
    let (connections, seconds) = CREATES;
    println!("\n{connections} connections create notes on one server, PostgreSQL without fsync\n");
    println!(
        "| agents | creates/s | p50 ms | p99 ms | CPU µs/create: server | PostgreSQL |\n|---|---|---|---|---|---|"
    );
    let cluster = Cluster::start(program, 1, LATENCY).await?;
    let node = cluster.nodes.first().context("a server")?;
    let (url, key) = (format!("http://127.0.0.1:{}", node.port), node.first_key()?);
    let mut connection = Connection::open(&url).await?;
    for number in 0..AGENTS {
        let agent = json!({"namespace": format!("notes-{number}")}).to_string();
        connection.exchange(&request("POST", "/v1/agent", &key, Some(&agent))).await?;
    }
    for agents in [1, AGENTS] {
        let bodies: Vec<Vec<u8>> = (0..agents).map(|number| create_note(&key, number)).collect();
        let creates: Requests = Arc::new(move |number| bodies[number % bodies.len()].clone());
        let before = cluster.engines.postgres_cpu_seconds()?;
        let figures = measure(&url, connections, seconds, &creates, || node.cpu_seconds()).await?;
        // The warm-up of half a second is in the figure of PostgreSQL.
        let counted = figures.count as f64 * (seconds + 0.5) / seconds;
        let postgres = (cluster.engines.postgres_cpu_seconds()? - before) * 1e6 / counted;
        println!("| {agents} | {} | {postgres:.0} |", figures.columns());
    }
    Ok(())
}

fn create_note(key: &str, agent: usize) -> Vec<u8> {
    let owner = format!("notes-{agent}");
    let note = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": owner});
    request("POST", "/v1/notes", key, Some(&note.to_string()))
}
