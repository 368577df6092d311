//! Builds webhooks: the store, the sender, and the dispatcher of the queue.

use std::sync::Arc;

use jobs_core::{Dispatcher, DispatcherHandle};
use shared_core::{Clock, Rng};
use store_diesel::{Database, DieselJobs, DieselWebhooks};
use tokio::runtime::Handle;
use webhooks_core::{QUEUE, WebhookPorts, WebhookSender, WebhooksService};

use crate::background::{self, JobConcurrency, QueueWork};
use crate::settings::LimitSettings;
use crate::shutdown::drain_time;

/// Maximum number of messages in flight: of the server, of a webhook, and of a workspace.
const PLACES: JobConcurrency = JobConcurrency { total: 32, per_owner: 4, per_workspace: 8 };

/// The service of webhooks over the database.
pub(crate) fn service(
    sender: Arc<dyn WebhookSender>,
    database: &Database,
    jobs: &DispatcherHandle,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Rng>,
) -> WebhooksService {
    let webhooks = Arc::new(DieselWebhooks::new(database.clone()));
    WebhooksService::new(WebhookPorts { webhooks, sender, jobs: jobs.clone(), clock, rng: ids })
}

/// The dispatcher of deliveries.
pub(crate) fn dispatcher(
    (service, jobs): (&WebhooksService, &DispatcherHandle),
    database: &Database,
    (clock, ids, background): (Arc<dyn Clock>, Arc<dyn Rng>, Handle),
    limits: &LimitSettings,
    alone: bool,
) -> Dispatcher {
    background::dispatcher(QueueWork {
        name: QUEUE,
        queue: Arc::new(DieselJobs::new(database.clone())),
        handler: service.worker(|error| tracing::error!(%error, "webhook delivery is waiting for the store")),
        jobs: jobs.clone(),
        clock,
        ids,
        background,
        places: PLACES,
        lease: limits.lease_seconds,
        drain: drain_time(limits),
        max_delay: webhooks_core::MAX_DELAY,
        alone,
    })
}
