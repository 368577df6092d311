//! A call of the splitter or the classifier: JSON with `documents`, or files of a multipart body with the options in the
//! query.

use actix_web::HttpRequest;
use document::PageRanges;
use futures_util::future::LocalBoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utilities_core::Inputs;

use super::inputs::{DocumentUpload, Uploads, uploaded};
use crate::app::AppState;
use crate::http::body::{json_bytes, object, parsed};
use crate::http::file_ref::FileRef;
use crate::http::idempotency::{BegunRequest, Idempotency, replay};
use crate::http::operation::OperationBuilder;
use crate::http::request::RawBody;
use crate::http::upload::{is_multipart, receive};
use crate::http::{ApiError, HandlerResult, rules};

/// A document of a call.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "IntakeDocument")]
pub(super) struct DocumentBody {
    /// A file id, the file's own URL, or an address of the web.
    url: FileRef,
    #[serde(default)]
    #[schemars(schema_with = "pages")]
    pages: Option<PageRanges>,
}

fn pages(_: &mut SchemaGenerator) -> Schema {
    rules::pages().try_into().unwrap_or_default()
}

/// Options of a call with uploads.
#[derive(Deserialize)]
pub(super) struct IntakeQuery {
    forms: Option<String>,
    #[serde(rename = "modelId")]
    model_id: Option<String>,
}

/// The documents and options of a call.
pub(super) struct IntakeCall {
    pub(super) inputs: Inputs,
    /// The pages that are meant of each document that has some.
    pub(super) pages: Vec<Option<PageRanges>>,
    pub(super) forms: Option<Vec<String>>,
    pub(super) model_id: Option<String>,
    /// `?` or `/`, which begins the places of options.
    pub(super) place: &'static str,
    /// Files that exist as long as the call.
    _uploads: Option<Uploads>,
}

impl IntakeCall {
    /// A call by reference.
    ///
    /// # Errors
    /// 400 when there are no documents or too many.
    pub(super) fn of_references(
        documents: Vec<DocumentBody>,
        forms: Option<Vec<String>>,
        model_id: Option<String>,
    ) -> Result<Self, ApiError> {
        let (urls, pages): (Vec<String>, Vec<Option<PageRanges>>) =
            documents.into_iter().map(|document| (document.url.0, document.pages)).unzip();
        let inputs = Inputs::references(urls).map_err(|error| {
            let rule = error.to_string().replace("urls", "documents");
            ApiError::invalid("/documents", rule)
        })?;
        Ok(Self { inputs, pages, forms, model_id, place: "/", _uploads: None })
    }
}

/// Describes uploads and their options.
pub(super) fn describe(operation: OperationBuilder<'_>) -> OperationBuilder<'_> {
    operation
        .query("forms", rules::text(), "For uploads: ids of forms with commas between them, as in the body.")
        .query("modelId", rules::text(), "For uploads, as in the body.")
        .multipart::<DocumentUpload>(crate::http::examples::upload)
}

/// Does the work with the call of a request, once for an idempotency key. `B` is the JSON body.
pub(super) async fn perform<'a, B>(
    state: &'a AppState,
    request: &HttpRequest,
    query: IntakeQuery,
    body: RawBody,
    once: Idempotency,
    work: impl FnOnce(IntakeCall) -> LocalBoxFuture<'a, HandlerResult> + 'a,
) -> HandlerResult
where
    B: DeserializeOwned + 'a,
    IntakeCall: TryFrom<B, Error = ApiError>,
{
    if !is_multipart(request) {
        let bytes = json_bytes(request, &mut body.payload(), &state.limits).await?;
        let sent = bytes.clone();
        let work = |_effects| -> LocalBoxFuture<'a, _> {
            Box::pin(async move { work(IntakeCall::try_from(object::<B>(parsed(&sent)?)?)?).await })
        };
        return once.perform(&[&bytes], work).await;
    }
    let received = receive(state, request, body).await?;
    let begun = once.begin(&received.parts()).await;
    // From here on `taken` owns the uploads.
    let taken = uploaded(state, received.staged);
    let forms = query.forms.map(|ids| ids.split(',').map(|id| id.trim().to_owned()).collect());
    let call = IntakeCall {
        inputs: taken.inputs,
        pages: Vec::new(),
        forms,
        model_id: query.model_id,
        place: "?",
        _uploads: Some(taken.uploads),
    };
    match begun? {
        BegunRequest::Done(kept) => Ok(replay(kept)),
        begun => once.end(begun, |_effects| work(call)).await,
    }
}
