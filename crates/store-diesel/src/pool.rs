//! Threads that serve a queue, each with a connection of its own: the readers of both databases, and the writers of
//! PostgreSQL.

use std::time::Duration;

use crossbeam_channel::Receiver;
use diesel::QueryResult;
use shared_core::StoreError;

use crate::connection::{Access, AnyConnection};
use crate::connector::Connector;
use crate::failure::Failure;
use crate::operation::{Operation, RollbackReason};
use crate::{commands, crash_point};

/// Maximum number of attempts of an operation after conflicts.
const ATTEMPTS: u32 = 8;

/// Serves the queue until every sender is gone.
///
/// The thread keeps its connection between operations, and replaces it when it is broken.
pub(crate) fn serve(connector: &Connector, access: Access, queue: &Receiver<Operation>) {
    let mut kept: Option<AnyConnection> = None;
    while let Ok(operation) = queue.recv() {
        if !operation.is_awaited() {
            continue;
        }
        let Some(operation) = run_query(kept.as_mut(), operation) else { continue };
        let begun = kept.take().and_then(|mut old| begin(&mut old, access).ok().map(|()| old));
        let begun = begun.map_or_else(|| begin_anew(connector, access), Ok);
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

/// Runs an operation that is a single query on the kept connection. Returns any other operation, and one that failed: the
/// connection may be broken, which the beginning of a transaction reveals.
fn run_query(kept: Option<&mut AnyConnection>, mut operation: Operation) -> Option<Operation> {
    let is_done = operation.is_query()
        && kept.is_some_and(|connection| operation.start() && operation.run(connection).is_ok());
    if is_done {
        operation.answer();
        return None;
    }
    Some(operation)
}

/// Whether a connection can be reused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConnectionState {
    Whole,
    Broken,
}

fn begin_anew(connector: &Connector, access: Access) -> Result<AnyConnection, StoreError> {
    let mut connection = connector.connect(access)?;
    begin(&mut connection, access).map_err(|error| StoreError::Unavailable(error.into()))?;
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
        if !operation.start() {
            return state_after(commands::rollback(connection));
        }
        match operation.run(connection) {
            Ok(()) => return commit(connection, access, operation),
            Err(undo) => {
                let undone = commands::rollback(connection);
                if undo != RollbackReason::Transient || attempt == ATTEMPTS {
                    operation.answer();
                    return match undo {
                        RollbackReason::Lost => ConnectionState::Broken,
                        RollbackReason::Failed | RollbackReason::Transient => state_after(undone),
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

/// Commits the work of an operation and sends its result. A read stores nothing, so its outcome is never unknown.
fn commit(connection: &mut AnyConnection, access: Access, operation: Operation) -> ConnectionState {
    if access == Access::Write && !operation.begin_commit() {
        return state_after(commands::rollback(connection));
    }
    match commands::commit(connection) {
        Ok(()) => {
            if access == Access::Write {
                crash_point::after_commit();
            }
            operation.answer();
            ConnectionState::Whole
        }
        Err(error) => {
            commands::rollback(connection).ok();
            let failure = Failure::from(error);
            let is_unknown = access == Access::Write && failure.is_lost();
            operation.fail(if is_unknown { StoreError::OutcomeUnknown } else { failure.into_store() });
            ConnectionState::Broken
        }
    }
}

fn state_after(rollback: QueryResult<()>) -> ConnectionState {
    if rollback.is_ok() { ConnectionState::Whole } else { ConnectionState::Broken }
}
