//! The port of idempotency records.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use super::{Attempt, EffectRef, Fingerprint, RecordedResponse};

/// The state of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyState {
    /// No unexpired record; the attempt is stored now.
    Claimed,
    /// The record of an attempt that expired after it had stored these effects, in this order; the key is the new
    /// attempt's now.
    Recovered(Vec<EffectRef>),
    /// Another attempt at the same request is in progress.
    Running,
    /// The recorded response to the same request.
    Completed(RecordedResponse),
    /// The key belongs to a different request.
    Mismatched,
}

/// Stores responses by author and idempotency key. Implementations must pass `answer_repository_contract!`.
#[async_trait]
pub trait IdempotencyRepository: fmt::Debug + Send + Sync + 'static {
    /// In one transaction: looks up the key of the scope's workspace and user. If there is no record, or only
    /// one that expired before `now`, stores the attempt with expiry `until`. An expired attempt with effects
    /// passes them on. `Missing("user")`.
    async fn claim(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        fingerprint: &Fingerprint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<KeyState, StoreError>;
    /// Extends the attempt. `true` if it still held the key and had no response.
    async fn renew(&self, scope: &Scope, attempt: &Attempt, until: Timestamp) -> Result<bool, StoreError>;
    /// Records the response until `until`. `true` if the attempt still held the key and had no response.
    async fn complete(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        answer: &RecordedResponse,
        until: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Adds an effect that the attempt has stored. `true` if it still held the key and had no response. A store on one
    /// database does this in the transaction of the effect, and rolls the effect back on `false`.
    async fn record_effect(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        effect: &EffectRef,
    ) -> Result<bool, StoreError>;
    /// Removes the attempt if it still holds the key and has no response. With effects it expires `now`
    /// instead, so that the next attempt gets them.
    async fn release(&self, scope: &Scope, attempt: &Attempt, now: Timestamp) -> Result<(), StoreError>;
    /// Expires the attempts of all workspaces that have no response: for a process that knows that it is the
    /// only one. Returns how many.
    async fn expire_attempts(&self, now: Timestamp) -> Result<u64, StoreError>;
    /// Removes records that expired before `now`, and those with effects and no response that expired before
    /// `effects_before`; at most `limit` rows over all workspaces. Returns how many.
    async fn sweep(&self, now: Timestamp, effects_before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
