//! Connections for lookups on the caller's own thread.
//!
//! A lookup by key in an embedded database takes some microseconds. Handing it to another thread and waking
//! the caller takes several times that. So the one lookup of every request, its API key, runs inline. It
//! never waits: when no connection is free, it goes to the readers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use diesel::ConnectionError;
use parking_lot::RwLock;
use r2d2::{ManageConnection, Pool};
use scheduled_thread_pool::ScheduledThreadPool;
use shared_core::StoreError;

use crate::connection::{Access, AnyConnection, Backend};
use crate::failure::Failure;

/// A few read-only connections to a database file, opened on demand; none after it is closed.
#[derive(Debug)]
pub(crate) struct InlineReader(RwLock<Option<Pool<Manager>>>);

/// Opens the connections of the pool.
#[derive(Debug)]
struct Manager(Backend);

/// A connection that is replaced after a failure, which may be its own.
struct ReadConnection {
    inner: AnyConnection,
    has_failed: bool,
}

impl ManageConnection for Manager {
    type Connection = ReadConnection;
    type Error = ConnectionError;

    fn connect(&self) -> Result<ReadConnection, ConnectionError> {
        Ok(ReadConnection { inner: self.0.connect(Access::Read)?, has_failed: false })
    }

    fn is_valid(&self, _: &mut ReadConnection) -> Result<(), ConnectionError> {
        Ok(())
    }

    fn has_broken(&self, connection: &mut ReadConnection) -> bool {
        connection.has_failed
    }
}

impl InlineReader {
    /// At most `count` connections. None for PostgreSQL, which is reached over a network.
    pub(crate) fn new(backend: &Backend, count: u32) -> Self {
        let pool = || {
            Pool::builder()
                .max_size(count)
                .min_idle(Some(0))
                // A file connection does not break while it is idle.
                .test_on_check_out(false)
                .thread_pool(Arc::new(ScheduledThreadPool::new(1)))
                .build_unchecked(Manager(backend.clone()))
        };
        Self(RwLock::new(matches!(backend, Backend::Sqlite(_)).then(pool)))
    }

    /// Runs a single query; `None` when no connection is free.
    pub(crate) fn run<T>(
        &self,
        query: &impl Fn(&mut AnyConnection) -> Result<T, Failure>,
    ) -> Option<Result<T, StoreError>> {
        let pool = self.0.read().clone()?;
        // Without a free connection the pool opens one for later calls.
        let mut connection = pool.get_timeout(Duration::ZERO).ok()?;
        let outcome = catch_unwind(AssertUnwindSafe(|| query(&mut connection.inner)));
        connection.has_failed = !matches!(outcome, Ok(Ok(_)));
        let panicked = |_| Err(Failure::Store(StoreError::Failed("a database operation panicked".into())));
        Some(outcome.unwrap_or_else(panicked).map_err(Failure::into_store))
    }

    /// Closes all connections and opens no more.
    pub(crate) fn close(&self) {
        self.0.write().take();
    }
}
