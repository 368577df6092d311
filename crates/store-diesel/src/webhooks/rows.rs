//! Rows of webhooks and deliveries, and their domain values.

use diesel::{Insertable, Queryable};
use shared_core::{StoreError, WorkspaceId};
use webhooks_core::{Attempt, Delivery, DeliveryState, EventKind, SigningSecret, Webhook, WebhookId};

use crate::failure::corrupt;
use crate::rows::{count, from_json, optional_time, time, to_json};
use crate::schema::webhooks;
use crate::text_encoding::{decode, encode};

#[derive(Queryable)]
pub(super) struct WebhookRow {
    id: String,
    workspace: String,
    url: String,
    events: String,
    description: String,
    secret: String,
    pub(super) disabled: Option<String>,
    _last_number: i32,
    _pending: i32,
    created: i64,
}

impl WebhookRow {
    pub(super) fn read(self) -> Result<Webhook, StoreError> {
        Ok(Webhook {
            id: WebhookId(self.id),
            workspace: WorkspaceId(self.workspace),
            url: self.url,
            events: kinds(&self.events)?,
            description: decode(self.description),
            // The error does not contain the text, which is secret.
            secret: SigningSecret::parse(&self.secret).ok_or_else(|| corrupt("the secret of a webhook"))?,
            disabled: self.disabled,
            created: time(self.created)?,
        })
    }
}

/// The kinds of events that a webhook subscribes to.
pub(super) fn kinds(events: &str) -> Result<Vec<EventKind>, StoreError> {
    let names: Vec<String> = from_json(events)?;
    names.iter().map(|name| kind(name)).collect()
}

fn kind(name: &str) -> Result<EventKind, StoreError> {
    EventKind::from_name(name).ok_or_else(|| corrupt(format!("'{name}' is no kind of event")))
}

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = webhooks)]
pub(super) struct NewWebhookRow {
    id: String,
    workspace: String,
    url: String,
    events: String,
    description: String,
    secret: String,
    disabled: Option<String>,
    last_number: i32,
    pending: i32,
    created: i64,
}

pub(super) fn insertable(webhook: &Webhook) -> Result<NewWebhookRow, StoreError> {
    let events: Vec<&str> = webhook.events.iter().map(|kind| kind.name()).collect();
    Ok(NewWebhookRow {
        id: webhook.id.0.clone(),
        workspace: webhook.workspace.0.clone(),
        url: webhook.url.clone(),
        events: to_json(&events)?,
        description: encode(&webhook.description).into_owned(),
        secret: webhook.secret.expose().to_owned(),
        disabled: webhook.disabled.clone(),
        last_number: 0,
        pending: 0,
        created: webhook.created.micros(),
    })
}

#[derive(Queryable)]
pub(super) struct DeliveryRow {
    _workspace: String,
    webhook: String,
    number: i32,
    event: String,
    payload: String,
    state: String,
    attempts: i32,
    status: Option<i32>,
    error: Option<String>,
    pub(super) fence: i64,
    created: i64,
    pub(super) ended: Option<i64>,
}

impl DeliveryRow {
    pub(super) fn read(self) -> Result<Delivery, StoreError> {
        let state = DeliveryState::from_name(&self.state);
        let status = self.status.map(|status| count(i64::from(status))).transpose()?;
        Ok(Delivery {
            webhook: WebhookId(self.webhook),
            number: count(i64::from(self.number))?,
            event: kind(&self.event)?,
            payload: self.payload,
            state: state.ok_or_else(|| corrupt(format!("'{}' is no state of a delivery", self.state)))?,
            attempts: count(i64::from(self.attempts))?,
            last: Attempt { status, error: self.error.map(decode) },
            created: time(self.created)?,
            ended: optional_time(self.ended)?,
        })
    }
}
