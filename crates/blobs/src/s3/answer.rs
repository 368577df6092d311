//! Maps failed requests to [`BlobError`]. Bodies of errors repeat the id of the access key and the signed request, so
//! only their code and message are kept.

use std::error::Error;

use files_core::BlobError;
use object_store::Error as StoreError;

/// Codes of a bucket, user or disk that is full: Ceph's, and MinIO's. There are no such limits at Amazon.
const FULL: [&str; 3] = ["QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"];
/// Characters kept of an error without a code.
const KEPT: usize = 300;

/// A failed request, as one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct RequestError(String);

/// Distinguishes a missing object, a full store, and a service that cannot be reached or is overloaded from all other
/// errors.
pub(crate) fn to_blob_error(error: StoreError) -> BlobError {
    let text = chain(&error);
    let code = element(&text, "Code").unwrap_or_default();
    let cause = RequestError(sentence(&error));
    match error {
        // A missing bucket is no missing object.
        StoreError::NotFound { .. } if code != "NoSuchBucket" => BlobError::Missing,
        _ if FULL.contains(&code) || status(&text) == Some(507) => BlobError::Full,
        StoreError::Generic { .. } if is_outage(&text, code) => BlobError::Unavailable(cause.into()),
        _ => BlobError::Failed(cause.into()),
    }
}

/// The error as one sentence, without what must not be logged.
pub(crate) fn sentence(error: &StoreError) -> String {
    let text = chain(error);
    let told = element(&text, "Code").map(|code| match element(&text, "Message") {
        Some(message) => format!("{code}: {message}"),
        None => code.to_owned(),
    });
    match (told, status(&text)) {
        (Some(told), Some(status)) => format!("the service answered {status} {told}"),
        (Some(told), None) => format!("the service answered {told}"),
        (None, Some(status)) => format!("the service answered {status}"),
        (None, None) => text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(KEPT).collect(),
    }
}

/// Whether the same request may succeed later: it was not answered, or with a server error or a request to slow down.
fn is_outage(text: &str, code: &str) -> bool {
    code == "SlowDown" || status(text).is_none_or(|status| status >= 500 || [408, 429].contains(&status))
}

/// The error and its causes that it does not repeat.
fn chain(error: &StoreError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let part = error.to_string();
        if !text.contains(&part) {
            text.push_str(": ");
            text.push_str(&part);
        }
        cause = error.source();
    }
    text
}

/// The HTTP status in the text of an error. The store keeps the type that has it private.
fn status(text: &str) -> Option<u16> {
    let (_, rest) = text.split_once("status code: ")?;
    rest.get(..3)?.parse().ok()
}

/// The text of an XML element.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once('<').map(|(content, _)| content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(text: &str) -> StoreError {
        StoreError::Generic { store: "S3", source: text.into() }
    }

    #[test]
    fn an_outage_a_full_store_and_a_refusal_are_told_apart() {
        let of = |text: &str| to_blob_error(generic(text));
        let answer = |status: &str, code: &str| {
            of(&format!("Server returned non-2xx status code: {status}: <Error><Code>{code}</Code></Error>"))
        };
        assert!(matches!(answer("503 Service Unavailable", "SlowDown"), BlobError::Unavailable(_)));
        assert!(matches!(answer("500 Internal Server Error", "InternalError"), BlobError::Unavailable(_)));
        assert!(matches!(answer("403 Forbidden", "QuotaExceeded"), BlobError::Full));
        assert!(matches!(answer("400 Bad Request", "InvalidRequest"), BlobError::Failed(_)));
        assert!(matches!(of("HTTP error: operation timed out"), BlobError::Unavailable(_)));
    }

    #[test]
    fn a_missing_bucket_is_no_missing_object() {
        let missing = |code: &str| StoreError::NotFound {
            path: "x".to_owned(),
            source: format!("status code: 404 Not Found: <Code>{code}</Code>").into(),
        };
        assert!(matches!(to_blob_error(missing("NoSuchKey")), BlobError::Missing));
        assert!(matches!(to_blob_error(missing("NoSuchBucket")), BlobError::Failed(_)));
    }

    #[test]
    fn the_key_id_in_the_body_of_an_error_is_not_repeated() {
        let body = "status code: 403 Forbidden: <Error><Code>InvalidAccessKeyId</Code><Message>No such key.</Message>\
                    <AWSAccessKeyId>AKIDSECRET</AWSAccessKeyId></Error>";
        assert_eq!(sentence(&generic(body)), "the service answered 403 InvalidAccessKeyId: No such key.");
    }
}
