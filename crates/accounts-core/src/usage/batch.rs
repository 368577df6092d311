//! What one commit stores: calls to open, and the usage of calls that ended.

use shared_core::{StoreError, Timestamp};

use super::{Estimate, LimitReached, ReservedWindows, UsageEntry, UsageKey};
use crate::KeyLimits;

/// Calls to open and usage to record, of any workspaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageBatch {
    /// Calls that wait for their reservation, in order of arrival.
    pub openings: Vec<CallOpening>,
    /// Usage, in order of the accounts.
    pub entries: Vec<UsageEntry>,
}

/// A call that is about to be made. It is reserved in the windows of its key, if the key has limits, and stored as a
/// reservation, so that it is recorded though the server dies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOpening {
    /// The account that pays. Its workspace is the scope.
    pub account: UsageKey,
    /// What the call may use.
    pub estimate: Estimate,
    /// The limits of the account's key; empty for a key without limits, and without a key.
    pub limits: KeyLimits,
    /// The present time.
    pub now: Timestamp,
    /// When an unsettled reservation expires.
    pub until: Timestamp,
}

/// What became of a [`CallOpening`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningOutcome {
    /// The call may be made.
    Opened(OpenedCall),
    /// A limit is reached. Nothing is stored.
    Refused(LimitReached),
    /// The workspace has no such key. Nothing is stored.
    UnknownKey,
}

/// The stored reservation of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenedCall {
    /// Number of the reservation.
    pub id: i64,
    /// Present for a key with limits.
    pub windows: Option<ReservedWindows>,
}

/// The same failure, for each caller whose call was in a batch that failed.
pub(super) fn repeat_error(error: &StoreError) -> StoreError {
    match error {
        StoreError::Full => StoreError::Full,
        StoreError::OutcomeUnknown => StoreError::OutcomeUnknown,
        StoreError::Unavailable(cause) => StoreError::Unavailable(cause.to_string().into()),
        StoreError::Damaged(cause) => StoreError::Damaged(cause.to_string().into()),
        other => StoreError::Failed(other.to_string().into()),
    }
}
