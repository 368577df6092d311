//! Statuses, codes and waits of a vendor's errors.

use std::time::Duration;

use gen_core::{Fault, ProviderError};
use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::kit::{Operation, openai};

async fn refused(operation: Operation, status: u16, headers: &[(&str, &str)], code: &str) -> ProviderError {
    let body =
        json!({"error": {"message": "because", "type": code, "param": null, "code": null}}).to_string();
    let headers: Vec<_> = headers.iter().copied().chain([("content-type", "application/json")]).collect();
    let upstream = Upstream::start_replies([Reply::whole_with(status, &headers, body)]).unwrap();
    operation.call(&openai(&upstream)).await.unwrap_err()
}

#[tokio::test]
async fn every_operation_maps_every_status() {
    for (status, fault) in [
        (400, Fault::InvalidRequest),
        (401, Fault::Auth),
        (402, Fault::Billing),
        (403, Fault::Auth),
        (404, Fault::InvalidRequest),
        (413, Fault::InvalidRequest),
        (422, Fault::InvalidRequest),
        (429, Fault::RateLimited),
        (500, Fault::Failed),
        (503, Fault::Overloaded),
        (529, Fault::Overloaded),
    ] {
        for operation in Operation::ALL {
            let error = refused(operation, status, &[], "").await;
            assert_eq!((error.fault, error.message.as_str()), (fault, "because"), "{operation:?} {status}");
        }
    }
}

#[tokio::test]
async fn the_wait_that_a_vendor_asks_for_is_kept() {
    for (name, value, wait) in [
        ("retry-after", "20", Some(Duration::from_secs(20))),
        ("retry-after-ms", "1500", Some(Duration::from_millis(1500))),
        // The clock of the tests starts on 1 January 2026.
        ("retry-after", "Fri, 02 Jan 2026 00:00:00 GMT", Some(Duration::from_secs(86_400))),
        ("retry-after", "nonsense", None),
    ] {
        assert_eq!(refused(Operation::Chat, 429, &[(name, value)], "").await.retry_after, wait, "{value}");
    }
}

#[tokio::test]
async fn a_vendor_may_say_whether_to_try_again_but_a_quota_never_passes() {
    let advice = |advice: &'static str| [("x-should-retry", advice)];
    assert!(!refused(Operation::Chat, 500, &advice("false"), "").await.is_retryable());
    assert!(refused(Operation::Chat, 400, &advice("true"), "").await.is_retryable());
    let error = refused(Operation::Chat, 429, &advice("true"), "insufficient_quota").await;
    assert_eq!((error.fault, error.is_retryable()), (Fault::Billing, false));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let upstream = Upstream::start(|request| match request.path.as_str() {
        "/elsewhere" => Reply::json(200, &json!({})),
        _ => Reply::whole_with(307, &[("location", "/elsewhere")], ""),
    })
    .unwrap();
    for operation in Operation::ALL {
        let error = operation.call(&openai(&upstream)).await.unwrap_err();
        assert_eq!(error.fault, Fault::Protocol, "{operation:?}");
    }
    assert!(upstream.requests().iter().all(|sent| sent.path != "/elsewhere"));
}
