//! Searches a knowledge base, or several.

use std::borrow::Cow;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gen_core::BaseQuery;
use kb_core::rules::{MAX_BASES, MAX_FACETS, MAX_FIELD, MAX_NEIGHBOURS, MAX_QUERY, MAX_RESULTS, MAX_WINDOW};
use kb_core::{Mode, QuerySyntax, SearchRequest};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Value, json};

use super::examples;
use super::found::FoundRecord;
use super::index_position::IndexWaitBody;
use super::rerank::RerankBody;
use super::restrictions::{COUNTABLE, MetaFilter, modes};
use crate::app::AppState;
use crate::http::knowledge_ref::KnowledgeRef;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Body, Caller, Segment};
use crate::http::rules::NOT_BLANK;
use crate::http::{ApiError, HandlerResult};

/// Default number of results.
const RESULTS: usize = 10;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/knowledgebase/{knowledgeId}/search",
            "search_knowledge_base",
            "Searches a knowledge base. The results reflect all earlier writes and deletions; with wait_for, the writes \
             up to a position.",
        )
        .under_v1_too()
        .access(Access::Read)
        .for_restricted_keys()
        .body::<SearchBody>()
        .example(examples::search)
        .answers::<FoundRecord>()
        .example(examples::found)
        .fails(&[403, 404, 502, 504])
        .given_up_with_its_client()
        .to(search_knowledge_base);
    registry
        .operation(
            Method::POST,
            "/knowledgebase/search",
            "search_knowledge_bases",
            "Searches several knowledge bases, whose results are one ranking.",
        )
        .under_v1_too()
        .access(Access::Read)
        .for_restricted_keys()
        .body::<BasesSearchBody>()
        .example(examples::bases_search)
        .answers::<FoundRecord>()
        .example(examples::found)
        .fails(&[403, 404, 502, 504])
        .given_up_with_its_client()
        .to(search_knowledge_bases);
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "KnowledgeSearch")]
struct SearchBody {
    /// The query in natural language or keywords.
    #[schemars(length(max = MAX_QUERY), extend("pattern" = NOT_BLANK))]
    query: String,
    /// `words`: all of the query is words. `query`: it has phrases in quotation marks, `prefix*`, `-word`, `title:word`
    /// and `site:host`. Default: `words`.
    #[schemars(extend("enum" = json!(["words", "query", null])))]
    syntax: Option<String>,
    /// Maximum number of results; 10 when absent.
    #[schemars(range(min = 1, max = MAX_RESULTS))]
    limit: Option<i64>,
    /// Number of results that are skipped, 0 for the first page. All pages are cut from one ranking. With `limit`
    /// at most 1,000.
    #[schemars(range(min = 0, max = MAX_WINDOW - 1))]
    offset: Option<i64>,
    /// Lexical, semantic or hybrid search. Default: hybrid where the knowledge base has vectors, else
    /// lexical.
    #[schemars(extend("enum" = modes()))]
    mode: Option<String>,
    /// Whether all vectors are compared, without the approximate index of a large knowledge base, which may miss some of
    /// the nearest; false when absent. It takes longer.
    exact: Option<bool>,
    /// Filter by the meta of the files, and by `$file`, `$title`, `$created`, `$updated`, `$language` and `$source`: `{"field": value}`, or an object of `eq`, `ne`, `gt`, `gte`, `lt`,
    /// `lte`, `in`, `nin` in place of the value; `{"and": […]}` and `{"or": […]}` combine filters, `{"not": …}` negates one.
    #[serde(default)]
    #[schemars(with = "Option<MetaFilter>")]
    filter: Option<Value>,
    /// Minimum lexical or semantic score of a result.
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f32>,
    /// Number of chunks before and after each result that are joined to it; 0 when absent.
    #[schemars(range(min = 0, max = MAX_NEIGHBOURS))]
    neighbours: Option<i64>,
    /// Whether near-duplicates of a better result are left out; false when absent.
    distinct: Option<bool>,
    /// `file`: only the best passage of each file is a result.
    #[schemars(extend("enum" = json!(["file", null])))]
    group_by: Option<String>,
    /// Fields, as in filters, whose values are counted over all files that match the search.
    #[schemars(length(max = MAX_FACETS), inner(length(min = 1, max = MAX_FIELD), regex(pattern = COUNTABLE)))]
    facets: Option<Vec<String>>,
    /// The knowledge bases, of a search in several.
    #[schemars(skip)]
    knowledge: Option<Vec<KnowledgeRef>>,
    /// Reranks the results; as the knowledge base says when absent.
    rerank: Option<RerankBody>,
    #[serde(flatten)]
    wait: IndexWaitBody,
}

/// The mode of this name, at `path` of a request.
pub(super) fn mode(name: &str, path: &str) -> Result<Mode, ApiError> {
    let rule = "'mode' must be one of lexical, semantic, hybrid";
    Mode::from_name(name).ok_or_else(|| ApiError::invalid(path, rule))
}

fn syntax(name: &str) -> Result<QuerySyntax, ApiError> {
    let rule = "'syntax' must be one of words, query";
    QuerySyntax::from_name(name).ok_or_else(|| ApiError::invalid("/syntax", rule))
}

fn is_grouped(name: &str) -> Result<bool, ApiError> {
    if name == "file" { Ok(true) } else { Err(ApiError::invalid("/groupBy", "'groupBy' must be file")) }
}

/// A search in several knowledge bases.
#[derive(Deserialize)]
#[serde(transparent)]
struct BasesSearchBody(SearchBody);

impl JsonSchema for BasesSearchBody {
    fn schema_name() -> Cow<'static, str> {
        "KnowledgeBasesSearch".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = SearchBody::json_schema(generator).to_value();
        schema["properties"]["knowledge"] = json!({
            "description": "The knowledge bases, each with its own restrictions.",
            "type": "array", "minItems": 1, "maxItems": MAX_BASES,
            "items": generator.subschema_for::<KnowledgeRef>()
        });
        schema["required"] = json!(["query", "knowledge"]);
        Schema::try_from(schema).unwrap_or_default()
    }
}

impl SearchBody {
    fn request(self) -> Result<SearchRequest, ApiError> {
        // The service rejects out-of-range values with the rule.
        let count = |count: i64| usize::try_from(count).unwrap_or(usize::MAX);
        Ok(SearchRequest {
            wait: self.wait.wait()?,
            query: self.query,
            syntax: self.syntax.as_deref().map(syntax).transpose()?.unwrap_or_default(),
            limit: self.limit.map_or(RESULTS, count),
            mode: self.mode.as_deref().map(|name| mode(name, "/mode")).transpose()?,
            exact: self.exact.unwrap_or_default(),
            filter: self.filter.filter(|filter| !filter.is_null()),
            min_score: self.min_score,
            neighbours: self.neighbours.map_or(0, |count| u32::try_from(count).unwrap_or(u32::MAX)),
            distinct: self.distinct.unwrap_or_default(),
            offset: self.offset.map(count),
            grouped: self.group_by.as_deref().map(is_grouped).transpose()?.unwrap_or_default(),
            facets: self.facets.unwrap_or_default(),
            rerank: self.rerank.map(Into::into),
        })
    }
}

async fn search_knowledge_base(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(id): Segment,
    Body(wanted): Body<SearchBody>,
) -> HandlerResult {
    caller.check_bases([id.as_str()])?;
    answer(&state, &caller, &[BaseQuery::from(id)], wanted).await
}

async fn search_knowledge_bases(
    state: web::Data<AppState>,
    caller: Caller,
    Body(BasesSearchBody(mut wanted)): Body<BasesSearchBody>,
) -> HandlerResult {
    let named = wanted.knowledge.take().unwrap_or_default();
    let bases: Vec<BaseQuery> = named.into_iter().map(BaseQuery::from).collect();
    caller.check_bases(bases.iter().map(|base| base.id.as_str()))?;
    answer(&state, &caller, &bases, wanted).await
}

/// Searches what the key may find in these bases.
async fn answer(state: &AppState, caller: &Caller, bases: &[BaseQuery], wanted: SearchBody) -> HandlerResult {
    let payer = caller.payer();
    let mut request = wanted.request()?;
    request.filter = caller.narrowed(request.filter, "/filter")?;
    let paged = request.offset.is_some();
    let found = state.knowledge.search_bases(&payer.scope, &payer, bases, request).await?;
    Ok(HttpResponse::Ok().json(FoundRecord::of(found, paged)))
}
