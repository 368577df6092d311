//! Threads that serve a queue with pooled connections: the readers of both databases, and the
//! writers of PostgreSQL.

use std::time::Duration;

use crossbeam_channel::Receiver;
use diesel::connection::SimpleConnection as _;
use r2d2::Pool;
use shared_core::StoreError;

use crate::connection::{Access, AnyConnection, Manager};
use crate::operation::{Operation, Undo};

/// How often an operation is run again after a collision with others.
const ATTEMPTS: u32 = 8;
/// How long an operation waits for a connection.
pub(crate) const CONNECTION_WAIT: Duration = Duration::from_secs(10);

/// Serves the queue until every sender is gone.
pub(crate) fn serve(pool: &Pool<Manager>, access: Access, queue: &Receiver<Box<dyn Operation>>) {
    while let Ok(operation) = queue.recv() {
        match pool.get() {
            Ok(mut connection) => transact(&mut connection, access, operation),
            Err(error) => operation.fail(StoreError::Unavailable(error.into())),
        }
    }
}

/// Runs an operation in a transaction of its own and answers after the commit.
fn transact(connection: &mut AnyConnection, access: Access, mut operation: Box<dyn Operation>) {
    let begin = match (&*connection, access) {
        (AnyConnection::Postgres(_), Access::Read) => "BEGIN READ ONLY",
        // A deferred transaction gives all reads of the operation one snapshot.
        _ => "BEGIN",
    };
    for attempt in 1..=ATTEMPTS {
        if let Err(error) = connection.batch_execute(begin) {
            return operation.fail(StoreError::Unavailable(error.into()));
        }
        match operation.run(connection) {
            Ok(()) => {
                return match connection.batch_execute("COMMIT") {
                    Ok(()) => operation.answer(),
                    Err(error) => operation.fail(crate::failure::Failure::from(error).into_store()),
                };
            }
            Err(undo) => {
                // A lost connection has nothing to roll back; the pool will replace it.
                connection.batch_execute("ROLLBACK").ok();
                if undo != Undo::Transient || attempt == ATTEMPTS {
                    return operation.answer();
                }
                std::thread::sleep(Duration::from_millis(u64::from(attempt * attempt)));
            }
        }
    }
}
