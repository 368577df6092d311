//! Receives files: parts of a multipart body are streamed into the blob store.

use std::borrow::Cow;
use std::time::Duration;

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::http::header;
use files_core::{File, FileId, FilesError, StagedFile};
use futures_util::StreamExt as _;
use futures_util::future::LocalBoxFuture;
use gen_core::CallerContext;
use kb_core::{BaseId, Item, ItemId};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use shared_core::{ErrorKind, Scope};

use super::file_name::file_name;
use super::idempotency::{BegunRequest, Effects, Idempotency, replay};
use super::request::{RawBody, check_encoding};
use super::upload_attributes::{self, UploadAttributes};
use super::{ApiError, HandlerResult};
use crate::app::AppState;

/// Maximum size in bytes of a form field that is not a file.
const MAX_FIELD: usize = 4_096;
/// Maximum number of form fields in an upload that are not files.
const MAX_FIELDS: usize = 100;

/// A multipart body with files, and the knowledge base to add them to.
pub(super) struct FileUpload;

impl JsonSchema for FileUpload {
    fn schema_name() -> Cow<'static, str> {
        "FileUpload".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let knowledge = json!({"type": "string", "description": "The knowledge base to add the files to."});
        let mut fields = json!({"knowledgeId": knowledge});
        fields.as_object_mut().into_iter().for_each(|fields| fields.extend(upload_attributes::fields()));
        upload(fields)
    }
}

/// The schema of a multipart body with files and these fields.
pub(super) fn upload(mut fields: Value) -> Schema {
    fields["files"] =
        json!({"type": "array", "minItems": 1, "items": {"type": "string", "format": "binary"}});
    json_schema!({
        "type": "object",
        "required": ["files"],
        // Part names stand in quotes in a header, which cannot have control characters.
        "propertyNames": {"pattern": r#"^[^\u0000-\u001f\u007f"\\]*$"#},
        "properties": fields
    })
}

/// The contents of a multipart body.
#[derive(Debug, Default)]
pub(super) struct MultipartContents {
    /// The staged files in the order sent; they have no records yet.
    pub(super) staged: Vec<StagedFile>,
    /// The knowledge base to add the files to.
    pub(super) knowledge: Option<String>,
    /// What the files are in that knowledge base.
    pub(super) attributes: UploadAttributes,
}

impl MultipartContents {
    /// What identifies the request for idempotency. The boundary between the parts differs with each attempt,
    /// so it is not included.
    pub(super) fn parts(&self) -> Vec<&[u8]> {
        let base = self.knowledge.iter().map(|id| id.as_bytes());
        let files = self.staged.iter().flat_map(|file| [file.name().as_bytes(), file.sha256().as_bytes()]);
        files.chain(base).chain(self.attributes.parts()).collect()
    }
}

/// Whether the body is multipart.
pub(super) fn is_multipart(request: &HttpRequest) -> bool {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("multipart/form-data")
}

/// Receives a multipart body with files. A failure leaves nothing behind.
pub(super) async fn receive(
    state: &AppState,
    request: &HttpRequest,
    body: RawBody,
) -> Result<MultipartContents, ApiError> {
    receive_named("files", state, request, body).await
}

/// As [`receive`], with the name of the parts that are files.
pub(super) async fn receive_named(
    name: &str,
    state: &AppState,
    request: &HttpRequest,
    body: RawBody,
) -> Result<MultipartContents, ApiError> {
    check_multipart(request, name)?;
    let patience = Duration::from_secs(state.limits.request_seconds);
    let pieces = Box::pin(body.pieces(patience, state.limits.upload_bytes_per_second));
    let mut received = MultipartContents::default();
    match take(name, state, Multipart::new(request.headers(), pieces), &mut received).await {
        Ok(()) => Ok(received),
        Err(error) => {
            state.files.discard(received.staged).await;
            Err(error)
        }
    }
}

/// Does the work with what was received, once for an idempotency key. What no work has taken is discarded.
pub(super) async fn perform_once<'a>(
    state: &AppState,
    once: Idempotency,
    received: MultipartContents,
    work: impl FnOnce(MultipartContents, Option<Effects>) -> LocalBoxFuture<'a, HandlerResult>,
) -> HandlerResult {
    let answered = match once.begin(&received.parts()).await {
        Ok(BegunRequest::Done(answer)) => Ok(replay(answer)),
        Ok(begun) => return once.end(begun, |effects| work(received, effects)).await,
        Err(error) => Err(error),
    };
    state.files.discard(received.staged).await;
    answered
}

/// Records the uploaded files, or takes those that an earlier attempt recorded, if none is deleted.
pub(super) async fn store(
    state: &AppState,
    scope: &Scope,
    staged: Vec<StagedFile>,
    effects: Option<&Effects>,
) -> Result<Vec<File>, ApiError> {
    let Some(stored) = recorded_files(state, scope, effects).await? else {
        return Ok(state.files.store(scope, staged).await?);
    };
    state.files.discard(staged).await;
    Ok(stored)
}

/// The files that an earlier attempt recorded; `None` when there are none, or one is deleted.
async fn recorded_files(
    state: &AppState,
    scope: &Scope,
    effects: Option<&Effects>,
) -> Result<Option<Vec<File>>, ApiError> {
    let Some(ids) = effects.and_then(|effects| effects.ids("files")) else { return Ok(None) };
    let mut files = Vec::with_capacity(ids.len());
    for id in ids.iter().filter_map(|id| FileId::parse(id)) {
        match state.files.get(scope, id).await {
            Ok(file) => files.push(file),
            Err(FilesError::NotFound) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Some(files))
}

/// Records the files and adds them to a knowledge base: both, or neither. What earlier attempts have done is not
/// done again.
pub(super) async fn store_for(
    state: &AppState,
    payer: &CallerContext,
    base: &BaseId,
    MultipartContents { staged, attributes, .. }: MultipartContents,
    effects: Option<&Effects>,
) -> Result<(Vec<File>, Vec<Item>), ApiError> {
    let known = state.knowledge.get(&payer.scope, base).await;
    let attributes = match known.map_err(ApiError::from).and_then(|_| attributes.read()) {
        Ok(attributes) => attributes,
        Err(error) => {
            state.files.discard(staged).await;
            return Err(error);
        }
    };
    let files = store(state, &payer.scope, staged, effects).await?;
    if let Some(items) = recorded_items(state, &payer.scope, effects).await? {
        return Ok((files, items));
    }
    match state.knowledge.add_files(payer, base, &files, &attributes).await {
        Ok(items) => Ok((files, items)),
        Err(error) => {
            for file in files {
                if let Err(error) = state.files.delete(&payer.scope, file.id).await {
                    tracing::warn!(%error, "a file of a failed upload could not be removed");
                }
            }
            Err(error.into())
        }
    }
}

/// The items that an earlier attempt added to a knowledge base.
pub(super) async fn recorded_items(
    state: &AppState,
    scope: &Scope,
    effects: Option<&Effects>,
) -> Result<Option<Vec<Item>>, ApiError> {
    let Some(ids) = effects.and_then(|effects| effects.ids("items")) else { return Ok(None) };
    let items = ids.iter().map(|id| async { state.knowledge.item(scope, &ItemId(id.clone())).await });
    Ok(Some(futures_util::future::try_join_all(items).await?))
}

fn check_multipart(request: &HttpRequest, name: &str) -> Result<(), ApiError> {
    check_encoding(request)?;
    if is_multipart(request) {
        return Ok(());
    }
    let message = format!("files are uploaded as multipart/form-data with one or more parts named '{name}'");
    Err(ApiError::new(ErrorKind::UnsupportedMedia, "unsupported_content_type", message))
}

/// Reads the parts in order. What was staged before a failure stays in `received` for the caller to discard.
async fn take(
    files: &str,
    state: &AppState,
    mut parts: Multipart,
    received: &mut MultipartContents,
) -> Result<(), ApiError> {
    let mut fields = 0;
    while let Some(part) = parts.next().await {
        let part = part.map_err(|error| malformed(&error))?;
        fields += usize::from(part.name() != Some(files));
        if fields > MAX_FIELDS {
            let message = format!("an upload may have at most {MAX_FIELDS} parts that are no files");
            return Err(ApiError::invalid("", message));
        }
        match part.name() {
            Some(name) if name == files => {
                if received.staged.len() == state.limits.files_per_upload {
                    let message =
                        format!("an upload may have at most {} files", state.limits.files_per_upload);
                    return Err(ApiError::new(ErrorKind::TooLarge, "too_many_files", message));
                }
                received.staged.push(stage(state, part).await?);
            }
            Some("knowledgeId") => {
                let id = text(part, "knowledgeId", MAX_FIELD).await?;
                received.knowledge = Some(id).filter(|id| !id.is_empty());
            }
            Some(name) if UploadAttributes::has(name) => {
                let name = name.to_owned();
                let value = text(part, &name, UploadAttributes::most_bytes(&name)).await?;
                received.attributes.set(&name, value);
            }
            _ => drain(part, files).await?,
        }
    }
    if received.staged.is_empty() {
        return Err(ApiError::invalid(format!("/{files}"), format!("'{files}' is a required property")));
    }
    Ok(())
}

async fn stage(state: &AppState, mut part: Field) -> Result<StagedFile, ApiError> {
    let header = part.headers().get(header::CONTENT_DISPOSITION);
    let name = header.and_then(|value| file_name(value.as_bytes())).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "file".to_owned());
    let mut upload = state.files.begin_upload(name).await?;
    while let Some(chunk) = part.next().await {
        match chunk {
            Ok(chunk) => {
                if let Err(error) = upload.write(chunk).await {
                    upload.abort().await;
                    return Err(error.into());
                }
            }
            Err(error) => {
                upload.abort().await;
                return Err(malformed(&error));
            }
        }
    }
    Ok(upload.finish().await?)
}

async fn text(mut part: Field, name: &str, most: usize) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.next().await {
        bytes.extend_from_slice(&chunk.map_err(|error| malformed(&error))?);
        if bytes.len() > most {
            return Err(ApiError::invalid(
                format!("/{name}"),
                format!("'{name}' may have at most {most} bytes"),
            ));
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

async fn drain(mut part: Field, files: &str) -> Result<(), ApiError> {
    let mut bytes = 0;
    while let Some(chunk) = part.next().await {
        bytes += chunk.map_err(|error| malformed(&error))?.len();
        if bytes > MAX_FIELD {
            let message = format!("the upload has a large part that is not named '{files}'");
            return Err(ApiError::invalid("", message));
        }
    }
    Ok(())
}

fn malformed(error: &MultipartError) -> ApiError {
    tracing::debug!(%error, "malformed multipart body");
    if let MultipartError::Payload(PayloadError::Io(cause)) = error
        && cause.kind() == std::io::ErrorKind::TimedOut
    {
        let message = "the upload stopped or was too slow";
        return ApiError::new(ErrorKind::Invalid, "upload_too_slow", message);
    }
    let message = "the multipart body is malformed or ended before it was complete";
    ApiError::new(ErrorKind::Invalid, "malformed_multipart", message)
}
