//! When a failed request is sent again, and after which pause.

use std::time::Duration;

use reqwest::Method;

use crate::error::{ApiError, Error};
use crate::request::Request;

/// The first pause, of which each further one is twice the one before.
const PAUSE: Duration = Duration::from_millis(250);
/// Maximum pause, also of those that a server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Statuses of servers and gateways that are busy or away for now.
const BUSY: [u16; 4] = [429, 502, 503, 504];

/// Failures of a provider that another attempt meets again.
const LASTING: [&str; 5] =
    ["provider_auth", "provider_billing", "provider_invalid_request", "context_too_long", "model_refused"];

/// POST operations below these paths take no `Idempotency-Key` and have an effect or a price each time.
const WITHOUT_KEY: [&str; 9] = [
    "/v1/keys",
    "/v1/members",
    "/v1/workspaces",
    "/v1/sign_in",
    "/openai/v1/embeddings",
    "/openai/v1/images",
    "/openai/v1/audio",
    "/mcp",
    "/v1/public/chat",
];

/// The operations of webhooks that send a message to another server each time.
const DELIVERIES: [&str; 2] = ["/test", "/replay"];
/// The operations of agents that take a message without a key.
const MESSAGES: [&str; 2] = ["/a2a", "/ag-ui"];

/// A failed attempt.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request cannot have reached the server.
    Unsent(Error),
    /// The connection broke; the server may have carried the request out.
    Broken(Error),
    /// The server answered with an error.
    Refused(ApiError),
    /// An attempt more would fail likewise.
    Lasting(Error),
}

impl Failure {
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(error) => error.retry_after,
            _ => None,
        }
    }

    pub(crate) fn into_error(self) -> Error {
        match self {
            Self::Unsent(error) | Self::Broken(error) | Self::Lasting(error) => error,
            Self::Refused(error) => error.into(),
        }
    }
}

/// Whether another attempt may succeed, without a second effect. `attempt` counts from 0.
pub(crate) fn helps(request: &Request, failure: &Failure, attempt: u32) -> bool {
    let repeatable = is_repeatable(&request.method, &request.path);
    let error = match failure {
        Failure::Unsent(_) => return true,
        Failure::Broken(_) => return repeatable,
        Failure::Lasting(_) => return false,
        Failure::Refused(error) => error,
    };
    // A gateway answers so for a request that the server may have carried out.
    if !repeatable && matches!(error.status, 502 | 504) {
        return false;
    }
    // The attempt before is still at work; its answer is the answer of this one.
    if attempt > 0 && error.code == "request_still_running" {
        return true;
    }
    let is_soon = error.retry_after.is_none_or(|wait| wait <= LONGEST_PAUSE);
    BUSY.contains(&error.status) && is_soon && !LASTING.contains(&error.code.as_str())
}

/// Whether a request that was carried out may be sent again: it has no effect, the same effect, or the server knows
/// the repetition by its `Idempotency-Key`.
fn is_repeatable(method: &Method, path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let is_below = |prefix: &&str| {
        path.strip_prefix(*prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let ends_with = |ends: &[&str]| ends.iter().any(|end| path.ends_with(end));
    let delivers = path.starts_with("/v1/webhooks/") && ends_with(&DELIVERIES);
    let says = path.starts_with("/v1/agent/") && ends_with(&MESSAGES);
    *method != Method::POST || !(delivers || says || WITHOUT_KEY.iter().any(is_below))
}

/// The pause after an attempt: the server's, or one that doubles, with chance so that clients do not return together.
pub(crate) fn pause(attempt: u32, wanted: Option<Duration>) -> Duration {
    let grown = PAUSE.saturating_mul(1_u32.checked_shl(attempt).unwrap_or(u32::MAX)).min(LONGEST_PAUSE);
    wanted.unwrap_or_else(|| grown.mul_f64(0.5 + 0.5 * share())).min(LONGEST_PAUSE)
}

/// A number from 0 to 1. Without random bytes it is 1: the pause is then a full one.
fn share() -> f64 {
    getrandom::u32().map_or(1.0, |number| f64::from(number) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::Value;

    use super::{Failure, helps, is_repeatable, pause};
    use crate::error::{ApiError, Error};
    use crate::request::Request;
    use reqwest::Method;

    fn refused(status: u16, code: &str, wait: Option<u64>) -> Failure {
        let body = format!(r#"{{"code":"{code}","message":"m"}}"#);
        Failure::Refused(ApiError::new(status, body.as_bytes(), None, wait.map(Duration::from_secs)))
    }

    #[test]
    fn busy_servers_are_asked_again_and_lasting_failures_are_not() {
        let request = Request::post("/v1/form");
        assert!(helps(&request, &refused(503, "saturated", Some(3)), 0));
        assert!(helps(&request, &refused(504, "status_504", None), 0));
        assert!(!helps(&request, &refused(503, "saturated", Some(31)), 0));
        assert!(!helps(&request, &refused(502, "provider_auth", None), 0));
        assert!(!helps(&request, &refused(400, "validation_failed", None), 0));
        assert!(!helps(&request, &refused(409, "request_still_running", None), 0));
        assert!(helps(&request, &refused(409, "request_still_running", None), 1));
    }

    #[test]
    fn what_has_two_effects_is_not_repeated_where_it_may_have_been_carried_out() {
        let request = Request::post("/v1/keys/17/rotate");
        assert!(!helps(&request, &refused(504, "status_504", None), 0));
        assert!(!helps(&request, &Failure::Broken(Error::Connection("reset".to_owned())), 0));
        assert!(helps(&request, &Failure::Unsent(Error::Connection("refused".to_owned())), 0));
        assert!(helps(&request, &refused(429, "rate_limited", None), 0));
        assert!(is_repeatable(&Method::GET, "/v1/keys"));
        assert!(is_repeatable(&Method::POST, "/v1/keysets"));
        assert!(!is_repeatable(&Method::POST, "/v1/keys?x=1"));
    }

    /// POST operations that change nothing, or change it to the same again.
    const HARMLESS: [&str; 19] = [
        "/anthropic/v1/messages/count_tokens",
        "/openai/v1/vector_stores/{vector_store_id}",
        "/openai/v1/vector_stores/{vector_store_id}/search",
        "/v1/utilities/schema_validator",
        "/v1/utilities/schema_converter",
        "/v1/knowledgebase/{knowledgeId}/search",
        "/knowledgebase/{knowledgeId}/search",
        "/v1/knowledgebase/search",
        "/knowledgebase/search",
        "/v1/knowledgebase/{knowledgeId}/evaluation_sets/{evaluation_set_id}/evaluate",
        "/knowledgebase/{knowledgeId}/evaluation_sets/{evaluation_set_id}/evaluate",
        "/v1/utilities/docparser",
        "/v1/utilities/tables",
        "/v1/utilities/keyvalues",
        "/v1/utilities/websearch",
        "/v1/utilities/news",
        "/v1/utilities/webparser",
        "/v1/agent/{namespace}/workflow/delta/estimate",
        "/v1/agent/{namespace}/sessions/{session_id}/takeover",
    ];

    #[test]
    fn every_post_of_the_description_takes_a_key_or_is_harmless_or_is_sent_once() {
        let description: Value = serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap();
        for (path, operations) in description["paths"].as_object().unwrap() {
            let Some(post) = operations.get("post") else { continue };
            let parameters = post["parameters"].as_array().cloned().unwrap_or_default();
            let takes_key =
                parameters.iter().any(|parameter| parameter.to_string().contains("Idempotency-Key"));
            let repeatable = takes_key || HARMLESS.contains(&path.as_str());
            assert_eq!(is_repeatable(&Method::POST, path), repeatable, "{path}");
        }
    }

    #[test]
    fn pauses_grow_within_a_bound() {
        assert!((125..=250).contains(&pause(0, None).as_millis()));
        assert!((15_000..=30_000).contains(&pause(40, None).as_millis()));
        assert_eq!(pause(0, Some(Duration::from_secs(7))), Duration::from_secs(7));
    }
}
