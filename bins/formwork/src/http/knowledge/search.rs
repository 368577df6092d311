//! Searches a knowledge base.

use std::borrow::Cow;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use kb_core::rules::{MAX_FIELD, MAX_NEIGHBOURS, MAX_QUERY, MAX_RESULTS};
use kb_core::{BaseId, Mode, SearchAnswer, SearchRequest, SearchResult, SearchWarning};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::examples;
use super::index_position::IndexWaitBody;
use super::rerank::RerankBody;
use crate::app::AppState;
use crate::http::lists::AnyObject;
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
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "KnowledgeSearch")]
struct SearchBody {
    /// The query in natural language or keywords.
    #[schemars(length(max = MAX_QUERY), extend("pattern" = NOT_BLANK))]
    query: String,
    /// Maximum number of results; 10 when absent.
    #[schemars(range(min = 1, max = MAX_RESULTS))]
    limit: Option<i64>,
    /// Lexical, semantic or hybrid search. Default: hybrid where the knowledge base has vectors, else
    /// lexical.
    #[schemars(extend("enum" = modes()))]
    mode: Option<String>,
    /// Filter by the meta of the files: `{"field": value}`, or an object of `eq`, `ne`, `gt`, `gte`, `lt`,
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
    /// Reranks the results; as the knowledge base says when absent.
    rerank: Option<RerankBody>,
    #[serde(flatten)]
    wait: IndexWaitBody,
}

/// A filter. Nested filters are only described as objects.
pub(in crate::http) struct MetaFilter;

impl JsonSchema for MetaFilter {
    fn schema_name() -> Cow<'static, str> {
        "MetaFilter".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // Each operator also has the dollar prefix of other interfaces. Under `properties` the two would have
        // one name in generated code.
        let filters = json!({"type": "array", "minItems": 1, "items": {"type": "object"}});
        json_schema!({
            "type": "object",
            "propertyNames": {"minLength": 1, "maxLength": MAX_FIELD},
            "patternProperties": {r"^\$?(and|or)$": filters, r"^\$?not$": {"type": "object"}},
            "additionalProperties": {
                "not": {"type": "array"},
                "minProperties": 1,
                "propertyNames": {"pattern": r"^\$?(eq|ne|n?in|[gl]te?)$"},
                "patternProperties": {
                    r"^\$?n?in$": {"type": "array"},
                    r"^\$?[gl]te?$": {"type": ["number", "string"]}
                }
            }
        })
    }
}

/// The modes, and null for none.
pub(in crate::http) fn modes() -> Value {
    json!(["lexical", "semantic", "hybrid", null])
}

/// The mode of this name, at `path` of a request.
pub(super) fn mode(name: &str, path: &str) -> Result<Mode, ApiError> {
    let rule = "'mode' must be one of lexical, semantic, hybrid";
    Mode::from_name(name).ok_or_else(|| ApiError::invalid(path, rule))
}

impl SearchBody {
    fn request(self) -> Result<SearchRequest, ApiError> {
        // The service rejects out-of-range values with the rule.
        let count = |count: i64| usize::try_from(count).unwrap_or(usize::MAX);
        Ok(SearchRequest {
            wait: self.wait.wait()?,
            query: self.query,
            limit: self.limit.map_or(RESULTS, count),
            mode: self.mode.as_deref().map(|name| mode(name, "/mode")).transpose()?,
            filter: self.filter.filter(|filter| !filter.is_null()),
            min_score: self.min_score,
            neighbours: self.neighbours.map_or(0, |count| u32::try_from(count).unwrap_or(u32::MAX)),
            distinct: self.distinct.unwrap_or_default(),
            rerank: self.rerank.map(Into::into),
        })
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SearchAnswer")]
struct FoundRecord {
    /// Best first.
    results: Vec<ResultRecord>,
    /// Limitations of the results; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningRecord>,
}

/// A limitation of the results.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SearchWarning")]
struct WarningRecord {
    /// `searched_by_words_alone`: the query could not be embedded, so the search was lexical only.
    /// `index_behind`: the index did not have the awaited change in time. `not_reranked`: the reranking model
    /// failed or was late, so the results have the order of the first stage.
    code: &'static str,
    /// One sentence, with the cause.
    message: String,
}

impl From<SearchAnswer> for FoundRecord {
    fn from(SearchAnswer { results, warnings }: SearchAnswer) -> Self {
        let warning = |SearchWarning { code, message }| WarningRecord { code, message };
        Self {
            results: results.into_iter().map(ResultRecord::from).collect(),
            warnings: warnings.into_iter().map(warning).collect(),
        }
    }
}

/// A matching passage.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SearchResult")]
struct ResultRecord {
    /// Identifier of the passage: the file's id and its position.
    id: String,
    /// The file's id in the knowledge base.
    file: String,
    /// The file's title.
    title: String,
    /// The page it begins on, where there are pages.
    page: Option<u32>,
    /// Relevance from 0 to 1 by the first stage; comparable within one answer.
    score: f32,
    text: String,
    meta: AnyObject,
    /// The headings above it, one per line.
    heading: String,
    /// Offset of its first character in the file's `content`, in Unicode characters.
    start: u64,
    /// Offset after its last character.
    end: u64,
    /// The lexical score; null without a lexical match.
    lexical_score: Option<f32>,
    /// The semantic score; null without a semantic match.
    semantic_score: Option<f32>,
    /// The score of the reranking model, which orders the results; higher is better, and its range depends on
    /// the model. Absent where the result was not reranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    rerank_score: Option<f32>,
}

impl From<SearchResult> for ResultRecord {
    fn from(result: SearchResult) -> Self {
        Self {
            id: format!("{}:{}", result.item.0, result.chunk.position),
            file: result.item.0,
            title: result.title,
            page: result.chunk.page,
            score: result.score,
            text: result.chunk.text,
            meta: result.meta,
            heading: result.chunk.heading,
            start: result.chunk.start,
            end: result.chunk.end,
            lexical_score: result.lexical,
            semantic_score: result.semantic,
            rerank_score: result.rerank,
        }
    }
}

async fn search_knowledge_base(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(id): Segment,
    Body(wanted): Body<SearchBody>,
) -> HandlerResult {
    caller.check_bases([id.as_str()])?;
    let payer = caller.payer();
    let mut request = wanted.request()?;
    request.filter = caller.narrowed(request.filter, "/filter")?;
    let found = state.knowledge.search(&payer.scope, &payer, &BaseId(id), request).await?;
    Ok(HttpResponse::Ok().json(FoundRecord::from(found)))
}
