//! The messages of clients, and their responses.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::RpcError;

/// A message of a client.
#[derive(Debug)]
pub(in crate::http) enum ClientMessage {
    Request(Request),
    Response(Response),
    /// It asks for no answer.
    Notification,
}

/// What a client answers to a request of the server.
#[derive(Debug)]
pub(in crate::http) struct Response {
    /// That of the request: a text or a whole number.
    pub(in crate::http) id: Value,
    /// None where the client answers with an error.
    pub(in crate::http) result: Option<Map<String, Value>>,
}

/// A request of a client.
#[derive(Debug)]
pub(in crate::http) struct Request {
    /// A text or a whole number.
    pub(in crate::http) id: Value,
    pub(in crate::http) method: String,
    pub(in crate::http) params: Map<String, Value>,
}

impl ClientMessage {
    /// Reads a message. Batches belong to no supported revision.
    ///
    /// # Errors
    /// When it is not a message.
    pub(in crate::http) fn read(value: Value) -> Result<Self, RpcError> {
        let Value::Object(mut message) = value else {
            return Err(RpcError::invalid_request("a message must be a JSON object"));
        };
        if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(RpcError::invalid_request("'jsonrpc' must be \"2.0\""));
        }
        let id = message.remove("id");
        if id.as_ref().is_some_and(|id| !is_id(id)) {
            return Err(RpcError::invalid_request("'id' must be a text or a whole number"));
        }
        for name in ["params", "result", "error"] {
            if message.get(name).is_some_and(|part| !part.is_object()) {
                return Err(RpcError::invalid_request(&format!("'{name}' must be an object")));
            }
        }
        let method = match message.remove("method") {
            Some(Value::String(method)) => method,
            Some(_) => return Err(RpcError::invalid_request("'method' must be a text")),
            None if message.contains_key("result") || message.contains_key("error") => {
                let result = message.remove("result").and_then(|result| match result {
                    Value::Object(result) => Some(result),
                    _ => None,
                });
                return Ok(id.map_or(Self::Notification, |id| Self::Response(Response { id, result })));
            }
            None => return Err(RpcError::invalid_request("'method' is a required property")),
        };
        let Some(id) = id else { return Ok(Self::Notification) };
        let params = match message.remove("params") {
            Some(Value::Object(params)) => params,
            _ => Map::new(),
        };
        Ok(Self::Request(Request { id, method, params }))
    }
}

/// Whether a value is an id: a text or a whole number.
fn is_id(value: &Value) -> bool {
    value.is_string() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// What [`ClientMessage`] reads.
pub(in crate::http) struct MessageBody;

impl JsonSchema for MessageBody {
    fn schema_name() -> Cow<'static, str> {
        "JsonRpcMessage".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let object = |description: &str| json!({"type": "object", "additionalProperties": true, "description": description});
        json_schema!({
            "description":
                "A message: a request, a notification (without `id`) or a response (without `method`).",
            "type": "object",
            "required": ["jsonrpc"],
            "properties": {
                "jsonrpc": {"type": "string", "const": "2.0"},
                "id": {"type": ["string", "integer"], "description": "Absent in notifications."},
                "method": {"type": "string"},
                "params": object("Its parameters; in MCP with metadata in `_meta`."),
                "result": object("The result of a response."),
                "error": object("The error of a response.")
            },
            "if": {"required": ["method"]},
            "else": {"anyOf": [{"required": ["result"]}, {"required": ["error"]}]}
        })
    }
}

/// The response to a request: its result or its error.
#[derive(JsonSchema)]
#[schemars(rename = "JsonRpcResponse")]
#[expect(dead_code, reason = "describes what is written as JSON")]
pub(in crate::http) struct MessageAnswer {
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
#[schemars(rename = "JsonRpcFailure")]
#[expect(dead_code, reason = "describes what is written as JSON")]
pub(in crate::http) struct MessageFailure {
    #[schemars(extend("const" = "2.0"))]
    jsonrpc: String,
    /// The id of the request; absent where it could not be read.
    #[schemars(schema_with = "id", skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    error: ErrorObject,
}

/// An error of JSON-RPC.
#[derive(JsonSchema)]
#[schemars(rename = "JsonRpcError")]
#[expect(dead_code, reason = "describes what is written as JSON")]
struct ErrorObject {
    code: i64,
    /// One sentence.
    message: String,
    /// What a program needs to know of it.
    #[schemars(schema_with = "ErrorObject::data", skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

fn id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "integer"]})
}

impl ErrorObject {
    /// An object in MCP, a list of objects in A2A.
    fn data(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["object", "array"], "items": {"type": "object"}})
    }
}
