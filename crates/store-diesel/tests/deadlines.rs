//! Operations whose callers stop waiting. On both databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use async_trait::async_trait;
use diesel::connection::SimpleConnection as _;
use futures_util::FutureExt as _;
use shared_core::{StoreError, Timer};
use store_diesel::{AnyConnection, Database, Failure, OperationDeadline};

use common::{Kind, block_on, fresh};

const BOTH: [Kind; 2] = [Kind::Sqlite, Kind::Postgres];

/// A timer whose waits end when the test says so.
struct Signal(std::sync::Mutex<Receiver<()>>);

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signal")
    }
}

#[async_trait]
impl Timer for Signal {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, _: Duration) {
        self.0.lock().unwrap().recv().unwrap();
    }
}

fn bound() -> (OperationDeadline, Sender<()>) {
    let (late, lateness) = channel();
    (OperationDeadline::new(Arc::new(Signal(lateness.into())), Duration::from_secs(2)), late)
}

/// Inserts a row, says so, and waits until the test lets it go on.
fn insert_and_wait(
    begun: Sender<()>,
    released: Receiver<()>,
) -> impl Fn(&mut AnyConnection) -> Result<(), Failure> + Send {
    move |connection| {
        connection.batch_execute("INSERT INTO probe (name) VALUES ('late')")?;
        begun.send(()).unwrap();
        released.recv().unwrap();
        Ok(())
    }
}

async fn with_table(database: &Database) {
    let create = |connection: &mut AnyConnection| {
        Ok(connection.batch_execute("CREATE TABLE probe (name TEXT UNIQUE)")?)
    };
    database.write(create).await.unwrap();
}

/// Inserts the same name: fails where another insert of it was committed.
async fn insert(database: &Database) -> Result<(), StoreError> {
    let insert = |connection: &mut AnyConnection| {
        Ok(connection.batch_execute("INSERT INTO probe (name) VALUES ('late')")?)
    };
    database.write(insert).await
}

#[test]
fn a_write_whose_caller_was_told_that_it_is_late_is_undone() {
    for kind in BOTH {
        let Some(throwaway) = fresh(kind) else { continue };
        block_on(async {
            let database = &throwaway.database;
            with_table(database).await;
            // The deadline passes when the row is inserted.
            let (deadline, begun) = bound();
            let (release, released) = channel();
            let late = deadline.bound(database.write(insert_and_wait(begun, released))).await;
            assert!(matches!(late, Err(StoreError::Unavailable(_))), "{kind:?}: {late:?}");
            release.send(()).unwrap();
            insert(database).await.unwrap();
        });
    }
}

#[test]
fn an_operation_whose_caller_is_gone_before_it_begins_is_not_run() {
    let Some(throwaway) = fresh(Kind::Sqlite) else { return };
    block_on(async {
        let database = &throwaway.database;
        with_table(database).await;
        let (begun, begins) = channel();
        let (release, released) = channel::<()>();
        // The only writer is busy.
        let busy = database.write(move |_| {
            begun.send(()).unwrap();
            released.recv().unwrap();
            Ok(())
        });
        let mut busy = Box::pin(busy);
        assert!((&mut busy).now_or_never().is_none());
        begins.recv().unwrap();
        assert!(insert(database).now_or_never().is_none(), "it waits, and its caller goes");
        release.send(()).unwrap();
        busy.await.unwrap();
        insert(database).await.unwrap();
    });
}
