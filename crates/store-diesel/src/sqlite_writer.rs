//! The single writer of SQLite, with group commit.
//!
//! SQLite allows one writer at a time, and each durable commit waits for the disk. So every write goes
//! through this thread. It runs up to [`BATCH`] waiting operations in one transaction, each within a
//! savepoint of its own, and answers no caller before the commit.
//!
//! SQLite handles some errors (above all a full disk) by rolling back the *whole* transaction. Later
//! operations of the batch would then commit by themselves while earlier ones are lost. A savepoint that
//! cannot be released reveals this. The batch is then repeated with one transaction per operation, so that
//! only operations fail that must.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use diesel::result::Error as DieselError;
use shared_core::StoreError;

use crate::connection::AnyConnection;
use crate::failure::Condition;
use crate::operation::Operation;
use crate::{commands, crash_point};

/// Maximum number of operations in one transaction.
const BATCH: usize = 512;
/// Maximum wait for more operations.
const LONGEST_WAIT: Duration = Duration::from_millis(2);
/// Interval of checks of the queue. Sleeping costs less than a wake-up by each operation.
const POLL_INTERVAL: Duration = Duration::from_micros(50);

type Batch = Vec<Operation>;

/// Serves the queue until every sender is gone. `in_bulk` is true while it runs an operation on many rows, which the
/// waiting ones are delayed by.
pub(crate) fn serve(mut connection: AnyConnection, queue: &Receiver<Operation>, in_bulk: &AtomicBool) {
    let mut last = LastCommit::default();
    let mut next = None;
    while let Some(first) = next.take().or_else(|| queue.recv().ok()) {
        if !first.is_bulk() {
            last.wait_for_batch(queue);
        }
        let mut batch = collect_batch(first, queue, &mut next);
        batch.retain(Operation::is_awaited);
        if batch.is_empty() {
            continue;
        }
        let (operations, began) = (batch.len(), Instant::now());
        commit_batch(&mut connection, batch, in_bulk);
        last = LastCommit { writers: operations + queue.len(), took: began.elapsed() };
    }
}

/// The operations of the next transaction. One on many rows has a transaction of its own, since the callers of the
/// others would wait for it; where it follows others, it is left in `next`.
fn collect_batch(first: Operation, queue: &Receiver<Operation>, next: &mut Option<Operation>) -> Batch {
    let is_alone = first.is_bulk();
    let mut batch = vec![first];
    while !is_alone && batch.len() < BATCH {
        match queue.try_recv() {
            Ok(bulk) if bulk.is_bulk() => {
                *next = Some(bulk);
                break;
            }
            Ok(operation) => batch.push(operation),
            Err(_) => break,
        }
    }
    batch
}

/// The last commit, which shows how many callers write concurrently.
///
/// The callers that it answered come back a little later than those that already waited. Without a wait the
/// two halves would alternate, with twice the commits.
#[derive(Default)]
struct LastCommit {
    /// Operations answered or waiting when it was done.
    writers: usize,
    took: Duration,
}

impl LastCommit {
    /// Waits until as many operations wait as before, at most as long as a commit takes. A single writer
    /// never waits.
    fn wait_for_batch(&self, queue: &Receiver<Operation>) {
        let (wanted, began) = (self.writers.min(BATCH), Instant::now());
        let patience = self.took.min(LONGEST_WAIT);
        while queue.len() + 1 < wanted && began.elapsed() < patience {
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Commits a batch in one transaction, or falls back to one per operation.
fn commit_batch(connection: &mut AnyConnection, mut batch: Batch, in_bulk: &AtomicBool) {
    match try_batch(connection, &mut batch, in_bulk) {
        Ok(()) => {
            crash_point::after_commit();
            batch.into_iter().for_each(|operation| operation.answer());
        }
        // Another process holds the write lock: each operation alone would wait as long again.
        Err(error) if batch.len() == 1 || Condition::of(&error) == Condition::Busy => fail_all(batch, &error),
        Err(error) => {
            tracing::warn!(%error, operations = batch.len(), "a group commit failed; committing one by one");
            for operation in batch {
                commit_batch(connection, vec![operation], in_bulk);
            }
        }
    }
}

/// Operations that no caller waits for are left out. `Err` when the whole transaction failed and nothing of the batch is stored.
fn try_batch(
    connection: &mut AnyConnection,
    batch: &mut Batch,
    in_bulk: &AtomicBool,
) -> Result<(), DieselError> {
    commands::begin_immediate(connection)?;
    in_bulk.store(batch.iter().any(Operation::is_bulk), Ordering::Relaxed);
    let done = run_all(connection, batch).and_then(|()| commands::commit(connection));
    if done.is_err() {
        // Has no effect if SQLite has already rolled back; it then reports an error.
        commands::rollback(connection).ok();
    }
    in_bulk.store(false, Ordering::Relaxed);
    done
}

fn run_all(connection: &mut AnyConnection, batch: &mut Batch) -> Result<(), DieselError> {
    for operation in batch.iter_mut().filter(|operation| operation.start()) {
        commands::savepoint(connection)?;
        // Releasing a savepoint fails with "no such savepoint" after SQLite has rolled back everything.
        if operation.run(connection).is_err() || !operation.begin_commit() {
            commands::rollback_to(connection)?;
        }
        commands::release(connection)?;
    }
    Ok(())
}

fn fail_all(batch: Batch, error: &DieselError) {
    for operation in batch {
        let told = match Condition::of(error) {
            Condition::Full => StoreError::Full,
            Condition::Damaged => StoreError::Damaged(error.to_string().into()),
            Condition::Busy => {
                StoreError::Unavailable("another process holds the write lock of the database".into())
            }
            Condition::Inaccessible => StoreError::Unavailable(error.to_string().into()),
            Condition::Other if error.to_string().contains("no such savepoint") => {
                // The operation's own error made SQLite roll back; it is more informative than this one.
                operation.answer_if_failed();
                continue;
            }
            Condition::Other => StoreError::Failed(error.to_string().into()),
        };
        operation.fail(told);
    }
}
