//! Sample values of the OpenAPI document. They tell one story: a company reads the invoices it receives.

use serde_json::{Map, Value, json};

/// A file's type and digest.
fn file_meta() -> Value {
    json!({
        "content_type": "application/pdf",
        "sha256": "3f0b1d5c8a7e42960d1b6c5f4e3a29187706f5e4d3c2b1a09f8e7d6c5b4a3928"
    })
}

pub(super) const FILE_URL: &str =
    "http://127.0.0.1:8080/files/Vb2mXq7TzN4kPw9sLr3hYdQ8gJ5cEt6A/harbour-invoice.pdf";
pub(super) const CREATED: &str = "2026-03-14 09:26:53";
const UPDATED: &str = "2026-03-15 16:08:20";
pub(super) const FORM: &str = "form_019c9e41a7b27d3e8f10b2c4d6e8fa0c";

/// The meta of a list of one row.
pub(super) fn list_meta(limit: u32) -> Value {
    json!({
        "current_page": 1, "limit": limit, "next_page": "", "prev_page": "",
        "total_items": 1, "total_pages": 1, "next_cursor": ""
    })
}

/// A success with a message.
pub(super) fn done(message: &str) -> Value {
    json!({"status": "success", "message": message})
}

/// Health and readiness.
pub(super) fn health() -> Value {
    json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")})
}

/// A server that is ready.
pub(super) fn ready() -> Value {
    let checks = json!({"database": "ok", "blobs": "ok", "searchIndex": "ok", "disk": "ok"});
    let index = json!({"position": 118, "lag_changes": 0, "lag_seconds": 0.0});
    json!({"status": "ok", "version": env!("CARGO_PKG_VERSION"), "checks": checks, "index": index})
}

/// Who calls.
pub(super) fn me() -> Value {
    json!({
        "userName": "Ada Marsh",
        "userEmail": "ada@harbour.example",
        "role": "owner",
        "workspace": "Harbour Works",
        "key": {
            "prefix": "fw_7hQ2m9Xk", "scope": "write", "expires": "2027-01-01T00:00:00Z",
            "limits": {"requests_per_minute": 600, "tokens_per_day": 2_000_000, "cost_per_day": 12.5}
        }
    })
}

/// Usage by model.
pub(super) fn usage() -> Value {
    json!({
        "usage": [
            {
                "model": "extractive@formwork", "requests": 118, "inputTokens": 48_620, "outputTokens": 2_124,
                "cachedTokens": 0, "reasoningTokens": 0, "cost": 0.0, "unpricedRequests": 0
            },
            {
                "model": "scribe-small/tiny@formwork", "requests": 4, "inputTokens": 3_204, "outputTokens": 512,
                "cachedTokens": 1_024, "reasoningTokens": 128, "cost": null, "unpricedRequests": 4
            }
        ],
        "total": {
            "requests": 122, "inputTokens": 51_824, "outputTokens": 2_636, "cachedTokens": 1_024,
            "reasoningTokens": 128, "cost": null, "unpricedRequests": 4
        },
        "from": "2026-03-01", "to": "2026-03-14"
    })
}

pub(super) fn quotas() -> Value {
    json!({
        "files": {"used": 212, "limit": 10_000}, "bytes": {"used": 48_210_118, "limit": 5_000_000_000_u64},
        "chunks": {"used": 3_120, "limit": null}, "groups": {"used": 96, "limit": null}
    })
}

pub(super) fn models() -> Value {
    json!([{
        "modelId": "extractive@formwork", "name": "Extractive", "model": "extractive",
        "provider": "Formwork", "logo": "http://127.0.0.1:8080/logos/formwork.svg", "type": "text-to-text",
        "contextTokens": null, "outputTokens": null, "vision": false,
        "price": {"input": 0.0, "output": 0.0, "cached": null, "picture": null}
    }])
}

/// A question to a model.
pub(super) fn generate() -> Value {
    json!({
        "modelId": "extractive@formwork",
        "prompt": "When does the lease end?",
        "urls": ["1"]
    })
}

/// Its answer.
pub(super) fn generated() -> Value {
    json!({
        "text": "The lease ends on 30 June 2028. [1]",
        "audio": "",
        "context": [{
            "n": 1, "knowledgeId": null, "id": "1", "title": "lease.pdf", "page": 2, "score": 0.41,
            "text": "The lease ends on 30 June 2028.", "pages": [2], "start": 1840, "end": 1871,
            "box": {"x0": 72.0, "y0": 96.4, "x1": 241.3, "y1": 108.4}
        }],
        "statements": [{"start": 0, "end": 35, "citations": [1], "supported": true}],
        "citations": [{
            "n": 1, "statement": {"start": 0, "end": 35}, "page": 2, "pages": [2],
            "quote": "The lease ends on 30 June 2028.", "start": 1840, "end": 1871,
            "box": {"x0": 72.0, "y0": 96.4, "x1": 241.3, "y1": 108.4}, "supported": true
        }],
        "probability": 0.93,
        "provider": "Formwork",
        "model": "extractive",
        "prompt": "When does the lease end?",
        "knowledgeId": "",
        "tokens": 21,
        "userName": "Ada",
        "userEmail": "ada@harbour.example",
        "finishReason": "stop",
        "usage": {"inputTokens": 12, "outputTokens": 9, "cachedTokens": 0, "cost": 0.0},
        "warnings": []
    })
}

/// A streamed answer.
pub(super) const EVENTS: &str = "event: delta\ndata: {\"text\":\"The lease ends\"}\n\n\
    event: delta\ndata: {\"text\":\" on 30 June 2028. [1]\"}\n\n\
    event: done\ndata: {\"text\":\"The lease ends on 30 June 2028. [1]\",…}\n\n";

/// The beginning of the description itself.
pub(super) fn openapi() -> Value {
    json!({"openapi": "3.1.0", "info": {"title": "Formwork"}, "paths": {}})
}

/// A form's schema.
pub(super) fn schema() -> Value {
    json!({
        "vendor": {"type": "string", "order": 1, "description": "Company that issued the invoice"},
        "total": {"type": "number", "order": 2, "description": "Amount to pay"},
        "currency": {"type": "string", "order": 3, "enum": ["", "EUR", "GBP"]}
    })
}

/// A description in words to generate a schema from.
pub(super) fn wanted_schema() -> Value {
    json!({"content": "an invoice with vendor, total (number) and currency: EUR or GBP"})
}

/// The generated schema.
pub(super) fn made_schema() -> Value {
    json!({
        "vendor": {"type": "string", "order": 1, "description": "Vendor"},
        "total": {"type": "number", "order": 2, "description": "Total"},
        "currency": {"type": "string", "enum": ["EUR", "GBP"], "order": 3, "description": "Currency"}
    })
}

pub(super) fn new_form() -> Value {
    json!({"title": "Invoice", "schema": schema()})
}

pub(super) fn form() -> Value {
    json!({"form_id": FORM, "title": "Invoice", "schema": schema()})
}

pub(super) fn form_changes() -> Value {
    json!({"title": "Supplier invoice"})
}

/// A form after its change.
pub(super) fn changed_form() -> Value {
    json!({"form_id": FORM, "title": "Supplier invoice", "schema": schema()})
}

/// A list of forms.
pub(super) fn forms() -> Value {
    json!({
        "forms": [{
            "form_id": FORM, "title": "Invoice", "created_timestamp": CREATED,
            "updated_timestamp": UPDATED, "userName": "Ada Marsh"
        }],
        "meta": list_meta(50)
    })
}

/// A list of a form's versions.
pub(super) fn form_versions() -> Value {
    json!({
        "versions": [{"version": 1, "state": "published", "title": "Invoice", "created_timestamp": CREATED}],
        "published_version": 1,
        "meta": list_meta(50)
    })
}

/// A version of a form.
pub(super) fn form_version() -> Value {
    json!({
        "form_id": FORM, "version": 1, "state": "published", "title": "Invoice", "schema": schema(),
        "created_timestamp": CREATED
    })
}

/// A form with a draft.
pub(super) fn form_with_draft() -> Value {
    json!({"form_id": FORM, "title": "Invoice", "schema": schema(), "version": 1, "draft_version": 2})
}

/// A group that becomes an example.
pub(super) fn reviewed_group() -> Value {
    json!({"namespace": "invoices", "sid": 7, "group": 0})
}

/// What a version must fulfil to be published.
pub(super) fn publication() -> Value {
    json!({"evaluation": 8, "base": 7, "minimum": 0.95})
}

/// What an evaluation must fulfil before its version is published.
pub(super) fn form_gate() -> Value {
    json!({"evaluation_set": "set_01jq9x", "minimum": 0.95})
}

/// A form with a gate.
pub(super) fn gated_form() -> Value {
    json!({"form_id": FORM, "title": "Invoice", "schema": schema(), "gate": form_gate()})
}

/// An upload; each of `files` is a part of its own with the file's content.
pub(super) fn upload() -> Value {
    json!({"files": ["(content of harbour-invoice.pdf)"]})
}

/// Uploaded files.
pub(super) fn uploaded() -> Value {
    json!([{
        "url": FILE_URL, "id": 12, "bytes": 48_213, "name": "harbour-invoice.pdf", "meta": file_meta()
    }])
}

/// A list of files.
pub(super) fn files() -> Value {
    json!({
        "files": [{
            "id": 12, "name": "harbour-invoice.pdf", "bytes": 48_213, "url": FILE_URL,
            "created_timestamp": CREATED
        }],
        "meta": list_meta(50)
    })
}

pub(super) fn file() -> Value {
    json!({
        "id": 12, "name": "harbour-invoice.pdf", "bytes": 48_213, "url": FILE_URL,
        "created_timestamp": CREATED, "meta": file_meta()
    })
}

/// The answer to a file's deletion.
pub(super) fn deleted_file() -> Value {
    json!({"response": "File 12 was deleted."})
}

/// A file's content.
pub(super) fn content() -> Value {
    json!("(content of harbour-invoice.pdf)")
}

pub(super) fn new_agent() -> Value {
    json!({
        "namespace": "invoices", "name": "Invoice reader", "description": "Reads what suppliers send.",
        "instructions": "Amounts are gross.", "form_id": FORM
    })
}

pub(super) fn agent() -> Value {
    json!({
        "namespace": "invoices", "name": "Invoice reader", "description": "Reads what suppliers send.",
        "instructions": "Amounts are gross.", "modelId": null, "form_id": FORM, "form_version": null, "knowledge": [],
        "tools": [],
        "review": {"threshold": 0.8, "fields": {"/total": 0.95}, "conflicts": true, "errors": true, "failures": true,
            "calibrate": false},
        "created_timestamp": CREATED, "updated_timestamp": UPDATED, "userName": "Ada Marsh"
    })
}

pub(super) fn agent_changes() -> Value {
    json!({"instructions": "Amounts are gross.", "modelId": null})
}

/// A list of agents.
pub(super) fn agents() -> Value {
    json!({"agents": [agent()], "meta": list_meta(50)})
}

pub(super) fn new_note() -> Value {
    json!({
        "content": "The total includes the pilot's fee.", "role": "user", "resource": "file",
        "resource_id": "12", "meta": "{\"page\": 2}"
    })
}

/// The answer to a new note.
pub(super) fn created_note() -> Value {
    json!({"status": "success", "noteId": "31"})
}

pub(super) fn note() -> Value {
    json!({
        "noteId": "31", "content": "The total includes the pilot's fee.", "created_timestamp": CREATED,
        "updated_timestamp": UPDATED, "resource": "file", "resource_id": "12", "role": "user",
        "userEmail": "ada@harbour.example", "userName": "Ada Marsh", "meta": {"page": 2}
    })
}

pub(super) fn note_changes() -> Value {
    json!({"content": "The total includes the pilot's fee and tax.", "role": "user", "meta": "{\"page\": 3}"})
}

/// A note after its change.
pub(super) fn changed_note() -> Value {
    json!({"status": "success", "message": "Note 31 was changed.", "meta": {"page": 3}})
}

/// Which notes to delete.
pub(super) fn note_deletion() -> Value {
    json!({"values": ["31", 32], "delete_all": false})
}

/// A list of notes.
pub(super) fn notes() -> Value {
    let mut meta = list_meta(10);
    meta["page"] = json!(1);
    json!({
        "notes": [{
            "noteId": "31", "content": "The total includes the pilot's fee.", "created_timestamp": CREATED,
            "meta": {"page": 2}, "role": "user"
        }],
        "meta": meta
    })
}

/// One example for each failure status, under `Failure` and the status.
pub(super) fn failures() -> Map<String, Value> {
    let failures = [
        (400, "validation_failed", "'title' must have 1 to 1000 characters, not only spaces"),
        (401, "invalid_key", "an API key is needed: send it as 'X-Service-Key' or 'Authorization: Bearer'"),
        (403, "read_only_key", "the API key may only read; this operation needs one that may write"),
        (404, "form_not_found", "there is no such form"),
        (409, "idempotency_key_reused", "the Idempotency-Key was used for another request"),
        (413, "body_too_large", "the body may have at most 1048576 bytes"),
        (
            415,
            "unsupported_content_type",
            "the body must be JSON: send it with 'Content-Type: application/json'",
        ),
        (416, "range_not_satisfiable", "the range lies outside the content"),
        (422, "document_encrypted", "the document is encrypted"),
        (429, "rate_limited", "the key may make 600 requests a minute"),
        (500, "internal", "the request failed on this side; the log has the cause"),
        (502, "provider_failed", "the model's provider failed"),
        (503, "store_unavailable", "the database is busy"),
        (504, "provider_timeout", "the model's provider did not answer in time"),
    ];
    let mut named = Map::new();
    for (status, code, message) in failures {
        let mut value = json!({"status": "failure", "code": code, "message": message});
        if status == 400 {
            value["errors"] = json!([{"path": "/title", "message": message}]);
        }
        let of_base = super::openai::failure_example(status, &value);
        named.insert(format!("OpenAiFailure{status}"), json!({"value": of_base}));
        let of_base = super::anthropic::failure_example(status, &value);
        named.insert(format!("AnthropicFailure{status}"), json!({"value": of_base}));
        named.insert(format!("Failure{status}"), json!({"value": value}));
    }
    named
}
