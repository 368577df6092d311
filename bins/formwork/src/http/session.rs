//! Sessions of the console: the token of a sign-in in a cookie. A request by cookie must come from a page of this server,
//! since browsers send cookies with the requests of other pages too.

use actix_web::HttpRequest;
use actix_web::http::{Method, header};
use reqwest::Url;
use shared_core::ErrorKind;

use super::ApiError;
use super::browser_cookie::BrowserCookie;

/// The header that a page must send with a request that changes something. Forms and links cannot send it, and a page of
/// another origin needs a permission that this server never gives together with cookies.
const CONSOLE: &str = "x-formwork-console";

/// The token of the session that a request has, unless it has an API key in a header, which goes before.
///
/// # Errors
/// 401 when another page sent the cookie.
pub(super) fn token_of<'a>(request: &'a HttpRequest, public_url: &str) -> Result<Option<&'a str>, ApiError> {
    let keys = ["x-service-key", header::AUTHORIZATION.as_str(), "x-api-key"];
    if keys.iter().any(|name| request.headers().contains_key(*name)) {
        return Ok(None);
    }
    match BrowserCookie::session(public_url).find(request).filter(|token| !token.is_empty()) {
        Some(_) if !is_of_page(request, public_url) => {
            Err(ApiError::new(ErrorKind::Unauthenticated, "invalid_key", RULE))
        }
        token => Ok(token),
    }
}

/// What a request with a cookie must have.
const RULE: &str = "a request with the cookie of a session must come from a page of this server, and one that changes something \
                    must have the header 'X-Formwork-Console'";

/// Checks that a request comes from a page of this server.
///
/// # Errors
/// 403 when it comes from another page, or changes something without the header of the console.
pub(super) fn check_page(request: &HttpRequest, public_url: &str) -> Result<(), ApiError> {
    match is_of_page(request, public_url) {
        true => Ok(()),
        false => Err(ApiError::new(ErrorKind::Forbidden, "origin_not_allowed", RULE)),
    }
}

/// Whether a page of this server sent the request, with the header of the console where it changes something.
fn is_of_page(request: &HttpRequest, public_url: &str) -> bool {
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    let is_own = match sender(request, public_url) {
        Sender::OwnPage => true,
        // Nothing but a read can come from there.
        Sender::AddressBar | Sender::Unknown => is_read,
        Sender::OtherPage => false,
    };
    is_own && (is_read || request.headers().contains_key(CONSOLE))
}

/// Where a browser says that a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    /// A page of this server.
    OwnPage,
    /// The address bar, a bookmark.
    AddressBar,
    /// A page of another origin.
    OtherPage,
    /// Nothing tells. Programs say nothing, nor do browsers of a read by an own page without TLS.
    Unknown,
}

/// Where the request comes from.
pub(super) fn sender(request: &HttpRequest, public_url: &str) -> Sender {
    match text(request, "sec-fetch-site") {
        Some("same-origin") => Sender::OwnPage,
        Some("none") => Sender::AddressBar,
        Some(_) => Sender::OtherPage,
        // Older browsers, and addresses without TLS that are not those of the own machine.
        None => match text(request, header::ORIGIN.as_str()) {
            Some(origin) if is_own(origin, public_url, text(request, header::HOST.as_str())) => {
                Sender::OwnPage
            }
            Some(_) => Sender::OtherPage,
            None => Sender::Unknown,
        },
    }
}

/// A header that is not text is one that no page of this server sends.
fn text<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name).map(|value| value.to_str().unwrap_or("invalid"))
}

/// Whether an origin is the public one, or has the host and port that the browser sent the request to.
fn is_own(origin: &str, public_url: &str, host: Option<&str>) -> bool {
    let Ok(origin) = Url::parse(origin) else { return false };
    let is_public = Url::parse(public_url).is_ok_and(|own| own.origin() == origin.origin());
    let asked = host.and_then(|host| Url::parse(&format!("{}://{host}", origin.scheme())).ok());
    origin.scheme().starts_with("http")
        && (is_public || asked.is_some_and(|asked| asked.origin() == origin.origin()))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn taken(method: Method, headers: &[(&str, &str)]) -> bool {
        let mut request = TestRequest::default().method(method);
        for (name, value) in headers {
            request = request.append_header((*name, *value));
        }
        check_page(&request.to_http_request(), "https://forms.example.com").is_ok()
    }

    const OWN: (&str, &str) = ("origin", "https://forms.example.com");
    const SAME: (&str, &str) = ("sec-fetch-site", "same-origin");
    const HEADER: (&str, &str) = ("x-formwork-console", "1");

    #[test]
    fn pages_of_this_server_may_read_and_with_the_header_change() {
        assert!(taken(Method::GET, &[]));
        assert!(taken(Method::GET, &[("sec-fetch-site", "none")]));
        assert!(taken(Method::GET, &[SAME]));
        assert!(taken(Method::POST, &[SAME, HEADER]));
        assert!(taken(Method::DELETE, &[OWN, HEADER]));
        assert!(taken(Method::PUT, &[("origin", "http://10.0.0.7:8080"), ("host", "10.0.0.7:8080"), HEADER]));
    }

    #[test]
    fn requests_of_other_pages_and_of_forms_are_refused() {
        for headers in [
            &[][..],
            &[HEADER],
            &[SAME],
            &[OWN],
            &[("sec-fetch-site", "none"), HEADER],
            &[("sec-fetch-site", "same-site"), OWN, HEADER],
            &[("sec-fetch-site", "cross-site"), OWN, HEADER],
            &[("sec-fetch-site", "\u{e9}"), OWN, HEADER],
            &[("origin", "null"), HEADER],
            &[("origin", "https://forms.example.com.evil.example"), HEADER],
            &[("origin", "https://evil.example"), ("host", "forms.example.com"), HEADER],
            &[("origin", "http://10.0.0.7:8081"), ("host", "10.0.0.7:8080"), HEADER],
        ] {
            assert!(!taken(Method::POST, headers), "{headers:?}");
        }
        assert!(!taken(Method::GET, &[("sec-fetch-site", "cross-site")]));
        assert!(!taken(Method::GET, &[("origin", "https://evil.example")]));
    }
}
