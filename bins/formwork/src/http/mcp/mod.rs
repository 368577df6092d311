//! The Model Context Protocol: tools, resources and prompts for agents, made of the operations of the server.
//!
//! A tool calls an operation as if its request had been sent alone, so that keys, limits, quotas and the audit log
//! apply in the same way. Nothing is kept in memory between two messages: any of several servers may answer.

mod arguments;
mod catalogue;
mod completion;
mod elicitation;
mod examples;
mod exchange;
mod extraction;
mod metadata;
mod methods;
mod negotiation;
mod origin;
mod progress;
mod prompts;
mod resources;
mod response;
mod rpc_error;
mod schema;
mod server_info;
mod subscription;
mod tasks;
mod tools;

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;

pub use self::extraction::McpParts;
use super::body::{json_bytes, parsed};
use super::json_rpc::{ClientMessage, MessageAnswer, MessageBody, MessageFailure, RpcError};
use super::mcp_paths::MCP;
use super::openapi::events;
use super::operation::{Access, Registry};
use super::request::{Caller, RawBody};
use super::{HandlerResult, sse};
use crate::app::AppState;

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            MCP,
            "call_mcp",
            "Takes a message of the Model Context Protocol (Streamable HTTP). A request is answered by one message, or \
             with a progressToken, or with questions to the user, by server-sent events that end with it. The protocol has \
             the headers.",
        )
        // Each tool checks what its operation needs.
        .access(Access::Read)
        .for_restricted_keys()
        .body::<MessageBody>()
        .example(examples::call)
        .answers::<MessageAnswer>()
        .example(examples::result)
        .also_answers(sse::STREAM, events(&["message"]), || json!(examples::EVENTS))
        .also(202, "A notification or a response was taken.")
        .fails(&[403, 404])
        .fails_with::<MessageFailure>()
        .given_up_with_its_client()
        .to(call_mcp);
    metadata::register(registry);
}

async fn call_mcp(
    state: web::Data<AppState>,
    caller: Caller,
    http: HttpRequest,
    body: RawBody,
) -> HandlerResult {
    origin::check(&http, &state)?;
    let bytes = json_bytes(&http, &mut body.payload(), &state.limits).await?;
    let request = match parsed(&bytes).map_err(RpcError::unparsable).and_then(ClientMessage::read) {
        Ok(ClientMessage::Request(request)) => request,
        Ok(ClientMessage::Response(response)) => {
            elicitation::take(&state, &caller, response).await?;
            return Ok(HttpResponse::Accepted().finish());
        }
        Ok(ClientMessage::Notification) => return Ok(HttpResponse::Accepted().finish()),
        Err(error) => return Ok(response::failure(None, error)),
    };
    match negotiation::negotiate(&http, &request) {
        Ok(terms) => {
            let exchange = exchange::Exchange { http, state, caller, terms, progress: None, outbox: None };
            Ok(response::respond(exchange, request).await)
        }
        Err(error) => Ok(response::failure(Some(&request.id), error)),
    }
}
