//! The handle for all database access. No other module gets a connection from anywhere else.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam_channel::{Receiver, SendError, Sender, unbounded};
use diesel::ConnectionError;
use diesel::connection::SimpleConnection as _;
use parking_lot::Mutex;
use shared_core::{Clock, StoreError};

use crate::audit::RequestAudit;
use crate::clock::{DatabaseClock, database_time};
use crate::connection::{Access, AnyConnection, Backend};
use crate::connector::Connector;
use crate::failure::Failure;
use crate::inline_reader::InlineReader;
use crate::operation::{Answer, Extent, Operation};
use crate::redaction::without_secrets;
use crate::{migrations, pool, sqlite_writer};

/// Maximum number of waiting operations per queue. Further ones fail with [`StoreError::Unavailable`].
const QUEUE_CAPACITY: usize = 8_192;

/// Maximum number of connections for inline lookups. They are opened on demand.
const INLINE_CONNECTIONS: u32 = 16;

/// Sizes of the database's thread pools.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseSettings {
    /// Number of reader threads, each with a connection.
    pub readers: u32,
    /// Number of writer threads on PostgreSQL; SQLite always has one.
    pub writers: u32,
}

impl Default for DatabaseSettings {
    fn default() -> Self {
        Self { readers: 4, writers: 8 }
    }
}

/// Why the database could not be opened. `Display` is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The scheme of the URL is not supported.
    #[error("the database URL must begin with sqlite:// or postgres://")]
    Scheme,
    /// The folder of the SQLite file cannot be used.
    #[error("the database file {path} cannot be opened: {reason}")]
    File {
        /// Path of the database file.
        path: String,
        /// Error of the operating system.
        reason: String,
    },
    /// PostgreSQL does not answer.
    #[error("the PostgreSQL database cannot be reached: {0}")]
    Unreachable(String),
    /// A newer version of the program has migrated the database.
    #[error(
        "the database was made by a newer version of formwork (migration {0}); use that version or newer"
    )]
    Newer(String),
    /// A copy to the database has not ended.
    #[error(
        "the database is an unfinished copy of another one; run `formwork copy` again, or use a new database"
    )]
    UnfinishedCopy,
    /// A migration failed.
    #[error("the database could not be migrated: {0}")]
    Migration(String),
    /// The threads could not be started.
    #[error("the database threads could not be started: {0}")]
    Threads(#[from] std::io::Error),
}

/// A database. Clones share it.
#[derive(Clone, Debug)]
pub struct Database {
    inner: Arc<Inner>,
    /// Of the operations by this handle.
    extent: Extent,
    /// Whether the operations by this handle store the audit event of their request.
    audits: bool,
}

#[derive(Debug)]
struct Inner {
    reads: Mutex<Option<Sender<Operation>>>,
    writes: Mutex<Option<Sender<Operation>>>,
    inline_reader: InlineReader,
    clock: Arc<DatabaseClock>,
    /// Whether the only writer runs an operation on many rows.
    in_bulk: Arc<AtomicBool>,
    /// Whether an operation found that the database is damaged.
    is_damaged: AtomicBool,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Database {
    /// Opens the database, applies pending migrations under a lock, and starts its threads.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(url: &str, settings: DatabaseSettings) -> Result<Self, OpenError> {
        let backend = Backend::of(url).ok_or(OpenError::Scheme)?;
        let mut writer = connect(&backend)?;
        migrations::require_finished_copy(&mut writer)?;
        migrations::apply(&mut writer)?;
        let time = database_time(&mut writer).map_err(|failure| unreachable(failure.into_store()))?;
        let (reads, read_queue) = unbounded();
        let (writes, write_queue) = unbounded();
        let in_bulk = Arc::<AtomicBool>::default();
        let connector = Arc::new(Connector::new(&backend));
        let mut threads = spawn_pool("db-read", &connector, Access::Read, settings.readers, &read_queue)?;
        if matches!(backend, Backend::Sqlite(_)) {
            let in_bulk = Arc::clone(&in_bulk);
            let serve = move || sqlite_writer::serve(writer, &write_queue, &in_bulk);
            threads.push(std::thread::Builder::new().name("db-write".into()).spawn(serve)?);
        } else {
            let writers = spawn_pool("db-write", &connector, Access::Write, settings.writers, &write_queue)?;
            threads.extend(writers);
        }
        let inner = Inner {
            reads: Mutex::new(Some(reads)),
            writes: Mutex::new(Some(writes)),
            inline_reader: InlineReader::new(&backend, INLINE_CONNECTIONS),
            clock: Arc::new(DatabaseClock::new(time)),
            in_bulk,
            is_damaged: AtomicBool::new(false),
            threads: Mutex::new(threads),
        };
        Ok(Self { inner: Arc::new(inner), extent: Extent::Few, audits: true })
    }

    /// The numbers of operations that wait for a reader and for a writer.
    #[must_use]
    pub fn queue_lengths(&self) -> (usize, usize) {
        let length = |queue: &Mutex<Option<Sender<Operation>>>| lock(queue).as_ref().map_or(0, Sender::len);
        (length(&self.inner.reads), length(&self.inner.writes))
    }

    /// The same database, for operations on as many rows as a workspace may have. Once begun, they may run longer
    /// than the deadline of a request's operations.
    #[must_use]
    pub(crate) fn bulk(&self) -> Self {
        Self { extent: Extent::Bulk, ..self.clone() }
    }

    /// The same database, for records about requests rather than what they are sent for: no audit event is stored with
    /// them.
    #[must_use]
    pub(crate) fn without_audit(&self) -> Self {
        Self { audits: false, ..self.clone() }
    }

    /// Looks for a row: whether the readers serve.
    ///
    /// # Errors
    /// As [`Database::read`].
    pub async fn check_reads(&self) -> Result<(), StoreError> {
        self.read(|connection| Ok(connection.batch_execute("SELECT 1 FROM workspaces LIMIT 1")?)).await
    }

    /// Whether the only writer of SQLite runs an operation on many rows. Changes are then delayed, not refused.
    #[must_use]
    pub fn is_in_bulk_write(&self) -> bool {
        self.inner.in_bulk.load(Ordering::Relaxed)
    }

    /// Commits a transaction that changes nothing: whether the writers serve.
    ///
    /// # Errors
    /// As [`Database::write`].
    pub async fn check_writes(&self) -> Result<(), StoreError> {
        self.write(|_| Ok(())).await
    }

    /// Applies pending migrations and closes the connection. Returns the names of the applied migrations.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
        let backend = Backend::of(url).ok_or(OpenError::Scheme)?;
        migrations::apply(&mut connect(&backend)?)
    }

    /// Connects and returns the names of the pending migrations. Applies none.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn missing_migrations(url: &str) -> Result<Vec<String>, OpenError> {
        let backend = Backend::of(url).ok_or(OpenError::Scheme)?;
        migrations::missing(&mut connect(&backend)?)
    }

    /// Runs `work` on a read-only connection, on one snapshot.
    ///
    /// # Errors
    /// Those of `work`, or [`StoreError::Unavailable`] when the queue is full or the operation is late
    /// ([`crate::OperationDeadline`]).
    pub async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        self.submit_read(self.extent, work).await
    }

    /// Runs `query`, a single statement, on the caller's thread if the database is embedded and a
    /// connection is free, and by a reader otherwise.
    ///
    /// # Errors
    /// As [`Database::read`].
    pub async fn look_up<T, F>(&self, query: F) -> Result<T, StoreError>
    where
        F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        match self.inner.inline_reader.run(&query) {
            Some(found) => self.note_damage(found),
            None => self.query(query).await,
        }
    }

    /// Runs `query`, a single statement, on a reader. It needs no transaction.
    ///
    /// # Errors
    /// As [`Database::read`].
    pub(crate) async fn query<T, F>(&self, query: F) -> Result<T, StoreError>
    where
        F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        self.submit_read(Extent::Query, query).await
    }

    async fn submit_read<T, F>(&self, extent: Extent, work: F) -> Result<T, StoreError>
    where
        F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        let answer = submit(&self.inner.reads, extent, work)?;
        self.note_damage(answer.receive(None).await)
    }

    /// Runs `work` in a transaction and returns once it is durable. `work` may run more than once; all runs
    /// but the last are rolled back.
    ///
    /// # Errors
    /// Those of `work`, [`StoreError::Full`], [`StoreError::Damaged`], or [`StoreError::Unavailable`] when the queue is full or the operation is
    /// late; it is then not run, or rolled back. [`StoreError::OutcomeUnknown`] when its commit is late.
    pub async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        if self.is_damaged() {
            return Err(StoreError::Damaged("damage was found before".into()));
        }
        let audit = self.audits.then(RequestAudit::current).flatten();
        let (operation, answer) = Operation::new(work, self.extent);
        send(&self.inner.writes, operation.with_audit(audit.clone()))?;
        let result = self.note_damage(answer.receive(Some(&self.inner.in_bulk)).await);
        if let (Ok(_), Some(audit)) = (&result, audit) {
            audit.note_commit();
        }
        result
    }

    /// Whether an operation found that the SQLite file is damaged. Changes are refused from then on, since they could
    /// spread the damage; what can be read is read.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.inner.is_damaged.load(Ordering::Relaxed)
    }

    fn note_damage<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(StoreError::Damaged(cause)) = &result
            && !self.inner.is_damaged.swap(true, Ordering::Relaxed)
        {
            tracing::error!(%cause, "the database is damaged and takes no more changes; restore a backup");
        }
        result
    }

    /// The clock that all servers on this database share, to some milliseconds. It never goes back.
    #[must_use]
    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.inner.clock) as Arc<dyn Clock>
    }

    /// Reads the time of the database for the clock. Without it the clock runs on by the monotonic clock of this machine.
    ///
    /// # Errors
    /// As [`Database::read`].
    pub async fn synchronise_clock(&self) -> Result<(), StoreError> {
        let clock = Arc::clone(&self.inner.clock);
        self.read(move |connection| {
            let asked = Instant::now();
            clock.adjust(database_time(connection)?, asked);
            Ok(())
        })
        .await
    }

    /// Completes the queued operations, rejects later ones, and ends the threads. It blocks; call it outside
    /// the asynchronous threads.
    pub fn close(&self) {
        lock(&self.inner.reads).take();
        lock(&self.inner.writes).take();
        self.inner.inline_reader.close();
        for thread in lock(&self.inner.threads).drain(..) {
            if thread.join().is_err() {
                tracing::error!("a database thread had panicked");
            }
        }
    }
}

fn unreachable(error: StoreError) -> OpenError {
    OpenError::Unreachable(error.to_string())
}

fn connect(backend: &Backend) -> Result<AnyConnection, OpenError> {
    if let Backend::Sqlite(path) = backend {
        let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
        let file_error = |reason: String| OpenError::File { path: path.clone(), reason };
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).map_err(|error| file_error(error.to_string()))?;
        }
        return backend.connect(Access::Write).map_err(|error| file_error(error.to_string()));
    }
    let Backend::Postgres(url) = backend else { return Err(OpenError::Scheme) };
    let told = |error: ConnectionError| OpenError::Unreachable(without_secrets(&error.to_string(), url));
    backend.connect(Access::Write).map_err(told)
}

fn spawn_pool(
    name: &str,
    connector: &Arc<Connector>,
    access: Access,
    threads: u32,
    queue: &Receiver<Operation>,
) -> Result<Vec<JoinHandle<()>>, OpenError> {
    (0..threads.max(1))
        .map(|_| {
            let (connector, queue) = (Arc::clone(connector), queue.clone());
            let serve = move || pool::serve(&connector, access, &queue);
            Ok(std::thread::Builder::new().name(name.into()).spawn(serve)?)
        })
        .collect()
}

fn submit<T, F>(
    queue: &Mutex<Option<Sender<Operation>>>,
    extent: Extent,
    work: F,
) -> Result<Answer<T>, StoreError>
where
    F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
    T: Send + 'static,
{
    let (operation, answer) = Operation::new(work, extent);
    send(queue, operation).map(|()| answer)
}

fn send(queue: &Mutex<Option<Sender<Operation>>>, operation: Operation) -> Result<(), StoreError> {
    let sender = lock(queue);
    let sender = sender.as_ref().ok_or_else(|| StoreError::Unavailable("the database is closing".into()))?;
    // A bounded channel would hold its whole capacity in memory from the start.
    if sender.len() >= QUEUE_CAPACITY {
        return Err(StoreError::Unavailable("too many operations are waiting".into()));
    }
    sender
        .send(operation)
        .map_err(|SendError(_operation)| StoreError::Unavailable("the database thread has died".into()))
}

fn lock<T>(mutex: &Mutex<T>) -> parking_lot::MutexGuard<'_, T> {
    mutex.lock()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_refuses_until_there_is_room() {
        let (sender, operations) = unbounded();
        let queue = Mutex::new(Some(sender));
        for _ in 0..QUEUE_CAPACITY {
            assert!(submit(&queue, Extent::Few, |_| Ok(())).is_ok());
        }
        assert!(matches!(submit(&queue, Extent::Few, |_| Ok(())), Err(StoreError::Unavailable(_))));
        drop(operations.recv());
        assert!(submit(&queue, Extent::Few, |_| Ok(())).is_ok());
    }
}
