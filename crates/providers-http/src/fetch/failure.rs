//! Classifies the failure of a request.

use std::error::Error;

use utilities_core::web::{FetchCause, FetchError};

use super::resolve::ResolveError;

/// The failure of a request or of reading its answer.
pub(super) fn failure(error: reqwest::Error) -> FetchError {
    if let Some(known) = known(&error) {
        return known;
    }
    let what = if has::<ResolveError>(&error) {
        "the site's name could not be resolved"
    } else if has::<rustls::Error>(&error) {
        "no secure connection to the site could be made"
    } else if error.is_connect() {
        "the site could not be reached"
    } else {
        "the connection broke off before the answer was complete"
    };
    let source: shared_core::BoxError = error.without_url().into();
    FetchError::Failed { what, source: Some(FetchCause::from(source)) }
}

fn known(error: &reqwest::Error) -> Option<FetchError> {
    if let Some(ResolveError::Denied(denied)) = find::<ResolveError>(error) {
        return Some(denied.clone());
    }
    if error.is_timeout() {
        return Some(FetchError::Timeout);
    }
    let broken = find::<hyper::Error>(error)?;
    broken.is_parse().then_some(FetchError::Unusable("it is not HTTP, or its headers are too long"))
}

fn has<T: Error + 'static>(error: &reqwest::Error) -> bool {
    find::<T>(error).is_some()
}

/// The first error of a type in the chain, also inside I/O errors.
fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner as &(dyn Error + 'static)),
            None => error.source(),
        };
    }
    None
}
