//! Sample values of batch extraction in the OpenAPI document.

use serde_json::{Value, json};

use crate::http::examples::{CREATED, FILE_URL, FORM, list_meta};

fn usage(input: u32, output: u32) -> Value {
    json!({"inputTokens": input, "outputTokens": output, "cachedTokens": 0, "reasoningTokens": 0, "cost": 0.0})
}

fn failure() -> Value {
    json!({"class": "parse", "code": "document_encrypted", "message": "the document needs a password"})
}

/// Groups of documents for a run.
pub(super) fn groups() -> Value {
    json!([
        [{"description": "invoice", "url": FILE_URL}],
        [{"description": "order", "url": 13}, {"description": "its confirmation", "url": "14"}]
    ])
}

/// The synchronous answer of a run.
pub(super) fn answer() -> Value {
    json!({
        "sid": 7,
        "results": [{"vendor": "Harbour Works Ltd", "total": 1_284.5, "currency": "GBP"}],
        "failed": [{
            "description": "its confirmation", "url": "14", "group": 1,
            "error": failure()
        }],
        "meta": {
            "total": 2, "successful": 1, "failed": 1, "duration": 0.42,
            "usage": usage(412, 18), "state": "partly_failed"
        },
        "errors": [[]],
        "warnings": []
    })
}

/// What a run is going to take.
pub(super) fn estimate() -> Value {
    json!({
        "groups": 2, "estimated_groups": 2, "unreadable_groups": 0, "calls": 2, "input_tokens": 1_840,
        "pictures": 0, "picture_tokens": 0, "output_tokens": 96, "cost": 0.0031, "model": "gpt-6-luna@openai", "form_version": 1
    })
}

/// Stored responses of an agent.
pub(super) fn responses() -> Value {
    json!([{
        "vendor": "Harbour Works Ltd", "total": 1_284.5, "currency": "GBP",
        "gid": "resp_019c9e45d3c07a91b4e2f6a8c0d2e4f6", "sid": 7, "form_version": 2
    }])
}

/// A table of responses.
pub(super) const CSV: &str = "gid,sid,vendor,total,currency,form_version\r\n\
    resp_019c9e45d3c07a91b4e2f6a8c0d2e4f6,7,Harbour Works Ltd,1284.5,GBP,2\r\n";

/// An accepted run.
pub(super) fn accepted() -> Value {
    json!({
        "sid": 7, "state": "running", "total": 2, "successful": 0, "failed": 0, "open": 2, "progress": 0.0,
        "usage": usage(0, 0), "error": null, "partial": false, "fresh": false, "evaluation_set": null,
        "model": "extractive@formwork", "form_id": FORM, "form_version": 1, "effort": null, "timeout": null, "budget": 2.5,
        "priority": "normal", "mode": "direct", "labels": ["march"], "created_timestamp": CREATED,
        "finished_timestamp": null, "duration": null
    })
}

/// A finished run.
fn run() -> Value {
    let mut run = accepted();
    let over = json!({
        "state": "partly_failed", "successful": 1, "failed": 1, "open": 0, "progress": 1.0,
        "usage": usage(412, 18), "finished_timestamp": "2026-03-14 09:26:54", "duration": 0.42
    });
    for (name, value) in over.as_object().into_iter().flatten() {
        run[name] = value.clone();
    }
    run
}

/// A list of runs.
pub(super) fn runs() -> Value {
    json!({"runs": [run()], "meta": list_meta(50)})
}

/// A run with its groups.
pub(super) fn details() -> Value {
    let mut details = run();
    details["groups"] = json!([
        {
            "group": 0, "state": "succeeded", "attempts": 1, "error": null, "usage": usage(412, 18),
            "documents": [{"description": "invoice", "url": FILE_URL}]
        },
        {
            "group": 1, "state": "failed", "attempts": 1, "error": failure(), "usage": usage(0, 0),
            "documents": [
                {"description": "order", "url": "13"}, {"description": "its confirmation", "url": "14"}
            ]
        }
    ]);
    details["meta"] = list_meta(50);
    details["meta"]["total_items"] = json!(2);
    details
}

/// The answer to a run's cancellation.
pub(super) fn cancelled() -> Value {
    json!({"status": "success", "message": "Run 7 was cancelled."})
}

/// A run whose failed group is retried.
pub(super) fn retried() -> Value {
    let mut run = accepted();
    run["successful"] = json!(1);
    run["open"] = json!(1);
    run["progress"] = json!(0.5);
    run["usage"] = usage(412, 18);
    run
}

/// The event stream of a run.
pub(super) const EVENTS: &str = "event: progress\ndata: {\"sid\":7,\"state\":\"running\",…}\n\n\
    id: 1\nevent: group\ndata: {\"group\":0,\"state\":\"succeeded\",…}\n\n\
    event: end\ndata: {\"sid\":7,\"state\":\"partly_failed\",…}\n\n";
