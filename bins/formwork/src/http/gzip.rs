//! Answers made smaller for clients that take gzip.

use actix_http::encoding::Encoder;
use actix_web::body::{BodySize, BoxBody, MessageBody as _};
use actix_web::http::header::{self, ContentEncoding, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};

/// Answers of fewer bytes are sent as they are.
const SMALL: u64 = 1_024;

/// Compresses JSON, where the client takes it and it is worth it.
pub fn compressed(request: &HttpRequest, mut answer: HttpResponse) -> HttpResponse {
    let json = answer.headers().get(header::CONTENT_TYPE);
    if !json.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json")) || !taken(request) {
        return answer;
    }
    if matches!(answer.body().size(), BodySize::None | BodySize::Sized(0..SMALL)) {
        // Caches must know that another answer here could depend on what the client takes.
        answer.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
        return answer;
    }
    answer.map_body(|head, body| BoxBody::new(Encoder::response(ContentEncoding::Gzip, head, body)))
}

/// Whether the client takes gzip; `gzip;q=0` says that it does not.
fn taken(request: &HttpRequest) -> bool {
    let Some(wanted) = request.headers().get(header::ACCEPT_ENCODING) else { return false };
    wanted.to_str().unwrap_or_default().split(',').any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = quality.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse() == Ok(0.0_f32));
        matches!(name.trim(), "gzip" | "*") && !refused
    })
}
