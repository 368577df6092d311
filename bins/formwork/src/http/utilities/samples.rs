//! Proposes a form's schema from sample documents.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use futures_util::StreamExt as _;
use rules_engine::schema::ProposedField;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shared_core::ErrorKind;
use tracing::Instrument as _;
use utilities_core::{Inputs, ReadInput};

use super::examples;
use crate::app::AppState;
use crate::http::file_ref::FileRef;
use crate::http::lists::AnyObject;
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller};
use crate::http::{ApiError, HandlerResult};

/// Samples of one call at most. More show little that these do not. Chosen by hand.
const MAX_SAMPLES: usize = 20;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/utilities/schema_from_documents",
            "propose_schema",
            "Proposes a form's schema from sample documents of one kind. A document that cannot be read is named in the \
             warnings.",
        )
        .body::<SampleDocuments>()
        .example(examples::samples)
        .answers::<SchemaProposal>()
        .example(examples::proposal)
        .fails(&[404, 422, 502, 503, 504])
        .to_once(propose_schema);
}

#[derive(Deserialize, JsonSchema)]
struct SampleDocuments {
    /// Ids or own URLs of files, or addresses of the web.
    #[schemars(length(min = 1, max = MAX_SAMPLES))]
    urls: Vec<FileRef>,
}

/// A schema that documents suggest.
#[derive(Serialize, JsonSchema)]
struct SchemaProposal {
    /// The schema, as a form takes it.
    schema: AnyObject,
    /// Where its fields are from, in order.
    fields: Vec<FieldSource>,
    /// What is worth a look.
    warnings: Vec<ProposalWarning>,
}

/// What a field of a proposed schema is from.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ProposedField")]
struct FieldSource {
    /// JSON pointer into `schema`.
    path: String,
    /// The label or column head as printed.
    label: String,
    /// In how many of the documents it stands.
    documents: usize,
    /// Up to three values that they print.
    examples: Vec<String>,
}

/// Something about a proposal that is worth a look.
#[derive(Serialize, JsonSchema)]
struct ProposalWarning {
    /// JSON pointer into the request body; empty for the documents as a whole.
    path: String,
    /// One sentence.
    message: String,
}

impl From<ProposedField> for FieldSource {
    fn from(field: ProposedField) -> Self {
        let ProposedField { path, label, documents, examples } = field;
        Self { path, label, documents, examples }
    }
}

async fn propose_schema(
    state: web::Data<AppState>,
    caller: Caller,
    Body(body): Body<SampleDocuments>,
) -> HandlerResult {
    let payer = caller.payer();
    if !(1..=MAX_SAMPLES).contains(&body.urls.len()) {
        return Err(ApiError::invalid("/urls", format!("'urls' must have 1 to {MAX_SAMPLES} entries")));
    }
    let inputs = Inputs::references(body.urls.into_iter().map(|FileRef(url)| url).collect())?;
    let read: Vec<ReadInput> = state.utilities.each(&payer.scope, inputs, |input| input).collect().await;
    let (mut documents, mut warnings, mut failed) = (Vec::new(), Vec::new(), None);
    for (place, input) in read.into_iter().enumerate() {
        match input.read {
            Ok(read) => documents.push(read.document),
            Err(error) => {
                let message = error.message.clone();
                warnings.push(ProposalWarning { path: format!("/urls/{place}"), message });
                failed = failed.or(Some(error));
            }
        }
    }
    if let (true, Some(first)) = (documents.is_empty(), failed) {
        let is_unknown = first.code == "file_not_found";
        let kind = if is_unknown { ErrorKind::NotFound } else { ErrorKind::Unreadable };
        let message = format!("none of the documents could be read: {}", first.message);
        return Err(ApiError::new(kind, first.code, message));
    }
    // Long documents take some time; this thread serves other requests meanwhile.
    let schemas = state.schemas.clone();
    let propose = async move { schemas.propose(&payer, &documents).await };
    let made = state.background.spawn(propose.in_current_span()).await;
    let proposed = made.map_err(|error| {
        ApiError::new(ErrorKind::Internal, "internal", format!("a schema could not be proposed: {error}"))
    })??;
    let told = proposed.warnings.into_iter();
    warnings.extend(told.map(|message| ProposalWarning { path: String::new(), message }));
    let fields = proposed.fields.into_iter().map(FieldSource::from).collect();
    Ok(HttpResponse::Ok().json(SchemaProposal { schema: proposed.schema, fields, warnings }))
}
