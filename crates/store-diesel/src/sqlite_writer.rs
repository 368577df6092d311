//! The one writer of SQLite, with group commit.
//!
//! SQLite allows one writer at a time, and each durable commit waits for the disk. So every write
//! goes through this thread, which takes all that wait (up to [`BATCH`]) into one transaction, each
//! within a savepoint of its own, and answers nobody before the commit.
//!
//! SQLite answers some errors (a full disk above all) by rolling back the *whole* transaction. What
//! follows in the batch would then commit by itself while what came before is lost. A savepoint that
//! cannot be released shows this; the batch is then done again, one transaction for each operation,
//! so that only those fail that must.

use crossbeam_channel::Receiver;
use diesel::connection::SimpleConnection as _;
use diesel::result::Error as DieselError;
use shared_core::StoreError;

use crate::connection::AnyConnection;
use crate::failure::is_full;
use crate::operation::{Operation, Undo};

/// Operations in one transaction at the most.
const BATCH: usize = 512;

type Batch = Vec<Box<dyn Operation>>;

/// Serves the queue until every sender is gone.
pub(crate) fn serve(mut connection: AnyConnection, queue: &Receiver<Box<dyn Operation>>) {
    while let Ok(first) = queue.recv() {
        let mut batch = vec![first];
        batch.extend(queue.try_iter().take(BATCH - 1));
        commit_together(&mut connection, batch);
    }
}

/// Commits a batch in one transaction, or falls back to one for each operation.
fn commit_together(connection: &mut AnyConnection, mut batch: Batch) {
    match try_batch(connection, &mut batch) {
        Ok(()) => batch.into_iter().for_each(Operation::answer),
        Err(error) if batch.len() == 1 => fail_all(batch, &error),
        Err(error) => {
            tracing::warn!(%error, operations = batch.len(), "a group commit failed; committing one by one");
            for operation in batch {
                commit_together(connection, vec![operation]);
            }
        }
    }
}

/// `Err` when the whole transaction failed: nothing of the batch is stored then.
fn try_batch(connection: &mut AnyConnection, batch: &mut Batch) -> Result<(), DieselError> {
    connection.batch_execute("BEGIN IMMEDIATE")?;
    let done = run_all(connection, batch).and_then(|()| connection.batch_execute("COMMIT"));
    if done.is_err() {
        // Without effect where SQLite has rolled back already, and then it says so.
        connection.batch_execute("ROLLBACK").ok();
    }
    done
}

fn run_all(connection: &mut AnyConnection, batch: &mut Batch) -> Result<(), DieselError> {
    for operation in batch {
        connection.batch_execute("SAVEPOINT operation")?;
        let end = match operation.run(connection) {
            Ok(()) => "RELEASE operation",
            Err(Undo::Failed | Undo::Transient | Undo::Lost) => "ROLLBACK TO operation; RELEASE operation",
        };
        // Fails with "no such savepoint" when SQLite has rolled back everything.
        connection.batch_execute(end)?;
    }
    Ok(())
}

fn fail_all(batch: Batch, error: &DieselError) {
    for operation in batch {
        let told = if is_full(error) {
            StoreError::Full
        } else if error.to_string().contains("no such savepoint") {
            // The operation's own error made SQLite roll back; it says more than this one.
            operation.answer_if_failed();
            continue;
        } else {
            StoreError::Failed(error.to_string().into())
        };
        operation.fail(told);
    }
}
