//! Sample values of evaluation in the OpenAPI document.

use serde_json::{Value, json};

use crate::http::examples::list_meta;

const SET: &str = "set_0190f0c2a4b17c3e8d5f6a7b8c9d0e1f";
const FORM: &str = "form_0190f0c2a4b17c3e8d5f6a7b8c9d0e1f";
const CREATED: &str = "2026-11-27 09:30:00";

pub(super) fn new_set() -> Value {
    json!({"name": "Invoices of 2026", "form_id": FORM, "weights": {"/note": 0, "/total": 3}})
}

pub(super) fn set() -> Value {
    json!({
        "id": SET, "name": "Invoices of 2026", "form_id": FORM, "weights": {"/note": 0.0, "/total": 3.0}, "groups": 1,
        "created_timestamp": CREATED, "userName": "Ada Marsh"
    })
}

pub(super) fn sets() -> Value {
    json!({"sets": [set()], "meta": list_meta(50)})
}

pub(super) fn new_groups() -> Value {
    json!({"groups": [{"documents": [{"url": "12"}], "record": {"invoice_number": "A-1", "total": 1234.5}}]})
}

pub(super) fn groups() -> Value {
    let document = json!({"url": "12", "description": ""});
    let record = json!({"invoice_number": "A-1", "total": 1234.5});
    json!({"groups": [{"group": 0, "documents": [document], "record": record}], "total": 1})
}

pub(super) fn start() -> Value {
    json!({"namespace": "invoices", "modelId": "extractive@formwork", "form_version": 2})
}

pub(super) fn evaluation() -> Value {
    json!({
        "sid": 9, "namespace": "invoices", "state": "running", "total": 1, "open": 1, "model": "extractive@formwork",
        "form_id": FORM, "form_version": 2, "cost": 0.0, "input_tokens": 0, "output_tokens": 0, "duration": null,
        "created_timestamp": CREATED
    })
}

pub(super) fn evaluations() -> Value {
    json!({"evaluations": [evaluation()], "meta": list_meta(50)})
}

pub(super) fn scores() -> Value {
    let share = json!({"value": 0.5, "low": 0.09, "high": 0.91});
    let mut scores = evaluation();
    (scores["state"], scores["open"], scores["duration"]) = (json!("succeeded"), json!(0), json!(0.4));
    scores["accuracy"] = share.clone();
    (scores["groups"], scores["failed"], scores["whole"]) = (json!(1), json!(0), json!(0));
    scores["fields"] = json!([{
        "field": "/total", "accuracy": share, "values": 2, "right": 1, "empty": 0, "wrong": 1, "missing": 0,
        "invented": 0
    }]);
    scores["comparison"] = json!({"better": 1, "worse": 0, "other": 0, "chance": 1.0, "is_worse": false});
    scores
}

pub(super) fn values() -> Value {
    json!({
        "values": [{
            "group": 0, "path": "/total", "truth": 1234.5, "outcome": "wrong", "value": 1.2345,
            "base_outcome": null, "base_value": null
        }],
        "next_group": null
    })
}
