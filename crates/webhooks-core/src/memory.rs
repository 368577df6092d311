//! The port in memory, for tests and embedders. Nothing survives the process.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use jobs_core::{Job, JobKey, LeaseCell, MemoryJobs, Priority};
use parking_lot::{Mutex, MutexGuard};
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use crate::{
    Attempt, Delivery, DeliveryOutcome, DeliveryState, Event, MAX_PENDING, MAX_WEBHOOKS, PendingDelivery,
    QUEUE, RETAINED_DELIVERIES, Webhook, WebhookId, WebhookRepository,
};

/// Webhooks in memory.
#[derive(Debug, Default)]
pub struct MemoryWebhooks {
    rows: Mutex<Rows>,
    jobs: Arc<MemoryJobs>,
}

#[derive(Debug, Default)]
struct Rows {
    webhooks: Vec<Webhook>,
    deliveries: Vec<Delivery>,
    /// Fencing tokens that deliveries ended with. A job that is restarted gets a higher one.
    fences: HashMap<(WebhookId, u32), i64>,
}

impl Rows {
    fn webhook(&self, workspace: &WorkspaceId, id: &WebhookId) -> Option<&Webhook> {
        self.webhooks.iter().find(|row| row.workspace == *workspace && row.id == *id)
    }

    fn delivery(&mut self, id: &WebhookId, number: u32) -> Option<&mut Delivery> {
        self.deliveries.iter_mut().find(|row| row.webhook == *id && row.number == number)
    }

    /// Adds the next delivery of a webhook; drops ended ones beyond the retention limit.
    fn push(&mut self, id: &WebhookId, event: &Event, now: Timestamp) -> Delivery {
        let own = || self.deliveries.iter().filter(|row| row.webhook == *id);
        let number = own().map(|row| row.number).max().unwrap_or_default() + 1;
        let waiting = own().filter(|row| row.state == DeliveryState::Pending).count();
        let delivery = Delivery::new(id, number, event, waiting < MAX_PENDING as usize, now);
        self.deliveries.push(delivery.clone());
        let oldest = number.saturating_sub(RETAINED_DELIVERIES);
        self.deliveries
            .retain(|row| row.webhook != *id || row.number > oldest || row.state == DeliveryState::Pending);
        delivery
    }
}

fn key(id: &WebhookId, number: u32) -> JobKey {
    JobKey { queue: QUEUE, owner: id.0.clone(), position: number }
}

impl MemoryWebhooks {
    /// The queue of its deliveries.
    #[must_use]
    pub fn jobs(&self) -> Arc<MemoryJobs> {
        Arc::clone(&self.jobs)
    }

    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock()
    }

    fn enqueue(&self, workspace: &WorkspaceId, delivery: &Delivery, now: Timestamp) {
        if delivery.state == DeliveryState::Pending {
            let key = key(&delivery.webhook, delivery.number);
            self.jobs.put([Job { key, workspace: workspace.clone(), priority: Priority::Normal }], now);
        }
    }
}

#[async_trait]
impl WebhookRepository for MemoryWebhooks {
    async fn insert(&self, scope: &Scope, webhook: &Webhook) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let own = rows.webhooks.iter().filter(|row| row.workspace == scope.workspace).count();
        if own >= MAX_WEBHOOKS as usize {
            return Err(StoreError::Taken("webhook"));
        }
        rows.webhooks.push(webhook.clone());
        Ok(())
    }

    async fn find(&self, scope: &Scope, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        Ok(self.rows().webhook(&scope.workspace, id).cloned())
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Webhook>, StoreError> {
        let rows = self.rows();
        let own = rows.webhooks.iter().filter(|row| row.workspace == scope.workspace).cloned().collect();
        Ok(Page::paginate(own, page, |row| Cursor { created: row.created, id: row.id.0.clone() }))
    }

    async fn delete(&self, scope: &Scope, id: &WebhookId) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        if rows.webhook(&scope.workspace, id).is_none() {
            return Ok(false);
        }
        rows.webhooks.retain(|row| row.id != *id);
        let (gone, left) =
            std::mem::take(&mut rows.deliveries).into_iter().partition(|row| row.webhook == *id);
        rows.deliveries = left;
        let gone: Vec<Delivery> = gone;
        let keys: Vec<JobKey> = gone.iter().map(|row| key(id, row.number)).collect();
        self.jobs.remove_all(&keys);
        Ok(true)
    }

    async fn emit(
        &self,
        workspace: &WorkspaceId,
        event: &Event,
        only: Option<&WebhookId>,
        now: Timestamp,
    ) -> Result<Vec<Delivery>, StoreError> {
        let mut rows = self.rows();
        let wants = |row: &&Webhook| match only {
            Some(only) => row.id == *only,
            None => row.events.contains(&event.kind),
        };
        let own = rows.webhooks.iter().filter(|row| row.workspace == *workspace && row.disabled.is_none());
        let ids: Vec<WebhookId> = own.filter(wants).map(|row| row.id.clone()).collect();
        let sent: Vec<Delivery> = ids.iter().map(|id| rows.push(id, event, now)).collect();
        sent.iter().for_each(|delivery| self.enqueue(workspace, delivery, now));
        Ok(sent)
    }

    async fn deliveries(
        &self,
        scope: &Scope,
        id: &WebhookId,
        page: &PageRequest,
    ) -> Result<Page<Delivery>, StoreError> {
        let rows = self.rows();
        let known = rows.webhook(&scope.workspace, id).is_some();
        let own = rows.deliveries.iter().filter(|row| known && row.webhook == *id).cloned().collect();
        Ok(Page::paginate(own, page, |row| Cursor { created: row.created, id: row.number.to_string() }))
    }

    async fn replay(
        &self,
        scope: &Scope,
        id: &WebhookId,
        number: u32,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        let mut rows = self.rows();
        let Some(webhook) = rows.webhook(&scope.workspace, id) else { return Ok(None) };
        if webhook.disabled.is_some() {
            return Err(StoreError::Stale);
        }
        let fence = rows.fences.get(&(id.clone(), number)).copied().unwrap_or_default();
        let Some(delivery) = rows.delivery(id, number) else { return Ok(None) };
        (delivery.state, delivery.ended) = (DeliveryState::Pending, None);
        self.jobs.restart(
            Job { key: key(id, number), workspace: scope.workspace.clone(), priority: Priority::Normal },
            now,
            fence,
        );
        Ok(Some(delivery.clone()))
    }

    async fn find_pending(
        &self,
        workspace: &WorkspaceId,
        id: &WebhookId,
        number: u32,
    ) -> Result<Option<PendingDelivery>, StoreError> {
        let mut rows = self.rows();
        let Some(webhook) = rows.webhook(workspace, id).cloned() else { return Ok(None) };
        let delivery = rows.delivery(id, number).filter(|row| row.state == DeliveryState::Pending).cloned();
        Ok(delivery.map(|delivery| PendingDelivery { webhook, delivery }))
    }

    async fn record_attempt(
        &self,
        _: &WorkspaceId,
        lease: &LeaseCell,
        attempt: &Attempt,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        if !self.jobs.has_token(lease.key(), lease.token()) {
            return Err(StoreError::Stale);
        }
        let key = lease.key();
        let delivery = rows.delivery(&WebhookId(key.owner.clone()), key.position).ok_or(StoreError::Stale)?;
        delivery.attempts += 1;
        delivery.last = attempt.clone();
        Ok(())
    }

    async fn finish_delivery(
        &self,
        _: &WorkspaceId,
        lease: &LeaseCell,
        outcome: &DeliveryOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        if !self.jobs.end(lease.key(), lease.token()) {
            return Err(StoreError::Stale);
        }
        let id = WebhookId(lease.key().owner.clone());
        rows.fences.insert((id.clone(), lease.key().position), lease.token());
        let delivery = rows.delivery(&id, lease.key().position).ok_or(StoreError::Stale)?;
        delivery.attempts += 1;
        (delivery.state, delivery.last) = (outcome.state(), outcome.attempt().clone());
        delivery.ended = Some(now);
        if let DeliveryOutcome::Disabled(_, why) = outcome {
            rows.webhooks
                .iter_mut()
                .filter(|row| row.id == id)
                .for_each(|row| row.disabled = Some(why.clone()));
        }
        Ok(())
    }
}
