//! The HTTP interface. Handlers translate between requests and services and decide nothing.

mod a2a;
mod administration;
mod ag_ui;
mod agent_forms;
mod agent_tools;
mod agents;
mod anthropic;
mod audited;
mod body;
mod browser_cookie;
mod chat;
mod citations;
mod console;
mod content;
mod deletion;
mod delta;
mod effort;
pub mod error;
mod error_body;
mod evaluations;
mod event_writer;
mod examples;
mod export;
mod file_name;
mod file_ref;
mod files;
mod form_examples;
mod form_gate;
mod form_gate_record;
mod form_schema;
mod form_versions;
mod forms;
mod generate;
mod generate_stream;
mod generate_tools;
pub mod gzip;
mod handler;
mod home;
pub mod idempotency;
mod inline_documents;
mod instrumented_body;
mod json_rpc;
mod knowledge;
mod knowledge_ref;
pub mod lists;
mod logos;
mod mcp;
pub(crate) mod mcp_paths;
mod message_parts;
mod middleware;
mod note_list;
mod notes;
pub(crate) mod oidc_paths;
mod openai;
pub mod openapi;
pub mod operation;
pub mod operation_parts;
mod path_suggestion;
mod portable_schema;
mod public;
mod quotas;
pub mod rate;
mod reference;
pub mod request;
pub mod reviews;
mod routes;
mod rules;
mod schema_examples;
mod schemas;
mod service;
mod session;
pub mod sign_in;
mod sse;
mod templates;
mod upload;
mod upload_attributes;
mod usage;
mod utilities;
mod violations;
mod webhooks;

pub use error::ApiError;
pub use handler::HandlerResult;
pub use mcp::McpParts;
use operation::{Operation, Registry};
pub(crate) use public::is_public;

/// The routes of every operation of the server.
#[must_use]
pub fn routes() -> routes::Routes {
    routes::Routes::new(registered(Registry::default()).into_catalogue().0)
}

/// Every operation of the server, and the schemas that they reference.
#[must_use]
pub fn description() -> (Vec<Operation>, serde_json::Map<String, serde_json::Value>) {
    registered(Registry::describing()).into_description()
}

fn registered(mut registry: Registry) -> Registry {
    home::register(&mut registry);
    service::register(&mut registry);
    usage::register(&mut registry);
    quotas::register(&mut registry);
    administration::register(&mut registry);
    logos::register(&mut registry);
    generate::register(&mut registry);
    openai::register(&mut registry);
    anthropic::register(&mut registry);
    openapi::register(&mut registry);
    reference::register(&mut registry);
    console::register(&mut registry);
    forms::register(&mut registry);
    form_versions::register(&mut registry);
    form_gate::register(&mut registry);
    form_examples::register(&mut registry);
    schemas::register(&mut registry);
    templates::register(&mut registry);
    files::register(&mut registry);
    content::register(&mut registry);
    agents::register(&mut registry);
    chat::register(&mut registry);
    delta::register(&mut registry);
    knowledge::register(&mut registry);
    utilities::register(&mut registry);
    notes::register(&mut registry);
    note_list::register(&mut registry);
    webhooks::register(&mut registry);
    reviews::register(&mut registry);
    evaluations::register(&mut registry);
    mcp::register(&mut registry);
    ag_ui::register(&mut registry);
    a2a::register(&mut registry);
    public::register(&mut registry);
    registry
}
