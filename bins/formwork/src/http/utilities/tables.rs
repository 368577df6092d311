//! Extracts the tables of documents.

use actix_web::http::Method;
use actix_web::{HttpRequest, web};
use schemars::JsonSchema;
use serde::Serialize;
use utilities_core::ReadInput;

use super::inputs::{DocumentUpload, DocumentUrls, take};
use super::record::{ErrorRecord, TableRecord};
use super::{examples, stream};
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Caller, RawBody};

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/utilities/tables",
            "extract_tables",
            "Extracts the tables of documents: one item per document, in the order given. A document that cannot be read \
             has an error.",
        )
        .access(Access::Read)
        .body::<DocumentUrls>()
        .example(examples::urls)
        .multipart::<DocumentUpload>(crate::http::examples::upload)
        .answers::<Vec<DocumentTables>>()
        .example(examples::tables)
        .to(extract_tables);
}

/// A document's tables.
#[derive(Serialize, JsonSchema)]
struct DocumentTables {
    /// The reference as given; for an upload, its name.
    url: String,
    tables: Vec<TableRecord>,
    /// Why there are none; absent when the document was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

impl From<ReadInput> for DocumentTables {
    fn from(input: ReadInput) -> Self {
        match input.tables() {
            (url, Ok(tables)) => {
                Self { url, tables: tables.into_iter().map(TableRecord::from).collect(), error: None }
            }
            (url, Err(error)) => Self { url, tables: Vec::new(), error: Some(error.into()) },
        }
    }
}

async fn extract_tables(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    body: RawBody,
) -> HandlerResult {
    let taken = take(&state, &request, body).await?;
    Ok(stream::respond_each(&state, &caller, taken, DocumentTables::from))
}
