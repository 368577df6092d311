//! Examples of the description.

use serde_json::{Value, json};

/// A call of a tool with progress.
pub(super) const EVENTS: &str = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\
    \"params\":{\"progressToken\":1,\"progress\":1,\"total\":2,\"message\":\"1 of 2 groups\"}}\n\nevent: message\n\
    data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n\n";

/// A call of a tool.
pub(super) fn call() -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "list_forms", "arguments": {"limit": 1}}
    })
}

/// The response to that call.
pub(super) fn result() -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "result": {
            "content": [{"type": "text", "text": "{\"forms\":[]}"}],
            "structuredContent": {"forms": []},
            "isError": false
        }
    })
}

/// The server as a protected resource.
pub(super) fn metadata() -> Value {
    described("http://127.0.0.1:8080")
}

/// The endpoint of messages as a protected resource.
pub(super) fn mcp_metadata() -> Value {
    described("http://127.0.0.1:8080/mcp")
}

fn described(resource: &str) -> Value {
    json!({
        "resource": resource,
        "resource_name": "Formwork",
        "bearer_methods_supported": ["header"],
        "resource_documentation": "http://127.0.0.1:8080/docs"
    })
}
