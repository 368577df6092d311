//! The answer that carries the response to a request: JSON, or server-sent events where progress is told.

use std::time::{Duration, Instant};

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use futures_util::future::{FutureExt as _, LocalBoxFuture};
use futures_util::stream::{self, Stream};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;

use super::exchange::Exchange;
use super::progress::{self, Progress, Step};
use super::{methods, server_info, subscription};
use crate::http::json_rpc::RpcError;
use crate::http::json_rpc::{Request, error_message, message_event, result_message};
use crate::http::sse;

/// Interval of progress while the work tells none. Clients give a silent request up after a minute.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Answers a request.
pub(super) async fn respond(exchange: Exchange, request: Request) -> HttpResponse {
    if request.method == subscription::METHOD && exchange.terms.is_stateless {
        return subscription::open(&exchange, &request);
    }
    let token = progress::token(&request.params);
    match token.filter(|_| request.method == "tools/call" && takes_events(&exchange)) {
        Some(token) => streamed(exchange, request, token),
        None => {
            let (status, message) = perform(exchange, request).await;
            HttpResponseBuilder::new(status).json(message)
        }
    }
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

fn streamed(mut exchange: Exchange, request: Request, token: Value) -> HttpResponse {
    let (progress, steps) = Progress::channel();
    exchange.progress = Some(progress);
    let http = exchange.http.clone();
    let work = perform(exchange, request).map(|(_, response)| response).boxed_local();
    sse::answer(&http, events(Performance { work, steps, token, begun: Instant::now(), is_told: false }))
}

/// A request that is performed.
struct Performance {
    work: LocalBoxFuture<'static, Value>,
    steps: UnboundedReceiver<Step>,
    token: Value,
    begun: Instant,
    /// Whether the work tells its progress itself.
    is_told: bool,
}

/// The progress, then the response.
fn events(performance: Performance) -> impl Stream<Item = Bytes> {
    stream::unfold(Some(performance), |state| async move {
        let mut state = state?;
        let step = tokio::select! {
            biased;
            Some(step) = state.steps.recv() => {
                state.is_told = true;
                step
            }
            response = &mut state.work => return Some((message_event(&response), None)),
            () = tokio::time::sleep(HEARTBEAT), if !state.is_told => {
                let done = state.begun.elapsed().as_secs();
                Step { done, total: None, message: format!("working for {done} s") }
            }
        };
        Some((message_event(&step.notification(&state.token)), Some(state)))
    })
}
