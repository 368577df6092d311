//! The JSON shape of what a search finds.

use kb_core::{Facet, FacetValue, SearchAnswer, SearchResult, SearchWarning};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::http::lists::AnyObject;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SearchAnswer")]
pub(super) struct FoundRecord {
    /// Best first.
    results: Vec<ResultRecord>,
    /// `offset` of the next page; null on the last one. Absent without `offset` in the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<Option<usize>>,
    /// The facets of the request, in its order; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facets: Vec<FacetRecord>,
    /// Limitations of the results; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningRecord>,
}

/// A limitation of the results.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SearchWarning")]
struct WarningRecord {
    /// `searched_by_words_alone`: the query could not be embedded, so the search was lexical only.
    /// `syntax_read_as_words`: parts of the query look like its syntax, but are none.
    /// `index_behind`: the index did not have the awaited change in time. `not_reranked`: the reranking model
    /// failed or was late, so the results have the order of the first stage.
    code: &'static str,
    /// One sentence, with the cause.
    message: String,
}

impl FoundRecord {
    /// The answer to a request, which has an offset or not.
    pub(super) fn of(answer: SearchAnswer, paged: bool) -> Self {
        let SearchAnswer { results, next, facets, warnings } = answer;
        let warning = |SearchWarning { code, message }| WarningRecord { code, message };
        Self {
            results: results.into_iter().map(ResultRecord::from).collect(),
            next_offset: paged.then_some(next),
            facets: facets.into_iter().map(FacetRecord::from).collect(),
            warnings: warnings.into_iter().map(warning).collect(),
        }
    }
}

/// The values of a field, over all files that match the search.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SearchFacet")]
struct FacetRecord {
    /// The field, as in the request.
    field: String,
    /// The most frequent first, at most 100.
    values: Vec<FacetValueRecord>,
    /// Whether values are missing.
    truncated: bool,
}

/// A value of a facet.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SearchFacetValue")]
struct FacetValueRecord {
    /// A text, a number or a truth value.
    value: Value,
    /// Number of matching files that have it.
    count: u64,
}

impl From<Facet> for FacetRecord {
    fn from(Facet { field, values, truncated }: Facet) -> Self {
        let value = |FacetValue { value, count }| FacetValueRecord { value, count };
        Self { field, values: values.into_iter().map(value).collect(), truncated }
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
    /// Identifier of its knowledge base.
    knowledge_id: String,
    /// With `groupBy`, the number of further passages of the file among the candidates of the ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    other_chunks: Option<u64>,
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
            knowledge_id: result.base.0,
            other_chunks: result.others,
        }
    }
}
