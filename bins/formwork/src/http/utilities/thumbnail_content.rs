//! Serves thumbnails by their capability URLs.

use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use futures_util::TryStreamExt as _;
use shared_core::ErrorKind;
use utilities_core::ShownPicture;

use super::examples;
use crate::app::AppState;
use crate::http::content::{ContentQuery, ContentRequest, admitted, header_is, requested_range};
use crate::http::operation::{Access, Registry};
use crate::http::request::{Query, Segment};
use crate::http::{ApiError, HandlerResult, rules};

/// Cache lifetime in seconds. A thumbnail never changes under its URL.
const KEPT: i64 = 24 * 3_600;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/thumbnails/{token}",
            "get_thumbnail",
            "Reads a thumbnail by its capability URL; supports ranges.",
        )
        .access(Access::Open)
        .raw_answer("image/*", schemars::json_schema!({"type": "string", "format": "binary"}))
        .example(examples::picture)
        .also(206, "The requested range of the thumbnail.")
        .also(304, "The thumbnail is unchanged (If-None-Match).")
        .query(
            "expires",
            rules::text(),
            "Expiry of the URL, in seconds since 1970. Only URLs that expire have it.",
        )
        .query("signature", rules::text(), "Signature of the URL. Only URLs that expire have it.")
        .fails(&[401, 403, 404, 416])
        .to(get_thumbnail);
}

/// URL of a thumbnail.
pub(super) fn url(state: &AppState, token: &str) -> String {
    format!("{}/thumbnails/{token}{}", state.public_url, state.files.url_query(token))
}

async fn get_thumbnail(
    state: web::Data<AppState>,
    request: HttpRequest,
    Segment(token): Segment,
    Query(query): Query<ContentQuery>,
) -> HandlerResult {
    // A thumbnail has no workspace to compare; its token is as secret as that of a file.
    admitted(&state, &request, &token, query).await?;
    let thumbnails = state.utilities.thumbnails();
    let found = thumbnails.by_token(&token).await?;
    let Some(picture) = found else {
        let message = "there is no such thumbnail, or it has expired";
        return Err(ApiError::new(ErrorKind::NotFound, "thumbnail_not_found", message));
    };
    let etag = format!("\"{}\"", picture.sha256);
    let kept =
        picture.until.map_or(KEPT, |until| KEPT.min(until.seconds_since(state.clock.now()).max(0.0) as i64));
    if header_is(&request, &header::IF_NONE_MATCH, &etag) {
        return Ok(safe(HttpResponse::NotModified(), &picture, &etag, kept).finish());
    }
    let range = match requested_range(&request, picture.bytes, &etag) {
        ContentRequest::Whole => None,
        ContentRequest::Part(range) => Some(range),
        ContentRequest::Unsatisfiable => return Err(ApiError::range_outside(picture.bytes)),
    };
    let length = range.as_ref().map_or(picture.bytes, |range| range.end - range.start);
    let content = thumbnails.content(&picture, range.clone()).await?;
    let mut answer = safe(HttpResponse::Ok(), &picture, &etag, kept);
    if let Some(range) = range {
        let told = format!("bytes {}-{}/{}", range.start, range.end - 1, picture.bytes);
        answer.status(StatusCode::PARTIAL_CONTENT).insert_header((header::CONTENT_RANGE, told));
    }
    Ok(answer.no_chunking(length).streaming(content.map_err(|error| {
        tracing::error!(%error, "a thumbnail could not be sent to its end");
        std::io::Error::other(error)
    })))
}

fn safe(
    mut answer: HttpResponseBuilder,
    picture: &ShownPicture,
    etag: &str,
    kept: i64,
) -> HttpResponseBuilder {
    answer
        .insert_header((header::CONTENT_TYPE, picture.content_type()))
        .insert_header((header::CONTENT_DISPOSITION, "inline"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::CACHE_CONTROL, format!("private, max-age={kept}, immutable")))
        .insert_header((header::ACCEPT_RANGES, "bytes"))
        .insert_header((header::ETAG, etag.to_owned()));
    answer
}
