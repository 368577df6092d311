//! The console: one page with its script and style, built from `clients/console`. It has no data; what it shows it asks
//! the other operations for.

use actix_web::HttpResponse;
use actix_web::http::{Method, header};
use serde_json::json;
use shared_core::ErrorKind;

use super::operation::{Access, Registry};
use super::request::Segment;
use super::{ApiError, HandlerResult};

const PAGE: &str = include_str!("../../assets/console/index.html");
const LICENSES: &str = include_str!("../../assets/console/LICENSES.txt");
/// Compressed when they are built: every browser takes gzip, and the repository keeps the smaller file.
const SCRIPT: &[u8] = include_bytes!("../../assets/console/app.js.gz");
const STYLE: &[u8] = include_bytes!("../../assets/console/app.css.gz");

/// Content security policy: nothing of other servers, no inline script or style, pictures also of what the page holds.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    connect-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    let text = || schemars::json_schema!({"type": "string"});
    registry
        .operation(
            Method::GET,
            "/console",
            "get_console",
            "The console: a page to review values and to design forms.",
        )
        .access(Access::Open)
        .raw_answer("text/html", text())
        .example(|| json!("<!doctype html>"))
        .to(get_console);
    registry
        .operation(
            Method::GET,
            "/console/{console_part}",
            "get_console_part",
            "The script or style of the console, or the page for its rooms.",
        )
        .access(Access::Open)
        .raw_answer("text/html", text())
        .example(|| json!("<!doctype html>"))
        .also_answers("text/javascript", text(), || json!("(a script)"))
        .also_answers("text/css", text(), || json!("(a style)"))
        .also_answers("text/plain", text(), || json!("(licences)"))
        .fails(&[404])
        .with_deeper_paths()
        .to(get_console_part);
}

async fn get_console() -> HandlerResult {
    Ok(page())
}

/// The names of the script and the style have a digest of their content, which the page knows.
async fn get_console_part(Segment(part): Segment) -> HandlerResult {
    let is_named = PAGE.contains(&format!("\"/console/{part}\""));
    match part.rsplit_once('.') {
        None => Ok(page()),
        Some((_, "js")) if is_named => Ok(asset("text/javascript; charset=utf-8", SCRIPT)),
        Some((_, "css")) if is_named => Ok(asset("text/css; charset=utf-8", STYLE)),
        _ if part == "LICENSES.txt" => Ok(answer("text/plain; charset=utf-8", "no-cache").body(LICENSES)),
        _ => Err(ApiError::new(ErrorKind::NotFound, "not_found", "the console has no such part")),
    }
}

fn page() -> HttpResponse {
    answer("text/html; charset=utf-8", "no-cache").body(PAGE)
}

fn asset(kind: &'static str, content: &'static [u8]) -> HttpResponse {
    answer(kind, "public, max-age=31536000, immutable")
        .insert_header((header::CONTENT_ENCODING, "gzip"))
        .body(content)
}

fn answer(kind: &'static str, caching: &'static str) -> actix_web::HttpResponseBuilder {
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((header::CONTENT_TYPE, kind))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::CACHE_CONTROL, caching));
    answer
}
