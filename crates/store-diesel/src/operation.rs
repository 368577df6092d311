//! A piece of work on a connection, with the caller that waits for it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use shared_core::StoreError;
use tokio::sync::oneshot;

use crate::connection::AnyConnection;
use crate::failure::Failure;

/// Work with its kind of answer hidden, so that one queue takes all.
pub(crate) trait Operation: Send {
    /// Does the work and keeps the answer. `Err` asks for a rollback of what it did.
    fn run(&mut self, connection: &mut AnyConnection) -> Result<(), RollbackReason>;
    /// Sends the kept answer to the caller.
    fn answer(self: Box<Self>);
    /// Sends the kept answer if it is a failure; a kept success was not stored, so it becomes one.
    fn answer_if_failed(self: Box<Self>);
    /// Tells the caller that it failed, whatever was kept.
    fn fail(self: Box<Self>, error: StoreError);
}

/// Why an operation's work must be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RollbackReason {
    /// It failed for good; the answer says why.
    Failed,
    /// Running it again may help.
    Transient,
    /// The connection is gone.
    Lost,
}

/// Work that gives a `T`.
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
        // A panic must not take the thread, and so everybody else's work, with it. The connection is
        // rolled back afterwards, so it is not seen in a half-way state.
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
        // The caller may have gone; what was committed stays.
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
