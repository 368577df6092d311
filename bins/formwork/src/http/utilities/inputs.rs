//! The documents of a call: JSON with `urls`, or files of a multipart body.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::HttpRequest;
use files_core::{BlobKey, FilesService};
use gen_core::MAX_REFERENCE;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use tokio::runtime::Handle;
use tracing::Instrument as _;
use utilities_core::{Inputs, MAX_INPUTS};

use crate::app::AppState;
use crate::http::ApiError;
use crate::http::body::{json_bytes, object, parsed};
use crate::http::file_ref::FileRef;
use crate::http::request::RawBody;
use crate::http::upload::{is_multipart, receive, upload};

/// Documents by reference.
#[derive(Deserialize, JsonSchema)]
pub(super) struct DocumentUrls {
    /// Ids or own URLs of files, or addresses of the web.
    #[schemars(schema_with = "references")]
    pub(super) urls: Vec<FileRef>,
}

/// References. A blank one is an error of its own item.
pub(in crate::http) fn references(_: &mut SchemaGenerator) -> Schema {
    let reference =
        serde_json::json!({"type": ["string", "integer"], "maxLength": MAX_REFERENCE, "minimum": 0});
    json_schema!({"type": "array", "minItems": 1, "maxItems": MAX_INPUTS, "items": reference})
}

impl DocumentUrls {
    pub(super) fn inputs(self) -> Result<Inputs, ApiError> {
        Ok(Inputs::references(self.urls.into_iter().map(|FileRef(url)| url).collect())?)
    }
}

/// A multipart body with documents.
pub(super) struct DocumentUpload;

impl JsonSchema for DocumentUpload {
    fn schema_name() -> Cow<'static, str> {
        "DocumentUpload".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        upload(serde_json::json!({}))
    }
}

/// The documents of a call. It owns the uploads among them.
pub(in crate::http) struct CallDocuments {
    pub(in crate::http) inputs: Inputs,
    pub(in crate::http) uploads: Uploads,
}

/// The blobs of uploads, which have no file records. They are removed on drop.
pub(in crate::http) struct Uploads {
    files: FilesService,
    blobs: Vec<BlobKey>,
    background: Handle,
}

impl Drop for Uploads {
    fn drop(&mut self) {
        let (files, blobs) = (self.files.clone(), std::mem::take(&mut self.blobs));
        if !blobs.is_empty() {
            // Another file record may share them by now.
            let remove = async move { files.remove_unreferenced(&blobs).await };
            self.background.spawn(remove.in_current_span());
        }
    }
}

/// Reads the documents of a call from its body.
pub(super) async fn take(
    state: &AppState,
    request: &HttpRequest,
    body: RawBody,
) -> Result<CallDocuments, ApiError> {
    if is_multipart(request) {
        return Ok(uploaded(state, receive(state, request, body).await?.staged));
    }
    let bytes = json_bytes(request, &mut body.payload(), &state.limits).await?;
    let inputs = object::<DocumentUrls>(parsed(&bytes)?)?.inputs()?;
    Ok(CallDocuments { inputs, uploads: uploads(state, Vec::new()) })
}

/// Uploads as the documents of a call.
pub(in crate::http) fn uploaded(state: &AppState, staged: Vec<files_core::StagedFile>) -> CallDocuments {
    let blobs = staged.iter().map(|file| file.blob().clone()).collect();
    CallDocuments { inputs: Inputs::Uploads(Arc::from(staged)), uploads: uploads(state, blobs) }
}

fn uploads(state: &AppState, blobs: Vec<BlobKey>) -> Uploads {
    Uploads { files: state.files.clone(), blobs, background: state.background.clone() }
}
