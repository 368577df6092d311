//! Compresses answers for clients that accept gzip.

use actix_http::encoding::Encoder;
use actix_web::body::{BodySize, BoxBody, MessageBody as _};
use actix_web::http::header::{self, ContentEncoding, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};

/// Smaller answers, in bytes, are not compressed.
const SMALL: u64 = 1_024;

/// Types of answers that are compressed.
const TEXTS: [&str; 3] = ["application/json", "application/jsonl", "text/csv"];

/// Compresses JSON and tables where the client accepts gzip.
pub fn compressed(request: &HttpRequest, mut answer: HttpResponse) -> HttpResponse {
    let kind = answer.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    if !TEXTS.iter().any(|text| kind.starts_with(text.as_bytes())) {
        return answer;
    }
    if matches!(answer.body().size(), BodySize::None | BodySize::Sized(0..SMALL)) || !taken(request) {
        // Caches must store an answer per accepted encoding.
        answer.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
        return answer;
    }
    answer.map_body(|head, body| BoxBody::new(Encoder::response(ContentEncoding::Gzip, head, body)))
}

/// Whether the client accepts gzip.
fn taken(request: &HttpRequest) -> bool {
    let wanted = request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    wanted.is_some_and(takes_gzip)
}

/// Whether an `Accept-Encoding` list allows gzip. `gzip;q=0` forbids it, even with `*`.
fn takes_gzip(wanted: &str) -> bool {
    let mut any = false;
    for coding in wanted.split(',') {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let quality = quality.trim().to_ascii_lowercase();
        let refused = quality.strip_prefix("q=").is_some_and(|q| q.trim().parse() == Ok(0.0_f32));
        let name = name.trim();
        if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
            return !refused;
        }
        any |= name == "*" && !refused;
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_taken_where_it_is_named_or_covered_and_not_refused() {
        for yes in ["gzip", "GZIP", "x-gzip", "br, gzip;q=0.5", "*", "*;q=0.1", "identity, *", "gzip, *;q=0"]
        {
            assert!(takes_gzip(yes), "{yes}");
        }
        for no in ["", "br", "identity", "gzip;q=0", "gzip; Q=0.0, *", "*;q=0", "gzipped", ";q=1"] {
            assert!(!takes_gzip(no), "{no}");
        }
    }
}
