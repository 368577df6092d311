//! Adds data to a knowledge base: as JSON, or as files of a multipart body.

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use kb_core::{BaseId, Item, NewData};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entries::{ChunkInput, Entry, Expiry, FileObject, TextInput, UrlObject, attributes};
use super::record::KnowledgeFileRecord;
use super::{examples, index_position};
use crate::app::AppState;
use crate::http::body::{json_bytes, object, parsed};
use crate::http::file_ref::{FileIdRef, FileRef};
use crate::http::idempotency::{Effects, Idempotency};
use crate::http::lists::AnyObject;
use crate::http::operation::Registry;
use crate::http::request::{Caller, RawBody, Segment};
use crate::http::upload::{
    FileUpload, MultipartContents, is_multipart, perform_once, receive, recorded_items, store_for,
};
use crate::http::{ApiError, HandlerResult};
use futures_util::future::LocalBoxFuture;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/knowledgebase/{knowledgeId}/files",
            "add_knowledge_files",
            "Adds data to a knowledge base: files by id or URL, texts, ready-made chunks, or uploads. It is \
             answered at once; the work on it goes on in the background. The same content with the same meta is \
             one piece of data, and data with the externalId of an item replaces that item.",
        )
        .under_v1_too()
        .body::<AddKnowledgeFiles>()
        .example(examples::data)
        .multipart::<FileUpload>(crate::http::examples::upload)
        .answers::<AddedKnowledgeFiles>()
        .tells_position()
        .example(examples::added)
        .fails(&[404])
        .manual_idempotency()
        .to(add_knowledge_files);
}

/// At least one piece of data.
#[derive(Deserialize, JsonSchema)]
struct AddKnowledgeFiles {
    /// Files: their ids, or objects with `id`.
    file_ids: Option<Vec<Entry<FileIdRef, FileObject>>>,
    /// Ids or own URLs of files, or addresses of the web; or objects with `url`.
    urls: Option<Vec<Entry<FileRef, UrlObject>>>,
    /// Documents as text, plain or Markdown.
    texts: Option<Vec<TextInput>>,
    /// Ready-made chunks. Chunks with the same title, meta, identifier and expiry form one item.
    chunks: Option<Vec<ChunkInput>>,
    /// Meta of every entry; fields of an entry's own meta come first.
    meta: Option<AnyObject>,
    /// Expiry of every entry that has none of its own.
    expires: Option<Expiry>,
}

impl From<AddKnowledgeFiles> for NewData {
    fn from(wanted: AddKnowledgeFiles) -> Self {
        Self {
            files: wanted.file_ids.into_iter().flatten().map(Into::into).collect(),
            urls: wanted.urls.into_iter().flatten().map(Into::into).collect(),
            texts: wanted.texts.into_iter().flatten().map(Into::into).collect(),
            chunks: wanted.chunks.into_iter().flatten().map(Into::into).collect(),
            shared: attributes(wanted.meta, None, wanted.expires),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct AddedKnowledgeFiles {
    files: Vec<KnowledgeFileRecord>,
}

async fn add_knowledge_files(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    Segment(id): Segment,
    body: RawBody,
    once: Idempotency,
) -> HandlerResult {
    let base = BaseId(id);
    if is_multipart(&request) {
        return uploaded(&state, caller, &base, &request, body, once).await;
    }
    let bytes = json_bytes(&request, &mut body.payload(), &state.limits).await?;
    let sent = bytes.clone();
    let work = |effects: Option<Effects>| -> LocalBoxFuture<'_, _> {
        Box::pin(async move {
            if let Some(items) = recorded_items(&state, &caller.0.scope, effects.as_ref()).await? {
                return answer(items);
            }
            let data = data(&sent)?;
            answer(state.knowledge.add(&caller.payer(), &base, data).await?)
        })
    };
    once.perform(&[&bytes], work).await
}

/// Parses the data of a JSON body.
fn data(bytes: &[u8]) -> Result<NewData, ApiError> {
    let value = parsed(bytes)?;
    for list in ["texts", "chunks"] {
        // Derived deserialisers accept an array for an object, with its items as the fields in order.
        for (index, one) in value.get(list).and_then(Value::as_array).into_iter().flatten().enumerate() {
            if !one.is_object() {
                let path = format!("/{list}/{index}");
                let message = format!("'{path}' must be an object with 'title' and 'content'");
                return Err(ApiError::invalid(path, message));
            }
        }
    }
    Ok(object::<AddKnowledgeFiles>(value)?.into())
}

async fn uploaded(
    state: &AppState,
    caller: Caller,
    base: &BaseId,
    request: &HttpRequest,
    body: RawBody,
    once: Idempotency,
) -> HandlerResult {
    let received = receive(state, request, body).await?;
    let work = |received: MultipartContents, effects: Option<Effects>| -> LocalBoxFuture<'_, _> {
        Box::pin(async move {
            let payer = caller.payer();
            answer(store_for(state, &payer, base, received, effects.as_ref()).await?.1)
        })
    };
    perform_once(state, once, received, work).await
}

fn answer(items: Vec<Item>) -> HandlerResult {
    let position = index_position::last(&items);
    let files = items.into_iter().map(KnowledgeFileRecord::from).collect();
    Ok(index_position::told(HttpResponse::Ok().json(AddedKnowledgeFiles { files }), position))
}
