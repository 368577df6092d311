//! The answer that carries the response to a request: JSON, or server-sent events where progress is told, the client's
//! user is asked, or an end is awaited.

use std::time::{Duration, Instant};

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use futures_util::future::{FutureExt as _, LocalBoxFuture};
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::exchange::Exchange;
use super::progress::{self, Progress};
use super::tasks::requested;
use super::{elicitation, methods, negotiation, server_info, subscription};
use crate::http::json_rpc::RpcError;
use crate::http::json_rpc::{Request, error_message, message_event, result_message};
use crate::http::mcp_paths::SESSION_HEADER;
use crate::http::sse;

/// Interval of progress while the work tells none. Clients give a silent request up after a minute.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Answers a request.
pub(super) async fn respond(exchange: Exchange, request: Request) -> HttpResponse {
    if request.method == subscription::METHOD && exchange.terms.is_stateless {
        return subscription::open(&exchange, &request);
    }
    let token = progress::token(&request.params).filter(|_| request.method == "tools/call");
    let waits = token.is_some()
        || elicitation::may_ask(&exchange, &request)
        || requested::awaits(&exchange, &request);
    if waits && takes_events(&exchange) {
        return streamed(exchange, request, token);
    }
    let session = (request.method == "initialize" && !exchange.terms.is_stateless)
        .then(|| negotiation::session_id(&request, exchange.state.clock.now()))
        .flatten();
    let (status, message) = perform(exchange, request).await;
    let mut answer = HttpResponseBuilder::new(status);
    if let Some(session) = session {
        answer.insert_header((SESSION_HEADER, session));
    }
    answer.json(message)
}

/// The answer to a request that was not performed.
pub(super) fn failure(id: Option<&Value>, error: RpcError) -> HttpResponse {
    HttpResponseBuilder::new(error.status()).json(error_message(id, error))
}

/// Performs a request. Returns the status and the response.
async fn perform(exchange: Exchange, request: Request) -> (StatusCode, Value) {
    let (id, is_stateless) = (request.id.clone(), exchange.terms.is_stateless);
    match methods::perform(exchange, request).await {
        Ok(mut result) => {
            if is_stateless {
                server_info::sign(&mut result);
            }
            (StatusCode::OK, result_message(&id, result))
        }
        Err(error) => (error.status(), error_message(Some(&id), error)),
    }
}

fn takes_events(exchange: &Exchange) -> bool {
    let accepted = exchange.http.headers().get_all(header::ACCEPT);
    accepted.filter_map(|value| value.to_str().ok()).any(|value| value.contains(sse::STREAM))
}

fn streamed(mut exchange: Exchange, request: Request, token: Option<Value>) -> HttpResponse {
    let (outbox, messages) = unbounded_channel();
    exchange.progress = token.clone().map(|token| Progress { token, outbox: outbox.clone() });
    exchange.outbox = Some(outbox);
    let http = exchange.http.clone();
    let work = perform(exchange, request).map(|(_, response)| response).boxed_local();
    // Its own progress, or none that it is to tell.
    let is_told = token.is_none();
    let token = token.unwrap_or_default();
    sse::answer(&http, events(Performance { work, messages, token, begun: Instant::now(), is_told }))
}

/// A request that is performed.
struct Performance {
    work: LocalBoxFuture<'static, Value>,
    messages: UnboundedReceiver<Value>,
    token: Value,
    begun: Instant,
    /// Whether the work tells its progress itself, or nobody asks for it.
    is_told: bool,
}

/// The messages about the request, then the response.
fn events(performance: Performance) -> impl Stream<Item = Bytes> {
    stream::unfold(Some(performance), |state| async move {
        let mut state = state?;
        let message = tokio::select! {
            biased;
            Some(message) = state.messages.recv() => {
                state.is_told |= message["method"] == progress::METHOD;
                message
            }
            response = &mut state.work => return Some((message_event(&response), None)),
            () = tokio::time::sleep(HEARTBEAT), if !state.is_told => {
                let done = state.begun.elapsed().as_secs();
                progress::notification(&state.token, done, &format!("working for {done} s"))
            }
        };
        Some((message_event(&message), Some(state)))
    })
}
