//! The messages of clients: JSON-RPC 2.0.

use bytes::Bytes;
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::rpc_error::RpcError;
use crate::http::sse;

/// A message of a client.
#[derive(Debug)]
pub(super) enum ClientMessage {
    Request(Request),
    /// A notification, or a response, which none of this server's messages asks for.
    Unanswered,
}

/// A request of a client.
#[derive(Debug)]
pub(super) struct Request {
    /// A text or a whole number.
    pub(super) id: Value,
    pub(super) method: String,
    pub(super) params: Map<String, Value>,
}

impl ClientMessage {
    /// Reads a message. Batches belong to no supported revision.
    ///
    /// # Errors
    /// When it is not a message.
    pub(super) fn read(value: Value) -> Result<Self, RpcError> {
        let Value::Object(mut message) = value else {
            return Err(RpcError::invalid_request("a message must be a JSON object"));
        };
        if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(RpcError::invalid_request("'jsonrpc' must be \"2.0\""));
        }
        let method = match message.remove("method") {
            Some(Value::String(method)) => method,
            Some(_) => return Err(RpcError::invalid_request("'method' must be a text")),
            None if message.contains_key("result") || message.contains_key("error") => {
                return Ok(Self::Unanswered);
            }
            None => return Err(RpcError::invalid_request("'method' is a required property")),
        };
        let params = match message.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return Err(RpcError::invalid_request("'params' must be an object")),
        };
        let id = match message.remove("id") {
            None => return Ok(Self::Unanswered),
            Some(id) if id.is_string() || id.is_i64() || id.is_u64() => id,
            Some(_) => return Err(RpcError::invalid_request("'id' must be a text or a whole number")),
        };
        Ok(Self::Request(Request { id, method, params }))
    }
}

/// A message as a server-sent event.
pub(super) fn message_event(message: &Value) -> Bytes {
    sse::event("message", None, message)
}

/// A message: a request, a notification (without `id`) or a response (without `method`).
#[derive(JsonSchema)]
#[schemars(rename = "McpMessage", extend("if" = named(), "else" = answered()))]
#[expect(dead_code, reason = "describes what ClientMessage reads")]
pub(super) struct MessageBody {
    #[schemars(extend("const" = "2.0"))]
    jsonrpc: String,
    /// Absent in notifications.
    #[schemars(schema_with = "id", default)]
    id: Option<Value>,
    #[schemars(with = "String", default)]
    method: Option<String>,
    /// Its parameters, with metadata in `_meta`.
    #[schemars(with = "Map<String, Value>", default)]
    params: Option<Map<String, Value>>,
    /// The result of a response.
    #[schemars(with = "Map<String, Value>", default)]
    result: Option<Map<String, Value>>,
    /// The error of a response.
    #[schemars(with = "Map<String, Value>", default)]
    error: Option<Map<String, Value>>,
}

/// The response to a request: its result or its error.
#[derive(JsonSchema)]
#[schemars(rename = "McpResponse")]
#[expect(dead_code, reason = "describes what is written as JSON")]
pub(super) struct MessageAnswer {
    #[schemars(extend("const" = "2.0"))]
    jsonrpc: String,
    /// The id of the request.
    #[schemars(schema_with = "id")]
    id: Value,
    #[schemars(skip_serializing_if = "Option::is_none")]
    result: Option<Map<String, Value>>,
    #[schemars(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject>,
}

/// A message that could not be taken.
#[derive(JsonSchema)]
#[schemars(rename = "McpFailure")]
#[expect(dead_code, reason = "describes what is written as JSON")]
pub(super) struct MessageFailure {
    #[schemars(extend("const" = "2.0"))]
    jsonrpc: String,
    /// The id of the request; absent where it could not be read.
    #[schemars(schema_with = "id", skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    error: ErrorObject,
}

/// An error of JSON-RPC.
#[derive(JsonSchema)]
#[schemars(rename = "McpError")]
#[expect(dead_code, reason = "describes what is written as JSON")]
struct ErrorObject {
    code: i64,
    /// One sentence.
    message: String,
    /// What a program needs to know of it.
    #[schemars(skip_serializing_if = "Option::is_none")]
    data: Option<Map<String, Value>>,
}

/// What requests and notifications have.
fn named() -> Value {
    json!({"required": ["method"]})
}

/// What responses have.
fn answered() -> Value {
    json!({"anyOf": [{"required": ["result"]}, {"required": ["error"]}]})
}

fn id(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": ["string", "integer"]})
}
