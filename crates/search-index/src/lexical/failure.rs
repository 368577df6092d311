//! Maps tantivy's errors to [`IndexError`].

use std::any::Any;
use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kb_core::IndexError;
use tantivy::TantivyError;

/// The index files are damaged.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct DamageError(pub(super) String);

/// A cause for the log.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct CauseError(pub(super) String);

/// Maps an error of tantivy.
pub(super) fn to_index_error(error: TantivyError) -> IndexError {
    if is_full(&error) {
        return IndexError::Full;
    }
    match error {
        TantivyError::LockFailure(..) | TantivyError::InvalidArgument(_) | TantivyError::SystemError(_) => {
            IndexError::Failed(Box::new(error))
        }
        // All other errors of tantivy come from its files.
        error => IndexError::Damaged(Box::new(error)),
    }
}

/// Maps an I/O error.
pub(super) fn io_to_index_error(error: io::Error) -> IndexError {
    if error.kind() == io::ErrorKind::StorageFull {
        return IndexError::Full;
    }
    IndexError::Failed(Box::new(error))
}

fn is_full(error: &TantivyError) -> bool {
    use tantivy::directory::error::OpenWriteError;
    let full = |error: &io::Error| error.kind() == io::ErrorKind::StorageFull;
    match error {
        TantivyError::IoError(error) => full(error),
        TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, .. }) => full(io_error),
        other => {
            let mut next: Option<&dyn Error> = other.source();
            while let Some(cause) = next {
                if cause.downcast_ref::<io::Error>().is_some_and(full) {
                    return true;
                }
                next = cause.source();
            }
            false
        }
    }
}

/// Runs tantivy on files that may be damaged. It panics on some of them; a panic becomes an error.
pub(super) fn catch_panics<T>(work: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(IndexError::Damaged(Box::new(DamageError(panic_message(&*panic))))))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the index panicked").to_owned()
}
