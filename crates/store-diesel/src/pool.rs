//! Threads that serve a queue with pooled connections: the readers of both databases, and the writers of
//! PostgreSQL.

use std::time::Duration;

use crossbeam_channel::Receiver;
use diesel::QueryResult;
use r2d2::{Pool, PooledConnection};
use shared_core::{BoxError, StoreError};

use crate::connection::{Access, AnyConnection, Manager};
use crate::failure::Failure;
use crate::operation::{Operation, RollbackReason};
use crate::{commands, crash_point};

/// Maximum number of attempts of an operation after conflicts.
const ATTEMPTS: u32 = 8;
/// Maximum wait of an operation for a connection.
pub(crate) const CONNECTION_WAIT: Duration = Duration::from_secs(10);

/// Serves the queue until every sender is gone.
///
/// The thread keeps its connection between operations. A broken one is replaced from the pool, which checks
/// it.
pub(crate) fn serve(pool: &Pool<Manager>, access: Access, queue: &Receiver<Operation>) {
    let mut kept: Option<PooledConnection<Manager>> = None;
    while let Ok(operation) = queue.recv() {
        let begun = kept.take().and_then(|mut old| begin(&mut old, access).ok().map(|()| old));
        let begun = begun.map_or_else(|| begin_anew(pool, access), Ok);
        match begun {
            Ok(mut connection) => {
                if transact(&mut connection, access, operation) == ConnectionState::Whole {
                    kept = Some(connection);
                }
            }
            Err(error) => operation.fail(error),
        }
    }
}

/// Whether a connection can be reused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConnectionState {
    Whole,
    Broken,
}

fn begin_anew(pool: &Pool<Manager>, access: Access) -> Result<PooledConnection<Manager>, StoreError> {
    let unavailable = |error: BoxError| StoreError::Unavailable(error);
    let mut connection = pool.get().map_err(|error| unavailable(error.into()))?;
    begin(&mut connection, access).map_err(|error| unavailable(error.into()))?;
    Ok(connection)
}

fn begin(connection: &mut AnyConnection, access: Access) -> QueryResult<()> {
    match (&*connection, access) {
        (AnyConnection::Postgres(_), Access::Read) => commands::begin_read_only(connection),
        // A deferred transaction gives all reads of the operation one snapshot.
        _ => commands::begin(connection),
    }
}

/// Runs an operation in the open transaction and sends its result after the commit.
fn transact(connection: &mut AnyConnection, access: Access, mut operation: Operation) -> ConnectionState {
    for attempt in 1..=ATTEMPTS {
        match operation.run(connection) {
            Ok(()) => {
                return match commands::commit(connection) {
                    Ok(()) => {
                        if access == Access::Write {
                            crash_point::after_commit();
                        }
                        operation.answer();
                        ConnectionState::Whole
                    }
                    Err(error) => {
                        commands::rollback(connection).ok();
                        operation.fail(Failure::from(error).into_store());
                        ConnectionState::Broken
                    }
                };
            }
            Err(undo) => {
                let undone = commands::rollback(connection);
                if undo != RollbackReason::Transient || attempt == ATTEMPTS {
                    operation.answer();
                    return if undo == RollbackReason::Lost || undone.is_err() {
                        ConnectionState::Broken
                    } else {
                        ConnectionState::Whole
                    };
                }
                std::thread::sleep(Duration::from_millis(u64::from(attempt * attempt)));
                if let Err(error) = begin(connection, access) {
                    operation.fail(StoreError::Unavailable(error.into()));
                    return ConnectionState::Broken;
                }
            }
        }
    }
    ConnectionState::Whole
}
