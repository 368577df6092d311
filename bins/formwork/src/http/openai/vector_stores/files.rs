//! Files of a vector store: add, list, retrieve, delete.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use files_core::{FileId, FilesError};
use kb_core::{BaseId, Item, ItemFilter, ItemId, ItemStatus, KnowledgeError, NewData, Source};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shared_core::{Cursor, PageRequest, Position};

use super::super::completion::unix_seconds;
use super::super::content::file_id;
use super::super::pages::{ObjectList, PageQuery, with_pages};
use super::stores::parse_file;
use crate::app::AppState;
use crate::http::idempotency::Effects;
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Query, Segment, Segments};
use crate::http::{ApiError, HandlerResult};

const FILES: &str = "/openai/v1/vector_stores/{vector_store_id}/files";
/// What OpenAI's interface calls a file that could not be worked on.
const INVALID_FILE: &str = "invalid_file";
const FILE: &str = "/openai/v1/vector_stores/{vector_store_id}/files/{file_id}";
/// Pages of a hundred files that are searched for one file, the newest first. Bounds the time.
const MAX_PAGES: usize = 100;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            FILES,
            "add_vector_store_file",
            "Adds a file of this server to a knowledge base.",
        )
        .body::<NewStoreFile>()
        .example(|| json!({"file_id": "file-1"}))
        .answers::<StoreFile>()
        .example(example)
        .fails(&[404])
        .recovers(recover)
        .to_once(add);
    with_pages(
        registry.operation(
            Method::GET,
            FILES,
            "list_vector_store_files",
            "Lists the files of a knowledge base, newest first.",
        ),
        "file",
    )
    .answers::<ObjectList<StoreFile>>()
    .example(|| json!({"object": "list", "data": [example()], "first_id": "file-1", "last_id": "file-1", "has_more": false}))
    .fails(&[404])
    .to(list);
    registry
        .operation(Method::GET, FILE, "get_vector_store_file", "Retrieves a file of a knowledge base.")
        .answers::<StoreFile>()
        .example(example)
        .fails(&[404])
        .to(get);
    registry
        .operation(
            Method::DELETE,
            FILE,
            "delete_vector_store_file",
            "Deletes a file from its knowledge base. The file itself stays.",
        )
        .answers::<DeletedStoreFile>()
        .example(|| json!({"id": "file-1", "object": "vector_store.file.deleted", "deleted": true}))
        .fails(&[404])
        .to(delete);
}

fn example() -> Value {
    json!({
        "id": "file-1", "object": "vector_store.file", "created_at": 1_773_480_413, "vector_store_id": "kb_1",
        "usage_bytes": 2_048, "status": "completed", "last_error": null, "attributes": {}
    })
}

/// A file to add. Parameters that are not listed have no effect.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "NewVectorStoreFile")]
struct NewStoreFile {
    /// Id of a file of this server.
    file_id: String,
    /// Metadata by which searches can filter.
    #[serde(default)]
    attributes: Option<Map<String, Value>>,
}

/// A file of a knowledge base.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "VectorStoreFile")]
struct StoreFile {
    /// Id of the file; of what came otherwise, its id in the knowledge base.
    id: String,
    /// `vector_store.file`.
    object: &'static str,
    /// Seconds since 1970.
    created_at: i64,
    /// Id of the knowledge base.
    vector_store_id: String,
    /// Size of the original.
    usage_bytes: u64,
    /// `in_progress`, `completed` or `failed`.
    status: &'static str,
    /// Why it failed; else null.
    last_error: Option<FileFailure>,
    /// Metadata by which searches can filter.
    attributes: Map<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "VectorStoreFileError")]
struct FileFailure {
    /// `invalid_file`.
    code: &'static str,
    /// One sentence.
    message: String,
}

/// What was deleted.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DeletedVectorStoreFile")]
struct DeletedStoreFile {
    /// Its former id.
    id: String,
    /// `vector_store.file.deleted`.
    object: &'static str,
    /// True.
    deleted: bool,
}

impl From<Item> for StoreFile {
    fn from(item: Item) -> Self {
        let failed = item.status == ItemStatus::Failed;
        let status = match item.status {
            ItemStatus::Queued | ItemStatus::Processing => "in_progress",
            ItemStatus::Ready => "completed",
            ItemStatus::Failed => "failed",
        };
        let told = item.error.map(|error| error.message).unwrap_or_default();
        Self {
            id: shown_id(&item.source, &item.id),
            object: "vector_store.file",
            created_at: unix_seconds(item.created),
            vector_store_id: item.base.0,
            usage_bytes: item.bytes,
            status,
            last_error: failed.then_some(FileFailure { code: INVALID_FILE, message: told }),
            attributes: item.meta,
        }
    }
}

/// The id of an item in this interface.
pub(super) fn shown_id(source: &Source, id: &ItemId) -> String {
    match source {
        Source::File { id } => format!("file-{}", id.0),
        _ => id.0.clone(),
    }
}

async fn add(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(base): Segment,
    Body(wanted): Body<NewStoreFile>,
) -> HandlerResult {
    let base = BaseId(base);
    state.knowledge.get(&caller.0.scope, &base).await?;
    let file = parse_file(&wanted.file_id, "/file_id")?;
    if matches!(state.files.get(&caller.0.scope, file).await, Err(FilesError::NotFound)) {
        return Err(ApiError::invalid("/file_id", format!("there is no file '{}'", wanted.file_id)));
    }
    let data = NewData { files: vec![file.into()], ..NewData::default() };
    let added = state.knowledge.add(&caller.payer(), &base, data).await?;
    let item = added.into_iter().next().ok_or(KnowledgeError::ItemNotFound)?;
    let item = match wanted.attributes {
        None => item,
        // The file stays the one that the same content is added to: its attributes are not part of what it is.
        Some(meta) => state.knowledge.set_meta(&caller.0.scope, &item.id, meta).await?,
    };
    Ok(HttpResponse::Ok().json(StoreFile::from(item)))
}

/// The answer to an addition that ended without one.
async fn recover(state: web::Data<AppState>, caller: Caller, effects: Effects) -> HandlerResult {
    let id = ItemId(effects.id("items")?.to_owned());
    let item = state.knowledge.item(&caller.0.scope, &id).await?;
    Ok(HttpResponse::Ok().json(StoreFile::from(item)))
}

async fn list(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(base): Segment,
    Query(query): Query<PageQuery>,
) -> HandlerResult {
    let base = BaseId(base);
    let mut request = query.request()?;
    if let Some(after) = query.after() {
        let last = found(&state, &caller, &base, after).await?;
        request.position = Position::After(Cursor { created: last.created, id: last.number.to_string() });
    }
    let filter = ItemFilter { base: Some(base), status: None, ..ItemFilter::default() };
    let page = state.knowledge.items(&caller.0.scope, &filter, &request).await?.map(StoreFile::from);
    Ok(HttpResponse::Ok().json(ObjectList::of(page, |file| &file.id)))
}

async fn get(state: web::Data<AppState>, caller: Caller, Segments(base, id): Segments) -> HandlerResult {
    let item = found(&state, &caller, &BaseId(base), &id).await?;
    Ok(HttpResponse::Ok().json(StoreFile::from(item)))
}

async fn delete(state: web::Data<AppState>, caller: Caller, Segments(base, id): Segments) -> HandlerResult {
    let item = found(&state, &caller, &BaseId(base), &id).await?;
    state.knowledge.delete_item(&caller.0.scope, &item.id).await?;
    let id = shown_id(&item.source, &item.id);
    Ok(HttpResponse::Ok().json(DeletedStoreFile { id, object: "vector_store.file.deleted", deleted: true }))
}

/// The item of a file. A file with the content of one that was added before has no item of its own.
async fn found(state: &AppState, caller: &Caller, base: &BaseId, id: &str) -> Result<Item, ApiError> {
    let scope = &caller.0.scope;
    let file = FileId::parse(file_id(id));
    let blob = match file {
        Some(file) => state.files.get(scope, file).await.ok().map(|file| file.blob),
        None => None,
    };
    let is_it = |item: &Item| {
        let is_source = matches!(item.source, Source::File { id } if Some(id) == file);
        let has_content = item.content.as_ref().is_some_and(|content| Some(&content.blob) == blob.as_ref());
        item.id.0 == id || is_source || has_content
    };
    let filter = ItemFilter { base: Some(base.clone()), status: None, ..ItemFilter::default() };
    let mut request = PageRequest::first(100);
    for _ in 0..MAX_PAGES {
        let page = state.knowledge.items(scope, &filter, &request).await?;
        if let Some(item) = page.items.into_iter().find(is_it) {
            return Ok(item);
        }
        let Some(next) = page.next else { break };
        request.position = Position::After(next);
    }
    Err(KnowledgeError::ItemNotFound.into())
}
