//! `/openai/v1/files`: this server's files in the form of OpenAI's interface.

use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use files_core::{File, FileId, FilesError};
use futures_util::TryStreamExt as _;
use futures_util::future::LocalBoxFuture;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use shared_core::{Cursor, Position};

use super::super::idempotency::{Effects, Idempotency};
use super::super::operation::Registry;
use super::super::request::{Caller, Query, RawBody, Segment};
use super::super::upload::{self, MultipartContents, perform_once, receive_named};
use super::super::{ApiError, HandlerResult};
use super::completion::unix_seconds;
use super::content::file_id;
use super::pages::{ObjectList, PageQuery, with_pages};
use crate::app::AppState;

/// Prefix of the ids of files. This server's own interface has none.
const PREFIX: &str = "file-";
/// What a file is for. The purpose of an upload is not stored.
const PURPOSE: &str = "user_data";

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::POST, "/openai/v1/files", "upload_openai_file", "Uploads a file.")
        .multipart::<OpenAiUpload>(|| json!({"purpose": PURPOSE, "file": "Total: 12"}))
        .answers::<FileObject>()
        .example(example)
        .manual_idempotency()
        .to(upload);
    with_pages(
        registry.operation(Method::GET, "/openai/v1/files", "list_openai_files", "Lists files, newest first."),
        "file",
    )
        .answers::<ObjectList<FileObject>>()
        .example(|| {
            json!({"object": "list", "data": [example()], "first_id": "file-1", "last_id": "file-1", "has_more": false})
        })
        .fails(&[404])
        .to(list);
    registry
        .operation(Method::GET, "/openai/v1/files/{file_id}", "get_openai_file", "Retrieves a file's record.")
        .answers::<FileObject>()
        .example(example)
        .fails(&[404])
        .to(get);
    registry
        .operation(
            Method::GET,
            "/openai/v1/files/{file_id}/content",
            "get_openai_file_content",
            "Reads a file's content.",
        )
        .raw_answer(
            "application/octet-stream",
            schemars::json_schema!({"type": "string", "format": "binary"}),
        )
        .example(|| json!("Total: 12"))
        .fails(&[404])
        .to(content);
    registry
        .operation(
            Method::DELETE,
            "/openai/v1/files/{file_id}",
            "delete_openai_file",
            "Deletes a file with its notes.",
        )
        .answers::<DeletedFile>()
        .example(|| json!({"id": "file-1", "object": "file", "deleted": true}))
        .fails(&[404])
        .to(delete);
}

fn example() -> Value {
    json!({
        "id": "file-1", "object": "file", "bytes": 9, "created_at": 1_773_480_413, "filename": "order.txt",
        "purpose": PURPOSE, "status": "processed"
    })
}

/// A multipart body with one file.
struct OpenAiUpload;

impl JsonSchema for OpenAiUpload {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OpenAiFileUpload".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "required": ["file"],
            // Part names stand in a header, which cannot have control characters.
            "propertyNames": {"pattern": r#"^[^\u0000-\u001f\u007f"\\]*$"#},
            "properties": {
                "file": {"type": "string", "format": "binary"},
                "purpose": {"type": "string", "description": "Not stored."}
            }
        })
    }
}

/// What is known of a stored file.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OpenAiFile")]
struct FileObject {
    /// `file-` and the id of the file in this server's own interface.
    id: String,
    /// `file`.
    object: &'static str,
    /// Size of the content.
    bytes: u64,
    /// Seconds since 1970.
    created_at: i64,
    /// As it was uploaded.
    filename: String,
    /// `user_data`, whatever the upload said.
    purpose: &'static str,
    /// `processed`.
    status: &'static str,
}

impl From<File> for FileObject {
    fn from(file: File) -> Self {
        Self {
            id: format!("{PREFIX}{}", file.id.0),
            object: "file",
            bytes: file.bytes,
            created_at: unix_seconds(file.created),
            filename: file.name,
            purpose: PURPOSE,
            status: "processed",
        }
    }
}

/// What was deleted.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OpenAiDeletedFile")]
struct DeletedFile {
    /// Its former id.
    id: String,
    /// `file`.
    object: &'static str,
    /// True.
    deleted: bool,
}

async fn upload(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    body: RawBody,
    once: Idempotency,
) -> HandlerResult {
    let received = receive_named("file", &state, &request, body).await?;
    if received.staged.len() > 1 {
        state.files.discard(received.staged).await;
        return Err(ApiError::invalid("/file", "an upload must have one part named 'file'"));
    }
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
    let stored = upload::store(state, &caller.0.scope, received.staged, effects.as_ref()).await?;
    let file = stored.into_iter().next().ok_or(FilesError::NotFound)?;
    Ok(HttpResponse::Ok().json(FileObject::from(file)))
}

async fn list(state: web::Data<AppState>, caller: Caller, Query(query): Query<PageQuery>) -> HandlerResult {
    let mut request = query.request()?;
    if let Some(after) = query.after() {
        let last = found(&state, &caller, after).await?;
        request.position = Position::After(Cursor { created: last.created, id: last.id.0.to_string() });
    }
    let page = state.files.list(&caller.0.scope, &request).await?.map(FileObject::from);
    Ok(HttpResponse::Ok().json(ObjectList::of(page, |file| &file.id)))
}

async fn get(state: web::Data<AppState>, caller: Caller, Segment(id): Segment) -> HandlerResult {
    Ok(HttpResponse::Ok().json(FileObject::from(found(&state, &caller, &id).await?)))
}

async fn content(state: web::Data<AppState>, caller: Caller, Segment(id): Segment) -> HandlerResult {
    let file = found(&state, &caller, &id).await?;
    let content = state.files.content(&file, None).await?;
    let mut answer = HttpResponse::Ok();
    // Never a type that a browser runs under this origin.
    answer
        .insert_header((header::CONTENT_TYPE, "application/octet-stream"))
        .insert_header((header::CONTENT_DISPOSITION, "attachment"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"));
    Ok(answer.no_chunking(file.bytes).streaming(content.map_err(|error| {
        tracing::error!(%error, "a file's content could not be sent to its end");
        std::io::Error::other(error)
    })))
}

async fn delete(state: web::Data<AppState>, caller: Caller, Segment(id): Segment) -> HandlerResult {
    let file = state.files.delete(&caller.0.scope, parse(&id)?).await?;
    Ok(HttpResponse::Ok().json(DeletedFile {
        id: format!("{PREFIX}{}", file.id.0),
        object: "file",
        deleted: true,
    }))
}

async fn found(state: &AppState, caller: &Caller, id: &str) -> Result<File, ApiError> {
    Ok(state.files.get(&caller.0.scope, parse(id)?).await?)
}

/// Text that is no id is the id of no file.
fn parse(id: &str) -> Result<FileId, FilesError> {
    FileId::parse(file_id(id)).ok_or(FilesError::NotFound)
}
