//! A2A 1.0: an agent as other agents call it, by JSON-RPC over HTTP. A task is the form that a conversation fills.

mod card;
mod error;
mod examples;
mod input;
mod send;
mod task;
mod task_id;
mod tasks;

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use agents_core::Agent;
use futures_util::stream;
use serde_json::{Map, Value, json};

use super::body::{json_bytes, parsed};
use super::generate_stream::streamed;
use super::json_rpc::{
    ClientMessage, MessageAnswer, MessageBody, MessageFailure, Request, RpcError, error_message,
    message_event, result_message,
};
use super::openapi::events;
use super::operation::Registry;
use super::request::{Caller, RawBody, Segment};
use super::{HandlerResult, sse};
use crate::app::AppState;

/// Where an agent takes messages.
const PATH: &str = "/v1/agent/{namespace}/a2a";
/// The header with the version of the protocol.
const VERSION_HEADER: &str = "a2a-version";
/// The version that is spoken.
const VERSION: &str = "1.0";

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            PATH,
            "call_a2a",
            "Takes a request of A2A 1.0 for an agent (JSON-RPC): SendMessage, SendStreamingMessage, GetTask, ListTasks, \
             CancelTask or SubscribeToTask. Streams are server-sent events.",
        )
        .header("A2A-Version", json!({"type": "string"}), "Version of the protocol: 1.0.")
        .body::<MessageBody>()
        .example(examples::call)
        .answers::<MessageAnswer>()
        .example(examples::result)
        .also_answers(sse::STREAM, events(&["message"]), || json!(examples::EVENTS))
        .also(202, "A notification or a response was taken.")
        .fails(&[404])
        .fails_with::<MessageFailure>()
        .to(call_a2a);
    card::register(registry);
}

/// A request to an agent.
struct A2aCall {
    state: web::Data<AppState>,
    caller: Caller,
    agent: Agent,
}

async fn call_a2a(
    state: web::Data<AppState>,
    caller: Caller,
    http: HttpRequest,
    Segment(namespace): Segment,
    body: RawBody,
) -> HandlerResult {
    let bytes = json_bytes(&http, &mut body.payload(), &state.limits).await?;
    let agent = state.agents.get(&caller.0.scope, &namespace).await?;
    let request = match parsed(&bytes).map_err(RpcError::unparsable).and_then(ClientMessage::read) {
        Ok(ClientMessage::Request(request)) => request,
        Ok(ClientMessage::Response(_) | ClientMessage::Notification) => {
            return Ok(HttpResponse::Accepted().finish());
        }
        Err(error) => return Ok(failure(None, error)),
    };
    let Request { id, method, params } = request;
    let version = http.headers().get(VERSION_HEADER).and_then(|value| value.to_str().ok());
    let answered = match check_version(version.unwrap_or_default()) {
        Ok(()) => perform(&A2aCall { state, caller, agent }, &method, params).await,
        Err(error) => Err(error),
    };
    Ok(match answered {
        Ok(A2aAnswer::Result(result)) => HttpResponse::Ok().json(result_message(&id, result)),
        Ok(A2aAnswer::Stream(results)) => {
            let events = results.into_iter().map(|result| message_event(&result_message(&id, result)));
            streamed(stream::iter(events.collect::<Vec<_>>()))
        }
        Err(error) => failure(Some(&id), error),
    })
}

/// The results of a request.
enum A2aAnswer {
    Result(Value),
    Stream(Vec<Value>),
}

/// Performs a request.
///
/// # Errors
/// As the protocol defines them.
async fn perform(call: &A2aCall, method: &str, params: Map<String, Value>) -> Result<A2aAnswer, RpcError> {
    match method {
        "SendMessage" => send::send(call, params).await.map(A2aAnswer::Result),
        "SendStreamingMessage" => send::stream(call, params).await.map(A2aAnswer::Stream),
        "GetTask" => tasks::get(call, params).await.map(A2aAnswer::Result),
        "ListTasks" => tasks::list(call, params).await.map(A2aAnswer::Result),
        "CancelTask" => tasks::cancel(call, params).await.map(A2aAnswer::Result),
        "SubscribeToTask" => tasks::subscribe(call, params).await.map(A2aAnswer::Stream),
        "GetExtendedAgentCard" => Err(RpcError::no_extended_card()),
        method if method.contains("PushNotificationConfig") => Err(RpcError::no_push_notifications()),
        method => Err(RpcError::unknown_method(method, false)),
    }
}

/// Clients that name no version speak 0.3.
fn check_version(version: &str) -> Result<(), RpcError> {
    match version == VERSION || version.strip_prefix(VERSION).is_some_and(|rest| rest.starts_with('.')) {
        true => Ok(()),
        false => Err(RpcError::version_not_supported(version)),
    }
}

fn failure(id: Option<&Value>, error: RpcError) -> HttpResponse {
    HttpResponseBuilder::new(error.status()).json(error_message(id, error))
}
