//! Classifies documents to forms.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use futures_util::StreamExt as _;
use intake_core::Duplicates;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utilities_core::MAX_INPUTS;

use super::examples;
use super::intake::{ClassificationRecord, Classifier, DocumentBody, IntakeDocument, MAX_FORMS, read_all};
use super::record::ErrorRecord;
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller};

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/utilities/classifier",
            "classify_documents",
            "Tells which of several forms each document fills, or that it fills none: one item per document, in the order \
             given. A document that cannot be read has an error.",
        )
        .body::<ClassifyDocuments>()
        .example(examples::documents_to_classify)
        .answers::<Vec<ClassifiedDocument>>()
        .example(examples::classified)
        .fails(&[404, 502, 503, 504])
        .to_once(classify_documents);
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
    Body(body): Body<ClassifyDocuments>,
) -> HandlerResult {
    let payer = caller.payer();
    let documents = read_all(&state, &payer.scope, body.documents)?;
    let classifier = Classifier::load(&state, payer, body.forms, body.model_id.as_deref()).await?;
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
