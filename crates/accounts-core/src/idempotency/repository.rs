//! The port of idempotency records.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use super::{Attempt, Fingerprint, RecordedResponse};

/// The state of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyState {
    /// No unexpired record; the attempt is stored now.
    Claimed,
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
    /// one that expired before `now`, stores the attempt with expiry `until`. `Missing("user")`.
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
    /// Removes the attempt if it still holds the key and has no response.
    async fn release(&self, scope: &Scope, attempt: &Attempt) -> Result<(), StoreError>;
    /// Removes records that expired before `now`, at most `limit` rows over all workspaces. Returns how many.
    async fn sweep(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
