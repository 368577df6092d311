//! Generated logos of providers: a letter on a coloured ground. No vendor's trademark is used.

use actix_web::HttpResponse;
use actix_web::http::{Method, header};
use gen_core::Provider;
use serde_json::json;
use shared_core::ErrorKind;

use super::operation::{Access, Registry};
use super::request::Segment;
use super::{ApiError, HandlerResult};

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::GET, "/logos/{logo}", "get_logo", "A provider's logo, such as openai.svg.")
        .access(Access::Open)
        .raw_answer("image/svg+xml", schemars::json_schema!({"type": "string"}))
        .example(|| json!("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"))
        .fails(&[404])
        .to(get_logo);
}

/// URL of a provider's logo.
pub(super) fn url(public_url: &str, provider: Provider) -> String {
    format!("{public_url}/logos/{}.svg", provider.id())
}

async fn get_logo(Segment(logo): Segment) -> HandlerResult {
    let provider = logo.strip_suffix(".svg").and_then(Provider::from_id);
    let provider =
        provider.ok_or_else(|| ApiError::new(ErrorKind::NotFound, "not_found", "there is no such logo"))?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "image/svg+xml"))
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .body(render_logo(provider)))
}

fn render_logo(provider: Provider) -> String {
    let ground = match provider {
        Provider::OpenAi => "#1f7a5c",
        Provider::Anthropic => "#a4552f",
        Provider::Google => "#2f62b5",
        Provider::Mistral => "#b5452f",
        Provider::Formwork => "#33374a",
    };
    let name = provider.display_name();
    let letter = name.get(..1).unwrap_or_default();
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="{name}"><rect width="64" height="64" rx="14" fill="{ground}"/><text x="32" y="44" font-family="sans-serif" font-size="34" font-weight="600" text-anchor="middle" fill="#fff">{letter}</text></svg>"##
    )
}
