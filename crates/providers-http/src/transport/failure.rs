//! Classifies failed calls: status and codes to [`Fault`], by the rules that the vendors document and that
//! their own clients follow.

use std::error::Error;
use std::io;
use std::time::Duration;

use gen_core::{Fault, ProviderError};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use super::Endpoint;
use super::error_body::ProviderErrorBody;
use super::retry_after::retry_after;

/// Codes of exhausted credit or quota. A retry does not help.
const BILLING: &[&str] = &[
    "insufficient_quota",
    "insufficient_balance",
    "insufficient_credits",
    "credit_balance_exhausted",
    "billing_disabled",
    "billing_error",
    "billing_not_active",
    "billing_hard_limit_reached",
    "spend_limit_exceeded",
    "spend_limit_reached",
    "contract_spend_limit_reached",
    "enforced_spend_limit_reached",
    "linked_organization_spend_limit_reached",
];

/// Part of the names of Google's daily quotas. They come with a `retryDelay` in seconds all the same.
const DAILY_QUOTA: &str = "perday";

/// Codes of a rejected key, where the status is not 401.
const AUTH: &[&str] = &["api_key_invalid", "api_key_service_blocked", "subscription_token_invalid"];

/// Phrases for exhausted credit, where a vendor has no code for it.
const BILLING_WORDS: &[&str] =
    &["credit balance", "spend limit", "spending limit", "insufficient balance", "insufficient credit"];

/// Codes of a request that exceeds the model's context window.
const CONTEXT: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size_error",
    "context_window_exceeded",
    "model_context_window_exceeded",
];

/// Phrases for an exceeded context window, where a vendor has no code for it.
const CONTEXT_WORDS: &[&str] = &[
    "context length",
    "context window",
    "context size",
    "prompt is too long",
    "too many tokens",
    "maximum number of tokens",
];

/// Codes of a request that the vendor refuses for its content.
const REFUSED: &[&str] = &[
    "content_filter",
    "content_policy_violation",
    "moderation_blocked",
    "responsibleaipolicyviolation",
    "prohibited_content",
];

/// Codes of an unknown model.
const UNKNOWN_MODEL: &[&str] = &["model_not_found", "invalid_model", "unknown_model", "model_not_available"];

/// Phrases of a 404 for a model that exists but has another kind.
const OTHER_KIND_WORDS: &[&str] = &["not a chat model", "not supported in the"];

const OVERLOADED: &[&str] = &["overloaded_error", "overloaded", "engine_overloaded", "unavailable"];

/// Statuses by error code, for failures within a stream, which has no status.
const BY_CODE: &[(&str, u16)] = &[
    ("invalid_request_error", 400),
    ("invalid_argument", 400),
    ("authentication_error", 401),
    ("unauthenticated", 401),
    ("permission_error", 403),
    ("permission_denied", 403),
    ("not_found_error", 404),
    ("not_found", 404),
    ("request_too_large", 413),
    ("rate_limit_error", 429),
    ("rate_limit_exceeded", 429),
    ("resource_exhausted", 429),
];

impl Endpoint {
    /// The failure in an answer with this status.
    pub(super) fn refusal(&self, status: StatusCode, headers: &HeaderMap, body: &[u8]) -> ProviderError {
        let complaint = ProviderErrorBody::parse(body);
        let plain = complaint.is_none().then(|| plain_text(headers, body)).flatten();
        let mut complaint = complaint.unwrap_or_default();
        complaint.request_id = complaint.request_id.or_else(|| request_id(headers));
        let mut error = self.failure(Some(status.as_u16()), complaint, plain);
        error.retry_after = retry_after(headers, self.transport.clock.as_ref()).or(error.retry_after);
        error.should_retry = match headers.get("x-should-retry").map(|value| value.as_bytes()) {
            // A vendor's general retry advice does not apply to exhausted credit.
            _ if error.fault == Fault::Billing => None,
            Some(b"true") => Some(true),
            Some(b"false") => Some(false),
            _ => None,
        };
        error
    }

    /// The failure in a record of a stream with status 200, in any vendor's format.
    pub(crate) fn refusal_in_stream(&self, record: &[u8]) -> ProviderError {
        // A longer record is not an error, and parsing it would take many times its size.
        let record = Some(record).filter(|record| record.len() <= self.limits.error_bytes);
        self.failure(None, record.and_then(ProviderErrorBody::parse).unwrap_or_default(), None)
    }

    pub(super) fn failure(
        &self,
        status: Option<u16>,
        complaint: ProviderErrorBody,
        plain: Option<String>,
    ) -> ProviderError {
        let status = status.or(complaint.status);
        let said = complaint.message.or(plain).map(|text| self.secrets.sentence(&text));
        let said = said.filter(|text| !text.is_empty());
        let words = said.as_deref().filter(|_| !complaint.message_unstable).unwrap_or_default();
        let fault = match unknown_model(status, &complaint.codes, said.as_deref().unwrap_or_default()) {
            true => Fault::UnknownModel,
            false => fault(status, &complaint.codes, words),
        };
        let message = said.unwrap_or_else(|| match status {
            Some(status) if (300..400).contains(&status) => {
                format!("the provider answered with a redirect ({status}); its base URL may be wrong")
            }
            Some(status) => format!("the provider answered with status {status} and no reason"),
            None => "the provider ended the answer without a reason".to_owned(),
        });
        let mut error = ProviderError::new(fault, message);
        error.retry_after = complaint.retry_after;
        let mut cause = complaint.codes;
        cause.extend(complaint.request_id.map(|id| format!("request {id}")));
        if !cause.is_empty() {
            error.source = Some(self.secrets.sentence(&cause.join(", ")).into());
        }
        error
    }

    /// An answer that does not match the API. `cause` is for the log.
    pub(crate) fn protocol(&self, message: &str, cause: &dyn Error) -> ProviderError {
        let mut chain = cause.to_string();
        let mut next = cause.source();
        while let Some(error) = next {
            chain = format!("{chain}: {error}");
            next = error.source();
        }
        ProviderError::new(Fault::Protocol, message).with_source(self.secrets.sentence(&chain))
    }

    /// A call that did not get through, or whose answer was cut off.
    pub(super) fn transport(&self, error: reqwest::Error) -> ProviderError {
        // The URL may contain what the settings keep secret.
        let error = error.without_url();
        let (fault, message) = transport_fault(&error);
        ProviderError::new(fault, message).with_source(error)
    }
}

/// The failure when there is no answer within `limit`.
pub(super) fn timeout_error(limit: Duration) -> ProviderError {
    let cause = format!("no answer within {} ms", limit.as_millis());
    ProviderError::timeout().with_source(cause)
}

/// Whether the vendor has no such model: by its code, or by a 404 that mentions a model. Unstable wording is
/// accepted here, because it only decides what was not found.
fn unknown_model(status: Option<u16>, codes: &[String], said: &str) -> bool {
    if codes.iter().any(|code| UNKNOWN_MODEL.contains(&code.as_str())) {
        return true;
    }
    let said = said.to_lowercase();
    status == Some(404)
        && said.contains("model")
        && !OTHER_KIND_WORDS.iter().any(|words| said.contains(words))
}

fn fault(status: Option<u16>, codes: &[String], said: &str) -> Fault {
    let coded = |list: &[&str]| codes.iter().any(|code| list.contains(&code.as_str()));
    let said = said.to_lowercase();
    let worded = |list: &[&str]| list.iter().any(|words| said.contains(words));
    let daily = || codes.iter().any(|code| code.contains(DAILY_QUOTA));
    if coded(BILLING)
        || (status == Some(429) && daily())
        || (matches!(status, Some(400 | 403 | 429)) && worded(BILLING_WORDS))
    {
        return Fault::Billing;
    }
    if coded(CONTEXT) || (matches!(status, Some(400 | 413 | 422)) && worded(CONTEXT_WORDS)) {
        return Fault::ContextTooLong;
    }
    if coded(REFUSED) {
        return Fault::Refused;
    }
    if coded(AUTH) {
        return Fault::Auth;
    }
    let by_code = || BY_CODE.iter().find(|(code, _)| codes.iter().any(|own| own == code));
    match status.or_else(|| by_code().map(|(_, status)| *status)) {
        Some(401 | 403) => Fault::Auth,
        // 432 and 433 are Tavily's: the plan's limit and the pay-as-you-go limit.
        Some(402 | 432 | 433) => Fault::Billing,
        Some(429) => Fault::RateLimited,
        Some(503 | 529) => Fault::Overloaded,
        Some(501) => Fault::Unsupported,
        Some(408 | 409 | 425) => Fault::Failed,
        Some(300..=399) => Fault::Protocol,
        Some(400..=499) => Fault::InvalidRequest,
        _ if coded(OVERLOADED) => Fault::Overloaded,
        _ => Fault::Failed,
    }
}

/// The vendor's request id, for its support.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get("request-id").or_else(|| headers.get("x-request-id"))?;
    id.to_str().ok().map(str::to_owned)
}

/// The body of an error if it is plain text.
fn plain_text(headers: &HeaderMap, body: &[u8]) -> Option<String> {
    let kind = headers.get(reqwest::header::CONTENT_TYPE)?.to_str().ok()?;
    kind.starts_with("text/plain").then(|| String::from_utf8_lossy(body).into_owned())
}

fn transport_fault(error: &reqwest::Error) -> (Fault, &'static str) {
    if error.is_connect() {
        return (Fault::Unreachable, "the provider cannot be reached");
    }
    if error.is_timeout() {
        return (Fault::Timeout, "the provider did not answer in time");
    }
    if error.is_builder() {
        return (Fault::InvalidRequest, "the request to the provider could not be built");
    }
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(hyper) = inner.downcast_ref::<hyper::Error>() {
            return if hyper.is_parse() || is_malformed(hyper) {
                (Fault::Protocol, "the provider's answer is not HTTP")
            } else {
                (Fault::Unreachable, "the connection to the provider broke")
            };
        }
        cause = inner.source();
    }
    if error.is_decode() {
        return (Fault::Protocol, "the provider's answer could not be decompressed");
    }
    (Fault::Unreachable, "the connection to the provider broke")
}

/// Whether a body violates the framing of HTTP.
fn is_malformed(error: &hyper::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause
        .is_some_and(|cause| matches!(cause.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, code: &str, said: &str) -> Fault {
        fault(Some(status), &[code.to_owned()], said)
    }

    #[test]
    fn each_status_has_its_fault() {
        for (status, expected) in [
            (302, Fault::Protocol),
            (400, Fault::InvalidRequest),
            (401, Fault::Auth),
            (402, Fault::Billing),
            (403, Fault::Auth),
            (404, Fault::InvalidRequest),
            (408, Fault::Failed),
            (409, Fault::Failed),
            (413, Fault::InvalidRequest),
            (422, Fault::InvalidRequest),
            (429, Fault::RateLimited),
            (500, Fault::Failed),
            (501, Fault::Unsupported),
            (502, Fault::Failed),
            (503, Fault::Overloaded),
            (504, Fault::Failed),
            (529, Fault::Overloaded),
        ] {
            assert_eq!(of(status, "", ""), expected, "{status}");
        }
    }

    #[test]
    fn a_model_that_is_not_there_is_told_apart_from_a_path_that_is_not() {
        let unknown = |status, code: &str, said| unknown_model(Some(status), &[code.to_owned()], said);
        assert!(unknown(404, "model_not_found", "") && unknown(400, "invalid_model", ""));
        assert!(
            unknown(404, "not_found_error", "model: claude-9")
                && unknown(404, "", "The model `x` does not exist.")
        );
        assert!(!unknown(404, "not_found", "no such route") && !unknown(400, "", "the model is loading"));
        assert!(!unknown(
            404,
            "",
            "This is not a chat model and thus not supported in the v1/chat/completions endpoint"
        ));
    }

    #[test]
    fn codes_and_words_tell_what_a_status_does_not() {
        assert_eq!(of(429, "insufficient_quota", ""), Fault::Billing);
        assert_eq!(of(429, "rate_limit_error", "your spend limit is reached"), Fault::Billing);
        assert_eq!(of(400, "invalid_request_error", "Your credit balance is too low"), Fault::Billing);
        assert_eq!(of(400, "context_length_exceeded", ""), Fault::ContextTooLong);
        assert_eq!(of(400, "invalid_request_error", "prompt is too long: 5 > 4"), Fault::ContextTooLong);
        assert_eq!(of(429, "", "too many tokens this minute"), Fault::RateLimited);
        assert_eq!(of(400, "content_policy_violation", ""), Fault::Refused);
        assert_eq!(of(500, "overloaded_error", ""), Fault::Overloaded);
        assert_eq!(of(400, "api_key_invalid", ""), Fault::Auth);
        assert_eq!(of(429, "enforced_spend_limit_reached", ""), Fault::Billing);
        assert_eq!(of(429, "generaterequestsperdayperproject-freetier", ""), Fault::Billing);
        assert_eq!(of(429, "generaterequestsperminuteperproject", ""), Fault::RateLimited);
    }

    #[test]
    fn codes_alone_tell_the_failure_of_a_stream() {
        for (code, expected) in [
            ("overloaded_error", Fault::Overloaded),
            ("rate_limit_error", Fault::RateLimited),
            ("authentication_error", Fault::Auth),
            ("invalid_request_error", Fault::InvalidRequest),
            ("insufficient_quota", Fault::Billing),
            ("api_error", Fault::Failed),
            ("never heard of", Fault::Failed),
        ] {
            assert_eq!(fault(None, &[code.to_owned()], ""), expected, "{code}");
        }
    }
}
