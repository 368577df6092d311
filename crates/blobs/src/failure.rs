//! Maps errors of the object store to [`BlobError`].

use std::error::Error;
use std::io;

use files_core::BlobError;

/// Distinguishes a missing object and a full disk from all other errors.
pub(crate) fn to_blob_error(error: object_store::Error) -> BlobError {
    if matches!(error, object_store::Error::NotFound { .. }) {
        return BlobError::Missing;
    }
    if is_full(&error) { BlobError::Full } else { BlobError::Failed(error.into()) }
}

/// Whether a full disk or an exceeded quota is among the sources.
fn is_full(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let full = |kind| matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        if error.downcast_ref::<io::Error>().is_some_and(|error| full(error.kind())) {
            return true;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_found_among_the_causes() {
        let wrap = |kind: io::ErrorKind| object_store::Error::Generic {
            store: "x",
            source: io::Error::from(kind).into(),
        };
        assert!(matches!(to_blob_error(wrap(io::ErrorKind::StorageFull)), BlobError::Full));
        assert!(matches!(to_blob_error(wrap(io::ErrorKind::QuotaExceeded)), BlobError::Full));
        assert!(matches!(to_blob_error(wrap(io::ErrorKind::PermissionDenied)), BlobError::Failed(_)));
    }
}
