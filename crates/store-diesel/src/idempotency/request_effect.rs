//! The effect of a request with an idempotency key, stored under the key in the transaction that stores the effect.
//!
//! If the process dies after that transaction, a retry finds the effect under the key and is not executed again. If
//! it dies before, there is neither. An attempt that has lost its key stores nothing.

use std::sync::Arc;

use accounts_core::idempotency::{Attempt, EffectRef, RecordedResponse};
use parking_lot::Mutex;
use shared_core::{Scope, StoreError, Timestamp};
use tokio::task::futures::TaskLocalFuture;

use super::records::{self, RecordKey};
use crate::audit::RequestAudit;
use crate::connection::AnyConnection;
use crate::database::Database;
use crate::failure::Failure;

tokio::task_local! {
    /// The request that the present task serves.
    static CURRENT: RequestEffect;
}

/// Where the effects of a request are recorded. Clones share it.
#[derive(Clone, Debug)]
pub struct RequestEffect(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    place: RecordKey,
    /// Until when the response is recorded.
    until: Timestamp,
    response: Mutex<Option<RecordedResponse>>,
}

impl RequestEffect {
    /// The effect of the request of this attempt.
    #[must_use]
    pub fn of(scope: &Scope, attempt: &Attempt, until: Timestamp) -> Self {
        Self(Arc::new(Inner { place: RecordKey::of(scope, attempt), until, response: Mutex::default() }))
    }

    /// Sets the response before the effect is stored; both are then stored together.
    pub fn set_response(&self, response: RecordedResponse) {
        *self.0.response.lock() = Some(response);
    }

    /// Runs `work`, whose effects on any [`Database`] are recorded here. Not those of tasks that it spawns.
    pub fn record<F: Future>(&self, work: F) -> TaskLocalFuture<Self, F> {
        CURRENT.scope(self.clone(), work)
    }

    /// The effect of the request that the present task serves, if it has an idempotency key.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    /// Records the effect in the present transaction, with the response if it is known.
    fn store(&self, connection: &mut AnyConnection, effect: &EffectRef) -> Result<(), Failure> {
        let Inner { place, until, response } = &*self.0;
        let response = response.lock().clone();
        let is_held = records::record_effect(connection, place, effect)?
            && match response {
                Some(response) => records::complete(connection, place, &response, *until)?,
                None => true,
            };
        if is_held {
            return Ok(());
        }
        Err(StoreError::Unavailable("another attempt has taken over the request's idempotency key".into())
            .into())
    }
}

/// An effect of this kind with these ids.
pub(crate) fn effect<I: ToString>(kind: &str, ids: impl IntoIterator<Item = I>) -> Option<EffectRef> {
    let ids = ids.into_iter().map(|id| id.to_string()).collect();
    Some(EffectRef { kind: kind.to_owned(), ids })
}

impl Database {
    /// As [`Database::write`], for what a request is sent for. If it has an idempotency key, the same transaction
    /// records under the key what `reference` makes of the result: the kind of the effect and its ids, or `None` where
    /// the result is no effect. The audit event of the request has it, too.
    ///
    /// # Errors
    /// As [`Database::write`], and [`StoreError::Unavailable`] when the attempt has lost its key.
    pub(crate) async fn write_effect<T, F>(
        &self,
        work: F,
        reference: impl Fn(&T) -> Option<EffectRef> + Send + 'static,
    ) -> Result<T, StoreError>
    where
        F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        let (request, audit) = (RequestEffect::current(), RequestAudit::current());
        if request.is_none() && audit.is_none() {
            return self.write(work).await;
        }
        self.write(move |connection| {
            let value = work(connection)?;
            if let Some(effect) = reference(&value) {
                if let Some(request) = &request {
                    request.store(connection, &effect)?;
                }
                if let Some(audit) = &audit {
                    audit.set_effect(effect);
                }
            }
            Ok(value)
        })
        .await
    }
}
