//! The use cases of idempotency.

use std::sync::Arc;

use shared_core::{Clock, DomainError, ErrorKind, Rng, Scope, StoreError, Timestamp, new_id};

use super::{
    Attempt, ClaimOutcome, Fingerprint, IdempotencyRepository, KeyState, RecordedResponse, RequestKey,
};

/// Seconds until a recorded response or effect expires.
const RETENTION_SECONDS: i64 = 24 * 60 * 60;
/// Rows removed in one sweep.
const SWEEP_BATCH: u32 = 1_000;

/// A request that cannot run under its key. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum IdempotencyError {
    /// The key breaks its rule.
    #[error("'Idempotency-Key' must have 1 to 255 visible ASCII characters")]
    InvalidKey,
    /// The first request with the key is still in progress.
    #[error("the first request with this 'Idempotency-Key' is still in progress; retry later")]
    Running,
    /// The key was used for a different request.
    #[error("this 'Idempotency-Key' was used for another request; use a new one")]
    OtherRequest,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DomainError for IdempotencyError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::InvalidKey => ErrorKind::Invalid,
            Self::Running | Self::OtherRequest => ErrorKind::Conflict,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::InvalidKey => "invalid_idempotency_key",
            Self::Running => "request_still_running",
            Self::OtherRequest => "idempotency_key_reused",
            Self::Store(error) => error.code(),
        }
    }
}

/// Runs each request with a key at most once.
#[derive(Clone, Debug)]
pub struct IdempotencyService {
    repository: Arc<dyn IdempotencyRepository>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Rng>,
    lease: u32,
}

impl IdempotencyService {
    /// Builds the service on its ports. `lease` is the time in seconds until an attempt expires that is not renewed:
    /// as long as a retry waits after the death of one of several servers.
    #[must_use]
    pub fn new(
        repository: Arc<dyn IdempotencyRepository>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Rng>,
        lease: u32,
    ) -> Self {
        Self { repository, clock, ids, lease }
    }

    /// Seconds until an attempt expires that is not renewed.
    #[must_use]
    pub const fn lease(&self) -> u32 {
        self.lease
    }

    /// Claims the key of a request. A granted attempt must be renewed at least every [`IdempotencyService::lease`] until
    /// it is completed or released.
    ///
    /// # Errors
    /// While the first request is in progress, when the key belongs to a different request, or when the store
    /// fails.
    pub async fn claim(
        &self,
        scope: &Scope,
        key: RequestKey,
        fingerprint: &Fingerprint,
    ) -> Result<ClaimOutcome, IdempotencyError> {
        let now = self.clock.now();
        let attempt = Attempt { key, token: new_id("attempt", now, self.ids.as_ref()) };
        let until = now.plus_seconds(self.lease.into());
        match self.repository.claim(scope, &attempt, fingerprint, now, until).await? {
            KeyState::Claimed => Ok(ClaimOutcome::Granted(attempt)),
            KeyState::Recovered(effects) => Ok(ClaimOutcome::Recovered(attempt, effects)),
            KeyState::Completed(answer) => Ok(ClaimOutcome::Replayed(answer)),
            KeyState::Running => Err(IdempotencyError::Running),
            KeyState::Mismatched => Err(IdempotencyError::OtherRequest),
        }
    }

    /// Renews the attempt. `false` when it has lost its key.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn renew(&self, scope: &Scope, attempt: &Attempt) -> Result<bool, IdempotencyError> {
        let until = self.clock.now().plus_seconds(self.lease.into());
        Ok(self.repository.renew(scope, attempt, until).await?)
    }

    /// Records the response for 24 hours. `false` when the attempt has lost its key.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn complete(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        answer: &RecordedResponse,
    ) -> Result<bool, IdempotencyError> {
        Ok(self.repository.complete(scope, attempt, answer, self.expiry()).await?)
    }

    /// Releases the key: the request may be sent again. One that had an effect gets its response from it then.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn release(&self, scope: &Scope, attempt: &Attempt) -> Result<(), IdempotencyError> {
        Ok(self.repository.release(scope, attempt, self.clock.now()).await?)
    }

    /// Expires all attempts without a response, before the first request of the only process that uses the store:
    /// they belong to a process that died. Returns how many.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn expire_attempts(&self) -> Result<u64, IdempotencyError> {
        Ok(self.repository.expire_attempts(self.clock.now()).await?)
    }

    /// When a response that is recorded now expires.
    #[must_use]
    pub fn expiry(&self) -> Timestamp {
        self.clock.now().plus_seconds(RETENTION_SECONDS)
    }

    /// Removes expired records, a bounded number per call. Returns how many.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sweep(&self) -> Result<u64, IdempotencyError> {
        let now = self.clock.now();
        Ok(self.repository.sweep(now, now.plus_seconds(-RETENTION_SECONDS), SWEEP_BATCH).await?)
    }
}
