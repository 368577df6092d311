//! The use case: a search in one base, or in several.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, poll_immediate, select, try_join_all};
use gen_core::{
    BaseQuery, CallerContext, Fault, GenError, GenService, IndexWait, ModelId, ProviderError, Spend,
    Upstream, WaitFor,
};
use shared_core::{Scope, Violation};

use super::facet_counter::FacetCounter;
use super::facets::parse_facets;
use super::find::{RankedChunk, RankingQuery, SearchTarget};
use super::query_syntax::ParsedQuery;
use super::targets::{SharedQuery, check_base_query, check_restrictions, mode, warnings};
use super::{Mode, QuerySyntax, SearchAnswer, SearchRequest, SearchResult, SearchWarning};
use crate::service::rules::{MAX_BASES, MAX_NEIGHBOURS, MAX_QUERY, MAX_RESULTS, MAX_WINDOW};
use crate::{Base, BaseId, KnowledgeError, KnowledgeService};

/// Maximum wait for an index to include what was written before the search. Seconds at most (decision 0013).
/// Chosen by hand; no measurement recorded.
const PATIENCE: Duration = Duration::from_secs(5);
/// Factor of the wait for a query's vector when lexical search cannot replace it.
/// Chosen by hand; no measurement recorded.
const UNREPLACED: u32 = 10;

/// The results from the offset on.
#[derive(Debug, Default)]
struct ResultPage {
    results: Vec<SearchResult>,
    /// The offset of the next page.
    next: Option<usize>,
    /// Which models did not rerank.
    unranked: Vec<SearchWarning>,
}

impl KnowledgeService {
    /// Searches a base, see [`KnowledgeService::search_bases`].
    ///
    /// # Errors
    /// As for several bases.
    pub async fn search(
        &self,
        scope: &Scope,
        payer: &CallerContext,
        base: &BaseId,
        request: SearchRequest,
    ) -> Result<SearchAnswer, KnowledgeError> {
        self.search_bases(scope, payer, &[BaseQuery::from(base.0.as_str())], request).await
    }

    /// Searches bases, whose results are one ranking. Data written before the search is found unless
    /// `request.wait` asks for less, data deleted before is not. Query vectors and reranking are charged to `payer`. When no
    /// mode is requested and a vector cannot be made, the search is lexical only, with a warning. The restrictions
    /// of a base hold beside those of the request, and its mode in place of the request's.
    ///
    /// # Errors
    /// When the request violates rules, a base does not exist, the index is not up to date within seconds, a base
    /// has no vectors although they are requested, or the model or the store fails.
    pub async fn search_bases(
        &self,
        scope: &Scope,
        payer: &CallerContext,
        bases: &[BaseQuery],
        request: SearchRequest,
    ) -> Result<SearchAnswer, KnowledgeError> {
        let parsed = match request.syntax {
            QuerySyntax::Words => ParsedQuery::of_words(&request.query),
            QuerySyntax::Query => ParsedQuery::parse(&request.query),
        };
        let meaning = parsed.meaning();
        let counters = check(&self.ports.generation, bases, &request, &meaning)?;
        let found = self.searched_bases(scope, bases, &request).await?;
        let shared = SharedQuery {
            query: &parsed,
            meaning: &meaning,
            mode: request.mode,
            filter: request.filter.as_ref(),
            exact: request.exact,
            rerank: request.rerank.as_ref(),
        };
        let behind = match found.iter().map(|(_, base)| base.written).max() {
            Some(written) => self.wait_for_index(written, request.wait).await?,
            None => None,
        };
        // Concurrently: the timeout of a missing vector passes once, whatever the number of bases.
        let targets: Vec<_> =
            found.into_iter().map(|base| self.base_target(scope, payer, base, shared)).collect();
        let targets: Vec<SearchTarget> = try_join_all(targets).await?.into_iter().flatten().collect();
        let facets = self.facets(scope, &targets, &parsed.words, counters).await?;
        let page = match targets.is_empty() {
            true => ResultPage::default(),
            false => self.page(scope, payer, &targets, &parsed.words, &request).await?,
        };
        let common = behind.into_iter().chain(page.unranked);
        let warnings = parsed.warning().into_iter().chain(warnings(common, &targets)).collect();
        Ok(SearchAnswer { results: page.results, next: page.next, facets, warnings })
    }

    /// The requested bases that have anything to find.
    async fn searched_bases<'a>(
        &self,
        scope: &Scope,
        bases: &'a [BaseQuery],
        request: &SearchRequest,
    ) -> Result<Vec<(&'a BaseQuery, Base)>, KnowledgeError> {
        let mut searched = Vec::with_capacity(bases.len());
        for query in bases {
            let found = self.ports.bases.find(scope, &BaseId(query.id.clone())).await?;
            let base = found.ok_or_else(|| KnowledgeError::BaseNotFound(query.id.clone()))?;
            mode(&base, query.mode.as_deref().and_then(Mode::from_name).or(request.mode))?;
            self.reranker(&base, query.rerank.as_ref().or(request.rerank.as_ref()))?;
            if base.counts.chunks > 0 {
                searched.push((query, base));
            }
        }
        Ok(searched)
    }

    async fn page(
        &self,
        scope: &Scope,
        payer: &CallerContext,
        targets: &[SearchTarget],
        words: &str,
        request: &SearchRequest,
    ) -> Result<ResultPage, KnowledgeError> {
        let offset = request.offset.unwrap_or_default();
        let end = offset + request.limit;
        let another = request.offset.is_some() && end < MAX_WINDOW;
        let question = RankingQuery {
            text: words,
            limit: end + usize::from(another),
            min_score: request.min_score,
            distinct: request.distinct,
            grouped: request.grouped,
            paged: request.offset.is_some(),
        };
        let (mut findings, unranked) = self.find_reranked(scope, payer, targets, &question).await?;
        let next = (another && findings.len() > end).then_some(end);
        findings.truncate(end);
        findings.drain(..offset.min(findings.len()));
        let findings = self.joined(scope, findings, request.neighbours).await?;
        let results = findings.into_iter().filter_map(|finding| result(targets, finding)).collect();
        Ok(ResultPage { results, next, unranked })
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

/// Validates the request, whose query has this meaning, without I/O. Returns the counters of its facets.
fn check(
    generation: &GenService,
    bases: &[BaseQuery],
    request: &SearchRequest,
    meaning: &str,
) -> Result<Vec<FacetCounter>, KnowledgeError> {
    let mut wrong = Vec::new();
    let mut say = |path: &str, message: String| wrong.push(Violation::new(path, message));
    if request.query.trim().is_empty() {
        say("/query", "'query' must not be empty".to_owned());
    } else if meaning.is_empty() {
        say("/query", "'query' must have words to look for, beside what it excludes and where".to_owned());
    }
    if request.query.chars().nth(MAX_QUERY).is_some() {
        say("/query", format!("'query' has at most {MAX_QUERY} characters"));
    }
    if request.neighbours > MAX_NEIGHBOURS {
        say("/neighbours", format!("'neighbours' must be between 0 and {MAX_NEIGHBOURS}"));
    }
    let limit = request.limit.min(MAX_RESULTS);
    if request.offset.is_some_and(|offset| offset.saturating_add(limit) > MAX_WINDOW) {
        say("/offset", format!("'offset' and 'limit' together are at most {MAX_WINDOW}"));
    }
    if !(1..=MAX_BASES).contains(&bases.len()) {
        say("/knowledge", format!("'knowledge' has 1 to {MAX_BASES} entries"));
    }
    for (at, base) in bases.iter().enumerate().take(MAX_BASES) {
        wrong.extend(check_base_query(generation, base, &format!("/knowledge/{at}")));
        if bases.iter().take(at).any(|other| other.id == base.id) {
            let rule = "a knowledge base must not be named twice";
            wrong.push(Violation::new(format!("/knowledge/{at}/id"), rule));
        }
    }
    let bounds = (Some(request.limit), request.min_score);
    wrong.extend(check_restrictions(request.filter.as_ref(), bounds, ""));
    let counters = parse_facets(&request.facets, &mut wrong);
    if wrong.is_empty() { Ok(counters) } else { Err(KnowledgeError::Invalid(wrong)) }
}

fn result(targets: &[SearchTarget], finding: RankedChunk) -> Option<SearchResult> {
    let RankedChunk { target, live, score, lexical, semantic, others, rerank } = finding;
    Some(SearchResult {
        base: targets.get(target)?.base.id.clone(),
        item: live.item,
        title: live.name,
        meta: live.meta,
        chunk: live.chunk,
        score,
        lexical,
        semantic,
        others,
        rerank,
    })
}
