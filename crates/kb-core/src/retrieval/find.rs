//! From a query to live chunks: the hits of the indexes are fused, and loaded from the store.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use shared_core::Scope;

use super::SearchWarning;
use super::chunk_matcher::ChunkMatcher;
use super::fuse::{FusedChunk, fuse};
use super::near_duplicates::NearDuplicates;
use super::target_reranker::TargetReranker;
use crate::service::rules::MAX_WINDOW;
use crate::{
    Base, ChunkKey, Found, ItemSet, KnowledgeError, KnowledgeService, LexicalQuery, LiveChunk,
    TermConstraint, VectorQuery,
};

/// Candidates per wanted result, since some may be outdated or near duplicates.
/// Chosen by hand; no measurement recorded.
const AHEAD: usize = 2;
/// Minimum candidates: so many show the range of a ranking's scores. Decision 0016 measures the fusion of
/// 100.
const LEAST: usize = 100;
/// The same for a single ranking, which needs no range: an index reads less for fewer.
/// Chosen by hand; no measurement recorded.
const LEAST_ALONE: usize = 20;
/// Minimum candidates of a ranking that is read in pages: all pages have the same candidates, so that none repeats
/// or misses a result. What the last page needs.
const LEAST_PAGED: usize = AHEAD * MAX_WINDOW;
/// Hits that are loaded together when some were outdated. Chosen by hand; no measurement recorded.
const PORTION: usize = 50;
/// Factor by which the candidates grow when too few of them are live.
/// Chosen by hand; no measurement recorded.
const WIDER: usize = 4;
/// Maximum candidates: what the largest request without pages starts with (200), grown three times.
const MOST: usize = 12_800;
/// Bytes of texts after which no more are loaded: near duplicates may be many and long. Protects memory.
const LOOKED_UP: usize = 16 << 20;
/// How long to wait for an index that returns outdated hits before more is requested.
/// Chosen by hand; no measurement recorded.
const CATCH_UP: Duration = Duration::from_secs(2);

/// A base to be searched.
#[derive(Debug)]
pub(super) struct SearchTarget {
    pub(super) base: Base,
    /// Restricts the search to these items.
    pub(super) items: Option<ItemSet>,
    /// What hits must have and must not have.
    pub(super) matcher: ChunkMatcher,
    /// The part of it for the lexical index.
    pub(super) constraint: TermConstraint,
    /// Whether to search lexically.
    pub(super) words: bool,
    /// Maximum hits from this base.
    pub(super) limit: Option<usize>,
    /// Minimum of the better of its hits' scores.
    pub(super) min_score: Option<f32>,
    /// Reranks its best hits.
    pub(super) rerank: Option<TargetReranker>,
    /// Whether its vectors are searched without an approximate index.
    pub(super) exact: bool,
    /// The query's vector of this model.
    pub(super) vector: Option<(String, Arc<[f32]>)>,
    /// Why there is no such vector although one was wanted.
    pub(super) warning: Option<SearchWarning>,
}

impl SearchTarget {
    /// The whole base, with no search method yet.
    pub(super) fn of(base: Base) -> Self {
        Self {
            base,
            items: None,
            matcher: ChunkMatcher::default(),
            constraint: TermConstraint::default(),
            words: false,
            limit: None,
            min_score: None,
            rerank: None,
            exact: false,
            vector: None,
            warning: None,
        }
    }

    /// The lexical search of the target for these words.
    pub(super) fn lexical_query(&self, words: &str, limit: usize) -> LexicalQuery {
        LexicalQuery {
            base: self.base.number,
            text: words.to_owned(),
            languages: self.base.languages.clone(),
            items: self.items.clone(),
            constraint: self.constraint.clone(),
            limit,
        }
    }

    /// Maximum hits from this base before reranking.
    fn candidates(&self) -> usize {
        let depth = self.rerank.as_ref().map_or(0, |rerank| rerank.depth);
        self.limit.map_or(usize::MAX, |limit| limit.max(depth))
    }
}

/// The query and its limits.
#[derive(Debug, Default)]
pub(super) struct RankingQuery<'a> {
    /// The words that rank.
    pub(super) text: &'a str,
    /// Maximum hits.
    pub(super) limit: usize,
    /// Minimum of the better score.
    pub(super) min_score: Option<f32>,
    /// Whether near duplicates of a better hit are left out.
    pub(super) distinct: bool,
    /// Whether only the best hit of an item is kept.
    pub(super) grouped: bool,
    /// Whether it is one of several pages.
    pub(super) paged: bool,
}

/// A chunk of the result.
#[derive(Clone, Debug)]
pub(super) struct RankedChunk {
    /// Index of its target.
    pub(super) target: usize,
    pub(super) live: LiveChunk,
    pub(super) score: f32,
    pub(super) lexical: Option<f32>,
    pub(super) semantic: Option<f32>,
    /// Further hits of its item, of a grouped ranking.
    pub(super) others: Option<u64>,
    /// The score of the reranking model.
    pub(super) rerank: Option<f32>,
}

/// A hit's target, chunk, and sequence number.
type Name = (usize, ChunkKey, i64);
type Ranking = Vec<(Name, f32)>;

/// Loaded hits.
#[derive(Debug, Default)]
struct LookupCache {
    /// `None` for outdated ones.
    chunks: HashMap<Name, Option<LiveChunk>>,
    /// Bytes of all texts.
    bytes: usize,
}

impl LookupCache {
    fn add(&mut self, name: Name, live: Option<LiveChunk>) {
        self.bytes += live.as_ref().map_or(0, |live| live.chunk.text.len());
        self.chunks.insert(name, live);
    }

    fn is_enough(&self) -> bool {
        self.bytes >= LOOKED_UP
    }
}

struct Rankings {
    lexical: Option<Ranking>,
    semantic: Option<Ranking>,
    /// Whether there may be more beyond the limit.
    more: bool,
}

impl KnowledgeService {
    /// The best live chunks of all targets, best first.
    pub(super) async fn find(
        &self,
        scope: &Scope,
        targets: &[SearchTarget],
        question: &RankingQuery<'_>,
    ) -> Result<Vec<RankedChunk>, KnowledgeError> {
        let fused = targets.iter().any(|target| target.words && target.vector.is_some());
        let least = match (question.paged, fused) {
            (true, _) => LEAST_PAGED,
            (false, true) => LEAST,
            (false, false) => LEAST_ALONE,
        };
        let mut depth = question.limit.saturating_mul(AHEAD).clamp(least, MOST);
        let (mut known, mut waited) = (LookupCache::default(), false);
        loop {
            let rankings = self.rankings(targets, question, depth).await?;
            let mut fused = fuse(rankings.lexical.as_deref(), rankings.semantic.as_deref());
            fused.retain(|one| reaches(one, least_score(targets, one.name.0, question)));
            let mut findings = self.there(scope, targets, question, &fused, &mut known).await?;
            let over = !rankings.more || depth >= MOST || known.is_enough();
            if findings.len() >= question.limit || over {
                if question.grouped {
                    count_others(&mut findings, &fused);
                }
                return Ok(findings);
            }
            if !waited && known.chunks.values().any(Option::is_none) {
                // The index still has deleted items.
                let latest = self.ports.feed.state().await?.latest;
                waited = true;
                if self.applied.wait(latest, self.ports.timer.as_ref(), CATCH_UP).await {
                    continue;
                }
            }
            depth = depth.saturating_mul(WIDER).min(MOST);
        }
    }

    /// The rankings of the indexes.
    async fn rankings(
        &self,
        targets: &[SearchTarget],
        question: &RankingQuery<'_>,
        depth: usize,
    ) -> Result<Rankings, KnowledgeError> {
        // Collected, since a closure over references that lives across an await is not `Send`.
        let lexical: Vec<_> =
            targets.iter().map(|target| self.by_words(target, question.text, depth)).collect();
        let semantic: Vec<_> = targets.iter().map(|target| self.by_vectors(target, depth)).collect();
        let (lexical, semantic) =
            futures_util::future::try_join(try_join_all(lexical), try_join_all(semantic)).await?;
        let beyond = |(at, found): (usize, &Option<Found>)| {
            let least = least_score(targets, at, question).unwrap_or_default();
            found
                .as_ref()
                .is_some_and(|one| one.more && one.hits.last().is_some_and(|hit| hit.score >= least))
        };
        let more = lexical.iter().enumerate().chain(semantic.iter().enumerate()).any(beyond);
        Ok(Rankings { lexical: ranking(lexical), semantic: ranking(semantic), more })
    }

    async fn by_words(
        &self,
        target: &SearchTarget,
        text: &str,
        limit: usize,
    ) -> Result<Option<Found>, KnowledgeError> {
        if !target.words {
            return Ok(None);
        }
        let query = target.lexical_query(text, limit);
        Ok(Some(self.ports.words.search(&query).await?))
    }

    async fn by_vectors(&self, target: &SearchTarget, limit: usize) -> Result<Option<Found>, KnowledgeError> {
        let Some((model, vector)) = &target.vector else { return Ok(None) };
        let query = VectorQuery {
            base: target.base.number,
            model: model.clone(),
            vector: Arc::clone(vector),
            items: target.items.clone(),
            exact: target.exact,
            limit,
        };
        Ok(Some(self.ports.vectors.search(&query).await?))
    }

    /// The first live hits of a ranking, up to the limit.
    async fn there(
        &self,
        scope: &Scope,
        targets: &[SearchTarget],
        question: &RankingQuery<'_>,
        fused: &[FusedChunk<Name>],
        known: &mut LookupCache,
    ) -> Result<Vec<RankedChunk>, KnowledgeError> {
        let (mut findings, mut seen) = (Vec::new(), NearDuplicates::default());
        let mut items: HashSet<(usize, i64)> = HashSet::new();
        let mut room: Vec<usize> = targets.iter().map(SearchTarget::candidates).collect();
        // Mostly all are live, so at first only as many as wanted are loaded.
        let (first, rest) = fused.split_at(question.limit.min(fused.len()));
        for portion in [first].into_iter().chain(rest.chunks(PORTION)) {
            if !findings.is_empty() && known.is_enough() {
                break;
            }
            self.look_up(scope, targets, portion, known).await?;
            for one in portion {
                let Some(live) = known.chunks.get(&one.name).cloned().flatten() else { continue };
                let Some(room) = room.get_mut(one.name.0).filter(|room| **room > 0) else { continue };
                let item = (one.name.0, live.number);
                if targets.get(item.0).is_none_or(|target| !target.matcher.matches(&live)) {
                    continue;
                }
                if question.grouped && items.contains(&item)
                    || question.distinct && !seen.is_new(&live.chunk.text)
                {
                    continue;
                }
                items.insert(item);
                *room -= 1;
                let FusedChunk { score, lexical, semantic, .. } = *one;
                findings.push(RankedChunk {
                    target: item.0,
                    live,
                    score,
                    lexical,
                    semantic,
                    others: None,
                    rerank: None,
                });
                if findings.len() >= question.limit {
                    return Ok(findings);
                }
            }
        }
        Ok(findings)
    }

    async fn look_up(
        &self,
        scope: &Scope,
        targets: &[SearchTarget],
        portion: &[FusedChunk<Name>],
        known: &mut LookupCache,
    ) -> Result<(), KnowledgeError> {
        for (at, target) in targets.iter().enumerate() {
            let unknown = portion.iter().map(|one| one.name).filter(|name| name.0 == at);
            let unknown: Vec<Name> = unknown.filter(|name| !known.chunks.contains_key(name)).collect();
            if unknown.is_empty() {
                continue;
            }
            let found: Vec<(ChunkKey, i64)> = unknown.iter().map(|(_, key, from)| (*key, *from)).collect();
            let live = self.ports.chunks.load_live_chunks(scope, &target.base.id, &found).await?;
            let now = self.ports.clock.now();
            let unexpired = |live: &LiveChunk| live.expires.is_none_or(|expires| expires > now);
            let live = live.into_iter().map(|live| live.filter(unexpired)).chain(std::iter::repeat(None));
            unknown.into_iter().zip(live).for_each(|(name, live)| known.add(name, live));
        }
        Ok(())
    }
}

/// Counts the further hits of the item of each finding.
fn count_others(findings: &mut [RankedChunk], fused: &[FusedChunk<Name>]) {
    let mut counts: HashMap<(usize, i64), u64> = HashMap::new();
    for (target, key, _) in fused.iter().map(|one| one.name) {
        *counts.entry((target, key.item)).or_default() += 1;
    }
    for finding in findings {
        let all = counts.get(&(finding.target, finding.live.number)).copied().unwrap_or(1);
        finding.others = Some(all.saturating_sub(1));
    }
}

/// The hits of all targets as one ranking; `None` when no target was searched by this method.
fn ranking(found: Vec<Option<Found>>) -> Option<Ranking> {
    let mut ranking: Option<Ranking> = None;
    for (target, found) in found.into_iter().enumerate() {
        let Some(found) = found else { continue };
        let hits = found.hits.into_iter().map(|hit| ((target, hit.key, hit.sequence), hit.score));
        ranking.get_or_insert_default().extend(hits);
    }
    if let Some(ranking) = &mut ranking {
        ranking.sort_by(|(name, score), (other, better)| better.total_cmp(score).then(name.cmp(other)));
    }
    ranking
}

/// The minimum score of the hits of a target.
fn least_score(targets: &[SearchTarget], target: usize, question: &RankingQuery<'_>) -> Option<f32> {
    let own = targets.get(target).and_then(|target| target.min_score);
    question.min_score.into_iter().chain(own).reduce(f32::max)
}

fn reaches(one: &FusedChunk<Name>, least: Option<f32>) -> bool {
    let Some(least) = least else { return true };
    [one.lexical, one.semantic].into_iter().flatten().any(|score| score >= least)
}
