//! Searches a vector store.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use futures_util::future::join_all;
use kb_core::{BaseId, SearchRequest, SearchResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::files::shown_id;
use crate::app::AppState;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Body, Caller, Segment};
use crate::http::{ApiError, HandlerResult};

/// Results of a search that names no number.
const RESULTS: usize = 10;
/// Maximum number of results, as OpenAI takes.
const MAX_RESULTS: usize = 50;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/openai/v1/vector_stores/{vector_store_id}/search",
            "search_vector_store",
            "Searches a knowledge base.",
        )
        .access(Access::Read)
        .for_restricted_keys()
        .body::<StoreSearch>()
        .example(|| json!({"query": "end of the lease"}))
        .answers::<ResultPage>()
        .example(|| {
            json!({
                "object": "vector_store.search_results.page", "search_query": ["end of the lease"],
                "data": [{"file_id": "kbfile_1", "filename": "lease.pdf", "score": 0.9, "attributes": {},
                    "content": [{"type": "text", "text": "The lease ends in 2031."}]}],
                "has_more": false, "next_page": null
            })
        })
        .fails(&[404, 502, 504])
        .given_up_with_its_client()
        .to(search);
}

/// What to search for. Parameters that are not listed have no effect.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "VectorStoreSearch")]
struct StoreSearch {
    /// The query; the texts of a list are one query.
    query: StoreQuery,
    /// Maximum number of results; 10 when absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_RESULTS))]
    max_num_results: Option<usize>,
    /// `{"type", "key", "value"}` with `eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `in` or `nin` as the type, or `{"type",
    /// "filters"}` with `and` or `or`.
    #[serde(default)]
    #[schemars(with = "Option<Map<String, Value>>")]
    filters: Option<Value>,
    /// How low a score may be.
    #[serde(default)]
    ranking_options: Option<RankingOptions>,
}

/// One text, or several.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "'query' must be a text or a list of texts")]
#[schemars(rename = "VectorStoreQuery")]
enum StoreQuery {
    One(String),
    Several(Vec<String>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "VectorStoreRankingOptions")]
struct RankingOptions {
    /// Minimum score of a result.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    score_threshold: Option<f32>,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "VectorStoreResults")]
struct ResultPage {
    /// `vector_store.search_results.page`.
    object: &'static str,
    /// What was searched for.
    search_query: Vec<String>,
    /// Best first.
    data: Vec<ResultObject>,
    /// False.
    has_more: bool,
    /// Null.
    #[schemars(with = "Option<String>")]
    next_page: Option<()>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "VectorStoreResult")]
struct ResultObject {
    /// Id of the file; of what came otherwise, its id in the knowledge base.
    file_id: String,
    /// Its title.
    filename: String,
    /// Relevance from 0 to 1.
    score: f32,
    /// Metadata of the file.
    attributes: Map<String, Value>,
    /// The passage.
    content: Vec<ResultText>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "VectorStoreResultText")]
struct ResultText {
    /// `text`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// As it stands in the file.
    text: String,
}

impl ResultObject {
    /// A result. Its item may have been deleted since it was found.
    async fn of(state: &AppState, caller: &Caller, result: SearchResult) -> Self {
        let item = state.knowledge.item(&caller.0.scope, &result.item).await;
        Self {
            file_id: item.map_or(result.item.0, |item| shown_id(&item.source, &item.id)),
            filename: result.title,
            score: result.score,
            attributes: result.meta,
            content: vec![ResultText { kind: "text", text: result.chunk.text }],
        }
    }
}

async fn search(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(id): Segment,
    Body(wanted): Body<StoreSearch>,
) -> HandlerResult {
    caller.check_bases([id.as_str()])?;
    let limit = wanted.max_num_results.unwrap_or(RESULTS);
    if !(1..=MAX_RESULTS).contains(&limit) {
        let rule = format!("'max_num_results' must be between 1 and {MAX_RESULTS}");
        return Err(ApiError::invalid("/max_num_results", rule));
    }
    let queries = match wanted.query {
        StoreQuery::One(query) => vec![query],
        StoreQuery::Several(queries) => queries,
    };
    let filter =
        wanted.filters.filter(|filter| !filter.is_null()).map(|filter| own_filter(&filter)).transpose()?;
    let request = SearchRequest {
        limit,
        filter: caller.narrowed(filter, "/filters")?,
        min_score: wanted.ranking_options.and_then(|options| options.score_threshold),
        ..SearchRequest::new(queries.join(" "))
    };
    let payer = caller.payer();
    let found = state.knowledge.search(&payer.scope, &payer, &BaseId(id), request).await?;
    let results = found.results.into_iter().map(|result| ResultObject::of(&state, &caller, result));
    let data = join_all(results).await;
    Ok(HttpResponse::Ok().json(ResultPage {
        object: "vector_store.search_results.page",
        search_query: queries,
        data,
        has_more: false,
        next_page: None,
    }))
}

/// A filter in the grammar of knowledge bases. The body's depth is bounded by the parser.
fn own_filter(filter: &Value) -> Result<Value, ApiError> {
    let kind = filter["type"].as_str().unwrap_or_default();
    if let ("and" | "or", Some(parts)) = (kind, filter["filters"].as_array()) {
        let parts: Vec<Value> = parts.iter().map(own_filter).collect::<Result<_, _>>()?;
        return Ok(json!({kind: parts}));
    }
    let comparisons = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin"];
    match filter["key"].as_str().filter(|_| comparisons.contains(&kind)) {
        Some(key) => Ok(json!({key: {kind: filter["value"]}})),
        None => {
            let rule = "a filter must be {\"type\", \"key\", \"value\"}, or {\"type\", \"filters\"} with 'and' or 'or'";
            Err(ApiError::invalid("/filters", rule))
        }
    }
}
