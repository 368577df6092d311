//! Classifies documents to forms.

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use gen_core::CallerContext;
use intake_core::Duplicates;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utilities_core::MAX_INPUTS;

use super::examples;
use super::intake::{ClassificationRecord, Classifier, IntakeDocument, MAX_FORMS, read_all};
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
            "/v1/utilities/classifier",
            "classify_documents",
            "Tells which of several forms each document fills, or that it fills none: one item per document, in the order \
             given. A document that cannot be read has an error.",
        )
        .body::<ClassifyDocuments>()
        .example(examples::documents_to_classify);
    describe(operation)
        .answers::<Vec<ClassifiedDocument>>()
        .example(examples::classified)
        .fails(&[404, 502, 503, 504])
        .manual_idempotency()
        .to(classify_documents);
}

#[derive(Deserialize, JsonSchema)]
struct ClassifyDocuments {
    #[schemars(length(min = 1, max = MAX_INPUTS))]
    documents: Vec<DocumentBody>,
    /// Ids of the forms.
    #[schemars(length(min = 1, max = MAX_FORMS))]
    forms: Vec<String>,
    /// A text model, model@provider, that is asked, too. Without it, documents are classified by rules.
    #[serde(rename = "modelId")]
    model_id: Option<String>,
}

/// A document and the forms that it may fill.
#[derive(Serialize, JsonSchema)]
struct ClassifiedDocument {
    /// The reference as given.
    url: String,
    /// The pages as given; absent for the whole document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<String>,
    /// Null when the document was not read.
    classification: Option<ClassificationRecord>,
    /// Index of an earlier document of the call with the same content; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<usize>,
    /// Why it was not classified; absent when it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

async fn classify_documents(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    Query(query): Query<IntakeQuery>,
    body: RawBody,
    once: Idempotency,
) -> HandlerResult {
    let (state, payer) = (state.as_ref(), caller.payer());
    let work = |call| -> LocalBoxFuture<'_, _> { Box::pin(classify_all(state, payer, call)) };
    perform::<ClassifyDocuments>(state, &request, query, body, once, work).await
}

impl TryFrom<ClassifyDocuments> for IntakeCall {
    type Error = ApiError;

    fn try_from(body: ClassifyDocuments) -> Result<Self, ApiError> {
        Self::of_references(body.documents, Some(body.forms), body.model_id)
    }
}

async fn classify_all(state: &AppState, payer: CallerContext, mut call: IntakeCall) -> HandlerResult {
    let documents = read_all(state, &payer.scope, call.inputs.clone(), std::mem::take(&mut call.pages));
    let (forms, model) = (call.forms.take().unwrap_or_default(), call.model_id.take());
    let classifier = Classifier::load(state, payer, forms, model.as_deref(), call.place).await?;
    let mut documents = documents.enumerate();
    let (mut seen, mut items) = (Duplicates::default(), Vec::new());
    while let Some((index, IntakeDocument { url, pages, read })) = documents.next().await {
        let pages = pages.map(|pages| pages.to_string());
        items.push(match read {
            Ok(view) => ClassifiedDocument {
                url,
                pages,
                duplicate_of: seen.add(index, view.hash),
                classification: Some(classifier.classify(&view).await?),
                error: None,
            },
            Err(error) => ClassifiedDocument {
                url,
                pages,
                classification: None,
                duplicate_of: None,
                error: Some(error.into()),
            },
        });
    }
    Ok(HttpResponse::Ok().json(items))
}
