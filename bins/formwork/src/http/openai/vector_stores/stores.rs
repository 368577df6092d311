//! Vector stores: create, list, retrieve, change, delete.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use files_core::FileId;
use kb_core::{Base, BaseChanges, BaseId, NewBase, NewData};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shared_core::{Cursor, Position};

use super::super::completion::unix_seconds;
use super::super::content::file_id;
use super::super::pages::{ObjectList, PageQuery, with_pages};
use crate::app::AppState;
use crate::http::idempotency::Effects;
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Query, Segment};
use crate::http::{ApiError, HandlerResult};

/// The name of a store that is made without one.
const UNNAMED: &str = "vector store";
/// Path of one store.
const STORE: &str = "/openai/v1/vector_stores/{vector_store_id}";

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/openai/v1/vector_stores",
            "create_vector_store",
            "Creates a knowledge base, with files of this server.",
        )
        .body::<NewStore>()
        .example(|| json!({"name": "Leases"}))
        .answers::<StoreRecord>()
        .example(example)
        .recovers(recover)
        .to_once(create);
    with_pages(
        registry.operation(
            Method::GET,
            "/openai/v1/vector_stores",
            "list_vector_stores",
            "Lists knowledge bases, newest first.",
        ),
        "knowledge base",
    )
    .answers::<ObjectList<StoreRecord>>()
    .example(|| json!({"object": "list", "data": [example()], "first_id": "kb_1", "last_id": "kb_1", "has_more": false}))
    .fails(&[404])
    .to(list);
    registry
        .operation(Method::GET, STORE, "get_vector_store", "Retrieves a knowledge base.")
        .answers::<StoreRecord>()
        .example(example)
        .fails(&[404])
        .to(get);
    registry
        .operation(Method::POST, STORE, "update_vector_store", "Renames a knowledge base.")
        .body::<StoreChanges>()
        .example(|| json!({"name": "Leases of the harbour"}))
        .answers::<StoreRecord>()
        .example(example)
        .fails(&[404])
        .to(update);
    registry
        .operation(
            Method::DELETE,
            STORE,
            "delete_vector_store",
            "Deletes a knowledge base with its contents and notes. Files stay.",
        )
        .answers::<DeletedStore>()
        .example(|| json!({"id": "kb_1", "object": "vector_store.deleted", "deleted": true}))
        .fails(&[404])
        .to(delete);
}

fn example() -> Value {
    json!({
        "id": "kb_019c9e46d2f97b31b5a4c6e8d0f2b4a6", "object": "vector_store", "created_at": 1_773_480_413,
        "last_active_at": 1_773_480_413, "name": "Leases", "usage_bytes": 4_096, "status": "completed",
        "file_counts": {"in_progress": 0, "completed": 2, "failed": 0, "cancelled": 0, "total": 2},
        "expires_at": null, "metadata": {}
    })
}

/// A knowledge base to create. Parameters that are not listed have no effect.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "NewVectorStore")]
struct NewStore {
    /// Display name.
    #[serde(default)]
    name: Option<String>,
    /// Free text.
    #[serde(default)]
    description: Option<String>,
    /// Ids of files of this server to add.
    #[serde(default)]
    file_ids: Option<Vec<String>>,
}

/// Changes of a knowledge base.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "VectorStoreChanges")]
struct StoreChanges {
    /// The new display name; unchanged when absent.
    #[serde(default)]
    name: Option<String>,
}

/// A knowledge base.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "VectorStore")]
pub(super) struct StoreRecord {
    /// Id of the knowledge base.
    id: String,
    /// `vector_store`.
    object: &'static str,
    /// Seconds since 1970.
    created_at: i64,
    /// When it or its files last changed, in seconds since 1970.
    last_active_at: i64,
    /// Display name.
    name: String,
    /// Bytes of its files as they were added.
    usage_bytes: u64,
    /// `in_progress` while files are being worked on; else `completed`.
    status: &'static str,
    /// Its files by state.
    file_counts: FileCounts,
    /// Null: it does not expire.
    #[schemars(with = "Option<String>")]
    expires_at: Option<()>,
    /// Empty.
    metadata: Map<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "VectorStoreFileCounts")]
struct FileCounts {
    /// Queued, or being worked on.
    in_progress: u64,
    /// Findable.
    completed: u64,
    /// Not worked on to the end.
    failed: u64,
    /// 0.
    cancelled: u64,
    /// All.
    total: u64,
}

impl From<Base> for StoreRecord {
    fn from(base: Base) -> Self {
        let counts = base.counts;
        let (in_progress, completed, failed) =
            (counts.queued + counts.processing, counts.ready, counts.failed);
        let total = in_progress + completed + failed;
        Self {
            id: base.id.0,
            object: "vector_store",
            created_at: unix_seconds(base.created),
            last_active_at: unix_seconds(base.updated),
            name: base.name,
            usage_bytes: counts.bytes,
            status: if in_progress > 0 { "in_progress" } else { "completed" },
            file_counts: FileCounts { in_progress, completed, failed, cancelled: 0, total },
            expires_at: None,
            metadata: Map::new(),
        }
    }
}

/// What was deleted.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DeletedVectorStore")]
struct DeletedStore {
    /// Its former id.
    id: String,
    /// `vector_store.deleted`.
    object: &'static str,
    /// True.
    deleted: bool,
}

async fn create(state: web::Data<AppState>, caller: Caller, Body(wanted): Body<NewStore>) -> HandlerResult {
    let mut files = Vec::new();
    for (at, id) in wanted.file_ids.iter().flatten().enumerate() {
        files.push(parse_file(id, &format!("/file_ids/{at}"))?);
    }
    let new = NewBase {
        name: wanted.name.unwrap_or_else(|| UNNAMED.to_owned()),
        description: wanted.description,
        ..NewBase::default()
    };
    let who = &caller.0;
    let base = state.knowledge.create(&who.scope, &who.author, new).await?;
    if !files.is_empty() {
        let files = files.into_iter().map(Into::into).collect();
        let data = NewData { files, ..NewData::default() };
        if let Err(error) = state.knowledge.add(&caller.payer(), &base.id, data).await {
            state.knowledge.delete(&who.scope, &base.id).await?;
            return Err(error.into());
        }
    }
    answer(&state, &caller, &base.id).await
}

/// The answer to a creation that ended without one.
async fn recover(state: web::Data<AppState>, caller: Caller, effects: Effects) -> HandlerResult {
    answer(&state, &caller, &BaseId(effects.id("knowledge base")?.to_owned())).await
}

async fn answer(state: &AppState, caller: &Caller, id: &BaseId) -> HandlerResult {
    let base = state.knowledge.get(&caller.0.scope, id).await?;
    Ok(HttpResponse::Ok().json(StoreRecord::from(base)))
}

async fn list(state: web::Data<AppState>, caller: Caller, Query(query): Query<PageQuery>) -> HandlerResult {
    let scope = &caller.0.scope;
    let mut request = query.request()?;
    if let Some(after) = query.after() {
        let last = state.knowledge.get(scope, &BaseId(after.to_owned())).await?;
        request.position = Position::After(Cursor { created: last.created, id: last.id.0 });
    }
    let page = state.knowledge.list(scope, &request).await?.map(StoreRecord::from);
    Ok(HttpResponse::Ok().json(ObjectList::of(page, |store| &store.id)))
}

async fn get(state: web::Data<AppState>, caller: Caller, Segment(id): Segment) -> HandlerResult {
    answer(&state, &caller, &BaseId(id)).await
}

async fn update(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(id): Segment,
    Body(wanted): Body<StoreChanges>,
) -> HandlerResult {
    let changes = BaseChanges { name: wanted.name, ..BaseChanges::default() };
    let base = state.knowledge.update(&caller.0.scope, &BaseId(id), changes).await?;
    Ok(HttpResponse::Ok().json(StoreRecord::from(base)))
}

async fn delete(state: web::Data<AppState>, caller: Caller, Segment(id): Segment) -> HandlerResult {
    let id = BaseId(id);
    state.knowledge.delete(&caller.0.scope, &id).await?;
    Ok(HttpResponse::Ok().json(DeletedStore { id: id.0, object: "vector_store.deleted", deleted: true }))
}

/// The id of a file in a body.
pub(super) fn parse_file(id: &str, path: &str) -> Result<FileId, ApiError> {
    FileId::parse(file_id(id)).ok_or_else(|| ApiError::invalid(path, format!("there is no file '{id}'")))
}
