//! The reference page: it renders `/openapi.json` in the browser and loads nothing from other servers.

use actix_web::HttpResponse;
use actix_web::http::{Method, header};
use serde_json::json;
use shared_core::ErrorKind;

use super::operation::{Access, Registry};
use super::request::Segment;
use super::{ApiError, HandlerResult};

const PAGE: &str = include_str!("../../assets/reference/index.html");
/// The scripts of the pages by name.
const SCRIPTS: [(&str, &str); 4] = [
    ("home.js", include_str!("../../assets/home/home.js")),
    ("introduction.js", include_str!("../../assets/reference/introduction.js")),
    ("reference.js", include_str!("../../assets/reference/reference.js")),
    ("snippets.js", include_str!("../../assets/reference/snippets.js")),
];
const STYLE: &str = include_str!("../../assets/reference/reference.css");

/// Content security policy: scripts, styles and requests of this server only, and no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    let text = || schemars::json_schema!({"type": "string"});
    registry
        .operation(Method::GET, "/docs", "get_reference", "The reference of this interface, as a page.")
        .access(Access::Open)
        .raw_answer("text/html", text())
        .example(|| json!("<!doctype html>"))
        .to(get_reference);
    registry
        .operation(Method::GET, "/docs/{part}", "get_reference_part", "A script or style of the pages.")
        .access(Access::Open)
        .raw_answer("text/javascript", text())
        .example(|| json!("\"use strict\";"))
        .also_answers("text/css", text(), || json!(":root { color-scheme: light dark; }"))
        .fails(&[404])
        .to(get_reference_part);
}

async fn get_reference() -> HandlerResult {
    Ok(page("text/html; charset=utf-8", PAGE))
}

async fn get_reference_part(Segment(part): Segment) -> HandlerResult {
    if part == "reference.css" {
        return Ok(page("text/css; charset=utf-8", STYLE));
    }
    let script = SCRIPTS.iter().find(|(name, _)| *name == part).map(|(_, script)| *script);
    let script = script
        .ok_or_else(|| ApiError::new(ErrorKind::NotFound, "not_found", "the pages have no such part"))?;
    Ok(page("text/javascript; charset=utf-8", script))
}

/// A page of this server or a part of it.
pub(super) fn page(kind: &'static str, text: impl actix_web::body::MessageBody + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, kind))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(text)
}
