//! Which pages may send messages: without this check a page of the web whose name is pointed at a local server could
//! call it.

use actix_web::HttpRequest;
use actix_web::http::header;
use reqwest::Url;
use shared_core::ErrorKind;

use crate::app::AppState;
use crate::http::ApiError;

/// Checks the origin of a request. Programs send none. Pages may be of the server itself, of the same machine, or of
/// the origins that the settings name.
///
/// # Errors
/// 403 for another page.
pub(super) fn check(request: &HttpRequest, state: &AppState) -> Result<(), ApiError> {
    let Some(origin) = request.headers().get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    if is_allowed(origin, &state.public_url, &state.mcp.origins) {
        return Ok(());
    }
    let message = "pages of this origin may not send messages; the setting cors.origins names those that may";
    Err(ApiError::new(ErrorKind::Forbidden, "origin_not_allowed", message))
}

fn is_allowed(origin: &str, public_url: &str, configured: &str) -> bool {
    let Ok(url) = Url::parse(origin) else { return false };
    let own = Url::parse(public_url).is_ok_and(|own| own.origin() == url.origin());
    let local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    let named = |allowed: &str| {
        let allowed = allowed.trim();
        allowed == "*" || allowed.trim_end_matches('/') == origin
    };
    url.scheme().starts_with("http") && (own || local || configured.split(',').any(named))
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn pages_of_the_server_the_machine_and_the_settings_may_send_messages() {
        let allowed = |origin: &str| {
            is_allowed(origin, "https://forms.example.com", "https://a.example.com/, https://b.example.com")
        };
        for origin in [
            "https://forms.example.com",
            "http://localhost:6274",
            "http://127.0.0.1",
            "http://[::1]:80",
            "https://a.example.com",
            "https://b.example.com",
        ] {
            assert!(allowed(origin), "{origin}");
        }
        for origin in [
            "",
            "null",
            "http://forms.example.com",
            "https://forms.example.com.evil.example",
            "http://localhost.evil.example",
            "https://c.example.com",
            "file://localhost",
        ] {
            assert!(!allowed(origin), "{origin}");
        }
        assert!(is_allowed("https://any.example", "http://h", "*"));
    }
}
