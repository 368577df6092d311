//! The port of kept answers.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use super::{Attempt, Fingerprint, RecordedResponse};

/// What is stored under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyState {
    /// Nothing that still counts; the attempt is stored now.
    Claimed,
    /// Another attempt at the same request, which has not ended.
    Running,
    /// The answer to the same request.
    Completed(RecordedResponse),
    /// Another request.
    Mismatched,
}

/// Keeps answers by author and key. Implementations must pass `answer_repository_contract!`.
#[async_trait]
pub trait IdempotencyRepository: fmt::Debug + Send + Sync + 'static {
    /// In one unit: looks under the key of the scope's workspace and user, and stores the attempt until
    /// `until` where there is nothing, or only what ended before `now`. `Missing("user")`.
    async fn claim(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        fingerprint: &Fingerprint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<KeyState, StoreError>;
    /// Moves the end of the attempt. Answers whether it still held the key, unanswered.
    async fn renew(&self, scope: &Scope, attempt: &Attempt, until: Timestamp) -> Result<bool, StoreError>;
    /// Stores the answer until `until`. Answers whether the attempt still held the key, unanswered.
    async fn complete(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        answer: &RecordedResponse,
        until: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Forgets the attempt, if it still holds the key, unanswered.
    async fn release(&self, scope: &Scope, attempt: &Attempt) -> Result<(), StoreError>;
    /// Forgets what ended before `now`, at most `limit` rows of all workspaces. Answers how many.
    async fn sweep(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
