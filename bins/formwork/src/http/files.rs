//! Files: upload, list, retrieve, delete.

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use files_core::{File, FileId, FilesError};
use kb_core::BaseId;
use schemars::JsonSchema;
use serde::Serialize;

use super::lists::{List, ListMeta, ListQuery, PageNumber};
use super::once::{Begun, Once, replay};
use super::operation::Registry;
use super::request::{Caller, Query, RawBody, Segment};
use super::upload::{Received, receive, store_for, uploads};
use super::{Handled, examples};
use crate::app::AppState;

/// The list of files.
const LIST: List = List { name: "files", rows: 50 };

/// Adds the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::POST, "/v1/files", "upload_files", "Uploads files.")
        .raw_body("multipart/form-data", uploads())
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
    caller: Caller,
    request: HttpRequest,
    body: RawBody,
    once: Once,
) -> Handled {
    let received = receive(&state, &request, body).await?;
    let answered = match once.begin(&received.parts()).await {
        Ok(Begun::Done(answer)) => Ok(replay(answer)),
        Ok(begun) => return once.end(begun, async move { store(&state, caller, received).await }).await,
        Err(error) => Err(error),
    };
    state.files.discard(received.staged).await;
    answered
}

async fn store(state: &AppState, caller: Caller, received: Received) -> Handled {
    let stored = match received.knowledge {
        Some(base) => store_for(state, &caller.payer(), &BaseId(base), received.staged).await?.0,
        None => state.files.store(&caller.0.scope, received.staged).await?,
    };
    let answer = stored.into_iter().map(|file| UploadedFile {
        url: state.files.url(&file),
        id: file.id.0,
        bytes: file.bytes,
        meta: meta(&file),
        name: file.name,
    });
    Ok(HttpResponse::Ok().json(answer.collect::<Vec<_>>()))
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
