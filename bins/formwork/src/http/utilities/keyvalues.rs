//! Extracts the key-value pairs of forms and other documents.

use actix_web::http::Method;
use actix_web::{HttpRequest, web};
use document::{KeyValue, KeyValueKind};
use schemars::JsonSchema;
use serde::Serialize;
use utilities_core::ReadInput;

use super::inputs::{DocumentUpload, DocumentUrls, take};
use super::record::{BoxRecord, ErrorRecord};
use super::{examples, stream};
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Caller, RawBody};

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/utilities/keyvalues",
            "extract_key_values",
            "Extracts the key-value pairs of documents, such as the fields and labels of forms: one item per document, in the \
             order given. A document that cannot be read has an error.",
        )
        .access(Access::Read)
        .body::<DocumentUrls>()
        .example(examples::urls)
        .multipart::<DocumentUpload>(crate::http::examples::upload)
        .answers::<Vec<DocumentPairs>>()
        .example(examples::pairs)
        .to(extract_key_values);
}

/// A document's key-value pairs.
#[derive(Serialize, JsonSchema)]
struct DocumentPairs {
    /// The reference as given; for an upload, its name.
    url: String,
    /// Form fields first, then labels in reading order.
    pairs: Vec<PairRecord>,
    /// Why there are none; absent when the document was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord>,
}

/// A key-value pair.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "KeyValuePair")]
struct PairRecord {
    /// The printed label without its colon; for a form field without a label, the field's name.
    key: String,
    /// Lines are separated by newlines. Empty when nothing is filled in; for a check box, `true` or `false`.
    value: String,
    /// Page from 1; null where the format has no pages.
    page: Option<u32>,
    /// Rectangle of the value, if known; of the key where the value is empty.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    rect: Option<BoxRecord>,
    /// `field`: a form field; `label`: found by a label and its position.
    #[schemars(extend("enum" = ["field", "label"]))]
    kind: &'static str,
}

impl From<KeyValue> for PairRecord {
    fn from(pair: KeyValue) -> Self {
        let kind = match pair.kind {
            KeyValueKind::Field => "field",
            KeyValueKind::Label => "label",
        };
        Self { key: pair.key, value: pair.value, page: pair.page, rect: pair.rect.map(BoxRecord::from), kind }
    }
}

impl From<ReadInput> for DocumentPairs {
    fn from(input: ReadInput) -> Self {
        match input.key_values() {
            (url, Ok(pairs)) => {
                Self { url, pairs: pairs.into_iter().map(PairRecord::from).collect(), error: None }
            }
            (url, Err(error)) => Self { url, pairs: Vec::new(), error: Some(error.into()) },
        }
    }
}

async fn extract_key_values(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    body: RawBody,
) -> HandlerResult {
    let taken = take(&state, &request, body).await?;
    Ok(stream::respond_each(&state, &caller, taken, DocumentPairs::from))
}
