//! A unit of work on a connection and the caller that waits for it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_channel::oneshot;
use parking_lot::Mutex;
use shared_core::StoreError;

use crate::audit::RequestAudit;
use crate::connection::AnyConnection;
use crate::deadline::OperationDeadline;
use crate::failure::Failure;
use crate::progress::{Abandonment, Progress};

type Work = Box<dyn FnMut(&mut AnyConnection) -> Result<(), Failure> + Send>;

/// Work for a common queue. The type of its result is known to its [`Answer`] alone, so that all but the work
/// is compiled once.
pub(crate) struct Operation {
    work: Work,
    kept: Option<Result<(), StoreError>>,
    caller: oneshot::Sender<Result<(), StoreError>>,
    progress: Arc<Progress>,
    extent: Extent,
    /// The audit event of the request that it is done for.
    audit: Option<RequestAudit>,
}

/// The result of an operation, for its caller.
pub(crate) struct Answer<T> {
    ended: oneshot::Receiver<Result<(), StoreError>>,
    value: Arc<Mutex<Option<T>>>,
    progress: Arc<Progress>,
    extent: Extent,
}

/// Amount of data of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Some rows.
    Few,
    /// As many rows as a workspace may have. Once it has begun it has more time.
    Bulk,
    /// Those that a single query reads, which needs no transaction.
    Query,
}

/// Why an operation must be rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RollbackReason {
    /// A permanent failure; the result has the reason.
    Failed,
    /// A retry may succeed.
    Transient,
    /// The connection is lost.
    Lost,
}

impl Operation {
    pub(crate) fn new<T, F>(work: F, extent: Extent) -> (Self, Answer<T>)
    where
        F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        let (caller, ended) = oneshot::channel();
        let value = Arc::new(Mutex::new(None));
        let result = Arc::clone(&value);
        let work = Box::new(move |connection: &mut AnyConnection| {
            *result.lock() = Some(work(connection)?);
            Ok(())
        });
        let progress = Arc::<Progress>::default();
        let operation =
            Self { work, kept: None, caller, progress: Arc::clone(&progress), extent, audit: None };
        (operation, Answer { ended, value, progress, extent })
    }

    /// Stores the event in the transaction of the work.
    pub(crate) fn with_audit(self, audit: Option<RequestAudit>) -> Self {
        Self { audit, ..self }
    }

    /// Whether it is an operation on many rows.
    pub(crate) fn is_bulk(&self) -> bool {
        self.extent == Extent::Bulk
    }

    /// Whether it is a single query.
    pub(crate) fn is_query(&self) -> bool {
        self.extent == Extent::Query
    }

    /// Whether the caller still waits.
    pub(crate) fn is_awaited(&self) -> bool {
        !self.caller.is_canceled()
    }

    /// Begins the work in an open transaction; `false` when the caller no longer waits for it.
    pub(crate) fn start(&self) -> bool {
        self.is_awaited() && self.progress.start()
    }

    /// Announces the commit; `false` when the caller was told that nothing is stored.
    pub(crate) fn begin_commit(&self) -> bool {
        self.progress.begin_commit()
    }

    /// Does the work and stores the result. `Err` requests a rollback.
    pub(crate) fn run(&mut self, connection: &mut AnyConnection) -> Result<(), RollbackReason> {
        // A panic must not end the thread and fail the work of others. The connection is rolled back
        // afterwards, so no one sees its intermediate state.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            (self.work)(connection)?;
            self.audit.as_ref().map_or(Ok(()), |audit| audit.store(connection))
        }));
        let (kept, result) = match outcome {
            Ok(Ok(())) => (Ok(()), Ok(())),
            Ok(Err(failure)) => {
                let undo = if failure.is_transient() {
                    RollbackReason::Transient
                } else if failure.is_lost() {
                    RollbackReason::Lost
                } else {
                    RollbackReason::Failed
                };
                (Err(failure.into_store()), Err(undo))
            }
            Err(_) => {
                (Err(StoreError::Failed("a database operation panicked".into())), Err(RollbackReason::Failed))
            }
        };
        self.kept = Some(kept);
        result
    }

    /// Sends the stored result to the caller.
    pub(crate) fn answer(self) {
        let not_run = || Err(StoreError::Unavailable("the operation was not run".into()));
        // The caller may be gone; committed changes stay.
        drop(self.caller.send(self.kept.unwrap_or_else(not_run)));
    }

    /// Sends the stored result if it is an error. A stored success was rolled back, so an error is sent
    /// instead.
    pub(crate) fn answer_if_failed(self) {
        if matches!(self.kept, Some(Err(_))) {
            self.answer();
        } else {
            self.fail(StoreError::Unavailable("the transaction was rolled back".into()));
        }
    }

    /// Sends an error to the caller, whatever result is stored.
    pub(crate) fn fail(self, error: StoreError) {
        drop(self.caller.send(Err(error)));
    }
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Operation")
    }
}

impl<T> Answer<T> {
    /// Waits for the result, at most until the deadline of the present task. That is later for an operation on many
    /// rows that has begun, and for those delayed by one, as `in_bulk` tells.
    pub(crate) async fn receive(mut self, in_bulk: Option<&AtomicBool>) -> Result<T, StoreError> {
        let received = match OperationDeadline::current() {
            None => Some((&mut self.ended).await),
            Some(deadline) => {
                let received = self.receive_within(&deadline, in_bulk).await;
                deadline.record(received.is_none());
                received
            }
        };
        let Some(received) = received else { return Err(self.give_up()) };
        received.map_err(|ended| StoreError::Unavailable(ended.into()))??;
        let value = self.value.lock().take();
        value.ok_or_else(|| StoreError::Unavailable("the operation has no result".into()))
    }

    async fn receive_within(
        &mut self,
        deadline: &OperationDeadline,
        in_bulk: Option<&AtomicBool>,
    ) -> Option<Result<Result<(), StoreError>, oneshot::Canceled>> {
        let received = deadline.wait(&mut self.ended).await;
        let is_slow = (self.extent == Extent::Bulk && self.progress.has_started())
            || in_bulk.is_some_and(|in_bulk| in_bulk.load(Ordering::Relaxed));
        if received.is_none() && is_slow {
            return deadline.wait_for_bulk(&mut self.ended).await;
        }
        received
    }

    fn give_up(&self) -> StoreError {
        match self.progress.abandon() {
            Abandonment::Undone => StoreError::Unavailable("the database did not answer in time".into()),
            Abandonment::Unknown => StoreError::OutcomeUnknown,
        }
    }
}
