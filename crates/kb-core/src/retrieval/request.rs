//! The request and the response of a search.

use gen_core::{GenError, IndexWait, RerankOptions};
use serde_json::{Map, Value};

use super::Facet;
use crate::{BaseId, Chunk, ItemId};

/// The search method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Lexical search.
    Lexical,
    /// Vector search.
    Semantic,
    /// Both, fused; lexical only when the base has no vectors.
    Hybrid,
}

impl Mode {
    /// All modes with their names.
    const NAMED: [(&str, Self); 3] =
        [("lexical", Self::Lexical), ("semantic", Self::Semantic), ("hybrid", Self::Hybrid)];

    /// The mode of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(own, _)| *own == name).map(|(_, mode)| mode)
    }
}

/// How a query is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuerySyntax {
    /// All of it is words.
    #[default]
    Words,
    /// With phrases, prefixes, excluded words, words of the title, and web sites.
    Query,
}

impl QuerySyntax {
    /// The syntax of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "words" => Some(Self::Words),
            "query" => Some(Self::Query),
            _ => None,
        }
    }
}

/// A search in one base, or in several.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The user's query; it must not be blank.
    pub query: String,
    /// How it is read.
    pub syntax: QuerySyntax,
    /// Maximum results, 1 to 100.
    pub limit: usize,
    /// Results that are skipped. With it, all pages of a search are cut from one ranking, and the response tells
    /// whether another page follows. `offset` and `limit` together are at most 1,000.
    pub offset: Option<usize>,
    /// The search method. Default: both when the base has vectors, else lexical.
    pub mode: Option<Mode>,
    /// Whether all vectors are compared, without an approximate index, which takes longer in a large base.
    pub exact: bool,
    /// Only items whose attributes match; the module `filter` describes the grammar.
    pub filter: Option<Value>,
    /// Minimum score, from 0 to 1, lexical or by vectors.
    pub min_score: Option<f32>,
    /// Neighbouring chunks before and after that are joined to each result.
    pub neighbours: u32,
    /// Whether near duplicates of a better result are left out.
    pub distinct: bool,
    /// Whether only the best chunk of each item is a result.
    pub grouped: bool,
    /// Fields whose values are counted over all matching items, at most 10.
    pub facets: Vec<String>,
    /// How the results are reranked; as the base says when absent.
    pub rerank: Option<RerankOptions>,
    /// The changes that the search waits for; `None`: all that concern the base, else it fails.
    pub wait: Option<IndexWait>,
}

impl SearchRequest {
    /// A search for ten results, by the method that suits the base.
    #[must_use]
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            syntax: QuerySyntax::default(),
            limit: 10,
            offset: None,
            mode: None,
            exact: false,
            filter: None,
            min_score: None,
            neighbours: 0,
            distinct: false,
            grouped: false,
            facets: Vec::new(),
            rerank: None,
            wait: None,
        }
    }
}

/// The response of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchAnswer {
    /// Best first.
    pub results: Vec<SearchResult>,
    /// The offset of the next page; `None` on the last one, and without an offset in the request.
    pub next: Option<usize>,
    /// The requested facets, in their order.
    pub facets: Vec<Facet>,
    /// Limitations of the results; mostly empty.
    pub warnings: Vec<SearchWarning>,
}

/// A limitation of the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchWarning {
    /// Stable code, in snake case.
    pub code: &'static str,
    /// One sentence for the user.
    pub message: String,
}

impl SearchWarning {
    /// The query has no vector, although the base has some.
    pub(super) fn words_alone(why: &GenError) -> Self {
        Self { code: "searched_by_words_alone", message: format!("the search was by words alone: {why}") }
    }

    /// Parts of the query look like syntax, but are none.
    pub(super) fn read_as_words(parts: &str) -> Self {
        Self {
            code: "syntax_read_as_words",
            message: format!("parts of the query were read as words: {parts}"),
        }
    }

    /// A reranking model failed or was late.
    pub(super) fn not_reranked(why: &GenError) -> Self {
        Self { code: "not_reranked", message: format!("the results are not reranked: {why}") }
    }

    /// The index has not reached the position that the search waited for.
    pub(super) fn index_behind(wanted: i64, applied: i64) -> Self {
        let applied = applied.max(0);
        let message = format!(
            "the search index is at position {applied}, behind {wanted}: later changes are not found yet"
        );
        Self { code: "index_behind", message }
    }
}

/// A matching chunk with its item and scores.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The base that it is in.
    pub base: BaseId,
    /// Id of the matching item.
    pub item: ItemId,
    /// The item's title.
    pub title: String,
    /// The item's meta.
    pub meta: Map<String, Value>,
    /// The matching chunk; with neighbours, its `text`, `start`, `end` and `page` are those of all.
    pub chunk: Chunk,
    /// The score of the first stage from 0 to 1; higher is better, and comparable within one response.
    pub score: f32,
    /// The lexical score, if it matched lexically.
    pub lexical: Option<f32>,
    /// The vector score, if it matched by vector.
    pub semantic: Option<f32>,
    /// In a grouped search, the further chunks of the item among the candidates of the ranking.
    pub others: Option<u64>,
    /// The score of the reranking model, if it was reranked. The range depends on the model.
    pub rerank: Option<f32>,
}
