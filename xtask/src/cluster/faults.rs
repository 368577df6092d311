//! The faults: drawn from a seed, applied one after the other, and healed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use testkit::vendor::split_mix;

use super::engines::Engines;
use super::node::Node;

/// Kinds of faults that are drawn.
const KINDS: u64 = 7;

/// What fails.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// A server is killed (SIGKILL) and started again.
    Kill(usize),
    /// A server is stopped (SIGTERM) and started again.
    Restart(usize),
    /// A server is stopped and its successor starts, of this program.
    Upgrade(usize, PathBuf),
    /// PostgreSQL ends all connections and starts again.
    DatabaseRestart,
    /// PostgreSQL does not answer.
    DatabaseFreeze,
    /// The network between a server and PostgreSQL holds back all bytes.
    Partition(usize),
    /// The network between a server and PostgreSQL ends all connections.
    Disconnection(usize),
    /// The bucket answers with 503.
    BucketOutage,
}

/// The faults so far.
#[derive(Debug)]
pub(super) struct Faults {
    seed: u64,
    began: Instant,
    counts: BTreeMap<&'static str, usize>,
    interruptions: usize,
}

impl Fault {
    fn name(&self) -> &'static str {
        match self {
            Self::Kill(_) => "server killed",
            Self::Restart(_) => "server restarted",
            Self::Upgrade(..) => "server upgraded",
            Self::DatabaseRestart => "PostgreSQL restarted",
            Self::DatabaseFreeze => "PostgreSQL frozen",
            Self::Partition(_) => "server partitioned from PostgreSQL",
            Self::Disconnection(_) => "server disconnected from PostgreSQL",
            Self::BucketOutage => "bucket answers 503",
        }
    }

    /// The servers whose calls in flight may have to be paid again.
    fn interrupted_servers(&self, servers: usize) -> usize {
        match self {
            Self::Kill(_) | Self::Partition(_) | Self::Disconnection(_) => 1,
            // The drain keeps the answers of calls in flight, and the bucket has only documents.
            Self::Restart(_) | Self::Upgrade(..) | Self::BucketOutage => 0,
            Self::DatabaseRestart | Self::DatabaseFreeze => servers,
        }
    }
}

impl Faults {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, began: Instant::now(), counts: BTreeMap::new(), interruptions: 0 }
    }

    /// A number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.seed = split_mix(self.seed);
        self.seed % end
    }

    /// A duration between `least` and `least + more` milliseconds.
    fn duration(&mut self, least: u64, more: u64) -> Duration {
        Duration::from_millis(least + self.below(more))
    }

    /// The next fault.
    pub(super) fn draw(&mut self, servers: usize) -> Fault {
        let server = usize::try_from(self.below(servers as u64)).unwrap_or_default();
        match self.below(KINDS) {
            0 => Fault::Kill(server),
            1 => Fault::Restart(server),
            2 => Fault::DatabaseRestart,
            3 => Fault::DatabaseFreeze,
            4 => Fault::Partition(server),
            5 => Fault::Disconnection(server),
            _ => Fault::BucketOutage,
        }
    }

    /// Applies a fault, waits, heals it and waits again.
    pub(super) async fn apply(
        &mut self,
        fault: Fault,
        nodes: &mut [Node],
        engines: &mut Engines,
    ) -> anyhow::Result<()> {
        let lasts = self.duration(1_000, 7_000);
        println!(
            "{:>6.1} s  {} {fault:?} for {:.1} s",
            self.began.elapsed().as_secs_f64(),
            fault.name(),
            lasts.as_secs_f64()
        );
        *self.counts.entry(fault.name()).or_default() += 1;
        self.interruptions += fault.interrupted_servers(nodes.len());
        self.begin(&fault, nodes, engines).await?;
        tokio::time::sleep(lasts).await;
        end(&fault, nodes, engines).await?;
        tokio::time::sleep(self.duration(500, 3_000)).await;
        Ok(())
    }

    async fn begin(
        &mut self,
        fault: &Fault,
        nodes: &mut [Node],
        engines: &mut Engines,
    ) -> anyhow::Result<()> {
        match fault {
            Fault::Kill(number) => nodes.get_mut(*number).into_iter().for_each(Node::kill),
            Fault::Restart(number) | Fault::Upgrade(number, _) => {
                if let Some(node) = nodes.get_mut(*number) {
                    node.stop().await?;
                }
            }
            Fault::DatabaseRestart => engines.postgres.restart()?,
            Fault::DatabaseFreeze => engines.postgres.pause()?,
            Fault::Partition(number) => {
                engines.proxies.get(*number).into_iter().for_each(|proxy| proxy.hold())
            }
            Fault::Disconnection(number) => {
                engines.proxies.get(*number).into_iter().for_each(|proxy| proxy.refuse())
            }
            Fault::BucketOutage => engines.balancer.serve_bucket(false)?,
        }
        Ok(())
    }

    /// The number of faults.
    pub(super) fn count(&self) -> usize {
        self.counts.values().sum()
    }

    /// How many model calls may have been lost before their answers were stored, when each server had at most
    /// `concurrency` in flight.
    pub(super) fn interrupted_calls(&self, concurrency: usize) -> usize {
        self.interruptions * concurrency
    }

    /// The faults by kind.
    pub(super) fn summary(&self) -> String {
        let kinds: Vec<String> =
            self.counts.iter().map(|(name, count)| format!("{count} × {name}")).collect();
        kinds.join(", ")
    }
}

async fn end(fault: &Fault, nodes: &mut [Node], engines: &Engines) -> anyhow::Result<()> {
    match fault {
        Fault::Kill(_) | Fault::Restart(_) | Fault::DatabaseRestart => {}
        Fault::Upgrade(number, program) => {
            if let Some(node) = nodes.get_mut(*number) {
                node.program.clone_from(program);
            }
        }
        Fault::DatabaseFreeze => engines.postgres.resume()?,
        Fault::Partition(number) | Fault::Disconnection(number) => {
            engines.proxies.get(*number).into_iter().for_each(|proxy| proxy.resume());
        }
        Fault::BucketOutage => engines.balancer.serve_bucket(true)?,
    }
    // Also a server that ended by itself: a supervisor would start it again.
    for node in nodes {
        node.start().await?;
    }
    Ok(())
}
