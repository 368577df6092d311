//! Divides files with several documents.

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use gen_core::CallerContext;
use intake_core::{Division, Duplicates, divide};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shared_core::{ErrorKind, offload};
use utilities_core::MAX_INPUTS;

use super::examples;
use super::intake::{
    ClassificationRecord, Classifier, DocumentView, IntakeDocument, MAX_FORMS, read_all, rounded,
};
use super::intake_call::{DocumentBody, IntakeCall, IntakeQuery, describe, perform};
use super::record::ErrorRecord;
use crate::app::AppState;
use crate::http::idempotency::Idempotency;
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, RawBody};
use crate::http::{ApiError, HandlerResult};

pub(super) fn register(registry: &mut Registry) {
    let operation = registry
        .operation(
            Method::POST,
            "/v1/utilities/splitter",
            "split_documents",
            "Divides files that have several documents, such as a scan of several invoices: one item per file, in the order \
             given. The parts can be used as documents of groups. A file that cannot be read has an error.",
        )
        .body::<SplitDocuments>()
        .example(examples::documents_to_split);
    describe(operation)
        .answers::<Vec<SplitDocument>>()
        .example(examples::split)
        .fails(&[404, 502, 503, 504])
        .manual_idempotency()
        .to(split_documents);
}

#[derive(Deserialize, JsonSchema)]
struct SplitDocuments {
    #[schemars(length(min = 1, max = MAX_INPUTS))]
    documents: Vec<DocumentBody>,
    /// Ids of forms to which the parts are classified.
    #[schemars(length(min = 1, max = MAX_FORMS))]
    forms: Option<Vec<String>>,
    /// A text model, model@provider, that is asked for the form of each part, too.
    #[serde(rename = "modelId")]
    model_id: Option<String>,
}

/// A file and the documents in it.
#[derive(Serialize, JsonSchema)]
struct SplitDocument {
    /// The reference as given.
    url: String,
    /// The documents in it, in order; one where its format has no pages.
    parts: Vec<PartRecord>,
    /// Sheets without content, such as separators, which no part has: pages such as 2,5; null when there are none.
    blank: Option<String>,
    /// Each page with content after the first, with the probability that a document begins with it.
    boundaries: Vec<BoundaryRecord>,
    /// Index of an earlier document of the call with the same content; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<usize>,
    /// Why it was not divided; absent when it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

/// A document in a file.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SplitPart")]
struct PartRecord {
    /// The reference to the file.
    url: String,
    /// Its pages, such as 1-3; null where the format has no pages.
    pages: Option<String>,
    /// The probability that a document begins with its first page, 0 to 1; 1 for the first part.
    probability: f64,
    /// The form that it fills; with `forms`, unless its pages have no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    classification: Option<ClassificationRecord>,
}

/// A page that may begin a document.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PageBoundary")]
struct BoundaryRecord {
    page: u32,
    /// 0 to 1; from 0.5 on, a part begins with the page.
    probability: f64,
}

async fn split_documents(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    Query(query): Query<IntakeQuery>,
    body: RawBody,
    once: Idempotency,
) -> HandlerResult {
    let (state, payer) = (state.as_ref(), caller.payer());
    let work = |call| -> LocalBoxFuture<'_, _> { Box::pin(split_all(state, payer, call)) };
    perform::<SplitDocuments>(state, &request, query, body, once, work).await
}

impl TryFrom<SplitDocuments> for IntakeCall {
    type Error = ApiError;

    fn try_from(body: SplitDocuments) -> Result<Self, ApiError> {
        Self::of_references(body.documents, body.forms, body.model_id)
    }
}

async fn split_all(state: &AppState, payer: CallerContext, mut call: IntakeCall) -> HandlerResult {
    let (model, place) = (call.model_id.take(), call.place);
    let documents = read_all(state, &payer.scope, call.inputs.clone(), std::mem::take(&mut call.pages));
    let classifier = match call.forms.take() {
        Some(forms) => Some(Classifier::load(state, payer, forms, model.as_deref(), place).await?),
        None if model.is_some() => {
            let rule = "'modelId' is for the classification to 'forms'";
            return Err(ApiError::invalid(format!("{place}modelId"), rule));
        }
        None => None,
    };
    let mut documents = documents.enumerate();
    let (mut seen, mut items) = (Duplicates::default(), Vec::new());
    while let Some((index, IntakeDocument { url, pages, read })) = documents.next().await {
        items.push(match read {
            Ok(view) => {
                let duplicate_of = seen.add(index, view.hash);
                let pages = pages.map(|pages| pages.to_string());
                split(state, classifier.as_ref(), (url, pages), &view, duplicate_of).await?
            }
            Err(error) => SplitDocument {
                url,
                parts: Vec::new(),
                blank: None,
                boundaries: Vec::new(),
                duplicate_of: None,
                error: Some(error.into()),
            },
        });
    }
    Ok(HttpResponse::Ok().json(items))
}

/// Divides one document, and classifies its parts.
async fn split(
    state: &AppState,
    classifier: Option<&Classifier>,
    (url, pages): (String, Option<String>),
    view: &DocumentView,
    duplicate_of: Option<usize>,
) -> Result<SplitDocument, ApiError> {
    let document = view.document.clone();
    let divided = offload(state.workers.as_ref(), move || divide(&document)).await;
    let failed = "the document could not be divided";
    let divided = divided.ok_or_else(|| ApiError::new(ErrorKind::Internal, "internal", failed))?;
    let mut parts = Vec::new();
    let Some(Division { parts: found, blank, boundaries }) = divided else {
        let classification = classify(classifier, view).await?;
        parts.push(PartRecord { url: url.clone(), pages, probability: 1.0, classification });
        return Ok(SplitDocument {
            url,
            parts,
            blank: None,
            boundaries: Vec::new(),
            duplicate_of,
            error: None,
        });
    };
    for part in found {
        let classification = match classifier.and_then(|_| view.part(&part.pages)) {
            Some(part) => classify(classifier, &part).await?,
            None => None,
        };
        parts.push(PartRecord {
            url: url.clone(),
            pages: Some(part.pages.to_string()),
            probability: rounded(part.probability),
            classification,
        });
    }
    let boundary = |(page, probability)| BoundaryRecord { page, probability: rounded(probability) };
    Ok(SplitDocument {
        url,
        parts,
        blank: document::PageRanges::of_pages(blank).map(|pages| pages.to_string()),
        boundaries: boundaries.into_iter().map(boundary).collect(),
        duplicate_of,
        error: None,
    })
}

async fn classify(
    classifier: Option<&Classifier>,
    view: &DocumentView,
) -> Result<Option<ClassificationRecord>, ApiError> {
    match classifier {
        Some(classifier) => Ok(Some(classifier.classify(view).await?)),
        None => Ok(None),
    }
}
