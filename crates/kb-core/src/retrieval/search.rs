//! The use case: a search in one base.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, poll_immediate, select};
use gen_core::{CallerContext, Fault, GenError, IndexWait, ModelId, ProviderError, Spend, Upstream, WaitFor};
use serde_json::Value;
use shared_core::{Scope, Violation};

use super::filter::Filter;
use super::find::{RankedChunk, RankingQuery, SearchTarget};
use super::{Mode, SearchAnswer, SearchRequest, SearchResult, SearchWarning};
use crate::service::rules::{MAX_NEIGHBOURS, MAX_QUERY, MAX_RESULTS};
use crate::{Base, BaseId, KnowledgeError, KnowledgeService};

/// Maximum wait for an index to include what was written before the search. Seconds at most (decision 0013).
/// Chosen by hand; no measurement recorded.
const PATIENCE: Duration = Duration::from_secs(5);
/// Factor of the wait for a query's vector when lexical search cannot replace it.
/// Chosen by hand; no measurement recorded.
const UNREPLACED: u32 = 10;

impl KnowledgeService {
    /// Searches a base. Data written before the search is found unless `request.wait` asks for less, data
    /// deleted before is not. Query vectors
    /// and reranking are charged to `payer`. When no mode is requested and the vector cannot be made, the search is lexical
    /// only, with a warning.
    ///
    /// # Errors
    /// When the request violates rules, the base does not exist, the index is not up to date within seconds,
    /// the base has no vectors although they are requested, or the model or the store fails.
    pub async fn search(
        &self,
        scope: &Scope,
        payer: &CallerContext,
        base: &BaseId,
        request: SearchRequest,
    ) -> Result<SearchAnswer, KnowledgeError> {
        let filter = check(&request)?;
        let found = self.ports.bases.find(scope, base).await?;
        let base = found.ok_or_else(|| KnowledgeError::BaseNotFound(base.0.clone()))?;
        let mode = mode(&base, request.mode)?;
        let rerank = self.reranker(&base, request.rerank.as_ref())?;
        if base.counts.chunks == 0 {
            return Ok(SearchAnswer::default());
        }
        let behind = self.wait_for_index(base.written, request.wait).await?;
        let items = match (filter, &request.filter) {
            (Some(filter), Some(written)) => Some(self.selected(scope, &base, filter, written).await?),
            _ => None,
        };
        if items.as_ref().is_some_and(|items| items.numbers().is_empty()) {
            return Ok(SearchAnswer { warnings: Vec::from_iter(behind), ..SearchAnswer::default() });
        }
        let target = SearchTarget { items, rerank, ..SearchTarget::of(base) };
        let target = self.target(payer, target, mode, &request.query, request.mode.is_none()).await?;
        let question = RankingQuery {
            text: &request.query,
            limit: request.limit,
            min_score: request.min_score,
            distinct: request.distinct,
        };
        let (findings, unranked) =
            self.find_reranked(scope, payer, std::slice::from_ref(&target), &question).await?;
        let findings = self.joined(scope, findings, request.neighbours).await?;
        let results = findings.into_iter().map(result).collect();
        Ok(SearchAnswer {
            results,
            warnings: behind.into_iter().chain(target.warning).chain(unranked).collect(),
        })
    }

    /// Waits until the index has what the request asks for, and warns if it has not; without a request, until
    /// it has `written`, and fails if it has not.
    pub(super) async fn wait_for_index(
        &self,
        written: i64,
        wait: Option<IndexWait>,
    ) -> Result<Option<SearchWarning>, KnowledgeError> {
        let timer = self.ports.timer.as_ref();
        let Some(IndexWait { until, at_most }) = wait else {
            return match self.applied.wait(written, timer, PATIENCE).await {
                true => Ok(None),
                false => Err(KnowledgeError::IndexNotReady),
            };
        };
        let position = match until {
            WaitFor::Position(position) if position <= self.applied.sequence() => return Ok(None),
            WaitFor::Position(position) => position,
            WaitFor::Everything => self.ports.feed.state().await?.latest,
        };
        if self.is_reachable(until).await? && self.applied.wait(position, timer, at_most).await {
            return Ok(None);
        }
        Ok(Some(SearchWarning::index_behind(position, self.applied.sequence())))
    }

    /// Whether the store has the awaited change. One that it does not have is of another store, or was lost
    /// with a restored backup: waiting would be in vain.
    async fn is_reachable(&self, until: WaitFor) -> Result<bool, KnowledgeError> {
        match until {
            WaitFor::Position(position) => Ok(position <= self.ports.feed.state().await?.latest),
            WaitFor::Everything => Ok(true),
        }
    }

    /// The search target of a base. `lenient`: lexical only when no vector can be made.
    pub(super) async fn target(
        &self,
        payer: &CallerContext,
        mut target: SearchTarget,
        mode: Mode,
        query: &str,
        lenient: bool,
    ) -> Result<SearchTarget, KnowledgeError> {
        target.words = mode != Mode::Semantic;
        let Some(model) = target.base.serving.clone().filter(|_| mode != Mode::Lexical) else {
            return Ok(target);
        };
        let vector = match model.parse::<ModelId>().map_err(GenError::from) {
            Ok(id) => self.vector(payer, &id, query, lenient).await,
            Err(error) => Err(error),
        };
        match vector {
            Ok(vector) => target.vector = Some((model, vector)),
            Err(error) if lenient => target.warning = Some(SearchWarning::words_alone(&error)),
            Err(error) => return Err(KnowledgeError::Model(error)),
        }
        Ok(target)
    }
}

impl KnowledgeService {
    /// The vector of a query, within a time limit.
    async fn vector(
        &self,
        payer: &CallerContext,
        model: &ModelId,
        query: &str,
        lenient: bool,
    ) -> Result<Arc<[f32]>, GenError> {
        let budget = self.limits.query_vector;
        let budget = if lenient { budget } else { budget.saturating_mul(UNREPLACED) };
        let mut asked = pin!(self.embedder.query(payer, model, query));
        if let Some(made) = poll_immediate(asked.as_mut()).await {
            return made;
        }
        match select(asked, self.ports.timer.sleep(budget)).await {
            Either::Left((made, _)) => made,
            Either::Right(_) => Err(GenError::Provider {
                upstream: Upstream::Provider(model.provider),
                error: Box::new(ProviderError::new(
                    Fault::Timeout,
                    format!("the query vector was not available within {} ms", budget.as_millis()),
                )),
                spent: Spend::default(),
            }),
        }
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

/// Validates the request without I/O.
fn check(request: &SearchRequest) -> Result<Option<Filter>, KnowledgeError> {
    let mut wrong = Vec::new();
    let mut say = |path: &str, message: String| wrong.push(Violation::new(path, message));
    if request.query.trim().is_empty() {
        say("/query", "'query' must not be empty".to_owned());
    }
    if request.query.chars().nth(MAX_QUERY).is_some() {
        say("/query", format!("'query' has at most {MAX_QUERY} characters"));
    }
    if request.neighbours > MAX_NEIGHBOURS {
        say("/neighbours", format!("'neighbours' must be between 0 and {MAX_NEIGHBOURS}"));
    }
    let bounds = (Some(request.limit), request.min_score);
    let filter = parse_filter(request.filter.as_ref(), bounds, "", &mut wrong);
    if wrong.is_empty() { Ok(filter) } else { Err(KnowledgeError::Invalid(wrong)) }
}

/// Validates the restrictions of a search, at `path` of the request; returns the parsed filter.
pub(super) fn parse_filter(
    filter: Option<&Value>,
    (limit, min_score): (Option<usize>, Option<f32>),
    path: &str,
    wrong: &mut Vec<Violation>,
) -> Option<Filter> {
    if limit.is_some_and(|limit| !(1..=MAX_RESULTS).contains(&limit)) {
        let rule = format!("'limit' must be between 1 and {MAX_RESULTS}");
        wrong.push(Violation::new(format!("{path}/limit"), rule));
    }
    if min_score.is_some_and(|score| !(0.0..=1.0).contains(&score)) {
        wrong.push(Violation::new(format!("{path}/minScore"), "'minScore' must be between 0 and 1"));
    }
    match Filter::parse(filter?, &format!("{path}/filter")) {
        Ok(filter) => Some(filter),
        Err(violations) => {
            wrong.extend(violations);
            None
        }
    }
}

fn result(finding: RankedChunk) -> SearchResult {
    let RankedChunk { live, score, lexical, semantic, rerank, .. } = finding;
    SearchResult {
        item: live.item,
        title: live.name,
        meta: live.meta,
        chunk: live.chunk,
        score,
        lexical,
        semantic,
        rerank,
    }
}
