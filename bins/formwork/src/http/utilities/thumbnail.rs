//! Renders thumbnails of documents.

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use document::ThumbnailOptions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utilities_core::{Inputs, MAX_PAGE, MAX_WIDTH, MIN_WIDTH, PictureOptions, ThumbnailResult};

use super::inputs::{DocumentUpload, uploaded};
use super::record::ErrorRecord;
use super::{examples, thumbnail_content};
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::body::{json_bytes, object, parsed};
use crate::http::file_ref::FileRef;
use crate::http::idempotency::{BegunRequest, Idempotency, replay};
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, RawBody};
use crate::http::upload::{is_multipart, receive};
use futures_util::future::LocalBoxFuture;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/utilities/thumbnail",
            "make_thumbnails",
            "Renders a thumbnail of a page of each document: one item per document, in the order given. A document that \
             cannot be read gets a placeholder card.",
        )
        .query("width", width(), "As in the body, which takes precedence.")
        .query("page", page(), "As in the body, which takes precedence.")
        .query("format", json!({"type": "string", "enum": FORMATS}), "As in the body, which takes precedence.")
        .body::<ThumbnailBody>()
        .example(examples::wanted_thumbnails)
        .multipart::<DocumentUpload>(crate::http::examples::upload)
        .answers::<Vec<ThumbnailRecord>>()
        .example(examples::thumbnails)
        .manual_idempotency()
        .to(make_thumbnails);
}

const FORMATS: [&str; 2] = ["png", "webp"];

fn width() -> Value {
    json!({"type": "integer", "minimum": MIN_WIDTH, "maximum": MAX_WIDTH})
}

fn page() -> Value {
    json!({"type": "integer", "minimum": 1, "maximum": MAX_PAGE})
}

/// The formats, and null for none.
fn formats() -> Value {
    json!(["png", "webp", null])
}

/// Documents and options of their thumbnails.
#[derive(Deserialize, JsonSchema)]
struct ThumbnailBody {
    /// Ids or own URLs of files, or addresses of the web.
    #[schemars(schema_with = "super::inputs::references")]
    urls: Vec<FileRef>,
    /// Width in pixels; 320 when absent.
    #[schemars(range(min = MIN_WIDTH, max = MAX_WIDTH))]
    width: Option<i64>,
    /// Page, slide or sheet from 1; the first when absent. Beyond the end, the last one is used.
    #[schemars(range(min = 1, max = MAX_PAGE))]
    page: Option<i64>,
    /// `png` when absent.
    #[schemars(extend("enum" = formats()))]
    format: Option<String>,
}

/// Thumbnail options of the query.
#[derive(Deserialize)]
struct ThumbnailQuery {
    width: Option<i64>,
    page: Option<i64>,
    format: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DocumentThumbnail")]
struct ThumbnailRecord {
    /// The reference as given; for an upload, its name.
    url: String,
    /// Capability URL of the thumbnail; empty when there is none. It is valid until the file is deleted, for
    /// an upload one day.
    thumbnail: String,
    /// Why there is no thumbnail; absent when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

async fn make_thumbnails(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    Query(query): Query<ThumbnailQuery>,
    body: RawBody,
    once: Idempotency,
) -> HandlerResult {
    let wish = PictureOptions { width: query.width, page: query.page, format: query.format, in_query: true };
    if is_multipart(&request) {
        let options = wish.options()?;
        return of_uploads(&state, caller, options, &request, body, once).await;
    }
    let bytes = json_bytes(&request, &mut body.payload(), &state.limits).await?;
    let sent = bytes.clone();
    let work = |_effects| -> LocalBoxFuture<'_, _> {
        Box::pin(async move {
            let options = wish.options()?;
            let body = object::<ThumbnailBody>(parsed(&sent)?)?;
            let wish =
                PictureOptions { width: body.width, page: body.page, format: body.format, in_query: false };
            let options = wish.options_or(options)?;
            let inputs = Inputs::references(body.urls.into_iter().map(|FileRef(url)| url).collect())?;
            Ok(answer(&state, &caller, &inputs, options).await)
        })
    };
    once.perform(&[&bytes], work).await
}

async fn of_uploads(
    state: &AppState,
    caller: Caller,
    options: ThumbnailOptions,
    request: &HttpRequest,
    body: RawBody,
    once: Idempotency,
) -> HandlerResult {
    let received = receive(state, request, body).await?;
    let begun = once.begin(&received.parts()).await;
    // From here on `taken` owns the uploads.
    let taken = uploaded(state, received.staged);
    match begun? {
        BegunRequest::Done(kept) => Ok(replay(kept)),
        begun => {
            let work = |_effects| -> LocalBoxFuture<'_, _> {
                Box::pin(async { Ok(answer(state, &caller, &taken.inputs, options).await) })
            };
            once.end(begun, work).await
        }
    }
}

async fn answer(
    state: &AppState,
    caller: &Caller,
    inputs: &Inputs,
    options: ThumbnailOptions,
) -> HttpResponse {
    let made = state.utilities.make_thumbnails(&caller.0.scope, inputs, options).await;
    let records: Vec<ThumbnailRecord> = made.into_iter().map(|made| record(state, made)).collect();
    HttpResponse::Ok().json(records)
}

fn record(state: &AppState, ThumbnailResult { url, token: made }: ThumbnailResult) -> ThumbnailRecord {
    match made {
        Ok(token) => ThumbnailRecord { url, thumbnail: thumbnail_content::url(state, &token), error: None },
        Err(error) => {
            if let Some(cause) = &error.cause {
                let cause: &dyn std::error::Error = cause;
                tracing::error!(code = error.code, cause, "a thumbnail could not be made");
            }
            ThumbnailRecord { url, thumbnail: String::new(), error: Some(error.into()) }
        }
    }
}
