//! Builds the OpenAPI 3.1 document from the registry.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::Schema;
use serde_json::{Map, Value, json};

use super::form_schema::WARNING_HEADER;
use super::knowledge::index_position;
use super::operation::{Access, Content, Operation, ParameterLocation, Registry};
use super::{HandlerResult, description, examples, rules};
use super::{anthropic, openai};
use crate::app::AppState;

/// Registers the operation that serves the document.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::GET, "/openapi.json", "get_openapi", "The OpenAPI 3.1 document of this API.")
        .access(Access::Open)
        .raw_answer("application/json", schemars::json_schema!({"type": "object"}))
        .example(examples::openapi)
        .to(get_openapi);
}

async fn get_openapi(state: web::Data<AppState>) -> HandlerResult {
    let text = state.openapi.get_or_init(|| document().to_string());
    Ok(HttpResponse::Ok().content_type("application/json").body(text.clone()))
}

/// The whole document.
#[must_use]
pub fn document() -> Value {
    let (operations, schemas) = description();
    let mut paths: Map<String, Value> = Map::new();
    for operation in &operations {
        let mut described = described(operation);
        let method = operation.method.as_str().to_ascii_lowercase();
        if operation.under_v1 {
            let item = paths.entry(format!("/v1{}", operation.path)).or_insert_with(|| json!({}));
            item[&method] = described.clone();
            item[&method]["operationId"] = json!(format!("{}_v1", operation.id));
        }
        let item = paths.entry(operation.path).or_insert_with(|| json!({}));
        item[&method] = described.take();
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Formwork",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Forms, documents and agents: typed, validated records with evidence.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}
        },
        "tags": TAGS.map(|(name, description)| json!({"name": name, "description": description})),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "examples": examples::failures(),
            "headers": described_headers(),
            "securitySchemes": {
                "serviceKey": {"type": "apiKey", "in": "header", "name": "X-Service-Key"},
                "bearer": {"type": "http", "scheme": "bearer"}
            }
        }
    });
    relocate(&mut document);
    document
}

/// The document as in `docs/openapi.json`: indented, with a final newline.
#[must_use]
pub fn document_text() -> String {
    format!("{:#}\n", document())
}

/// Rewrites the schema generator's references `#/$defs/…` to `components`.
fn relocate(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(name) = text.strip_prefix("#/$defs/") {
                *text = format!("#/components/schemas/{name}");
            }
        }
        Value::Object(parts) => parts.values_mut().for_each(relocate),
        Value::Array(items) => items.iter_mut().for_each(relocate),
        _ => {}
    }
}

fn described(operation: &Operation) -> Value {
    let parameters: Vec<Value> = operation
        .parameters
        .iter()
        .map(|parameter| {
            let place = match parameter.place {
                ParameterLocation::Path => "path",
                ParameterLocation::Query => "query",
                ParameterLocation::Header => "header",
            };
            json!({
                "name": parameter.name, "in": place, "required": parameter.needed,
                "description": parameter.description, "schema": parameter.schema
            })
        })
        .collect();
    let several_bodies = !operation.also_takes.is_empty();
    let common = operation.once.then(request_key).into_iter().chain(several_bodies.then(request_id));
    let parameters: Vec<Value> = parameters.into_iter().chain(common).collect();
    let mut described = json!({
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [operation.tag],
        "parameters": parameters,
        "responses": responses(operation),
        "security": match operation.access {
            Access::Open => json!([]),
            Access::Read | Access::Write | Access::Admin | Access::Public => json!([{"serviceKey": []}, {"bearer": []}]),
        }
    });
    if let Some(body) = &operation.body {
        let mut content = described_content(body);
        for further in &operation.also_takes {
            content[further.media] = described_content(further)[further.media].clone();
        }
        described["requestBody"] = json!({"required": operation.needs_body, "content": content});
    }
    described
}

fn described_content(content: &Content) -> Value {
    let mut described = json!({"schema": content.schema});
    if let Some(example) = &content.example {
        described["example"] = example.clone();
    }
    json!({content.media: described})
}

/// The header `Idempotency-Key`.
fn request_key() -> Value {
    json!({
        "name": "Idempotency-Key", "in": "header", "required": false,
        "description": "Idempotency key. A repeated request with the same key and body within 24 hours gets the \
            stored answer and is not executed again.",
        "schema": rules::request_key()
    })
}

/// The header `X-Request-Id`. Every operation reads it. Only those with several kinds of bodies describe it:
/// the code that openapi-python-client makes for them needs another optional parameter to compile.
fn request_id() -> Value {
    json!({
        "name": "X-Request-Id", "in": "header", "required": false,
        "description": "Identifier of the request in the log, if it is a plain token.",
        "schema": rules::text()
    })
}

/// The groups of operations, each with what it is about.
const TAGS: [(&str, &str); 13] = [
    ("forms", "Forms and their versions."),
    ("files", "Uploaded files and their content."),
    ("agents", "Agents: extraction from documents, conversations and their submissions."),
    ("knowledge", "Knowledge bases. Their paths with `/v1` and without are the same operations."),
    ("generation", "Answers of models."),
    ("openai", "The base for clients of OpenAI's interface."),
    ("anthropic", "The base for clients of Anthropic's interface."),
    ("utilities", "Documents, the web and schemas of forms, without stored resources."),
    ("notes", "Notes on agents, knowledge bases and files."),
    ("webhooks", "Webhooks and their deliveries."),
    ("mcp", "The Model Context Protocol."),
    ("service", "The server, the caller, models, usage and quotas."),
    ("administration", "Sign-in, members, keys, workspaces and the audit log."),
];

/// The tag of a path in the reference.
pub(super) fn tag(path: &'static str) -> &'static str {
    match path.trim_start_matches("/v1").split('/').nth(1).unwrap_or_default() {
        "form" | "templates" => "forms",
        "agent" => "agents",
        "knowledgebase" | "knowledgebases" => "knowledge",
        "v2" => "generation",
        "reviews" | "evaluation_sets" | "public" | "f" | "widget.js" => "agents",
        "thumbnails" => "utilities",
        ".well-known" => "mcp",
        "keys" | "members" | "workspaces" | "audit" | "sign_in" => "administration",
        area @ ("openai" | "anthropic" | "files" | "utilities" | "notes" | "webhooks" | "mcp") => area,
        _ => "service",
    }
}

/// Schema and description of a path parameter.
pub(super) fn segment_words(name: &str) -> (Value, &'static str) {
    match name {
        "file_id" => (rules::id(), "Identifier of the file."),
        "sid" => (rules::id(), "Session id: identifier of the run."),
        "note_id" => (rules::id(), "Identifier of the note."),
        "resource" => (
            json!({"type": "string", "enum": rules::resources()}),
            "Kind of the resource: agent, knowledgebase or file.",
        ),
        "resource_id" => (rules::text(), "The agent's namespace, the knowledge base's id, or the file's id."),
        "version" => (rules::ordinal(), "Number of the version, from 1."),
        "form_id" => (rules::text(), "Identifier of the form."),
        "template_id" => (rules::text(), "Identifier of the template, such as invoice."),
        "knowledgeId" | "vector_store_id" => (rules::text(), "Identifier of the knowledge base."),
        "id" => (rules::text(), "Identifier of the file in its knowledge base."),
        "model" => (rules::text(), "Name of the model, as `model` takes it."),
        "namespace" => (rules::namespace(), "Namespace of the agent."),
        "session_id" => (rules::text(), "Identifier of the session."),
        "submission_id" => (rules::text(), "Identifier of the submission."),
        "set_id" | "evaluation_set_id" => (rules::text(), "Identifier of the evaluation set."),
        "review_id" => (rules::text(), "Identifier of the review."),
        "webhook_id" => (rules::text(), "Identifier of the webhook."),
        "delivery_id" => (rules::text(), "Identifier of the delivery: its message's webhook-id."),
        "key_id" => (rules::text(), "Identifier of the key, or its prefix."),
        "member_id" => (rules::text(), "Identifier of the member."),
        "workspace_id" => (rules::text(), "Identifier of the workspace."),
        "token" => (rules::text(), "Secret token of the capability URL."),
        "logo" => (rules::text(), "Name of the logo: a provider's identifier and .svg."),
        "part" => (rules::text(), "Name of the part: reference.js or reference.css."),
        "page" => (rules::text(), "Name of the page of a public key."),
        "console_part" => (rules::text(), "Name of the part, or path of a room."),
        "name" => (rules::text(), "File name for display and downloads. It is not checked."),
        _ => (rules::text(), ""),
    }
}

/// Headers of an answer besides the request id.
fn headers(operation: &Operation, status: &str) -> &'static [&'static str] {
    let answer = operation.answer.as_ref().and_then(|answer| answer.schema.get("type"));
    match status {
        "200" if operation.method == Method::GET && answer == Some(&json!("array")) => {
            &["X-Total-Count", "Link"]
        }
        "200" if operation.id == "generate_schema" => &[WARNING_HEADER],
        "200" if operation.tells_position => &[index_position::HEADER],
        "202" if operation.accepted.is_none() => &[],
        "202" if operation.answer.is_some() => &["Location", "Preference-Applied"],
        "202" => &["Location"],
        "302" => &["Location", "Set-Cookie"],
        "401" => &["WWW-Authenticate"],
        "416" => &["Content-Range"],
        "409" if operation.once => &["Retry-After"],
        "429" | "503" => &["Retry-After"],
        _ => &[],
    }
}

fn described_headers() -> Value {
    let header =
        |description: &str, kind: &str| json!({"description": description, "schema": {"type": kind}});
    json!({
        "X-Request-Id": header("Identifier of this request in the log. A plain token from the request is reused.", "string"),
        "X-Total-Count": header("Total number of rows.", "integer"),
        "Location": header("URL of the accepted work, or to which the browser goes on.", "string"),
        "Set-Cookie": header("What the browser must send with its next request.", "string"),
        "X-Index-Position": header("Position of the last change that the request made for searches, for their `wait_for`; absent when it made none, and in repeated answers.", "integer"),
        WARNING_HEADER: header("That the description names no fields, and what they were taken from; absent when it names them.", "string"),
        "Preference-Applied": header("`respond-async`, when the request asked for it.", "string"),
        "Link": header("URLs of the neighbour pages, if any.", "string"),
        "WWW-Authenticate": header("How to send a key.", "string"),
        "Content-Range": header("The size of the content.", "string"),
        "Retry-After": header("Seconds after which the request can be retried; absent when a retry cannot succeed.", "integer"),
    })
}

/// A stream of events with these names. The schema describes the text as a whole, and `x-event` each event,
/// for which OpenAPI 3.1 has no keyword.
pub(super) fn events(names: &[&str]) -> Schema {
    schemars::json_schema!({
        "description": "Server-sent events with JSON data.",
        "type": "string",
        "x-event": {
            "type": "object",
            "required": ["event", "data"],
            "properties": {
                "event": {"type": "string", "enum": names},
                "id": {"type": "string"},
                "data": {"type": "string", "contentMediaType": "application/json"}
            }
        }
    })
}

/// The successful answers of an operation.
fn successes(operation: &Operation) -> Value {
    let replayed = match operation.once {
        true => " `Idempotency-Replayed`: present when the answer is a stored one for the same key.",
        false => "",
    };
    let mut successes = json!({});
    let redirects = operation.further.iter().any(|(status, _)| *status == 302);
    if operation.answer.is_some() || (operation.accepted.is_none() && !redirects) {
        let success = if operation.once { "Success." } else { "Success" };
        successes["200"] = json!({"description": format!("{success}{replayed}")});
    }
    for content in operation.answer.iter().chain(&operation.also) {
        let described = described_content(content);
        for (media, described) in described.as_object().into_iter().flatten() {
            successes["200"]["content"][media] = described.clone();
        }
    }
    if let Some(accepted) = &operation.accepted {
        let description = format!("The work was accepted. `Location` has its URL.{replayed}");
        successes["202"] = json!({"description": description, "content": described_content(accepted)});
    }
    successes
}

/// The schema of an operation's failures.
fn failure_schema(operation: &Operation, name: &str) -> Value {
    let common = json!({"$ref": format!("#/components/schemas/{name}")});
    match &operation.other_failure {
        None => common,
        Some(other) => json!({"anyOf": [common, other.schema]}),
    }
}

fn responses(operation: &Operation) -> Value {
    let mut responses = successes(operation);
    for (status, meaning) in &operation.further {
        responses[status.to_string()] = json!({"description": meaning});
    }
    // A range is of the same media type as the whole.
    if responses.get("206").is_some() {
        responses["206"]["content"] = responses["200"]["content"].clone();
    }
    let mut statuses = operation.failures.clone();
    statuses.push(500);
    if operation.once {
        statuses.push(409);
    }
    if operation.access != Access::Open {
        statuses.extend([401, 403, 429, 503]);
    }
    if operation.body.is_some() {
        statuses.extend([400, 413, 415]);
    }
    if operation.parameters.iter().any(|parameter| parameter.place == ParameterLocation::Query) {
        statuses.push(400);
    }
    statuses.sort_unstable();
    statuses.dedup();
    let (schema, example) = match operation.path {
        path if openai::is_of_base(path) => ("OpenAiErrorBody", "OpenAiFailure"),
        path if anthropic::is_of_base(path) => ("AnthropicErrorBody", "AnthropicFailure"),
        _ => ("ErrorBody", "Failure"),
    };
    for status in statuses {
        responses[status.to_string()] = json!({
            "description": reason(status),
            "content": {"application/json": {
                "schema": failure_schema(operation, schema),
                "examples": {"failure": {"$ref": format!("#/components/examples/{example}{status}")}}
            }}
        });
    }
    for (status, response) in responses.as_object_mut().into_iter().flatten() {
        let names = ["X-Request-Id"].iter().chain(headers(operation, status));
        let headers =
            names.map(|name| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")})));
        response["headers"] = Value::Object(headers.collect());
    }
    responses
}

fn reason(status: u16) -> &'static str {
    match status {
        400 => "The request violates a rule.",
        401 => "The API key is missing or not valid.",
        403 => "The API key lacks the permission, the URL is expired or not signed, or a quota is exceeded.",
        404 => "The resource does not exist.",
        409 => "The request conflicts with the stored state.",
        413 => "A size limit is exceeded.",
        415 => "The content type is not supported.",
        416 => "The range lies outside the content.",
        422 => "The document cannot be read.",
        429 => "A rate or usage limit of the key is reached.",
        500 => "An internal error.",
        502 => "A provider failed.",
        503 => "Busy, not configured, or out of storage.",
        504 => "A provider did not answer in time.",
        _ => "The request failed.",
    }
}
