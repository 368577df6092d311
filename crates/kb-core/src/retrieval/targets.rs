//! The search targets of the bases that a request names.

use gen_core::{BaseQuery, CallerContext, GenService, RerankOptions};
use serde_json::{Value, json};
use shared_core::{Scope, Violation};

use super::chunk_matcher::ChunkMatcher;
use super::filter::Filter;
use super::find::SearchTarget;
use super::item_matcher::ItemMatcher;
use super::query_syntax::ParsedQuery;
use super::rerank::{check_options, target_reranker};
use super::{Mode, SearchWarning};
use crate::service::rules::MAX_RESULTS;
use crate::{Base, ItemSet, KnowledgeError, KnowledgeService};

/// What a request asks of all its bases.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedQuery<'a> {
    pub(super) query: &'a ParsedQuery,
    /// The text for vectors.
    pub(super) meaning: &'a str,
    /// The mode for bases that name none.
    pub(super) mode: Option<Mode>,
    /// A filter beside that of the base.
    pub(super) filter: Option<&'a Value>,
    /// Whether vectors are searched without an approximate index.
    pub(super) exact: bool,
    /// The reranking for bases that name none.
    pub(super) rerank: Option<&'a RerankOptions>,
}

impl KnowledgeService {
    /// The search target of a base; `None` when the filters match nothing.
    pub(super) async fn base_target(
        &self,
        scope: &Scope,
        payer: &CallerContext,
        (asked, base): (&BaseQuery, Base),
        shared: SharedQuery<'_>,
    ) -> Result<Option<SearchTarget>, KnowledgeError> {
        let named = asked.mode.as_deref().and_then(Mode::from_name).or(shared.mode);
        let mode = if shared.meaning.is_empty() { Mode::Lexical } else { mode(&base, named)? };
        let filters = [asked.filter.as_ref(), shared.filter];
        let items = self.filtered_items(scope, &base, filters, shared.query).await?;
        if items.as_ref().is_some_and(|items| items.numbers().is_empty()) {
            return Ok(None);
        }
        let (limit, min_score) = (asked.limit, asked.min_score);
        let (matcher, constraint) = ChunkMatcher::new(shared.query, &base.languages);
        let rerank = target_reranker(&base, asked.rerank.as_ref().or(shared.rerank))?;
        let target = SearchTarget {
            items,
            matcher,
            constraint,
            limit,
            min_score,
            rerank,
            exact: shared.exact,
            ..SearchTarget::of(base)
        };
        Ok(Some(self.target(payer, target, mode, shared.meaning, named.is_none()).await?))
    }

    /// The items that match all filters and the query's demands on items; `None` without any.
    async fn filtered_items(
        &self,
        scope: &Scope,
        base: &Base,
        filters: [Option<&Value>; 2],
        query: &ParsedQuery,
    ) -> Result<Option<ItemSet>, KnowledgeError> {
        // Not one filter with `and`, which would be nested more deeply than each of them.
        let (mut all, mut written) = (Vec::new(), Vec::new());
        for filter in filters.into_iter().flatten() {
            all.push(Filter::parse(filter, "/filter").map_err(KnowledgeError::Invalid)?);
            written.push(filter.clone());
        }
        if let Some(matcher) = ItemMatcher::new(query, &base.languages) {
            all.push(Filter::Item(matcher));
            written.push(json!([query.titles, query.sites, base.languages]));
        }
        if all.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.selected(scope, base, Filter::All(all), &Value::Array(written)).await?))
    }
}

/// The search mode of a base.
pub(super) fn mode(base: &Base, asked: Option<Mode>) -> Result<Mode, KnowledgeError> {
    match (asked, &base.serving) {
        (None, Some(_)) => Ok(Mode::Hybrid),
        (None, None) => Ok(Mode::Lexical),
        // Both, as far as the base has both.
        (Some(Mode::Hybrid), None) => Ok(Mode::Lexical),
        (Some(Mode::Semantic), None) => {
            let rule = "the knowledge base has no embedding model, so that it can be searched by words alone";
            Err(KnowledgeError::NoVectors([Violation::new("/mode", rule)]))
        }
        (Some(mode), _) => Ok(mode),
    }
}

/// What is wrong with the search options of a base, at `path` of the request.
pub(super) fn check_base_query(generation: &GenService, base: &BaseQuery, path: &str) -> Vec<Violation> {
    let mut wrong = check_restrictions(base.filter.as_ref(), (base.limit, base.min_score), path);
    if base.mode.as_deref().is_some_and(|name| Mode::from_name(name).is_none()) {
        let rule = "'mode' must be one of lexical, semantic, hybrid";
        wrong.push(Violation::new(format!("{path}/mode"), rule));
    }
    if let Some(options) = &base.rerank {
        wrong.extend(check_options(generation, options, &format!("{path}/rerank")));
    }
    wrong
}

/// What is wrong with the restrictions of a search, at `path` of the request.
pub(super) fn check_restrictions(
    filter: Option<&Value>,
    (limit, min_score): (Option<usize>, Option<f32>),
    path: &str,
) -> Vec<Violation> {
    let mut wrong = Vec::new();
    if limit.is_some_and(|limit| !(1..=MAX_RESULTS).contains(&limit)) {
        let rule = format!("'limit' must be between 1 and {MAX_RESULTS}");
        wrong.push(Violation::new(format!("{path}/limit"), rule));
    }
    if min_score.is_some_and(|score| !(0.0..=1.0).contains(&score)) {
        wrong.push(Violation::new(format!("{path}/minScore"), "'minScore' must be between 0 and 1"));
    }
    let filter = filter.map(|filter| Filter::parse(filter, &format!("{path}/filter")));
    wrong.extend(filter.and_then(Result::err).into_iter().flatten());
    wrong
}

/// The warnings of a search, deduplicated: several targets mostly share one model.
pub(super) fn warnings(
    common: impl Iterator<Item = SearchWarning>,
    targets: &[SearchTarget],
) -> Vec<SearchWarning> {
    let mut told: Vec<SearchWarning> = Vec::new();
    for warning in common.chain(targets.iter().filter_map(|target| target.warning.clone())) {
        if !told.contains(&warning) {
            told.push(warning);
        }
    }
    told
}
