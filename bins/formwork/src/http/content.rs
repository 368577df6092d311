//! Serves file content by capability URL, with range requests.

use std::ops::Range;

use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use bytes::Bytes;
use files_core::{File, FilesError, UrlQuery};
use futures_util::TryStreamExt as _;
use serde::Deserialize;
use shared_core::WorkspaceId;

use super::middleware::authenticated;
use super::operation::{Access, OperationBuilder, Registry};
use super::request::{Query, Segment};
use super::{ApiError, HandlerResult, examples, rules};
use crate::app::AppState;

/// Number of bytes from which the character set of a text is detected.
const CHARSET_BYTES: u64 = 64 << 10;

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    described(registry, "/files/{token}", "get_content").to(get_content);
    described(registry, "/files/{token}/{name}", "get_named_content").to(get_named_content);
}

fn described<'a>(registry: &'a mut Registry, path: &'static str, id: &'static str) -> OperationBuilder<'a> {
    let content = schemars::json_schema!({"type": "string", "format": "binary"});
    registry
        .operation(Method::GET, path, id, "Reads a file's content by its capability URL; supports ranges.")
        .access(Access::Open)
        .raw_answer("*/*", content.clone())
        .example(examples::content)
        // A file of an unknown type. Some code generators know this media type and no pattern.
        .also_answers("application/octet-stream", content, examples::content)
        .also(206, "The requested range of the content.")
        .also(304, "The content is unchanged (If-None-Match).")
        .query(
            "expires",
            rules::text(),
            "Expiry of the URL, in seconds since 1970. Only URLs that expire have it.",
        )
        .query("signature", rules::text(), "Signature of the URL. Only URLs that expire have it.")
        .fails(&[401, 403, 404, 416])
}

/// The name at the end of the path serves readers and downloads only; it is not checked.
async fn get_named_content(
    state: web::Data<AppState>,
    request: HttpRequest,
    token: Segment,
    query: Query<ContentQuery>,
) -> HandlerResult {
    get_content(state, request, token, query).await
}

/// The query of a URL that expires.
#[derive(Deserialize)]
pub(super) struct ContentQuery {
    expires: Option<String>,
    signature: Option<String>,
}

/// Checks a capability URL: its signature and expiry, and an API key where one is required. With a key,
/// returns the key's workspace, which must own the content.
pub(super) async fn admitted(
    state: &AppState,
    request: &HttpRequest,
    token: &str,
    query: ContentQuery,
) -> Result<Option<WorkspaceId>, ApiError> {
    let of = match state.content_needs_key {
        true => Some(authenticated(request, state).await?.scope.workspace),
        false => None,
    };
    let ContentQuery { expires, signature } = query;
    state.files.check_url(token, &UrlQuery { expires, signature })?;
    Ok(of)
}

/// The content type with its character set. Without one, browsers and programs guess, often wrongly.
async fn content_type_header(state: &AppState, file: &File) -> Result<String, ApiError> {
    if !file.content_type.starts_with("text/") || file.content_type.contains(';') || file.bytes == 0 {
        return Ok(file.content_type.clone());
    }
    let content = state.files.content(file, Some(0..file.bytes.min(CHARSET_BYTES))).await?;
    let prefix: Vec<Bytes> = content.try_collect().await.map_err(FilesError::from)?;
    let charset = documents_core::charset(&prefix.concat()).to_ascii_lowercase();
    Ok(format!("{}; charset={charset}", file.content_type))
}

async fn get_content(
    state: web::Data<AppState>,
    request: HttpRequest,
    Segment(token): Segment,
    Query(query): Query<ContentQuery>,
) -> HandlerResult {
    let of = admitted(&state, &request, &token, query).await?;
    let mut file = state.files.get_by_token(&token).await?;
    if of.is_some_and(|workspace| workspace != file.workspace) {
        return Err(FilesError::NotFound.into());
    }
    file.content_type = content_type_header(&state, &file).await?;
    let etag = format!("\"{}\"", file.sha256);
    if header_is(&request, &header::IF_NONE_MATCH, &etag) {
        return Ok(safe(HttpResponse::NotModified(), &file, &etag).finish());
    }
    let range = match requested_range(&request, file.bytes, &etag) {
        ContentRequest::Whole => None,
        ContentRequest::Part(range) => Some(range),
        ContentRequest::Unsatisfiable => return Err(ApiError::range_outside(file.bytes)),
    };
    let length = range.as_ref().map_or(file.bytes, |range| range.end - range.start);
    let content = state.files.content(&file, range.clone()).await?;
    let mut answer = safe(HttpResponse::Ok(), &file, &etag);
    if let Some(range) = range {
        let told = format!("bytes {}-{}/{}", range.start, range.end - 1, file.bytes);
        answer.status(StatusCode::PARTIAL_CONTENT).insert_header((header::CONTENT_RANGE, told));
    }
    Ok(answer.no_chunking(length).streaming(content.map_err(|error| {
        tracing::error!(%error, "a file's content could not be sent to its end");
        std::io::Error::other(error)
    })))
}

/// Headers that keep a hostile file from running in a browser under this origin.
fn safe(mut answer: HttpResponseBuilder, file: &File, etag: &str) -> HttpResponseBuilder {
    answer
        .insert_header((header::CONTENT_TYPE, file.content_type.clone()))
        .insert_header((header::CONTENT_DISPOSITION, disposition(&file.name)))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::ACCEPT_RANGES, "bytes"))
        .insert_header((header::ETAG, etag.to_owned()));
    answer
}

/// `attachment` with the name in both forms of RFC 6266.
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if (c.is_ascii_graphic() || c == ' ') && !matches!(c, '"' | '\\' | '/') { c } else { '_' })
        .collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

/// Whether a header contains this entity tag, or any.
pub(super) fn header_is(request: &HttpRequest, name: &header::HeaderName, etag: &str) -> bool {
    let sent = request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    sent.split(',').map(|tag| tag.trim().trim_start_matches("W/")).any(|tag| tag == etag || tag == "*")
}

/// What a request asks for: the whole content, a range, or nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ContentRequest {
    Whole,
    Part(Range<u64>),
    Unsatisfiable,
}

/// The requested range of a content of `size` bytes. Several ranges or a stale `If-Range` give the whole
/// content.
pub(super) fn requested_range(request: &HttpRequest, size: u64, etag: &str) -> ContentRequest {
    let text = |name| request.headers().get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
    match (text(header::RANGE), text(header::IF_RANGE)) {
        (Some(_), Some(condition)) if condition != etag => ContentRequest::Whole,
        (Some(range), _) => parse_range(range, size),
        (None, _) => ContentRequest::Whole,
    }
}

fn parse_range(text: &str, size: u64) -> ContentRequest {
    let ranges = text.split_once('=').filter(|(unit, _)| unit.trim().eq_ignore_ascii_case("bytes"));
    let Some((first, last)) = ranges.and_then(|(_, range)| range.split_once('-')) else {
        return ContentRequest::Whole;
    };
    let (first, last) = (first.trim(), last.trim());
    if !first.bytes().chain(last.bytes()).all(|byte| byte.is_ascii_digit()) {
        return ContentRequest::Whole;
    }
    let range = match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), Ok(last)) if first <= last => first..last.saturating_add(1).min(size),
        (Ok(first), Err(_)) if last.is_empty() => first..size,
        (Err(_), Ok(suffix)) if first.is_empty() => size.saturating_sub(suffix)..size,
        _ => return ContentRequest::Whole,
    };
    if range.start < range.end { ContentRequest::Part(range) } else { ContentRequest::Unsatisfiable }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_to_the_content_and_odd_ones_ignored() {
        for (text, expected) in [
            ("bytes=0-4", ContentRequest::Part(0..5)),
            ("bytes=5-", ContentRequest::Part(5..10)),
            ("bytes=-3", ContentRequest::Part(7..10)),
            ("bytes=8-99", ContentRequest::Part(8..10)),
            ("bytes=10-", ContentRequest::Unsatisfiable),
            ("bytes=-0", ContentRequest::Unsatisfiable),
            ("bytes=5-2", ContentRequest::Whole),
            ("bytes=0-1,3-4", ContentRequest::Whole),
            ("bytes=0-18446744073709551615", ContentRequest::Part(0..10)),
            ("bytes=+1-+2", ContentRequest::Whole),
            ("lines=1-2", ContentRequest::Whole),
        ] {
            assert_eq!(parse_range(text, 10), expected, "{text}");
        }
    }

    #[test]
    fn a_hostile_name_cannot_leave_its_header() {
        let header = disposition("a\"\r\nX-Evil: 1/\u{e9}");
        assert!(!header.contains(['\r', '\n', '\u{e9}']));
        assert_eq!(header.matches('"').count(), 2);
    }
}
