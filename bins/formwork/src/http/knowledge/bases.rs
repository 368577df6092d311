//! Knowledge bases: create, list, retrieve, change, delete.

use std::fmt;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use kb_core::rules::{CHUNK_TOKENS, MAX_DESCRIPTION, MAX_NAME, MAX_RERANK_DEPTH};
use kb_core::{Base, BaseChanges, BaseId, Chunking, DeletedBase, NewBase, RerankSettings};
use schemars::JsonSchema;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::record::KnowledgeBaseRecord;
use super::{BASE, BASES, NEW, examples, index_position};
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::idempotency::Effects;
use crate::http::lists::{Done, List, ListMeta, ListQuery, nullable};
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Query, Segment};
use crate::http::rules::NOT_BLANK;

/// The list of bases.
const LIST: List = List { name: "knowledgebases", rows: 50 };

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::POST, NEW, "create_knowledge_base", "Creates a knowledge base.")
        .under_v1_too()
        .body::<CreateKnowledgeBase>()
        .example(examples::new_base)
        .answers::<KnowledgeBaseRecord>()
        .example(examples::base)
        .recovers(recover_knowledge_base)
        .to_once(create_knowledge_base);
    registry
        .operation(Method::GET, BASES, "list_knowledge_bases", "Lists knowledge bases, newest first.")
        .under_v1_too()
        .paged()
        .answers::<KnowledgeBaseList>()
        .example(examples::bases)
        .to(list_knowledge_bases);
    registry
        .operation(Method::GET, BASE, "get_knowledge_base", "Retrieves a knowledge base.")
        .under_v1_too()
        .answers::<KnowledgeBaseRecord>()
        .example(examples::base)
        .fails(&[404])
        .to(get_knowledge_base);
    registry
        .operation(
            Method::PUT,
            BASE,
            "update_knowledge_base",
            "Changes a knowledge base. Absent fields are unchanged; null clears the model. With another model, its \
             vectors are computed in the background while the old ones serve searches.",
        )
        .under_v1_too()
        .body::<UpdateKnowledgeBase>()
        .example(examples::base_changes)
        .answers::<KnowledgeBaseRecord>()
        .example(examples::base)
        .fails(&[404, 409])
        .to(update_knowledge_base);
    registry
        .operation(
            Method::DELETE,
            BASE,
            "delete_knowledge_base",
            "Deletes a knowledge base with its contents and notes. Files stay. Agents that use it lose the reference, \
             and the message names them.",
        )
        .under_v1_too()
        .answers::<Done>()
        .tells_position()
        .example(|| crate::http::examples::done("The knowledge base was deleted with all that was in it."))
        .fails(&[404])
        .to(delete_knowledge_base);
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CreateKnowledgeBase {
    #[schemars(length(max = MAX_NAME), extend("pattern" = NOT_BLANK))]
    name: String,
    #[schemars(length(max = MAX_DESCRIPTION))]
    description: Option<String>,
    /// The embedding model, as `model@provider`; without one the base has lexical search only.
    embedding_model: Option<String>,
    chunking: Option<ChunkingInput>,
    /// The model that reranks the results of searches, as `model@provider`; without one they are not reranked.
    rerank_model: Option<String>,
    /// Number of the best results that are reranked; 50 when absent.
    #[schemars(range(min = 1, max = MAX_RERANK_DEPTH))]
    rerank_depth: Option<i64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UpdateKnowledgeBase {
    #[schemars(length(max = MAX_NAME), extend("pattern" = NOT_BLANK))]
    name: Option<String>,
    #[schemars(length(max = MAX_DESCRIPTION))]
    description: Option<String>,
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<String>")]
    embedding_model: Option<Option<String>>,
    /// Applies to data that is added or replaced afterwards.
    chunking: Option<ChunkingInput>,
    #[serde(default, deserialize_with = "nullable")]
    #[schemars(with = "Option<String>")]
    rerank_model: Option<Option<String>>,
    #[schemars(range(min = 1, max = MAX_RERANK_DEPTH))]
    rerank_depth: Option<i64>,
}

/// A depth that the service rejects with the rule where it is out of range.
fn depth(depth: i64) -> u32 {
    u32::try_from(depth).unwrap_or(u32::MAX)
}

/// How documents are chunked.
#[derive(JsonSchema)]
struct ChunkingInput {
    /// Maximum estimated number of tokens of a chunk.
    #[schemars(range(min = *CHUNK_TOKENS.start(), max = *CHUNK_TOKENS.end()))]
    tokens: Option<u32>,
}

/// A derived deserialiser would accept an array for an object.
impl<'de> Deserialize<'de> for ChunkingInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ReadChunking)
    }
}

struct ReadChunking;

impl<'de> Visitor<'de> for ReadChunking {
    type Value = ChunkingInput;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ChunkingInput, A::Error> {
        let mut tokens = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == "tokens" {
                tokens = map.next_value()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(ChunkingInput { tokens })
    }
}

impl ChunkingInput {
    fn chunking(input: Option<Self>) -> Option<Chunking> {
        input?.tokens.map(|tokens| Chunking { tokens })
    }
}

#[derive(Serialize, JsonSchema)]
struct KnowledgeBaseList {
    knowledgebases: Vec<KnowledgeBaseRecord>,
    meta: ListMeta,
}

/// The record of a base, with the recall that this server measured.
pub(super) fn record(state: &AppState, base: Base) -> KnowledgeBaseRecord {
    let recall = state.knowledge.vector_recall(&base);
    KnowledgeBaseRecord::new(base, recall)
}

async fn create_knowledge_base(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(wanted): Body<CreateKnowledgeBase>,
) -> HandlerResult {
    let standard = RerankSettings::default().depth;
    let rerank =
        RerankSettings { model: wanted.rerank_model, depth: wanted.rerank_depth.map_or(standard, depth) };
    let new = NewBase {
        rerank,
        name: wanted.name,
        description: wanted.description,
        embedding: wanted.embedding_model,
        chunking: ChunkingInput::chunking(wanted.chunking),
    };
    let base = state.knowledge.create(&who.scope, &who.author, new).await?;
    Ok(HttpResponse::Ok().json(record(&state, base)))
}

/// The answer to a creation that ended without one.
async fn recover_knowledge_base(
    state: web::Data<AppState>,
    Caller(who): Caller,
    effects: Effects,
) -> HandlerResult {
    let id = BaseId(effects.id("knowledge base")?.to_owned());
    let base = state.knowledge.get(&who.scope, &id).await?;
    Ok(HttpResponse::Ok().json(record(&state, base)))
}

async fn list_knowledge_bases(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.knowledge.list(&who.scope, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    let knowledgebases = page.map(|base| record(&state, base)).items;
    Ok(HttpResponse::Ok().json(KnowledgeBaseList { knowledgebases, meta }))
}

async fn get_knowledge_base(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    let base = state.knowledge.get(&who.scope, &BaseId(id)).await?;
    Ok(HttpResponse::Ok().json(record(&state, base)))
}

async fn update_knowledge_base(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(wanted): Body<UpdateKnowledgeBase>,
) -> HandlerResult {
    let changes = BaseChanges {
        name: wanted.name,
        description: wanted.description,
        embedding: wanted.embedding_model,
        chunking: ChunkingInput::chunking(wanted.chunking),
        rerank_model: wanted.rerank_model,
        rerank_depth: wanted.rerank_depth.map(depth),
    };
    let base = state.knowledge.update(&who.scope, &BaseId(id), changes).await?;
    Ok(HttpResponse::Ok().json(record(&state, base)))
}

async fn delete_knowledge_base(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    let DeletedBase { agents, position } = state.knowledge.delete(&who.scope, &BaseId(id)).await?;
    let mut told = "The knowledge base was deleted with all that was in it.".to_owned();
    if !agents.is_empty() {
        told.push_str(&format!(" Agents that named it and do so no more: {}.", agents.join(", ")));
    }
    Ok(index_position::told(HttpResponse::Ok().json(Done::new(told)), position))
}
