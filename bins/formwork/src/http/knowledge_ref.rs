//! Knowledge bases that a request names.

use gen_core::{BaseQuery, MAX_REFERENCE};
use kb_core::rules::MAX_RESULTS;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::knowledge::{rerank, restrictions};
use super::rules::NOT_BLANK;

/// A knowledge base, and its search options for this request.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct KnowledgeRef {
    /// Its id.
    #[schemars(length(max = MAX_REFERENCE), extend("pattern" = NOT_BLANK))]
    pub(super) id: String,
    /// Filter by the meta of the files, as in searches of the knowledge base.
    #[serde(default)]
    #[schemars(with = "Option<restrictions::MetaFilter>")]
    filter: Option<Value>,
    /// Maximum number of passages found in it; 20 in all knowledge bases together when absent.
    #[schemars(range(min = 1, max = MAX_RESULTS))]
    limit: Option<i64>,
    /// Minimum lexical or semantic score of a passage.
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f32>,
    /// Lexical, semantic or hybrid search. Default: hybrid where the knowledge base has vectors, else
    /// lexical.
    #[schemars(extend("enum" = restrictions::modes()))]
    mode: Option<String>,
    /// Reranks the passages found in it; as the knowledge base says when absent.
    rerank: Option<rerank::RerankBody>,
}

impl From<KnowledgeRef> for BaseQuery {
    fn from(wanted: KnowledgeRef) -> Self {
        Self {
            id: wanted.id,
            filter: wanted.filter.filter(|filter| !filter.is_null()),
            // The service rejects out-of-range values with the rule.
            limit: wanted.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            min_score: wanted.min_score,
            mode: wanted.mode,
            rerank: wanted.rerank.map(Into::into),
        }
    }
}
