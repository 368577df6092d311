//! The store of webhooks as one process sees it.

use std::sync::Arc;

use async_trait::async_trait;
use jobs_core::LeaseCell;
use shared_core::{Page, PageRequest, Scope, SeededRng, StoreError, Timestamp, WorkspaceId};
use webhooks_core::{
    Attempt, Delivery, DeliveryOutcome, Event, MemoryWebhooks, PendingDelivery, SigningSecret, Webhook,
    WebhookId, WebhookRepository,
};

use super::receiver::Receivers;
use crate::bug::PlantedBug;
use crate::faults::Connection;
use crate::queue::LeaseLedger;

/// The webhooks as one process sees them.
#[derive(Debug)]
pub(super) struct WebhookStore {
    pub(super) webhooks: Arc<MemoryWebhooks>,
    pub(super) ledger: Arc<LeaseLedger>,
    pub(super) receivers: Arc<Receivers>,
    pub(super) connection: Connection,
    pub(super) bug: Option<PlantedBug>,
}

impl WebhookStore {
    fn has(&self, bug: PlantedBug) -> bool {
        self.bug == Some(bug)
    }
}

#[async_trait]
impl WebhookRepository for WebhookStore {
    async fn insert(&self, scope: &Scope, webhook: &Webhook) -> Result<(), StoreError> {
        self.connection.write("webhook", self.webhooks.insert(scope, webhook)).await
    }

    async fn find(&self, scope: &Scope, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        self.connection.read("webhook", self.webhooks.find(scope, id)).await
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Webhook>, StoreError> {
        self.connection.read("webhooks", self.webhooks.list(scope, page)).await
    }

    async fn delete(&self, scope: &Scope, id: &WebhookId) -> Result<bool, StoreError> {
        let call = async {
            let Some(webhook) = self.webhooks.find(scope, id).await? else { return Ok(false) };
            if !self.has(PlantedBug::DeliveryAfterDeletion) {
                self.webhooks.delete(scope, id).await?;
                self.ledger.remove(&id.0);
            }
            self.receivers.delete(&webhook.url);
            self.connection.world().log(|| format!("{id} is deleted"));
            Ok(true)
        };
        self.connection.write("deletion", call).await
    }

    async fn emit(
        &self,
        workspace: &WorkspaceId,
        event: &Event,
        only: Option<&WebhookId>,
        now: Timestamp,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.connection.write("event", self.webhooks.emit(workspace, event, only, now)).await
    }

    async fn deliveries(
        &self,
        scope: &Scope,
        id: &WebhookId,
        page: &PageRequest,
    ) -> Result<Page<Delivery>, StoreError> {
        self.connection.read("deliveries", self.webhooks.deliveries(scope, id, page)).await
    }

    async fn replay(
        &self,
        scope: &Scope,
        id: &WebhookId,
        number: u32,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        let call = async {
            let replayed = self.webhooks.replay(scope, id, number, now).await?;
            self.ledger.reopen(&id.0);
            Ok(replayed)
        };
        self.connection.write("replay", call).await
    }

    async fn find_pending(
        &self,
        workspace: &WorkspaceId,
        id: &WebhookId,
        number: u32,
    ) -> Result<Option<PendingDelivery>, StoreError> {
        let call = async {
            let mut found = self.webhooks.find_pending(workspace, id, number).await?;
            if self.has(PlantedBug::WrongSignature)
                && let Some(pending) = &mut found
            {
                pending.webhook.secret = SigningSecret::random(&SeededRng::new(1));
            }
            Ok(found)
        };
        self.connection.read("delivery", call).await
    }

    async fn record_attempt(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        attempt: &Attempt,
    ) -> Result<(), StoreError> {
        if self.has(PlantedBug::DeliveryDropped) {
            let outcome = DeliveryOutcome::Failed(attempt.clone());
            let now = self.connection.world().database_time();
            return self.finish_delivery(workspace, lease, &outcome, now).await;
        }
        self.connection.write("attempt", self.webhooks.record_attempt(workspace, lease, attempt)).await
    }

    async fn finish_delivery(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        outcome: &DeliveryOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let call = async {
            // It may have changed since the call began: the process has claimed the job again.
            let token = lease.token();
            if self.has(PlantedBug::DeliveryWithoutEnd) {
                return self.webhooks.record_attempt(workspace, lease, outcome.attempt()).await;
            }
            self.webhooks.finish_delivery(workspace, lease, outcome, now).await?;
            self.ledger.end(self.connection.process(), lease.key(), token);
            Ok(())
        };
        self.connection.write("end of a delivery", call).await
    }
}
