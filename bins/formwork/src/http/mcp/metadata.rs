//! Metadata of the server as a protected resource (RFC 9728). Keys are issued by the server itself, so it names no
//! authorisation server.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Serialize;

use super::examples;
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::mcp_paths::{MCP, MCP_METADATA, METADATA};
use crate::http::operation::{Access, Registry};

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            METADATA,
            "get_resource_metadata",
            "The server as a protected resource (RFC 9728).",
        )
        .access(Access::Open)
        .answers::<ResourceMetadata>()
        .example(examples::metadata)
        .to(get_resource_metadata);
    registry
        .operation(
            Method::GET,
            MCP_METADATA,
            "get_mcp_metadata",
            "The endpoint of the Model Context Protocol as a protected resource (RFC 9728).",
        )
        .access(Access::Open)
        .answers::<ResourceMetadata>()
        .example(examples::mcp_metadata)
        .to(get_mcp_metadata);
}

/// A protected resource.
#[derive(Serialize, JsonSchema)]
struct ResourceMetadata {
    /// Its URL.
    resource: String,
    resource_name: &'static str,
    /// How a key is sent.
    bearer_methods_supported: [&'static str; 1],
    /// Page for developers.
    resource_documentation: String,
}

impl ResourceMetadata {
    fn of(state: &AppState, path: &str) -> Self {
        Self {
            resource: format!("{}{path}", state.public_url),
            resource_name: "Formwork",
            bearer_methods_supported: ["header"],
            resource_documentation: format!("{}/docs", state.public_url),
        }
    }
}

async fn get_resource_metadata(state: web::Data<AppState>) -> HandlerResult {
    Ok(HttpResponse::Ok().json(ResourceMetadata::of(&state, "")))
}

async fn get_mcp_metadata(state: web::Data<AppState>) -> HandlerResult {
    Ok(HttpResponse::Ok().json(ResourceMetadata::of(&state, MCP)))
}
