//! Files: upload, list, retrieve, delete.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use files_core::{File, FileId, FilesError};
use futures_util::future::{LocalBoxFuture, join_all};
use kb_core::BaseId;
use schemars::JsonSchema;
use serde::Serialize;
use shared_core::Scope;

use super::idempotency::{Effects, Idempotency};
use super::lists::{List, ListMeta, ListQuery, PageNumber};
use super::operation::Registry;
use super::request::{Caller, Query, RawBody, Segment};
use super::upload::{self, FileUpload, MultipartContents, perform_once, receive, store_for};
use super::{HandlerResult, examples};
use crate::app::AppState;

/// The list of files.
const LIST: List = List { name: "files", rows: 50 };
/// Maximum time that an answer waits for the page count of a file.
const PAGES_PATIENCE: Duration = Duration::from_secs(2);
/// Largest upload, in files, whose answer waits for page counts.
const MAX_COUNTED: usize = 8;

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::POST, "/v1/files", "upload_files", "Uploads files.")
        .multipart::<FileUpload>(examples::upload)
        .answers::<Vec<UploadedFile>>()
        .example(examples::uploaded)
        .fails(&[404])
        .manual_idempotency()
        .to(upload_files);
    registry
        .operation(Method::GET, "/v1/files", "list_files", "Lists files, newest first.")
        .paged()
        .answers::<FileList>()
        .example(examples::files)
        .to(list_files);
    registry
        .operation(Method::GET, "/v1/files/{file_id}", "get_file", "Retrieves a file's record.")
        .answers::<FileRecord>()
        .example(examples::file)
        .fails(&[404])
        .to(get_file);
    registry
        .operation(Method::DELETE, "/v1/files/{file_id}", "delete_file", "Deletes a file with its notes.")
        .answers::<Deleted>()
        .example(examples::deleted_file)
        .fails(&[404])
        .to(delete_file);
}

#[derive(Serialize, JsonSchema)]
struct FileMeta {
    /// Type detected from the content.
    content_type: String,
    /// SHA-256 of the content, lower-case hex.
    sha256: String,
    /// Number of pages or slides, for formats that have them; null when it could not be read in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct UploadedFile {
    /// Capability URL: anyone who has it can read the file until it is deleted.
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
#[schemars(rename = "DeletedFile")]
struct Deleted {
    /// Confirmation of the deletion.
    response: String,
}

fn meta(file: &File, pages: Option<usize>) -> FileMeta {
    FileMeta { content_type: file.content_type.clone(), sha256: file.sha256.clone(), pages }
}

/// The page count of a file. The document is parsed once per content, and later work reuses the result.
async fn pages(state: &AppState, scope: &Scope, file: &File) -> Option<usize> {
    let kinds = ["application/pdf", "presentation", "powerpoint"];
    if !kinds.iter().any(|kind| file.content_type.contains(kind)) {
        return None;
    }
    let id = file.id.0.to_string();
    let read = tokio::time::timeout(PAGES_PATIENCE, state.without_ocr.read(scope, &id)).await.ok()?.ok()?;
    Some(read.document.pages.len()).filter(|pages| *pages > 0)
}

async fn upload_files(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    body: RawBody,
    once: Idempotency,
) -> HandlerResult {
    let received = receive(&state, &request, body).await?;
    let work =
        |received, effects| -> LocalBoxFuture<'_, _> { Box::pin(store(&state, caller, received, effects)) };
    perform_once(&state, once, received, work).await
}

async fn store(
    state: &AppState,
    caller: Caller,
    received: MultipartContents,
    effects: Option<Effects>,
) -> HandlerResult {
    let effects = effects.as_ref();
    let stored = match received.knowledge.clone() {
        Some(base) => store_for(state, &caller.payer(), &BaseId(base), received, effects).await?.0,
        None => upload::store(state, &caller.0.scope, received.staged, effects).await?,
    };
    // The answer to a larger upload does not wait. The records show the pages later.
    let counted = stored.len() <= MAX_COUNTED;
    let answer = join_all(stored.into_iter().map(|file| async {
        let pages = if counted { pages(state, &caller.0.scope, &file).await } else { None };
        UploadedFile {
            url: state.files.url(&file),
            id: file.id.0,
            bytes: file.bytes,
            meta: meta(&file, pages),
            name: file.name,
        }
    }));
    Ok(HttpResponse::Ok().json(answer.await))
}

/// A segment that is not a positive integer is an id that no file has.
fn file_id(segment: &str) -> Result<FileId, FilesError> {
    FileId::parse(segment).ok_or(FilesError::NotFound)
}

async fn list_files(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.files.list(&who.scope, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    // The interface has these two as strings in this list.
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

async fn get_file(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    let file = state.files.get(&who.scope, file_id(&id)?).await?;
    let pages = pages(&state, &who.scope, &file).await;
    Ok(HttpResponse::Ok().json(FileRecord {
        id: file.id.0,
        url: state.files.url(&file),
        meta: meta(&file, pages),
        name: file.name,
        bytes: file.bytes,
        created_timestamp: file.created.record_text(),
    }))
}

async fn delete_file(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    let file = state.files.delete(&who.scope, file_id(&id)?).await?;
    Ok(HttpResponse::Ok().json(Deleted { response: format!("File {} was deleted.", file.id.0) }))
}
