//! A unit of work on a connection and the caller that waits for it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_channel::oneshot;
use shared_core::StoreError;

use crate::connection::AnyConnection;
use crate::failure::Failure;

/// Work with its result type erased, for a common queue.
pub(crate) trait Operation: Send {
    /// Does the work and stores the result. `Err` requests a rollback.
    fn run(&mut self, connection: &mut AnyConnection) -> Result<(), RollbackReason>;
    /// Sends the stored result to the caller.
    fn answer(self: Box<Self>);
    /// Sends the stored result if it is an error. A stored success was rolled back, so an error is sent
    /// instead.
    fn answer_if_failed(self: Box<Self>);
    /// Sends an error to the caller, whatever result is stored.
    fn fail(self: Box<Self>, error: StoreError);
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

/// Work with the result type `T`.
pub(crate) struct QueuedWork<F, T> {
    work: F,
    kept: Option<Result<T, StoreError>>,
    caller: oneshot::Sender<Result<T, StoreError>>,
}

impl<F, T> QueuedWork<F, T>
where
    F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
    T: Send + 'static,
{
    pub(crate) fn enqueue(work: F) -> (Box<dyn Operation>, oneshot::Receiver<Result<T, StoreError>>) {
        let (caller, receiver) = oneshot::channel();
        (Box::new(Self { work, kept: None, caller }), receiver)
    }
}

impl<F, T> Operation for QueuedWork<F, T>
where
    F: Fn(&mut AnyConnection) -> Result<T, Failure> + Send + 'static,
    T: Send + 'static,
{
    fn run(&mut self, connection: &mut AnyConnection) -> Result<(), RollbackReason> {
        // A panic must not end the thread and fail the work of others. The connection is rolled back
        // afterwards, so no one sees its intermediate state.
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(connection)));
        let (kept, result) = match outcome {
            Ok(Ok(value)) => (Ok(value), Ok(())),
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

    fn answer(self: Box<Self>) {
        let Self { kept, caller, .. } = *self;
        let answer = kept.unwrap_or_else(|| Err(StoreError::Unavailable("the operation was not run".into())));
        // The caller may be gone; committed changes stay.
        drop(caller.send(answer));
    }

    fn answer_if_failed(self: Box<Self>) {
        if matches!(self.kept, Some(Err(_))) {
            self.answer();
        } else {
            self.fail(StoreError::Unavailable("the transaction was rolled back".into()));
        }
    }

    fn fail(self: Box<Self>, error: StoreError) {
        drop(self.caller.send(Err(error)));
    }
}
