//! Maps database errors to store errors.

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use shared_core::{BoxError, StoreError};

/// The error of a closure over a connection.
#[derive(Debug)]
pub enum Failure {
    /// A store error.
    Store(StoreError),
    /// An error of the database.
    Query(DieselError),
    /// A conflict with a concurrent operation. A retry will succeed.
    Retry,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<DieselError> for Failure {
    fn from(error: DieselError) -> Self {
        Self::Query(error)
    }
}

impl Failure {
    /// Whether a retry may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Retry => true,
            Self::Query(DieselError::DatabaseError(kind, info)) => {
                matches!(kind, DatabaseErrorKind::SerializationFailure)
                    || info.message().contains("deadlock detected")
            }
            Self::Query(_) | Self::Store(_) => false,
        }
    }

    /// Whether the connection to the server is lost.
    pub(crate) fn is_lost(&self) -> bool {
        match self {
            Self::Query(DieselError::DatabaseError(kind, _)) => {
                matches!(kind, DatabaseErrorKind::ClosedConnection)
            }
            Self::Query(DieselError::BrokenTransactionManager) => true,
            _ => false,
        }
    }

    pub(crate) fn into_store(self) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Retry => {
                StoreError::Unavailable("the operation kept conflicting with concurrent ones".into())
            }
            Self::Query(error) if is_full(&error) => StoreError::Full,
            Self::Query(error) if is_busy(&error) => StoreError::Unavailable(error.into()),
            lost if lost.is_lost() => {
                StoreError::Unavailable("the connection to the database was lost".into())
            }
            Self::Query(error) => StoreError::Failed(error.into()),
        }
    }
}

/// SQLite reports a full disk as an unknown error, so only its message identifies it. PostgreSQL also has it
/// only in the message of its class 53.
pub(crate) fn is_full(error: &DieselError) -> bool {
    let DieselError::DatabaseError(_, info) = error else { return false };
    let message = info.message();
    message.contains("database or disk is full")
        || message.contains("No space left on device")
        || message.contains("Disk quota exceeded")
}

/// Whether the database waited too long: SQLite for its write lock, PostgreSQL for a lock or a statement. Both
/// report it only in the message.
pub(crate) fn is_busy(error: &DieselError) -> bool {
    let DieselError::DatabaseError(_, info) = error else { return false };
    let message = info.message();
    message.contains("database is locked")
        || message.contains("due to lock timeout")
        || message.contains("due to statement timeout")
}

/// Maps a uniqueness violation to [`StoreError::Taken`].
pub(crate) fn unique_violation_as(what: &'static str) -> impl Fn(DieselError) -> Failure {
    move |error| match error {
        DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => StoreError::Taken(what).into(),
        other => other.into(),
    }
}

/// Maps a foreign key violation to [`StoreError::Missing`].
pub(crate) fn foreign_key_violation_as(what: &'static str) -> impl Fn(DieselError) -> Failure {
    move |error| match error {
        DieselError::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _) => {
            StoreError::Missing(what).into()
        }
        other => other.into(),
    }
}

/// Maps both violations.
pub(crate) fn constraint_violation_as(
    taken_what: &'static str,
    missing_what: &'static str,
) -> impl Fn(DieselError) -> Failure {
    move |error| match error {
        DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => {
            StoreError::Taken(taken_what).into()
        }
        other => foreign_key_violation_as(missing_what)(other),
    }
}

/// The error of a row that cannot be decoded.
pub(crate) fn corrupt(error: impl Into<BoxError>) -> StoreError {
    StoreError::Corrupt(error.into())
}
