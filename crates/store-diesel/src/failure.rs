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
            lost if lost.is_lost() => {
                StoreError::Unavailable("the connection to the database was lost".into())
            }
            Self::Query(error) => match Condition::of(&error) {
                Condition::Full => StoreError::Full,
                Condition::Damaged => StoreError::Damaged(error.into()),
                Condition::Busy | Condition::Inaccessible => StoreError::Unavailable(error.into()),
                Condition::Other => StoreError::Failed(error.into()),
            },
        }
    }
}

/// What an error of the database means for the store. Both databases report most of it only in their messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// The disk is full: SQLite's message, and those of PostgreSQL's class 53.
    Full,
    /// SQLite found that its file is damaged.
    Damaged,
    /// The database waited too long: SQLite for its write lock, PostgreSQL for a lock or a statement.
    Busy,
    /// SQLite cannot use its files now, as on a disk that fails or is read-only.
    Inaccessible,
    /// Anything else.
    Other,
}

impl Condition {
    pub(crate) fn of(error: &DieselError) -> Self {
        let DieselError::DatabaseError(_, info) = error else { return Self::Other };
        let known = CONDITIONS.iter().find(|(text, _)| info.message().contains(text));
        known.map_or(Self::Other, |(_, condition)| *condition)
    }
}

const CONDITIONS: &[(&str, Condition)] = &[
    ("database or disk is full", Condition::Full),
    ("No space left on device", Condition::Full),
    ("Disk quota exceeded", Condition::Full),
    ("database disk image is malformed", Condition::Damaged),
    ("file is not a database", Condition::Damaged),
    ("database is locked", Condition::Busy),
    ("due to lock timeout", Condition::Busy),
    ("due to statement timeout", Condition::Busy),
    ("disk I/O error", Condition::Inaccessible),
    ("unable to open database file", Condition::Inaccessible),
    ("attempt to write a readonly database", Condition::Inaccessible),
];

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
