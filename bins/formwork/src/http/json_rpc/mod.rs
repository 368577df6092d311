//! JSON-RPC 2.0, which the Model Context Protocol and A2A speak.

mod error;
mod message;

use bytes::Bytes;
use serde_json::{Value, json};

use super::sse;

pub(super) use error::{RpcError, shortened};
pub(super) use message::{ClientMessage, MessageAnswer, MessageBody, MessageFailure, Request, Response};

/// A message as a server-sent event.
pub(super) fn message_event(message: &Value) -> Bytes {
    sse::event("message", None, message)
}

/// The response to a request that succeeded.
pub(super) fn result_message(id: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// The response to a message that failed. `id`: that of its request, where it could be read.
pub(super) fn error_message(id: Option<&Value>, error: RpcError) -> Value {
    match id {
        Some(id) => json!({"jsonrpc": "2.0", "id": id, "error": error.into_object()}),
        None => json!({"jsonrpc": "2.0", "error": error.into_object()}),
    }
}
