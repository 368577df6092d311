//! `GET /`: what runs here and where its parts are, as a page for people and as JSON for programs.

use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::HandlerResult;
use super::operation::{Access, Registry};
use super::reference::page;
use crate::app::AppState;

const PAGE: &str = include_str!("../../assets/home/index.html");

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/",
            "get_home",
            "What runs here and where its parts are: a page for browsers, JSON for others.",
        )
        .access(Access::Open)
        .answers::<Home>()
        .example(|| json!(Home::new(false)))
        .also_answers("text/html", schemars::json_schema!({"type": "string"}), || json!("<!doctype html>"))
        .to(get_home);
}

/// The service and the paths of its parts.
#[derive(Serialize, JsonSchema)]
struct Home {
    /// `formwork`.
    name: &'static str,
    /// Version of the program.
    version: &'static str,
    /// Path of the console, a page.
    console: &'static str,
    /// How members can sign in: `password`, `oidc`.
    sign_in: Vec<&'static str>,
    /// Path of the API reference, a page.
    reference: &'static str,
    /// Path of the OpenAPI description.
    description: &'static str,
    /// Path of the liveness check.
    health: &'static str,
    /// Path of the readiness check.
    ready: &'static str,
}

impl Home {
    fn new(has_oidc: bool) -> Self {
        Self {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            console: "/console",
            sign_in: std::iter::once("password").chain(has_oidc.then_some("oidc")).collect(),
            reference: "/docs",
            description: "/openapi.json",
            health: "/health",
            ready: "/ready",
        }
    }
}

async fn get_home(state: web::Data<AppState>, request: HttpRequest) -> HandlerResult {
    let accept = request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let home = Home::new(state.oidc.is_some());
    // A browser names the type; programs send `*/*` or nothing.
    let mut answer = if accept.is_some_and(|accept| accept.contains("text/html")) {
        page("text/html; charset=utf-8", PAGE.replace("{{version}}", home.version))
    } else {
        HttpResponse::Ok().json(home)
    };
    answer.headers_mut().insert(header::VARY, header::HeaderValue::from_static("accept"));
    Ok(answer)
}
