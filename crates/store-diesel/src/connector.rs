//! Opens the connections of the threads. While the server is away, operations fail at once between attempts.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use parking_lot::Mutex;
use shared_core::{Backoff, StoreError};

use crate::connection::{Access, AnyConnection, Backend};

/// Pauses between attempts to connect. The longest is what a server that is back may wait for its first request.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(100), max: Duration::from_secs(1) };

/// Time limits of PostgreSQL that neither the operator's URL, role nor server sets. A lock is waited for as long as
/// SQLite's (`SQLITE_COMMON`). No operation takes ten minutes, so a longer statement is a defect.
const SERVER_LIMITS: &str = "SELECT set_config(name, value, false) \
    FROM (VALUES ('lock_timeout', '10s'), ('statement_timeout', '10min')) AS wanted (name, value) \
    WHERE current_setting(name) = '0'";

/// Opens connections to one database. The threads share it.
#[derive(Debug)]
pub(crate) struct Connector {
    backend: Backend,
    failures: Mutex<Failures>,
}

/// The attempts that failed since the last connection.
#[derive(Debug, Default)]
struct Failures {
    count: u32,
    /// No attempt before this.
    next: Option<Instant>,
}

impl Connector {
    pub(crate) fn new(backend: &Backend) -> Self {
        Self { backend: backend.clone(), failures: Mutex::default() }
    }

    /// Opens a connection.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], at once when the last attempt failed and the next is not due.
    pub(crate) fn connect(&self, access: Access) -> Result<AnyConnection, StoreError> {
        if !self.admit() {
            return Err(StoreError::Unavailable("the database could not be reached a moment ago".into()));
        }
        let opened = self.backend.connect(access).and_then(|mut connection| {
            if matches!(connection, AnyConnection::Postgres(_)) {
                let set = connection.batch_execute(SERVER_LIMITS);
                set.map_err(diesel::ConnectionError::CouldntSetupConfiguration)?;
            }
            Ok(connection)
        });
        let mut failures = self.failures.lock();
        match opened {
            Ok(connection) => {
                *failures = Failures::default();
                Ok(connection)
            }
            Err(error) => {
                let next = Instant::now() + BACKOFF.delay(failures.count);
                *failures = Failures { count: failures.count.saturating_add(1), next: Some(next) };
                Err(StoreError::Unavailable(error.into()))
            }
        }
    }

    /// Whether an attempt is due. After a failure one thread at a time makes it.
    fn admit(&self) -> bool {
        let mut failures = self.failures.lock();
        let Some(next) = failures.next else { return true };
        let now = Instant::now();
        let is_due = now >= next;
        if is_due {
            failures.next = Some(now + BACKOFF.max);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_failure_operations_fail_at_once_until_the_next_attempt() {
        let connector = Connector::new(&Backend::Sqlite("/proc/nowhere/x.db".into()));
        assert!(connector.admit() && connector.admit());
        assert!(connector.connect(Access::Read).is_err());
        assert!(!connector.admit());
        connector.failures.lock().next = Some(Instant::now());
        assert!(connector.admit(), "one attempt is due");
        assert!(!connector.admit(), "another thread makes it");
    }
}
