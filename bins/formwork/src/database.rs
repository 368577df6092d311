//! The database by the settings.

use std::sync::Arc;
use std::time::Duration;

use runtime_tokio::TokioTimer;
use store_diesel::{Database, DatabaseSettings, OperationDeadline};

use crate::meter::ReservationDeadline;
use crate::settings::{LimitSettings, Settings};

/// Opens the database.
///
/// # Errors
/// One sentence for the operator.
pub fn open(settings: &Settings) -> anyhow::Result<Database> {
    let sizes = DatabaseSettings {
        readers: settings.workers.database_readers,
        writers: settings.workers.database_writers,
    };
    Ok(Database::open(&settings.database_url(), sizes)?)
}

/// Time limit of the database operations of a request.
#[must_use]
pub fn operation_deadline(limits: &LimitSettings) -> OperationDeadline {
    OperationDeadline::new(Arc::new(TokioTimer::default()), Duration::from_secs(limits.database_seconds))
}

/// Time limit of the reservation of a model call, which is a database operation, too.
#[must_use]
pub fn reservation_deadline(limits: &LimitSettings, database: &Database) -> ReservationDeadline {
    let database = database.clone();
    ReservationDeadline {
        limit: Duration::from_secs(limits.database_seconds),
        is_delayed: Arc::new(move || database.is_in_bulk_write()),
    }
}
