//! Connections for lookups on the caller's own thread.
//!
//! A lookup by key in an embedded database takes some microseconds. Handing it to another thread and waking
//! the caller takes several times that. So the one lookup of every request, its API key, runs inline. It
//! never waits: when every connection is in use, it goes to the readers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::{Mutex, MutexGuard};
use shared_core::StoreError;

use crate::connection::{Access, AnyConnection, Backend};
use crate::failure::Failure;

/// A few read-only connections to a database file, opened on demand.
#[derive(Debug)]
pub(crate) struct InlineReader(Mutex<ConnectionStock>);

#[derive(Debug)]
struct ConnectionStock {
    backend: Option<Backend>,
    idle: Vec<AnyConnection>,
    /// Number of connections that may still be opened.
    allowed: u32,
}

impl InlineReader {
    /// At most `count` connections. None for PostgreSQL, which is reached over a network.
    pub(crate) fn new(backend: &Backend, count: u32) -> Self {
        let embedded = matches!(backend, Backend::Sqlite(_)).then(|| backend.clone());
        Self(Mutex::new(ConnectionStock { backend: embedded, idle: Vec::new(), allowed: count }))
    }

    /// Runs a single query; `None` when no connection is free.
    pub(crate) fn run<T>(
        &self,
        query: &impl Fn(&mut AnyConnection) -> Result<T, Failure>,
    ) -> Option<Result<T, StoreError>> {
        let mut connection = self.take()?;
        let outcome = catch_unwind(AssertUnwindSafe(|| query(&mut connection)));
        if matches!(outcome, Ok(Ok(_))) {
            let mut connections = self.lock();
            if connections.backend.is_some() {
                connections.idle.push(connection);
            }
        } else {
            // The connection itself may have failed; a new one is cheap.
            self.lock().allowed += 1;
        }
        let panicked = |_| Err(Failure::Store(StoreError::Failed("a database operation panicked".into())));
        Some(outcome.unwrap_or_else(panicked).map_err(Failure::into_store))
    }

    /// Closes all connections and opens no more.
    pub(crate) fn close(&self) {
        let mut connections = self.lock();
        connections.backend = None;
        connections.idle.clear();
    }

    fn take(&self) -> Option<AnyConnection> {
        let mut connections = self.lock();
        let backend = connections.backend.clone()?;
        if let Some(connection) = connections.idle.pop() {
            return Some(connection);
        }
        connections.allowed = connections.allowed.checked_sub(1)?;
        drop(connections);
        backend.connect(Access::Read).inspect_err(|_| self.lock().allowed += 1).ok()
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionStock> {
        self.0.lock()
    }
}
