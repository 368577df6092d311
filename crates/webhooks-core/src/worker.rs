//! The handler of delivery jobs.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jobs_core::{ClaimedJob, JobHandler, JobOutcome, LeaseCell};
use shared_core::{StoreError, WorkspaceId};

use crate::sign::seconds;
use crate::{
    Attempt, DeliveryOutcome, ID_HEADER, MAX_ATTEMPTS, PendingDelivery, SIGNATURE_HEADER, TIMESTAMP_HEADER,
    WebhookId, WebhookMessage, WebhookPorts, WebhookResponse, WebhooksService, retry_delay,
};

/// The back-off after a failure of the store.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(5);
/// Interrupted attempts, as by crashes, before a delivery fails.
const MAX_INTERRUPTIONS: u32 = 20;
/// The status of a receiver that wants no more messages (Standard Webhooks specification).
const GONE: u16 = 410;

/// The handler of the queue [`QUEUE`](crate::QUEUE).
#[derive(Debug)]
struct WebhookWorker {
    ports: Arc<WebhookPorts>,
    on_store_error: fn(&StoreError),
}

/// What follows from an attempt.
enum DeliveryDecision {
    End(DeliveryOutcome),
    Retry { attempt: Attempt, after: Duration },
}

impl WebhooksService {
    /// The handler of the queue [`QUEUE`](crate::QUEUE); `trouble` is called with the store's failures.
    #[must_use]
    pub fn worker(&self, trouble: fn(&StoreError)) -> Arc<dyn JobHandler> {
        Arc::new(WebhookWorker::new(Arc::clone(&self.ports), trouble))
    }
}

impl WebhookWorker {
    fn new(ports: Arc<WebhookPorts>, on_store_error: fn(&StoreError)) -> Self {
        Self { ports, on_store_error }
    }

    async fn deliver(&self, job: &ClaimedJob, lease: &LeaseCell) -> Result<JobOutcome, StoreError> {
        let (workspace, key) = (&job.job.workspace, &job.job.key);
        let webhook = WebhookId(key.owner.clone());
        let found = self.ports.webhooks.find_pending(workspace, &webhook, key.position).await?;
        let Some(deliverable) = found else { return Ok(JobOutcome::OwnerGone) };
        match self.attempt(&deliverable, job).await {
            DeliveryDecision::End(outcome) => {
                self.ports
                    .webhooks
                    .finish_delivery(workspace, lease, &outcome, self.ports.clock.now())
                    .await?;
                Ok(JobOutcome::Ended)
            }
            DeliveryDecision::Retry { attempt, after } => {
                self.schedule_retry(workspace, lease, &attempt, after).await
            }
        }
    }

    async fn schedule_retry(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        attempt: &Attempt,
        after: Duration,
    ) -> Result<JobOutcome, StoreError> {
        self.ports.webhooks.record_attempt(workspace, lease, attempt).await?;
        Ok(JobOutcome::Retry { after, failed: true })
    }

    async fn attempt(&self, deliverable: &PendingDelivery, job: &ClaimedJob) -> DeliveryDecision {
        if let Some(why) = &deliverable.webhook.disabled {
            let error = Some(format!("the webhook is disabled: {why}"));
            return DeliveryDecision::End(DeliveryOutcome::Failed(Attempt { status: None, error }));
        }
        if job.interrupted > MAX_INTERRUPTIONS {
            let error =
                format!("it was given up after {} attempts that ended with the process", job.interrupted);
            return DeliveryDecision::End(DeliveryOutcome::Failed(Attempt {
                status: None,
                error: Some(error),
            }));
        }
        let sent = self.ports.sender.send(&self.message(deliverable)).await;
        let (attempt, asked) = match sent {
            Ok(WebhookResponse { status, .. }) if (200..300).contains(&status) => {
                return DeliveryDecision::End(DeliveryOutcome::Delivered(Attempt {
                    status: Some(status),
                    error: None,
                }));
            }
            Ok(WebhookResponse { status, retry_after }) => {
                let error = Some(format!("the receiver answered with status {status}"));
                (Attempt { status: Some(status), error }, retry_after)
            }
            Err(error) => (Attempt { status: None, error: Some(error.message) }, None),
        };
        if attempt.status == Some(GONE) {
            let why = format!("the receiver answered with status {GONE}, so it wants no more messages");
            return DeliveryDecision::End(DeliveryOutcome::Disabled(attempt, why));
        }
        let failed = job.attempts.saturating_add(1);
        match retry_delay(failed.min(MAX_ATTEMPTS), asked, self.random_jitter()) {
            Some(after) => DeliveryDecision::Retry { attempt, after },
            None => DeliveryDecision::End(DeliveryOutcome::Failed(attempt)),
        }
    }

    fn message(&self, PendingDelivery { webhook, delivery }: &PendingDelivery) -> WebhookMessage {
        let (id, now) = (delivery.id(), self.ports.clock.now());
        let signature = webhook.secret.sign(&id, now, &delivery.payload);
        WebhookMessage {
            url: webhook.url.clone(),
            headers: [
                (ID_HEADER, id),
                (TIMESTAMP_HEADER, seconds(now).to_string()),
                (SIGNATURE_HEADER, signature),
            ],
            body: delivery.payload.clone(),
        }
    }

    fn random_jitter(&self) -> u8 {
        let mut random = [0_u8; 1];
        self.ports.rng.fill(&mut random);
        u8::from_le_bytes(random)
    }
}

#[async_trait]
impl JobHandler for WebhookWorker {
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> JobOutcome {
        match self.deliver(&job, &lease).await {
            Ok(verdict) => verdict,
            // Another worker has claimed it, or it was deleted.
            Err(StoreError::Stale) => JobOutcome::Ended,
            Err(error) => {
                self.report_store_error(&error);
                JobOutcome::Retry { after: STORE_RETRY_DELAY, failed: false }
            }
        }
    }

    fn report_store_error(&self, error: &StoreError) {
        (self.on_store_error)(error);
    }
}
