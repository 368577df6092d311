//! Files: upload, list, retrieve, delete.

use std::time::Duration;

use accounts_core::Principal;
use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use files_core::{File, FileId, FilesError, Staged};
use futures_util::StreamExt as _;
use schemars::JsonSchema;
use serde::Serialize;
use shared_core::ErrorKind;

use super::file_name::file_name;
use super::lists::{List, ListMeta, ListQuery, PageNumber};
use super::once::{Begun, Once, replay};
use super::operation::Registry;
use super::request::{Caller, Query, RawBody, Segment, check_encoding};
use super::{ApiError, Handled, examples};
use crate::app::AppState;

/// The list of files.
const LIST: List = List { name: "files", rows: 50 };
/// Bytes of a form field that is no file.
const MAX_FIELD: usize = 4_096;
/// Form fields of one upload that are no files.
const MAX_FIELDS: usize = 100;

/// Adds the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    let upload = schemars::json_schema!({
        "type": "object",
        "required": ["files"],
        "properties": {
            "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
            "knowledgeId": {"type": "string"}
        }
    });
    registry
        .operation(Method::POST, "/v1/files", "upload_files", "Uploads files.")
        .raw_body("multipart/form-data", upload)
        .example(examples::upload())
        .answers::<Vec<UploadedFile>>()
        .example(examples::uploaded())
        .fails(&[404])
        .named()
        .to(upload_files);
    registry
        .operation(Method::GET, "/v1/files", "list_files", "Lists files, newest first.")
        .paged()
        .answers::<FileList>()
        .example(examples::files())
        .to(list_files);
    registry
        .operation(Method::GET, "/v1/files/{file_id}", "get_file", "Retrieves a file's record.")
        .answers::<FileRecord>()
        .example(examples::file())
        .fails(&[404])
        .to(get_file);
    registry
        .operation(Method::DELETE, "/v1/files/{file_id}", "delete_file", "Deletes a file with its notes.")
        .answers::<Deleted>()
        .example(examples::deleted_file())
        .fails(&[404])
        .to(delete_file);
}

#[derive(Serialize, JsonSchema)]
struct FileMeta {
    /// Type found by looking at the content.
    content_type: String,
    /// SHA-256 of the content, lower-case hex.
    sha256: String,
}

#[derive(Serialize, JsonSchema)]
struct UploadedFile {
    /// Whoever holds this URL can read the file until it is deleted.
    url: String,
    id: i64,
    bytes: u64,
    name: String,
    meta: FileMeta,
}

#[derive(Serialize, JsonSchema)]
struct FileListItem {
    id: i64,
    name: String,
    bytes: u64,
    url: String,
    created_timestamp: String,
}

#[derive(Serialize, JsonSchema)]
struct FileRecord {
    id: i64,
    name: String,
    bytes: u64,
    url: String,
    created_timestamp: String,
    meta: FileMeta,
}

#[derive(Serialize, JsonSchema)]
struct FileList {
    files: Vec<FileListItem>,
    meta: ListMeta,
}

#[derive(Serialize, JsonSchema)]
struct Deleted {
    /// Confirms the deletion.
    response: String,
}

fn meta(file: &File) -> FileMeta {
    FileMeta { content_type: file.content_type.clone(), sha256: file.sha256.clone() }
}

async fn upload_files(
    state: web::Data<AppState>,
    Caller(who): Caller,
    request: HttpRequest,
    body: RawBody,
    once: Once,
) -> Handled {
    check_multipart(&request)?;
    let pieces = Box::pin(body.pieces(Duration::from_secs(state.limits.request_seconds)));
    let mut staged = Vec::new();
    if let Err(error) = receive(&state, Multipart::new(request.headers(), pieces), &mut staged).await {
        state.files.discard(staged).await;
        return Err(error);
    }
    // The boundary between the parts differs with each try, so the parts themselves tell whether it is
    // the same request.
    let parts: Vec<&[u8]> =
        staged.iter().flat_map(|file| [file.name().as_bytes(), file.sha256().as_bytes()]).collect();
    let answered = match once.begin(&parts).await {
        Ok(Begun::Done(answer)) => Ok(replay(answer)),
        Ok(begun) => return once.end(begun, async move { store(&state, who, staged).await }).await,
        Err(error) => Err(error),
    };
    state.files.discard(staged).await;
    answered
}

async fn store(state: &AppState, who: Principal, staged: Vec<Staged>) -> Handled {
    let stored = state.files.store(&who.scope, staged).await?;
    let answer = stored.into_iter().map(|file| UploadedFile {
        url: state.files.url(&file),
        id: file.id.0,
        bytes: file.bytes,
        meta: meta(&file),
        name: file.name,
    });
    Ok(HttpResponse::Ok().json(answer.collect::<Vec<_>>()))
}

fn check_multipart(request: &HttpRequest) -> Result<(), ApiError> {
    check_encoding(request)?;
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("multipart/form-data") {
        return Ok(());
    }
    let message = "files are uploaded as multipart/form-data with one or more parts named 'files'";
    Err(ApiError::new(ErrorKind::UnsupportedMedia, "unsupported_content_type", message))
}

/// Takes part after part; what was staged before a failure stays in `staged` for the caller to discard.
async fn receive(state: &AppState, mut parts: Multipart, staged: &mut Vec<Staged>) -> Result<(), ApiError> {
    let mut knowledge = None;
    let mut fields = 0;
    while let Some(part) = parts.next().await {
        let part = part.map_err(|error| malformed(&error))?;
        fields += usize::from(part.name() != Some("files"));
        if fields > MAX_FIELDS {
            let message = format!("an upload may have at most {MAX_FIELDS} parts that are no files");
            return Err(ApiError::invalid("", message));
        }
        match part.name() {
            Some("files") => {
                if staged.len() == state.limits.files_per_upload {
                    let message =
                        format!("an upload may have at most {} files", state.limits.files_per_upload);
                    return Err(ApiError::new(ErrorKind::TooLarge, "too_many_files", message));
                }
                staged.push(stage(state, part).await?);
            }
            Some("knowledgeId") => knowledge = Some(text(part).await?),
            _ => drain(part).await?,
        }
    }
    if let Some(id) = knowledge.filter(|id| !id.is_empty()) {
        let message = format!("there is no knowledge base '{id}'");
        return Err(ApiError::new(ErrorKind::NotFound, "knowledge_base_not_found", message));
    }
    if staged.is_empty() {
        return Err(ApiError::invalid("/files", "'files' is a required property"));
    }
    Ok(())
}

async fn stage(state: &AppState, mut part: Field) -> Result<Staged, ApiError> {
    let header = part.headers().get(header::CONTENT_DISPOSITION);
    let name = header.and_then(|value| file_name(value.as_bytes())).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "file".to_owned());
    let mut upload = state.files.begin(name).await?;
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

async fn text(mut part: Field) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.next().await {
        bytes.extend_from_slice(&chunk.map_err(|error| malformed(&error))?);
        if bytes.len() > MAX_FIELD {
            return Err(ApiError::invalid(
                "/knowledgeId",
                format!("'knowledgeId' may have at most {MAX_FIELD} bytes"),
            ));
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

async fn drain(mut part: Field) -> Result<(), ApiError> {
    let mut bytes = 0;
    while let Some(chunk) = part.next().await {
        bytes += chunk.map_err(|error| malformed(&error))?.len();
        if bytes > MAX_FIELD {
            return Err(ApiError::invalid("", "the upload has a large part that is not named 'files'"));
        }
    }
    Ok(())
}

fn malformed(error: &MultipartError) -> ApiError {
    tracing::debug!(%error, "malformed multipart body");
    let message = "the multipart body is malformed or ended before it was complete";
    ApiError::new(ErrorKind::Invalid, "malformed_multipart", message)
}

/// An id that is no positive integer is an id that no file has.
fn file_id(segment: &str) -> Result<FileId, FilesError> {
    FileId::parse(segment).ok_or(FilesError::NotFound)
}

async fn list_files(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> Handled {
    let request = query.page(&LIST)?;
    let page = state.files.list(&who.scope, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    // The interface gives these two as text in this list.
    let (next_page, prev_page) =
        (PageNumber::into_text(meta.next_page), PageNumber::into_text(meta.prev_page));
    let meta = ListMeta { next_page, prev_page, ..meta };
    let files = page.map(|file| FileListItem {
        id: file.id.0,
        url: state.files.url(&file),
        name: file.name,
        bytes: file.bytes,
        created_timestamp: file.created.record_text(),
    });
    Ok(HttpResponse::Ok().json(FileList { files: files.items, meta }))
}

async fn get_file(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> Handled {
    let file = state.files.get(&who.scope, file_id(&id)?).await?;
    Ok(HttpResponse::Ok().json(FileRecord {
        id: file.id.0,
        url: state.files.url(&file),
        meta: meta(&file),
        name: file.name,
        bytes: file.bytes,
        created_timestamp: file.created.record_text(),
    }))
}

async fn delete_file(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> Handled {
    let file = state.files.delete(&who.scope, file_id(&id)?).await?;
    Ok(HttpResponse::Ok().json(Deleted { response: format!("File {} was deleted.", file.id.0) }))
}
