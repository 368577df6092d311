//! The dispatchers of the durable queues.

use std::sync::Arc;

use jobs_core::Dispatcher;
use store_diesel::DieselJobs;

use crate::app::AppState;
use crate::background::{self, JobConcurrency, QueueWork};
use crate::settings::Settings;
use crate::shared_services::ports;
use crate::shutdown::drain_time;
use crate::webhooks;

/// Runs whose batches are submitted or read at the same time. Each has its requests or results in memory. Chosen by hand;
/// no measurement is recorded.
const BATCHES_AT_ONCE: usize = 2;

/// The dispatcher of each queue. `alone` means that no other server uses the database.
#[must_use]
pub fn dispatchers(state: &AppState, settings: &Settings, alone: bool) -> Vec<Dispatcher> {
    let (clock, ids) = ports(&state.database);
    let limits = &settings.limits;
    let runs = background::dispatcher(QueueWork {
        name: delta_core::QUEUE,
        queue: Arc::new(DieselJobs::new(state.database.clone())),
        handler: state.runs.worker(|error| tracing::error!(%error, "run processing waits for the store")),
        jobs: state.jobs.clone(),
        clock: clock.clone(),
        ids: ids.clone(),
        background: state.background.clone(),
        places: JobConcurrency {
            total: limits.total_concurrency,
            per_owner: limits.run_concurrency,
            per_workspace: limits.workspace_concurrency,
        },
        lease: limits.lease_seconds,
        drain: drain_time(limits),
        max_delay: background::MAX_BATCH_DELAY,
        alone,
    });
    let batches = background::dispatcher(QueueWork {
        name: delta_core::BATCH_QUEUE,
        queue: Arc::new(DieselJobs::new(state.database.clone())),
        handler: state.runs.batch_worker(|error| tracing::error!(%error, "batches wait for the store")),
        jobs: state.batch_jobs.clone(),
        clock: clock.clone(),
        ids: ids.clone(),
        background: state.background.clone(),
        places: JobConcurrency { total: BATCHES_AT_ONCE, per_owner: 1, per_workspace: BATCHES_AT_ONCE },
        lease: limits.lease_seconds,
        drain: drain_time(limits),
        max_delay: background::MAX_BATCH_DELAY,
        alone,
    });
    let ports = (clock, ids, state.background.clone());
    let webhooks = (&state.webhooks, &state.webhook_jobs);
    let webhooks = webhooks::dispatcher(webhooks, &state.database, ports.clone(), limits, alone);
    vec![runs, batches, webhooks, state.knowledge_work.dispatcher(&state.knowledge, ports, settings, alone)]
}
