//! Webhooks put together: the store, the guarded sender, and the work on the queue.

use std::sync::Arc;

use anyhow::Context as _;
use async_trait::async_trait;
use jobs_core::{Dispatcher, Jobs};
use providers_http::{GuardedSender, Resolver, SystemResolver};
use shared_core::{Clock, IdSource};
use store_diesel::{Database, DieselJobs, DieselWebhooks};
use tokio::runtime::Handle;
use webhooks_core::{Answer, Message, QUEUE, SendError, WebhookPorts, WebhookSender, WebhooksService};

use crate::background::{self, Places, QueueWork};
use crate::settings::{Settings, Switch};

/// Messages on their way at the same time: of the server, of a webhook, and of a workspace.
const PLACES: Places = Places { total: 32, per_owner: 4, per_workspace: 8 };

/// What is told where nothing is sent.
const OFF: &str = "nothing is sent to the web, because the setting fetch.web is off";

/// Sends nothing.
#[derive(Clone, Copy, Debug)]
struct NoSender;

#[async_trait]
impl WebhookSender for NoSender {
    fn check(&self, _: &str) -> Result<(), String> {
        Err(OFF.to_owned())
    }

    async fn send(&self, _: &Message) -> Result<Answer, SendError> {
        Err(SendError { message: OFF.to_owned(), source: None })
    }
}

/// The service and the link to its dispatcher.
pub(crate) fn service(
    settings: &Settings,
    database: &Database,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
) -> anyhow::Result<(WebhooksService, Jobs)> {
    let sender: Arc<dyn WebhookSender> = if settings.fetch.web == Switch::Off {
        Arc::new(NoSender)
    } else {
        let of_fetcher = settings.fetch.fetcher(&settings.data_dir).map_err(anyhow::Error::msg)?;
        let resolver: Arc<dyn Resolver> = Arc::new(SystemResolver);
        let sender = GuardedSender::new(&of_fetcher, &resolver, Arc::clone(&clock));
        Arc::new(sender.context("webhooks cannot be sent to")?)
    };
    let jobs = Jobs::default();
    let webhooks = Arc::new(DieselWebhooks::new(database.clone()));
    let service = WebhooksService::new(WebhookPorts { webhooks, sender, jobs: jobs.clone(), clock, ids });
    Ok((service, jobs))
}

/// What works on the queue.
pub(crate) fn dispatcher(
    (service, jobs): (&WebhooksService, &Jobs),
    database: &Database,
    (clock, ids, background): (Arc<dyn Clock>, Arc<dyn IdSource>, Handle),
    lease: u32,
    alone: bool,
) -> Dispatcher {
    background::dispatcher(QueueWork {
        name: QUEUE,
        queue: Arc::new(DieselJobs::new(database.clone())),
        handler: service.worker(|error| tracing::error!(%error, "the work on webhooks waits for the store")),
        jobs: jobs.clone(),
        clock,
        ids,
        background,
        places: PLACES,
        lease,
        alone,
    })
}
