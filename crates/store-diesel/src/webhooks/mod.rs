//! The adapter of webhooks and their deliveries.

mod emit;
mod rows;
mod steps;

use async_trait::async_trait;
use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use jobs_core::LeaseCell;
use shared_core::{Cursor, Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};
use webhooks_core::{
    Attempt, Delivery, DeliveryOutcome, Event, PendingDelivery, QUEUE, Webhook, WebhookId, WebhookRepository,
};

pub(crate) use self::emit::{emit, form_submitted, reviews_decided, run_finished};
use self::rows::{DeliveryRow, WebhookRow, insertable};
use crate::connection::{AnyConnection, prepared};
use crate::database::Database;
use crate::idempotency::effect;
use crate::jobs;
use crate::lists::{self, cut};
use crate::schema::{webhook_deliveries as deliveries, webhooks};

/// Webhooks in the database.
#[derive(Clone, Debug)]
pub struct DieselWebhooks(Database);

impl DieselWebhooks {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl WebhookRepository for DieselWebhooks {
    async fn insert(&self, scope: &Scope, webhook: &Webhook) -> Result<(), StoreError> {
        let (workspace, row) = (scope.workspace.0.clone(), insertable(webhook)?);
        let id = webhook.id.0.clone();
        let insert = move |connection: &mut AnyConnection| steps::insert(connection, &workspace, &row);
        self.0.write_effect(insert, move |()| effect("webhook", [&id])).await
    }

    async fn find(&self, scope: &Scope, id: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.clone());
        let found = self.0.look_up(move |connection| steps::find(connection, &workspace, &id)).await?;
        found.map(WebhookRow::read).transpose()
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Webhook>, StoreError> {
        let (workspace, page) = (scope.workspace.0.clone(), page.clone());
        let list = move |connection: &mut AnyConnection| {
            let own = || webhooks::table.filter(webhooks::workspace.eq(&workspace));
            let total: i64 = prepared!(connection, inner => own().count().get_result(inner))?;
            let query = own().select(webhooks::all_columns).into_boxed();
            let rows: Vec<WebhookRow> =
                cut!(query, &page, webhooks::created, webhooks::id, String::clone).load(connection)?;
            let items = rows.into_iter().map(WebhookRow::read).collect::<Result<Vec<_>, _>>()?;
            let key = |row: &Webhook| Cursor { created: row.created, id: row.id.0.clone() };
            Ok(lists::page(items, total, &page, key)?)
        };
        self.0.read(list).await
    }

    async fn delete(&self, scope: &Scope, id: &WebhookId) -> Result<bool, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.clone());
        let delete = move |connection: &mut AnyConnection| {
            let named =
                webhooks::table.filter(webhooks::workspace.eq(&workspace).and(webhooks::id.eq(&id.0)));
            let gone = prepared!(connection, inner => diesel::delete(named).execute(inner))? > 0;
            if gone {
                jobs::delete_owner_jobs(connection, QUEUE, &id.0)?;
            }
            Ok(gone)
        };
        self.0.write(delete).await
    }

    async fn emit(
        &self,
        workspace: &WorkspaceId,
        event: &Event,
        only: Option<&WebhookId>,
        now: Timestamp,
    ) -> Result<Vec<Delivery>, StoreError> {
        let (workspace, event, only) = (workspace.0.clone(), event.clone(), only.cloned());
        let emit = move |connection: &mut AnyConnection| {
            self::emit::emit(connection, &workspace, &event, only.as_ref(), now)
        };
        self.0.write(emit).await
    }

    async fn deliveries(
        &self,
        scope: &Scope,
        id: &WebhookId,
        page: &PageRequest,
    ) -> Result<Page<Delivery>, StoreError> {
        let (workspace, id, page) = (scope.workspace.0.clone(), id.clone(), page.clone());
        let list = move |connection: &mut AnyConnection| {
            let own = || {
                let webhook = deliveries::webhook.eq(&id.0);
                deliveries::table.filter(deliveries::workspace.eq(&workspace).and(webhook))
            };
            let total: i64 = prepared!(connection, inner => own().count().get_result(inner))?;
            let number = |id: &String| id.parse::<i32>().unwrap_or_default();
            let query = own().select(deliveries::all_columns).into_boxed();
            let rows: Vec<DeliveryRow> =
                cut!(query, &page, deliveries::created, deliveries::number, number).load(connection)?;
            let items = rows.into_iter().map(DeliveryRow::read).collect::<Result<Vec<_>, _>>()?;
            let key = |row: &Delivery| Cursor { created: row.created, id: row.number.to_string() };
            Ok(lists::page(items, total, &page, key)?)
        };
        self.0.read(list).await
    }

    async fn replay(
        &self,
        scope: &Scope,
        id: &WebhookId,
        number: u32,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError> {
        let (workspace, id) = (scope.workspace.0.clone(), id.clone());
        self.0.write(move |connection| steps::replay(connection, &workspace, &id, number, now)).await
    }

    async fn find_pending(
        &self,
        workspace: &WorkspaceId,
        id: &WebhookId,
        number: u32,
    ) -> Result<Option<PendingDelivery>, StoreError> {
        let (workspace, id) = (workspace.0.clone(), id.clone());
        let find = move |connection: &mut AnyConnection| {
            let Some(webhook) = steps::find(connection, &workspace, &id)? else { return Ok(None) };
            let delivery = steps::pending(connection, &workspace, &id, number)?;
            Ok(delivery.map(|delivery| (webhook, delivery)))
        };
        let Some((webhook, delivery)) = self.0.read(find).await? else { return Ok(None) };
        Ok(Some(PendingDelivery { webhook: webhook.read()?, delivery: delivery.read()? }))
    }

    async fn record_attempt(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        attempt: &Attempt,
    ) -> Result<(), StoreError> {
        let (workspace, job, token) = (workspace.0.clone(), lease.key().clone(), lease.token());
        let attempt = attempt.clone();
        self.0.write(move |connection| steps::note(connection, &workspace, (&job, token), &attempt)).await
    }

    async fn finish_delivery(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        outcome: &DeliveryOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (workspace, job, token) = (workspace.0.clone(), lease.key().clone(), lease.token());
        let outcome = outcome.clone();
        self.0.write(move |connection| steps::end(connection, &workspace, (&job, token), &outcome, now)).await
    }
}
