//! Sending deliveries, as jobs.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jobs_core::{ClaimedJob, JobHandler, LeaseCell, Verdict};
use shared_core::{StoreError, WorkspaceId};

use crate::sign::seconds;
use crate::{
    ATTEMPTS, Answer, Attempt, Deliverable, ID_HEADER, Message, Outcome, SIGNATURE_HEADER, TIMESTAMP_HEADER,
    WebhookId, WebhookPorts, pause,
};

/// The pause before a store that failed is asked again.
const STORE_PAUSE: Duration = Duration::from_secs(5);
/// Times that a delivery may be lost in the middle, as by crashes, before it is given up.
const MAX_INTERRUPTIONS: u32 = 20;
/// The status of a receiver that wants to hear no more, as the Standard Webhooks specification has it.
const GONE: u16 = 410;

/// The handler of the queue [`QUEUE`](crate::QUEUE).
#[derive(Debug)]
pub(crate) struct WebhookWorker {
    ports: Arc<WebhookPorts>,
    trouble: fn(&StoreError),
}

/// What an attempt says of the next one.
enum Next {
    End(Outcome),
    Again { attempt: Attempt, after: Duration },
}

impl WebhookWorker {
    pub(crate) fn new(ports: Arc<WebhookPorts>, trouble: fn(&StoreError)) -> Self {
        Self { ports, trouble }
    }

    async fn deliver(&self, job: &ClaimedJob, lease: &LeaseCell) -> Result<Verdict, StoreError> {
        let (workspace, key) = (&job.job.workspace, &job.job.key);
        let webhook = WebhookId(key.owner.clone());
        let found = self.ports.webhooks.deliverable(workspace, &webhook, key.position).await?;
        let Some(deliverable) = found else { return Ok(Verdict::Gone) };
        match self.attempt(&deliverable, job).await {
            Next::End(outcome) => {
                self.ports.webhooks.end(workspace, lease, &outcome, self.ports.clock.now()).await?;
                Ok(Verdict::Ended)
            }
            Next::Again { attempt, after } => self.later(workspace, lease, &attempt, after).await,
        }
    }

    async fn later(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        attempt: &Attempt,
        after: Duration,
    ) -> Result<Verdict, StoreError> {
        self.ports.webhooks.note(workspace, lease, attempt).await?;
        Ok(Verdict::Later { after, failed: true })
    }

    async fn attempt(&self, deliverable: &Deliverable, job: &ClaimedJob) -> Next {
        if let Some(why) = &deliverable.webhook.disabled {
            let error = Some(format!("the webhook is disabled: {why}"));
            return Next::End(Outcome::Failed(Attempt { status: None, error }));
        }
        if job.interrupted > MAX_INTERRUPTIONS {
            let error =
                format!("it was given up after {} attempts that ended with the process", job.interrupted);
            return Next::End(Outcome::Failed(Attempt { status: None, error: Some(error) }));
        }
        let sent = self.ports.sender.send(&self.message(deliverable)).await;
        let (attempt, asked) = match sent {
            Ok(Answer { status, .. }) if (200..300).contains(&status) => {
                return Next::End(Outcome::Delivered(Attempt { status: Some(status), error: None }));
            }
            Ok(Answer { status, retry_after }) => {
                let error = Some(format!("the receiver answered with status {status}"));
                (Attempt { status: Some(status), error }, retry_after)
            }
            Err(error) => (Attempt { status: None, error: Some(error.message) }, None),
        };
        if attempt.status == Some(GONE) {
            let why = format!("the receiver answered with status {GONE}, so it wants to hear no more");
            return Next::End(Outcome::Disabled(attempt, why));
        }
        let failed = job.attempts.saturating_add(1);
        match pause(failed.min(ATTEMPTS), asked, self.spread()) {
            Some(after) => Next::Again { attempt, after },
            None => Next::End(Outcome::Failed(attempt)),
        }
    }

    fn message(&self, Deliverable { webhook, delivery }: &Deliverable) -> Message {
        let (id, now) = (delivery.id(), self.ports.clock.now());
        let signature = webhook.secret.sign(&id, now, &delivery.payload);
        Message {
            url: webhook.url.clone(),
            headers: [
                (ID_HEADER, id),
                (TIMESTAMP_HEADER, seconds(now).to_string()),
                (SIGNATURE_HEADER, signature),
            ],
            body: delivery.payload.clone(),
        }
    }

    fn spread(&self) -> u8 {
        let mut random = [0_u8; 1];
        self.ports.ids.fill(&mut random);
        u8::from_le_bytes(random)
    }
}

#[async_trait]
impl JobHandler for WebhookWorker {
    async fn work(&self, job: ClaimedJob, lease: LeaseCell) -> Verdict {
        match self.deliver(&job, &lease).await {
            Ok(verdict) => verdict,
            // Another worker has it, or it was deleted.
            Err(StoreError::Stale) => Verdict::Ended,
            Err(error) => {
                self.trouble(&error);
                Verdict::Later { after: STORE_PAUSE, failed: false }
            }
        }
    }

    fn trouble(&self, error: &StoreError) {
        (self.trouble)(error);
    }
}
