//! Items of knowledge bases: list, retrieve, change, delete, retry.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use kb_core::rules::MAX_TITLE;
use kb_core::{BaseId, ItemFilter, ItemId, ItemStatus, ItemUpdate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::entries::{Expiry, some_meta};
use super::record::{KnowledgeFileRecord, KnowledgeFileWithContent};
use super::{ITEM, ITEMS, examples, index_position};
use crate::app::AppState;
use crate::http::file_ref::FileIdRef;
use crate::http::idempotency::Effects;
use crate::http::lists::{AnyObject, Done, List, ListMeta, ListQuery, nullable, whole_number};
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Query, Segment, flag};
use crate::http::rules::{NOT_BLANK, text};
use crate::http::{ApiError, HandlerResult, rules};

/// The list of items.
const LIST: List = List { name: "knowledge_files", rows: 50 };

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            ITEMS,
            "list_knowledge_files",
            "Lists the items of a knowledge base, or of all, newest first.",
        )
        .under_v1_too()
        .query("knowledgeId", text(), "Only of this knowledge base.")
        .query("externalId", text(), "Only with this identifier of your own.")
        .query("status", json!({"type": "string", "enum": statuses()}), "Only in this state.")
        .paged()
        .answers::<KnowledgeFileList>()
        .example(examples::items)
        .fails(&[404])
        .to(list_knowledge_files);
    registry
        .operation(
            Method::GET,
            ITEM,
            "get_knowledge_file",
            "Retrieves an item with its text, and with its chunks when requested.",
        )
        .under_v1_too()
        .query("chunks", rules::flag(), "Whether to return the chunks.")
        .answers::<KnowledgeFileWithContent>()
        .example(examples::item_with_content)
        .fails(&[404])
        .to(get_knowledge_file);
    registry
        .operation(
            Method::PUT,
            ITEM,
            "update_knowledge_file",
            "Changes an item. Absent fields are unchanged. With new content it is queued again, and the old content \
             is searchable until the new one is ready.",
        )
        .under_v1_too()
        .body::<UpdateKnowledgeFile>()
        .example(examples::item_changes)
        .answers::<KnowledgeFileRecord>()
        .tells_position()
        .example(examples::piece)
        .fails(&[404, 409])
        .to(update_knowledge_file);
    registry
        .operation(
            Method::DELETE,
            ITEM,
            "delete_knowledge_file",
            "Deletes an item from its knowledge base. Its source file stays.",
        )
        .under_v1_too()
        .answers::<Done>()
        .tells_position()
        .example(|| crate::http::examples::done("The file was deleted from its knowledge base."))
        .fails(&[404])
        .to(delete_knowledge_file);
    registry
        .operation(
            Method::POST,
            "/knowledgebase/files/{id}/retry",
            "retry_knowledge_file",
            "Queues a failed item for a retry.",
        )
        .under_v1_too()
        .answers::<KnowledgeFileRecord>()
        .example(examples::piece)
        .fails(&[400, 404, 409])
        .recovers(recover_retried_file)
        .to_once(retry_knowledge_file);
}

fn statuses() -> [&'static str; 4] {
    ItemStatus::ALL.map(ItemStatus::name)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FilesQuery {
    knowledge_id: Option<String>,
    external_id: Option<String>,
    status: Option<String>,
    #[serde(default, deserialize_with = "whole_number")]
    page: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
    cursor: Option<String>,
}

impl FilesQuery {
    fn filter(&self) -> Result<ItemFilter, ApiError> {
        let named = |name: &String| {
            ItemStatus::from_name(name).ok_or_else(|| {
                ApiError::invalid("?status", format!("'status' must be one of {}", statuses().join(", ")))
            })
        };
        let base = self.knowledge_id.clone().filter(|id| !id.is_empty()).map(BaseId);
        let external_id = self.external_id.clone().filter(|id| !id.is_empty());
        Ok(ItemFilter { base, external_id, status: self.status.as_ref().map(named).transpose()? })
    }

    fn list(&self) -> ListQuery {
        ListQuery {
            page: self.page,
            limit: self.limit,
            cursor: self.cursor.clone(),
            title: None,
            label: None,
        }
    }
}

#[derive(Deserialize)]
struct FileQuery {
    #[serde(default, deserialize_with = "flag")]
    chunks: bool,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("not" = content_and_file()))]
struct UpdateKnowledgeFile {
    #[schemars(length(max = MAX_TITLE), extend("pattern" = NOT_BLANK))]
    name: Option<String>,
    /// Replaces the old meta; at most 16 KiB as JSON.
    #[serde(default, deserialize_with = "some_meta")]
    #[schemars(with = "Option<AnyObject>")]
    meta: Option<AnyObject>,
    /// New content, plain or Markdown; not together with `file_id`.
    content: Option<String>,
    /// The file with the new content.
    file_id: Option<FileIdRef>,
    /// From when on searches no longer find it; null for never.
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<Expiry>")]
    expires: Option<Option<Expiry>>,
}

/// What an update must not have: two sources of content.
fn content_and_file() -> Value {
    json!({
        "required": ["content", "file_id"],
        "properties": {"content": {"type": "string"}, "file_id": {"type": ["string", "integer"]}}
    })
}

#[derive(Serialize, JsonSchema)]
struct KnowledgeFileList {
    files: Vec<KnowledgeFileRecord>,
    meta: ListMeta,
}

async fn list_knowledge_files(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<FilesQuery>,
) -> HandlerResult {
    let (filter, request) = (query.filter()?, query.list().page(&LIST)?);
    let page = state.knowledge.items(&who.scope, &filter, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    let files = page.map(KnowledgeFileRecord::from).items;
    Ok(HttpResponse::Ok().json(KnowledgeFileList { files, meta }))
}

async fn get_knowledge_file(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Query(query): Query<FileQuery>,
) -> HandlerResult {
    let (item, chunks) = state.knowledge.item_with_chunks(&who.scope, &ItemId(id)).await?;
    Ok(HttpResponse::Ok().json(KnowledgeFileWithContent::new(item, chunks, query.chunks)))
}

async fn update_knowledge_file(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(wanted): Body<UpdateKnowledgeFile>,
) -> HandlerResult {
    let update = ItemUpdate {
        name: wanted.name,
        meta: wanted.meta,
        content: wanted.content,
        file: wanted.file_id.map(|FileIdRef(id)| id),
        expires: wanted.expires.map(|expires| expires.map(|Expiry(moment)| moment)),
    };
    let item = state.knowledge.update_item(&who.scope, &ItemId(id), update).await?;
    let position = index_position::of(item.position);
    Ok(index_position::told(HttpResponse::Ok().json(KnowledgeFileRecord::from(item)), position))
}

async fn delete_knowledge_file(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    let position = state.knowledge.delete_item(&who.scope, &ItemId(id)).await?;
    let done = Done::new("The file was deleted from its knowledge base.");
    Ok(index_position::told(HttpResponse::Ok().json(done), position))
}

async fn retry_knowledge_file(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    let item = state.knowledge.retry(&who.scope, &ItemId(id)).await?;
    Ok(HttpResponse::Ok().json(KnowledgeFileRecord::from(item)))
}

/// The answer to a retry that ended without one.
async fn recover_retried_file(
    state: web::Data<AppState>,
    Caller(who): Caller,
    effects: Effects,
) -> HandlerResult {
    let id = ItemId(effects.id("items")?.to_owned());
    let item = state.knowledge.item(&who.scope, &id).await?;
    Ok(HttpResponse::Ok().json(KnowledgeFileRecord::from(item)))
}
