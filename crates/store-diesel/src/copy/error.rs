//! Errors of a copy.

use shared_core::StoreError;

use crate::database::OpenError;
use crate::failure::Failure;

/// Why a database could not be copied. `Display` is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The source is not SQLite, or the target is not PostgreSQL.
    #[error("a copy goes from an SQLite database (sqlite://) to a PostgreSQL database (postgres://)")]
    Direction,
    /// The source needs migrations.
    #[error(
        "the database was made by an older version of formwork; start this version with it once, or run `formwork migrate`"
    )]
    Older,
    /// The tables of the databases differ.
    #[error("the table {0} does not have the same columns in both databases")]
    Columns(String),
    /// The target has records of something else.
    #[error("the target is not empty: its table {0} has rows; copy to a new database")]
    NotEmpty(String),
    /// The target has an unfinished copy of another database.
    #[error("the target has an unfinished copy of another database; copy to a new database")]
    AnotherSource,
    /// The copy differs from the source.
    #[error(
        "the table {table} differs after the copy: {copied} rows were read and {found} are there; is the target in use?"
    )]
    Different {
        /// Name of the table.
        table: String,
        /// Rows of the source.
        copied: u64,
        /// Rows of the target.
        found: u64,
    },
    /// A database failed.
    #[error("the copy failed and can be repeated: {0}")]
    Store(#[from] StoreError),
    /// The caller ended the copy.
    #[error("the copy was ended and can be repeated")]
    Ended,
}

impl From<diesel::result::Error> for CopyError {
    fn from(error: diesel::result::Error) -> Self {
        // The database's own sentence tells what to do: which table, and why.
        let reason = error.to_string();
        match Failure::from(error).into_store() {
            StoreError::Failed(_) => Self::Store(StoreError::Failed(reason.into())),
            error => Self::Store(error),
        }
    }
}
