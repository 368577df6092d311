//! The adapter of idempotency records.

mod records;
mod request_effect;

use accounts_core::idempotency::{
    Attempt, EffectRef, Fingerprint, IdempotencyRepository, KeyState, RecordedResponse,
};
use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use self::records::RecordKey;
pub use self::request_effect::RequestEffect;
pub(crate) use self::request_effect::effect;
use crate::database::Database;

/// Stored answers in the database.
#[derive(Clone, Debug)]
pub struct DieselIdempotency(Database);

impl DieselIdempotency {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database.without_audit())
    }
}

#[async_trait]
impl IdempotencyRepository for DieselIdempotency {
    async fn claim(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        fingerprint: &Fingerprint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<KeyState, StoreError> {
        let (place, fingerprint) = (RecordKey::of(scope, attempt), fingerprint.clone());
        self.0.write(move |connection| records::claim(connection, &place, &fingerprint, now, until)).await
    }

    async fn renew(&self, scope: &Scope, attempt: &Attempt, until: Timestamp) -> Result<bool, StoreError> {
        let place = RecordKey::of(scope, attempt);
        self.0.write(move |connection| records::renew(connection, &place, until)).await
    }

    async fn complete(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        answer: &RecordedResponse,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let (place, answer) = (RecordKey::of(scope, attempt), answer.clone());
        self.0.write(move |connection| records::complete(connection, &place, &answer, until)).await
    }

    async fn record_effect(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        effect: &EffectRef,
    ) -> Result<bool, StoreError> {
        let (place, effect) = (RecordKey::of(scope, attempt), effect.clone());
        self.0.write(move |connection| records::record_effect(connection, &place, &effect)).await
    }

    async fn release(&self, scope: &Scope, attempt: &Attempt, now: Timestamp) -> Result<(), StoreError> {
        let place = RecordKey::of(scope, attempt);
        self.0.write(move |connection| records::release(connection, &place, now)).await
    }

    async fn expire_attempts(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.0.write(move |connection| records::expire_attempts(connection, now)).await
    }

    async fn sweep(&self, now: Timestamp, effects_before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.0.write(move |connection| records::sweep(connection, now, effects_before, limit)).await
    }
}
