//! The use cases of webhooks.

use std::sync::Arc;

use jobs_core::DispatcherHandle;
use shared_core::{Clock, Page, PageRequest, Rng, Scope, StoreError, Violation, new_id};

use crate::{
    Delivery, Event, EventKind, SigningSecret, Webhook, WebhookId, WebhookRepository, WebhookSender,
    WebhooksError,
};

/// Characters of a URL at most.
pub const MAX_URL: usize = 2_000;
/// Characters of a description at most.
pub const MAX_DESCRIPTION: usize = 500;

/// The use cases of webhooks.
#[derive(Clone, Debug)]
pub struct WebhooksService {
    pub(crate) ports: Arc<WebhookPorts>,
}

/// The ports of the service.
#[derive(Debug)]
pub struct WebhookPorts {
    /// Webhooks and deliveries.
    pub webhooks: Arc<dyn WebhookRepository>,
    /// Sends the messages.
    pub sender: Arc<dyn WebhookSender>,
    /// The link to the dispatcher of [`QUEUE`](crate::QUEUE).
    pub jobs: DispatcherHandle,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub rng: Arc<dyn Rng>,
}

/// A webhook to create, as it was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewWebhook {
    /// Where events are sent.
    pub url: String,
    /// Names of event kinds; `None` subscribes to all.
    pub events: Option<Vec<String>>,
    /// A description by its owner.
    pub description: String,
}

impl WebhooksService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(ports: WebhookPorts) -> Self {
        Self { ports: Arc::new(ports) }
    }

    /// Creates a webhook. Its secret is in the result and is not returned again.
    ///
    /// # Errors
    /// [`WebhooksError::Invalid`] with every violation, [`WebhooksError::TooMany`], or when the store fails.
    pub async fn create(&self, scope: &Scope, new: NewWebhook) -> Result<Webhook, WebhooksError> {
        let mut broken = Vec::new();
        let url = new.url.trim().to_owned();
        self.check_url(&url, &mut broken);
        let events = parse_kinds(new.events, &mut broken);
        if new.description.chars().nth(MAX_DESCRIPTION).is_some() {
            let rule = format!("'description' must have at most {MAX_DESCRIPTION} characters");
            broken.push(Violation::new("/description", rule));
        }
        if !broken.is_empty() {
            return Err(WebhooksError::Invalid(broken));
        }
        let (now, ids) = (self.ports.clock.now(), self.ports.rng.as_ref());
        let webhook = Webhook {
            id: WebhookId(new_id("webhook", now, ids)),
            workspace: scope.workspace.clone(),
            url,
            events,
            description: new.description,
            secret: SigningSecret::random(ids),
            disabled: None,
            created: now,
        };
        self.ports.webhooks.insert(scope, &webhook).await.map_err(|error| match error {
            StoreError::Taken(_) => WebhooksError::TooMany,
            other => other.into(),
        })?;
        Ok(webhook)
    }

    fn check_url(&self, url: &str, broken: &mut Vec<Violation>) {
        if url.is_empty() || url.chars().nth(MAX_URL).is_some() {
            broken.push(Violation::new("/url", format!("'url' must have 1 to {MAX_URL} characters")));
        } else if let Err(rule) = self.ports.sender.check(url) {
            broken.push(Violation::new("/url", format!("'url' cannot be used: {rule}")));
        }
    }

    /// The webhook with this id.
    ///
    /// # Errors
    /// [`WebhooksError::NotFound`], or when the store fails.
    pub async fn get(&self, scope: &Scope, id: &WebhookId) -> Result<Webhook, WebhooksError> {
        self.ports.webhooks.find(scope, id).await?.ok_or(WebhooksError::NotFound)
    }

    /// The workspace's webhooks, newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Webhook>, WebhooksError> {
        Ok(self.ports.webhooks.list(scope, page).await?)
    }

    /// Deletes a webhook with its deliveries; pending ones are not sent.
    ///
    /// # Errors
    /// [`WebhooksError::NotFound`], or when the store fails.
    pub async fn delete(&self, scope: &Scope, id: &WebhookId) -> Result<(), WebhooksError> {
        if !self.ports.webhooks.delete(scope, id).await? {
            return Err(WebhooksError::NotFound);
        }
        self.ports.jobs.abort_jobs(crate::QUEUE, &id.0);
        Ok(())
    }

    /// The webhook's deliveries, newest first.
    ///
    /// # Errors
    /// [`WebhooksError::NotFound`], or when the store fails.
    pub async fn deliveries(
        &self,
        scope: &Scope,
        id: &WebhookId,
        page: &PageRequest,
    ) -> Result<Page<Delivery>, WebhooksError> {
        self.get(scope, id).await?;
        Ok(self.ports.webhooks.deliveries(scope, id, page).await?)
    }

    /// Sends a delivery again, whatever its state; `message` is the id of its message.
    ///
    /// # Errors
    /// [`WebhooksError::NotFound`], [`WebhooksError::DeliveryNotFound`], [`WebhooksError::Disabled`], or when the
    /// store fails.
    pub async fn replay(
        &self,
        scope: &Scope,
        id: &WebhookId,
        message: &str,
    ) -> Result<Delivery, WebhooksError> {
        self.ensure_enabled(scope, id).await?;
        let number = Delivery::parse_number(id, message).ok_or(WebhooksError::DeliveryNotFound)?;
        let replayed = self.ports.webhooks.replay(scope, id, number, self.ports.clock.now()).await;
        let replayed = replayed.map_err(|error| match error {
            StoreError::Stale => WebhooksError::Disabled("it was disabled in the meantime".to_owned()),
            other => other.into(),
        })?;
        self.ports.jobs.record_origin(&id.0, Some(number));
        self.ports.jobs.wake();
        replayed.ok_or(WebhooksError::DeliveryNotFound)
    }

    /// Sends a test event, so a receiver can be tried out.
    ///
    /// # Errors
    /// [`WebhooksError::NotFound`], [`WebhooksError::Disabled`], or when the store fails.
    pub async fn send_test(&self, scope: &Scope, id: &WebhookId) -> Result<Delivery, WebhooksError> {
        self.ensure_enabled(scope, id).await?;
        let (now, webhooks) = (self.ports.clock.now(), &self.ports.webhooks);
        let sent = webhooks.emit(&scope.workspace, &Event::test(), Some(id), now).await?;
        let sent = sent.into_iter().next().ok_or(WebhooksError::NotFound)?;
        self.ports.jobs.record_origin(&id.0, Some(sent.number));
        self.ports.jobs.wake();
        Ok(sent)
    }

    async fn ensure_enabled(&self, scope: &Scope, id: &WebhookId) -> Result<(), WebhooksError> {
        match self.get(scope, id).await?.disabled {
            Some(why) => Err(WebhooksError::Disabled(why)),
            None => Ok(()),
        }
    }
}

/// The kinds of these names, without duplicates.
fn parse_kinds(names: Option<Vec<String>>, broken: &mut Vec<Violation>) -> Vec<EventKind> {
    let Some(names) = names else { return EventKind::ALL.to_vec() };
    let known = EventKind::ALL.map(EventKind::name).join(", ");
    if names.is_empty() {
        broken.push(Violation::new("/events", format!("'events' must name at least one of {known}")));
    }
    let mut kinds = Vec::new();
    for (place, name) in names.iter().enumerate() {
        match EventKind::ALL.into_iter().find(|kind| kind.name() == name) {
            Some(kind) if kinds.contains(&kind) => {}
            Some(kind) => kinds.push(kind),
            None => {
                let rule = format!("each of 'events' must be one of {known}");
                broken.push(Violation::new(format!("/events/{place}"), rule));
                // Only the first unknown name is reported.
                break;
            }
        }
    }
    kinds
}
