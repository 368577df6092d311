//! Classifies a failed attempt at an item: retry it later, or fail it.

use std::time::Duration;

use document::ReadError;
use shared_core::{Backoff, DomainError as _, StoreError};

use crate::ItemError;
use crate::embedding::{EmbedFailure, Retryability};

/// The pause after the first failed attempt at an item; it doubles with each.
const BACKOFF: Backoff = Backoff { first: Duration::from_secs(2), max: Duration::from_secs(120) };
/// The longest pause, also of those that a provider asks for.
/// How long room is waited for before it is looked for again: a limit may have been raised.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// Pause after a store failure: an error, no connection, or a full disk.
pub(super) const STORE_PAUSE: Duration = Duration::from_secs(5);

/// Why an attempt at an item failed.
#[derive(Debug)]
pub(super) enum IngestFailure {
    /// Not retryable.
    Lasts(ItemError),
    /// Retryable, but not before this time if one was asked for.
    MayPass(ItemError, Option<Duration>),
    /// No capacity for this time.
    NoRoom(ItemError, Duration),
    /// The process is about to end.
    Interrupted,
    /// The store failed.
    Store(StoreError),
}

/// The decision after a failure.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum IngestRetry {
    /// Retry after this time; `failed` says whether the attempt counts.
    Again { error: ItemError, after: Duration, failed: bool },
    /// Retry when there is capacity for the items of the base.
    Wait { error: ItemError, after: Duration },
    /// Leave the item to whichever process claims it next.
    Release,
    /// Fail the item.
    Fail(ItemError),
    /// The item is deleted, or another worker has it.
    Lost,
}

/// An error with its code and message.
pub(super) fn error(code: &str, message: impl Into<String>) -> ItemError {
    ItemError { code: code.to_owned(), message: message.into() }
}

/// The error of an item whose processing panicked.
pub(super) fn panicked() -> ItemError {
    error("internal", "the file could not be processed because of an internal error")
}

/// Decides after `failed` earlier attempts, of at most `most`.
pub(super) fn next(failure: IngestFailure, failed: u32, most: u32) -> IngestRetry {
    let again = |error, asked: Option<Duration>| match failed.saturating_add(1) < most {
        true => IngestRetry::Again { error, after: BACKOFF.delay_or(failed, asked), failed: true },
        false => IngestRetry::Fail(error),
    };
    match failure {
        IngestFailure::Lasts(error) => IngestRetry::Fail(error),
        IngestFailure::MayPass(error, asked) => again(error, asked),
        IngestFailure::NoRoom(error, after) => IngestRetry::Wait { error, after: after.min(LONGEST_WAIT) },
        IngestFailure::Interrupted => IngestRetry::Release,
        IngestFailure::Store(StoreError::Stale) => IngestRetry::Lost,
        IngestFailure::Store(cause) => {
            let error = error(cause.code(), cause.to_string());
            match cause {
                // A store failure is not the item's fault and affects all items.
                StoreError::Unavailable(_)
                | StoreError::OutcomeUnknown
                | StoreError::Full
                | StoreError::Damaged(_) => IngestRetry::Again { error, after: STORE_PAUSE, failed: false },
                StoreError::QuotaExceeded { .. } => IngestRetry::Fail(error),
                _ => again(error, None),
            }
        }
    }
}

impl From<StoreError> for IngestFailure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ReadError> for IngestFailure {
    fn from(failure: ReadError) -> Self {
        match failure {
            ReadError::Store(error) => Self::Store(error),
            ReadError::Unusable { code, message } if passes(code) => {
                Self::MayPass(error(code, message), None)
            }
            ReadError::Transient { code, message, after } => {
                Self::MayPass(error(code, message), after.map(Duration::from_secs))
            }
            ReadError::Unusable { code, message } => Self::Lasts(error(code, message)),
        }
    }
}

/// Whether an error code of reading a document is retryable.
fn passes(code: &str) -> bool {
    matches!(code, "parser_unavailable" | "document_source_failed" | "content_failed" | "content_unavailable")
}

impl From<EmbedFailure> for IngestFailure {
    fn from(failure: EmbedFailure) -> Self {
        let error = failure.item_error();
        match (failure.retryability(), failure) {
            (_, EmbedFailure::Store(error)) => Self::Store(error),
            (_, EmbedFailure::Interrupted) => Self::Interrupted,
            (Retryability::Room(after), _) => Self::NoRoom(error, after),
            (Retryability::MayPass(asked), _) => Self::MayPass(error, asked),
            (Retryability::Lasts, _) => Self::Lasts(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_waits_longer_each_time_and_not_for_ever() {
        let busy = || IngestFailure::from(ReadError::unusable("parser_unavailable", "busy"));
        let seconds = |failed| match next(busy(), failed, 5) {
            IngestRetry::Again { after, failed: true, .. } => after.as_secs(),
            other => panic!("{other:?}"),
        };
        assert_eq!([seconds(0), seconds(1), seconds(2), seconds(3)], [2, 4, 8, 16]);
        assert_eq!(next(busy(), 4, 5), IngestRetry::Fail(error("parser_unavailable", "busy")));
    }

    #[test]
    fn a_bad_document_fails_at_once() {
        let damaged = ReadError::unusable("document_damaged", "no end");
        assert_eq!(next(damaged.into(), 0, 5), IngestRetry::Fail(error("document_damaged", "no end")));
    }

    #[test]
    fn a_store_that_is_away_fails_nothing_but_one_that_refuses_does_in_the_end() {
        let away = || IngestFailure::Store(StoreError::Unavailable("no route".into()));
        assert!(matches!(next(away(), 99, 5), IngestRetry::Again { failed: false, .. }));
        let refused = || IngestFailure::Store(StoreError::Corrupt("bad row".into()));
        assert!(matches!(next(refused(), 0, 5), IngestRetry::Again { failed: true, .. }));
        assert!(matches!(next(refused(), 4, 5), IngestRetry::Fail(error) if error.code == "internal"));
        assert_eq!(next(IngestFailure::Store(StoreError::Stale), 0, 5), IngestRetry::Lost);
    }

    #[test]
    fn the_wait_that_a_provider_asks_for_is_kept_within_bounds() {
        let asked = |seconds| {
            let asked = Some(Duration::from_secs(seconds));
            match next(IngestFailure::MayPass(panicked(), asked), 0, 5) {
                IngestRetry::Again { after, .. } => after.as_secs(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!([asked(1), asked(30), asked(10_000)], [2, 30, 120]);
        let day = IngestFailure::NoRoom(panicked(), Duration::from_secs(86_400));
        assert!(matches!(next(day, 0, 5), IngestRetry::Wait { after: LONGEST_WAIT, .. }));
    }
}
