//! Sample values of webhooks in the OpenAPI document.

use serde_json::{Value, json};

use crate::http::examples::list_meta;

pub(super) fn new_webhook() -> Value {
    json!({"url": "https://example.com/hooks/formwork", "events": ["run.finished", "item.failed"]})
}

pub(super) fn webhook() -> Value {
    json!({
        "id": "webhook_0190f0c2a4b17c3e8d5f6a7b8c9d0e1f", "url": "https://example.com/hooks/formwork",
        "events": ["run.finished", "item.failed"], "description": "", "enabled": true, "disabled_reason": null,
        "created_timestamp": "2026-11-22 09:30:00"
    })
}

pub(super) fn created_webhook() -> Value {
    let mut created = webhook();
    created["secret"] = json!("whsec_bm90IGEgcmVhbCBzZWNyZXQsIGJ1dCBhcyBsb25nISE=");
    created
}

pub(super) fn webhooks() -> Value {
    json!({"webhooks": [webhook()], "meta": list_meta(50)})
}

fn delivery(event: &str, data: Value) -> Value {
    json!({
        "id": "msg_0190f0c2a4b17c3e8d5f6a7b8c9d0e1f_7", "event": event, "status": "pending", "attempts": 1,
        "response_status": 500, "error": "the receiver answered with status 500",
        "payload": {"type": event, "timestamp": "2026-11-22T09:31:12Z", "data": data},
        "created_timestamp": "2026-11-22 09:31:12", "ended_timestamp": null
    })
}

pub(super) fn pending() -> Value {
    let data = json!({
        "sid": 7, "namespace": "invoices", "state": "finished", "total": 2, "successful": 2, "failed": 0,
        "reviews": 0
    });
    delivery("run.finished", data)
}

pub(super) fn test() -> Value {
    let mut test = delivery("webhook.test", json!({"message": "this webhook works"}));
    (test["attempts"], test["response_status"], test["error"]) = (json!(0), Value::Null, Value::Null);
    test
}

pub(super) fn deliveries() -> Value {
    let mut delivered = pending();
    delivered["status"] = json!("delivered");
    (delivered["response_status"], delivered["error"]) = (json!(204), Value::Null);
    delivered["ended_timestamp"] = json!("2026-11-22 09:31:12");
    json!({"deliveries": [delivered], "meta": list_meta(50)})
}
