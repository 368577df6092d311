//! The script that embeds a public form in any page, and the pages of this server for those without a site.

use actix_web::http::{Method, header};
use actix_web::{HttpResponse, web};
use serde_json::json;
use shared_core::ErrorKind;

use crate::app::AppState;
use crate::http::operation::Registry;
use crate::http::operation_parts::Access;
use crate::http::request::Segment;
use crate::http::{ApiError, HandlerResult};

/// Compressed when it is built from `clients/widget`.
const SCRIPT: &[u8] = include_bytes!("../../../assets/widget/widget.js.gz");
const PAGE: &str = include_str!("../../../assets/widget/page.html");
/// What stands in [`PAGE`] for the key.
const KEY: &str = "{{key}}";

/// Content security policy of a page: the script and requests of this server alone. Styles come from the script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/widget.js",
            "get_widget",
            "The script that embeds the form of a public key in a page.",
        )
        .access(Access::Open)
        .raw_answer("text/javascript", schemars::json_schema!({"type": "string"}))
        .example(|| json!("(a script)"))
        .to(get_widget);
    registry
        .operation(Method::GET, "/f/{page}", "get_page", "The page of a public key, with its form.")
        .access(Access::Open)
        .raw_answer("text/html", schemars::json_schema!({"type": "string"}))
        .example(|| json!("<!doctype html>"))
        .fails(&[404])
        .to(get_page);
}

async fn get_widget() -> HandlerResult {
    let mut answer = HttpResponse::Ok();
    answer
        .content_type("text/javascript; charset=utf-8")
        .insert_header((header::CONTENT_ENCODING, "gzip"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        // Pages of all origins embed it. A new version reaches them within minutes.
        .insert_header((header::CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=300"));
    Ok(answer.body(SCRIPT))
}

async fn get_page(state: web::Data<AppState>, Segment(name): Segment) -> HandlerResult {
    let key = state.accounts.key_of_page(&name).await?.and_then(|key| key.public_text);
    let Some(key) = key else {
        let message = "there is no page of this name, or its key has ended";
        return Err(ApiError::new(ErrorKind::NotFound, "page_not_found", message));
    };
    let mut answer = HttpResponse::Ok();
    answer
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::CACHE_CONTROL, "no-cache"));
    // A key has letters, digits, hyphens and underscores only.
    Ok(answer.body(PAGE.replace(KEY, &key)))
}
