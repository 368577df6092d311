//! The metrics of state: read from the database and the system when they are asked for.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use kb_core::IndexLag;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use shared_core::{StoreError, Timestamp};
use store_diesel::{DieselJobs, DieselRuns, JobBacklog};
use tokio::time::timeout;

use super::batches::register_batches;
use super::load::register_load;
use super::process::ProcessFigures;
use super::recorder::Metrics;
use crate::app::AppState;
use crate::folder_probe::free_space;
use crate::readiness::Part;

/// Time limit of what is read from the database. A database that hangs must not take the other metrics along.
const LIMIT: Duration = Duration::from_secs(2);

/// The queues of jobs.
const QUEUES: [&str; 3] = [delta_core::QUEUE, kb_core::QUEUE, webhooks_core::QUEUE];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct JobLabels {
    queue: String,
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct QueueLabels {
    queue: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PartLabels {
    part: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct FolderLabels {
    folder: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AccessLabels {
    access: &'static str,
}

/// Reads the state of a server.
#[derive(Clone, Debug)]
pub(super) struct StateReader {
    pub(super) state: AppState,
    pub(super) jobs: DieselJobs,
    pub(super) runs: DieselRuns,
    pub(super) metrics: Metrics,
    /// The folders whose free space is told, by name.
    pub(super) folders: Vec<(&'static str, PathBuf)>,
    pub(super) started: Timestamp,
}

impl StateReader {
    /// All metrics as text.
    pub(super) async fn text(&self) -> Result<String, fmt::Error> {
        let mut own = Registry::with_prefix("formwork");
        self.register_parts(&mut own).await;
        self.register_database(&mut own).await;
        register_load(&self.state, &mut own);
        self.register_disk(&mut own);
        let mut text = String::with_capacity(64 << 10);
        self.metrics.encode(&mut text)?;
        encode_registry(&mut text, &own)?;
        encode_registry(&mut text, &self.process())?;
        encode_eof(&mut text)?;
        Ok(text)
    }

    async fn register_parts(&self, registry: &mut Registry) {
        registry.register("build", "The program", Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]));
        let parts = Family::<PartLabels, Gauge>::default();
        let outages = self.state.readiness.outages().await;
        for part in [Part::Database, Part::Blobs, Part::SearchIndex, Part::Disk] {
            let is_up = !outages.iter().any(|outage| outage.part == part);
            parts.get_or_create(&PartLabels { part: part.id() }).set(i64::from(is_up));
        }
        registry.register("part_up", "Whether a part that requests need works, as /ready tells", parts);
    }

    async fn register_database(&self, registry: &mut Registry) {
        let lengths = Family::<AccessLabels, Gauge>::default();
        let (reads, writes) = self.state.database.queue_lengths();
        lengths.get_or_create(&AccessLabels { access: "read" }).set(signed(reads as u64));
        lengths.get_or_create(&AccessLabels { access: "write" }).set(signed(writes as u64));
        registry.register("database_queue", "Operations that wait for the database", lengths);
        let batches = timeout(LIMIT, self.runs.batch_backlog(self.state.clock.now())).await;
        match batches {
            Ok(Ok(batches)) => register_batches(registry, &batches),
            Ok(Err(error)) => tracing::warn!(%error, "the metrics lack the batches of providers"),
            Err(_) => tracing::warn!("the metrics lack the batches of providers: the database is slow"),
        }
        match self.backlog().await {
            Ok((jobs, lag)) => {
                register_jobs(registry, &jobs);
                let help = "Changes of knowledge bases that searches of this server do not see yet";
                registry.register("search_index_lag_changes", help, ConstGauge::new(lag.changes));
                let help =
                    "Age of the first change of knowledge bases that searches of this server do not see yet";
                registry.register_with_unit(
                    "search_index_lag",
                    help,
                    Unit::Seconds,
                    ConstGauge::new(lag.seconds),
                );
            }
            Err(error) => tracing::warn!(%error, "the metrics lack what the database knows"),
        }
    }

    /// The jobs, and how far the search index is behind.
    async fn backlog(&self) -> Result<(Vec<JobBacklog>, IndexLag), StoreError> {
        let late = |_| StoreError::Unavailable("it did not answer in time".into());
        let jobs = timeout(LIMIT, self.jobs.backlog(self.state.clock.now()));
        let jobs = jobs.await.map_err(late)??;
        let lag = timeout(LIMIT, self.state.knowledge_work.indexer.lag()).await.map_err(late)??;
        Ok((jobs, lag))
    }

    fn register_disk(&self, registry: &mut Registry) {
        let free = Family::<FolderLabels, Gauge>::default();
        for (folder, path) in &self.folders {
            if let Ok(bytes) = free_space(path) {
                free.get_or_create(&FolderLabels { folder }).set(signed(bytes));
            }
        }
        registry.register_with_unit(
            "disk_free",
            "Free space of the file system of a folder",
            Unit::Bytes,
            free,
        );
    }

    /// The metrics that any process has, under the names of Prometheus' own clients.
    fn process(&self) -> Registry {
        let mut registry = Registry::with_prefix("process");
        let figures = ProcessFigures::read();
        let help = "Processor time of all threads";
        registry.register_with_unit("cpu", help, Unit::Seconds, ConstCounter::new(figures.cpu_seconds));
        let started = self.started.micros() as f64 / 1e6;
        let help = "Start of the process, since 1970 (UTC)";
        registry.register_with_unit("start_time", help, Unit::Seconds, ConstGauge::new(started));
        if let Some(bytes) = figures.memory {
            let help = "Resident memory";
            registry.register_with_unit("resident_memory", help, Unit::Bytes, ConstGauge::new(signed(bytes)));
        }
        if let Some(files) = figures.open_files {
            registry.register("open_fds", "Open files and sockets", ConstGauge::new(signed(files)));
        }
        registry
    }
}

/// A queue without jobs is told too: a series that comes and goes cannot be watched.
fn register_jobs(registry: &mut Registry, found: &[JobBacklog]) {
    let backlog = QUEUES.map(|name| {
        let found = found.iter().find(|backlog| backlog.queue == name);
        found.cloned().unwrap_or_else(|| JobBacklog { queue: name.to_owned(), ..JobBacklog::default() })
    });
    let (jobs, ages) =
        (Family::<JobLabels, Gauge>::default(), Family::<QueueLabels, Gauge<f64, _>>::default());
    for queue in &backlog {
        let labels = |state| JobLabels { queue: queue.queue.clone(), state };
        jobs.get_or_create(&labels("running")).set(signed(queue.running));
        jobs.get_or_create(&labels("due")).set(signed(queue.due));
        jobs.get_or_create(&labels("delayed")).set(signed(queue.delayed));
        let age: &Gauge<f64, std::sync::atomic::AtomicU64> =
            &ages.get_or_create(&QueueLabels { queue: queue.queue.clone() });
        age.set(queue.oldest_seconds);
    }
    registry.register("jobs", "Jobs in the database by queue and state, of all servers", jobs);
    let help = "How long the job that is due for the longest time waits";
    registry.register_with_unit("job_wait", help, Unit::Seconds, ages);
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
