//! Sample values of reviews in the OpenAPI document.

use serde_json::{Value, json};

use crate::http::examples::list_meta;

const ID: &str = "review_0190f0c2a4b17c3e8d5f6a7b8c9d0e1f";

fn record() -> Value {
    json!({
        "id": ID, "namespace": "invoices", "sid": 7, "group": 0, "path": "/lines/2/amount", "field": "/lines/amount",
        "reasons": ["low_confidence"], "state": "corrected", "value": 119.0, "extracted": 19.0, "confidence": 0.42,
        "assignee": null, "revision": 2, "created_timestamp": "2026-11-27 09:30:00",
        "updated_timestamp": "2026-11-27 09:41:12"
    })
}

pub(super) fn reviews() -> Value {
    json!({"reviews": [record()], "meta": list_meta(50)})
}

pub(super) fn review() -> Value {
    let mut review = record();
    review["evidence"] = json!({
        "document": "invoice.pdf", "page": 1, "quote": "19.00", "start": 412, "end": 417, "support": "normalised",
        "confidence": 0.42, "accepted": false
    });
    review["candidates"] = json!([]);
    review["errors"] = json!([]);
    review["failure"] = Value::Null;
    review["history"] = json!([{
        "action": "correct", "before": 19.0, "after": 119.0,
        "evidence": {
            "document": "invoice.pdf", "page": 1, "quote": "119.00 EUR", "start": 411, "end": 421,
            "support": "normalised", "confidence": 1.0, "accepted": true
        },
        "note": "The first digit is smudged.",
        "userName": "Ada", "created_timestamp": "2026-11-27 09:41:12"
    }]);
    review
}

pub(super) fn queue() -> Value {
    json!({"namespace": "invoices", "sid": 7, "review": {"threshold": 0.8, "fields": {"/total": 0.95}}})
}

pub(super) fn decisions() -> Value {
    let note = "The first digit is smudged.";
    let evidence = json!({"page": 1, "quote": "119.00 EUR"});
    json!({"decisions": [
        {"review_id": ID, "action": "correct", "value": 119.0, "evidence": evidence, "note": note, "revision": 1}
    ]})
}

pub(super) fn decided() -> Value {
    json!({"reviews": [review()]})
}
