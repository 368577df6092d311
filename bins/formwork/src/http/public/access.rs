//! Who may use a public key: pages of its origins, and the page of this server that it has.

use accounts_core::{Principal, Publication};
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse};
use shared_core::ErrorKind;

use crate::http::ApiError;
use crate::http::operation_parts::Access;
use crate::http::session::{Sender, sender};

/// Where the paths of all operations for public keys begin.
const BASE: &str = "/v1/public/";
/// Seconds for which a browser remembers which requests are permitted.
const MAX_AGE: &str = "3600";

/// Whether a path is that of an operation for public keys.
pub(crate) fn is_public(path: &str) -> bool {
    path.starts_with(BASE)
}

/// Checks that public keys call the operations for them, and other keys the others.
///
/// # Errors
/// 403 otherwise.
pub(in crate::http) fn check_access(access: Access, principal: &Principal) -> Result<(), ApiError> {
    match (access == Access::Public, &principal.publication) {
        (true, Some(_)) | (false, None) => Ok(()),
        (true, None) => {
            let message = "this operation needs a public API key; a secret key must not stand in a web page";
            Err(ApiError::new(ErrorKind::Forbidden, "public_key_needed", message))
        }
        (false, Some(_)) => Err(ApiError::restricted_key(
            "the API key is public: it holds conversations with its agent, and does nothing else",
        )),
    }
}

/// Checks that a page sent the request that may use the key. Programs can send any origin: this keeps other sites from
/// using the key, and its limits bound everybody else.
///
/// # Errors
/// 403 for another page, and for a request that is of none.
pub(in crate::http) fn check_origin(
    request: &HttpRequest,
    publication: &Publication,
    public_url: &str,
) -> Result<(), ApiError> {
    let origin = request.headers().get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    let is_named = origin
        .is_some_and(|origin| publication.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)));
    if is_named || (publication.page.is_some() && is_of_own_page(request, public_url)) {
        return Ok(());
    }
    let message =
        "the public API key is for pages of other origins; its 'origins' name those that may use it";
    Err(ApiError::new(ErrorKind::Forbidden, "origin_not_allowed", message))
}

fn is_of_own_page(request: &HttpRequest, public_url: &str) -> bool {
    match sender(request, public_url) {
        Sender::OwnPage => true,
        // Without TLS browsers tell nothing of a read by a page of the same origin.
        Sender::Unknown => [Method::GET, Method::HEAD].contains(request.method()),
        Sender::AddressBar | Sender::OtherPage => false,
    }
}

/// Lets pages of all origins read the answer. It has nothing of others for a request that was refused.
pub(in crate::http) fn let_pages_read(answer: &mut HttpResponse) {
    set(answer, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(answer, header::ACCESS_CONTROL_EXPOSE_HEADERS, "retry-after, x-request-id");
}

/// Answers what a browser asks before a page of another origin sends a request. The key is not known then.
pub(in crate::http) fn permit_requests(answer: &mut HttpResponse) {
    set(answer, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(answer, header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST");
    set(answer, header::ACCESS_CONTROL_ALLOW_HEADERS, "x-service-key, content-type");
    set(answer, header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
}

fn set(answer: &mut HttpResponse, name: header::HeaderName, value: &'static str) {
    answer.headers_mut().insert(name, header::HeaderValue::from_static(value));
}
