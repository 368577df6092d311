//! The lock of an SQLite database.

use std::fs::{File, TryLockError};
use std::time::Duration;

/// Number of attempts to lock a database, and the pause between them.
const LOCK_ATTEMPTS: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// Ensures that only one server uses an SQLite database: a second one would treat the runs of the first as
/// interrupted. The system releases the lock when the process ends in any way. A parser process that was just
/// being started then holds it a moment longer.
pub(crate) async fn lock(database_url: &str) -> anyhow::Result<Option<File>> {
    let Some(path) = database_url.strip_prefix("sqlite://") else { return Ok(None) };
    // If the file cannot be created, the database cannot be opened either, and that error is clearer.
    let Ok(file) = File::create(format!("{path}.lock")) else { return Ok(None) };
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => tokio::time::sleep(LOCK_PAUSE).await,
            // A file system without locks must not keep the server from starting.
            Err(TryLockError::Error(_)) => return Ok(None),
            Ok(()) => return Ok(Some(file)),
        }
    }
    anyhow::bail!("another server uses the database {path}; only PostgreSQL can be shared by several servers")
}
