//! Sample values of A2A in the OpenAPI document.

use serde_json::{Value, json};

const SESSION: &str = "session_019c9e47a1b27d3e8f10b2c4d6e8fa0c";

pub(super) fn call() -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "SendMessage",
        "params": {"message": {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "12 crates, please"}]}}
    })
}

pub(super) fn result() -> Value {
    let status = json!({
        "state": "TASK_STATE_INPUT_REQUIRED", "timestamp": "2026-03-14T09:26:53Z",
        "message": {
            "messageId": "m2", "contextId": SESSION, "taskId": SESSION, "role": "ROLE_AGENT",
            "parts": [{"text": "Please tell me the port of delivery."}]
        }
    });
    let task = json!({"id": SESSION, "contextId": SESSION, "status": status, "artifacts": []});
    json!({"jsonrpc": "2.0", "id": 1, "result": {"task": task}})
}

/// The events of a message that submits the form.
pub(super) const EVENTS: &str = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"statusUpdate\":{\
    \"taskId\":\"session_019c9e47a1b27d3e8f10b2c4d6e8fa0c\",\"contextId\":\"session_019c9e47a1b27d3e8f10b2c4d6e8fa0c\",\
    \"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}}\n\n";

pub(super) fn card() -> Value {
    json!({
        "name": "Orders", "description": "Fills the form 'Order' from messages and documents.", "version": "0.1.0",
        "supportedInterfaces": [{
            "url": "https://forms.example.com/v1/agent/orders/a2a", "protocolBinding": "JSONRPC",
            "protocolVersion": "1.0"
        }],
        "documentationUrl": "https://forms.example.com/docs",
        "capabilities": {"streaming": true, "pushNotifications": false, "extendedAgentCard": false},
        "securitySchemes": {"bearer": {"httpAuthSecurityScheme": {"scheme": "bearer"}}},
        "securityRequirements": [{"schemes": {"bearer": {"list": []}}}],
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain", "application/json"],
        "skills": [{
            "id": "fill_form", "name": "Fill: Order", "description": "Asks for what the form 'Order' needs.",
            "tags": ["form"], "outputModes": ["text/plain", "application/json"]
        }]
    })
}
