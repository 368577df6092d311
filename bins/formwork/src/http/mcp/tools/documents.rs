//! Documents in the arguments of a tool, beside those by reference.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use runtime_tokio::SystemRng;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shared_core::{Rng as _, hex};
use utilities_core::MAX_INPUTS;

use crate::http::ApiError;
use crate::http::body::deserialize_at;
use crate::http::mcp::arguments::{encoded, target};
use crate::http::mcp::catalogue::{self, CATALOGUE};
use crate::http::mcp::exchange::Exchange;

/// The argument with the references.
const URLS: &str = "urls";
/// The argument with the documents themselves.
pub(super) const DOCUMENTS: &str = "documents";

/// A document in the arguments.
#[derive(Deserialize, JsonSchema)]
pub(super) struct InlineDocument {
    /// Its file name, such as `invoice.pdf`.
    name: Option<String>,
    /// Its content, where it is a text.
    text: Option<String>,
    /// Its content in Base64, where it is not.
    base64: Option<String>,
}

impl InlineDocument {
    /// Its name and content.
    ///
    /// # Errors
    /// Unless it has exactly one content, which is valid.
    pub(super) fn content(self, place: usize) -> Result<(String, Bytes), ApiError> {
        let path = format!("/{DOCUMENTS}/{place}");
        let name = self.name.filter(|name| !name.trim().is_empty());
        let name = |ending: &str| name.unwrap_or_else(|| format!("document-{}{ending}", place + 1));
        match (self.text, self.base64) {
            (Some(text), None) => Ok((name(".txt"), text.into())),
            (None, Some(encoded)) => {
                let bytes = BASE64_STANDARD.decode(encoded.trim()).map_err(|error| {
                    ApiError::invalid(
                        format!("{path}/base64"),
                        format!("'base64' cannot be decoded: {error}"),
                    )
                })?;
                Ok((name(""), bytes.into()))
            }
            _ => Err(ApiError::invalid(path, "a document needs either 'text' or 'base64'")),
        }
    }
}

/// The documents in the arguments, which are removed from them.
pub(super) fn take(arguments: &mut Map<String, Value>) -> Result<Vec<(String, Bytes)>, ApiError> {
    #[derive(Deserialize)]
    struct Inline {
        documents: Option<Vec<InlineDocument>>,
    }
    let taken = arguments.remove(DOCUMENTS).unwrap_or_default();
    let Inline { documents } = deserialize_at(json!({DOCUMENTS: taken}))?;
    let documents = documents.unwrap_or_default();
    if documents.len() > MAX_INPUTS {
        let message = format!("'{DOCUMENTS}' must have at most {MAX_INPUTS} entries");
        return Err(ApiError::invalid(format!("/{DOCUMENTS}"), message));
    }
    documents.into_iter().enumerate().map(|(place, document)| document.content(place)).collect()
}

/// The schema of arguments with documents as well as references.
pub(super) fn input(mut schema: Value) -> Value {
    schema["properties"][DOCUMENTS] = described();
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("required");
    }
    schema
}

/// The schema of the documents.
pub(super) fn described() -> Value {
    let item = InlineDocument::json_schema(&mut SchemaGenerator::default());
    json!({
        "description": "Documents sent with the call, instead of urls or beside them.",
        "type": "array", "maxItems": MAX_INPUTS, "items": item
    })
}

/// Calls an operation on the documents by reference, and on those in the arguments. Returns its items in this order.
pub(super) async fn call(
    exchange: &Exchange,
    id: &str,
    mut arguments: Map<String, Value>,
) -> Result<Value, ApiError> {
    let documents = take(&mut arguments)?;
    let by_reference = arguments.get(URLS).is_some_and(|urls| !urls.is_null());
    if documents.is_empty() {
        return catalogue::call(exchange, id, arguments).await;
    }
    let mut items = Vec::new();
    if by_reference {
        items.append(&mut listed(catalogue::call(exchange, id, arguments.clone()).await?));
    }
    let (target, _) = target(&CATALOGUE.entry(id)?.0, arguments)?;
    items.append(&mut listed(catalogue::send(exchange, id, target, Some(multipart(&documents))).await?));
    Ok(Value::Array(items))
}

fn listed(items: Value) -> Vec<Value> {
    match items {
        Value::Array(items) => items,
        other => vec![other],
    }
}

/// The documents as parts of a body, with its content type. The boundary is random, so that no document has it.
fn multipart(documents: &[(String, Bytes)]) -> (String, Bytes) {
    let mut random = [0_u8; 16];
    SystemRng.fill(&mut random);
    let boundary = hex(&random);
    let mut body = Vec::new();
    for (name, content) in documents {
        let disposition = format!("form-data; name=\"files\"; filename*=UTF-8''{}", encoded(name));
        body.extend_from_slice(
            format!("--{boundary}\r\ncontent-disposition: {disposition}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body.into())
}
