//! Questions to the client's user in the revisions with a handshake: a request of the server within the answer to a call,
//! whose response the client sends as a message of its own.
//!
//! The response may reach another server than the one that waits for it. So the question holds an idempotency key of the
//! caller's, the id of its request names the attempt, and the response is recorded as the attempt's.

use std::time::Duration;

use accounts_core::idempotency::{
    Attempt, ClaimOutcome, Fingerprint, IdempotencyError, RecordedResponse, RequestKey,
};
use serde_json::{Map, Value, json};
use shared_core::{ErrorKind, new_id};

use super::exchange::Exchange;
use crate::app::AppState;
use crate::http::ApiError;
use crate::http::json_rpc::{Request, Response};
use crate::http::request::Caller;
use crate::shutdown::ServerPhase;
use runtime_tokio::SystemRng;

// Chosen by hand; no measurement is recorded.
/// How long an answer is awaited.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// Interval of looking for an answer.
const INTERVAL: Duration = Duration::from_millis(250);
/// Most bytes of an answer.
const MAX_ANSWER: usize = 64 << 10;

/// The begin of the ids of questions.
const PREFIX: &str = "elicitation";

/// The method of a question.
pub(super) const METHOD: &str = "elicitation/create";

/// Whether the request may put questions to the client's user within its answer.
pub(super) fn may_ask(exchange: &Exchange, request: &Request) -> bool {
    let terms = &exchange.terms;
    let fills = request.params.get("name").and_then(Value::as_str) == Some("fill_form");
    terms.can_elicit && !terms.is_stateless && request.method == "tools/call" && fills
}

/// Puts a question to the client's user, `params` of its method. Returns the result of the client; none where it answers
/// with an error, or too late.
///
/// # Errors
/// When the store fails.
pub(super) async fn ask(exchange: &Exchange, params: &Value) -> Result<Option<Map<String, Value>>, ApiError> {
    let Some(outbox) = &exchange.outbox else { return Ok(None) };
    let question = Question::claim(exchange).await?;
    let request = json!({"jsonrpc": "2.0", "id": question.id(), "method": METHOD, "params": params});
    outbox.send(request).unwrap_or_default();
    tokio::select! {
        answer = question.answer(exchange) => return answer,
        () = tokio::time::sleep(PATIENCE) => {}
        () = exchange.state.shutdown.reached(ServerPhase::Draining) => {}
    }
    let named = json!({"requestId": question.id()});
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": named});
    outbox.send(cancelled).unwrap_or_default();
    Ok(None)
}

/// Takes the response to a question. Others are dropped: no request asks for them.
///
/// # Errors
/// When the store fails.
pub(super) async fn take(state: &AppState, caller: &Caller, response: Response) -> Result<(), ApiError> {
    let Some(attempt) = response.id.as_str().and_then(attempt) else { return Ok(()) };
    let result = response.result.unwrap_or_default();
    let mut body = Value::Object(result).to_string().into_bytes();
    if body.len() > MAX_ANSWER {
        body = b"{}".to_vec();
    }
    let answer = RecordedResponse { status: 200, content_type: "application/json".to_owned(), body };
    // False where nothing waits for it.
    state.idempotency.complete(&caller.0.scope, &attempt, &answer).await?;
    Ok(())
}

/// A question that waits for its answer.
struct Question {
    attempt: Attempt,
}

impl Question {
    async fn claim(exchange: &Exchange) -> Result<Self, ApiError> {
        let key = RequestKey::parse(&new_id(PREFIX, exchange.state.clock.now(), &SystemRng))?;
        match exchange.state.idempotency.claim(&exchange.caller.0.scope, key, &fingerprint()).await? {
            ClaimOutcome::Granted(attempt) => Ok(Self { attempt }),
            ClaimOutcome::Recovered(..) | ClaimOutcome::Replayed(_) => {
                Err(ApiError::new(ErrorKind::Internal, "internal", "the id of a question was used before"))
            }
        }
    }

    fn id(&self) -> String {
        format!("{}.{}", self.attempt.key.as_str(), self.attempt.token)
    }

    /// The recorded answer, once it is there. Meanwhile the attempt is renewed.
    async fn answer(&self, exchange: &Exchange) -> Result<Option<Map<String, Value>>, ApiError> {
        let (store, scope) = (&exchange.state.idempotency, &exchange.caller.0.scope);
        let renewal = Duration::from_secs(u64::from(store.lease())) / 3;
        let mut waited = Duration::ZERO;
        loop {
            tokio::time::sleep(INTERVAL).await;
            match store.claim(scope, self.attempt.key.clone(), &fingerprint()).await {
                Err(IdempotencyError::Running) => {}
                Ok(ClaimOutcome::Replayed(answer)) => {
                    let result: Option<Map<String, Value>> = serde_json::from_slice(&answer.body).ok();
                    return Ok(result.filter(|result| !result.is_empty()));
                }
                // The attempt had expired, so that no answer can come any more.
                Ok(ClaimOutcome::Granted(attempt) | ClaimOutcome::Recovered(attempt, _)) => {
                    store.release(scope, &attempt).await?;
                    return Ok(None);
                }
                Err(error) => return Err(error.into()),
            }
            waited += INTERVAL;
            if waited >= renewal {
                store.renew(scope, &self.attempt).await?;
                waited = Duration::ZERO;
            }
        }
    }
}

fn fingerprint() -> Fingerprint {
    Fingerprint::of([METHOD.as_bytes()])
}

/// The attempt that the id of a question names.
fn attempt(id: &str) -> Option<Attempt> {
    let (key, token) =
        id.strip_prefix(PREFIX).filter(|_| id.len() <= RequestKey::MAX_LENGTH)?.split_once('.')?;
    Some(Attempt { key: RequestKey::parse(&format!("{PREFIX}{key}")).ok()?, token: token.to_owned() })
}
