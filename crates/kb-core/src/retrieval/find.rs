//! From a question to chunks that are there: what the indexes find is fused, and looked up in the store.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use shared_core::Scope;

use super::SearchWarning;
use super::fuse::{FusedChunk, fuse};
use super::near_duplicates::NearDuplicates;
use crate::{
    Base, ChunkKey, Found, ItemSet, KnowledgeError, KnowledgeService, LexicalQuery, LiveChunk, VectorQuery,
};

/// Findings that are asked for at first for each that is wanted, since some may be gone or say the same.
const AHEAD: usize = 2;
/// Findings that are asked for at least: so many tell from which score to which a ranking goes.
const LEAST: usize = 100;
/// The same where one ranking stays as it is: an index reads less for fewer.
const LEAST_ALONE: usize = 20;
/// Findings that are looked up together when some were gone.
const PORTION: usize = 50;
/// How many times as many are asked for when too few of them are there.
const WIDER: usize = 4;
/// The most that are asked for: what the largest request asks for at first (200), widened three times.
const MOST: usize = 12_800;
/// Bytes of texts from which on no further ones are looked up: those that say nearly the same may be many and long.
const LOOKED_UP: usize = 16 << 20;
/// How long an index that finds what is gone is waited for before more is asked of it.
const CATCH_UP: Duration = Duration::from_secs(2);

/// A base that is searched.
#[derive(Debug)]
pub(super) struct SearchTarget {
    pub(super) base: Base,
    /// Only these items.
    pub(super) items: Option<ItemSet>,
    /// Whether by words.
    pub(super) words: bool,
    /// Findings of it at the most.
    pub(super) limit: Option<usize>,
    /// That one of the scores of its findings reaches.
    pub(super) min_score: Option<f32>,
    /// By the question's vector of this model.
    pub(super) vector: Option<(String, Arc<[f32]>)>,
    /// Why there is no such vector although one was wanted.
    pub(super) warning: Option<SearchWarning>,
}

impl SearchTarget {
    /// The whole of a base, not yet searched by anything.
    pub(super) fn of(base: Base) -> Self {
        Self { base, items: None, words: false, limit: None, min_score: None, vector: None, warning: None }
    }
}

/// What is wanted.
#[derive(Debug)]
pub(super) struct RankingQuery<'a> {
    pub(super) text: &'a str,
    /// Findings at the most.
    pub(super) limit: usize,
    /// That one of the scores reaches.
    pub(super) min_score: Option<f32>,
    /// Whether those are left out that say nearly the same as a better one.
    pub(super) distinct: bool,
}

/// A chunk that answers.
#[derive(Clone, Debug)]
pub(super) struct RankedChunk {
    /// Which of the targets.
    pub(super) target: usize,
    pub(super) live: LiveChunk,
    pub(super) score: f32,
    pub(super) lexical: Option<f32>,
    pub(super) semantic: Option<f32>,
}

/// A finding's target, chunk, and the number of the change it is from.
type Name = (usize, ChunkKey, i64);
type Ranking = Vec<(Name, f32)>;

/// What was looked up.
#[derive(Debug, Default)]
struct LookupCache {
    /// `None` for what is not there.
    chunks: HashMap<Name, Option<LiveChunk>>,
    /// Length of all texts.
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
    /// Whether there may be others beyond.
    more: bool,
}

impl KnowledgeService {
    /// The best chunks of all targets that are there, best first.
    pub(super) async fn find(
        &self,
        scope: &Scope,
        targets: &[SearchTarget],
        question: &RankingQuery<'_>,
    ) -> Result<Vec<RankedChunk>, KnowledgeError> {
        let fused = targets.iter().any(|target| target.words && target.vector.is_some());
        let least = if fused { LEAST } else { LEAST_ALONE };
        let mut depth = question.limit.saturating_mul(AHEAD).clamp(least, MOST);
        let (mut known, mut waited) = (LookupCache::default(), false);
        loop {
            let rankings = self.rankings(targets, question, depth).await?;
            let mut fused = fuse(rankings.lexical.as_deref(), rankings.semantic.as_deref());
            fused.retain(|one| reaches(one, least_score(targets, one.name.0, question)));
            let findings = self.there(scope, targets, question, &fused, &mut known).await?;
            let over = !rankings.more || depth >= MOST || known.is_enough();
            if findings.len() >= question.limit || over {
                return Ok(findings);
            }
            if !waited && known.chunks.values().any(Option::is_none) {
                // The index still has what was deleted.
                let latest = self.ports.feed.state().await?.latest;
                waited = true;
                if self.applied.wait(latest, self.ports.timer.as_ref(), CATCH_UP).await {
                    continue;
                }
            }
            depth = depth.saturating_mul(WIDER).min(MOST);
        }
    }

    /// What the indexes find.
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
        let query = LexicalQuery {
            base: target.base.number,
            text: text.to_owned(),
            languages: target.base.languages.clone(),
            items: target.items.clone(),
            limit,
        };
        Ok(Some(self.ports.words.search(&query).await?))
    }

    async fn by_vectors(&self, target: &SearchTarget, limit: usize) -> Result<Option<Found>, KnowledgeError> {
        let Some((model, vector)) = &target.vector else { return Ok(None) };
        let query = VectorQuery {
            base: target.base.number,
            model: model.clone(),
            vector: Arc::clone(vector),
            items: target.items.clone(),
            limit,
        };
        Ok(Some(self.ports.vectors.search(&query).await?))
    }

    /// The first of a ranking that are there, as many as are wanted.
    async fn there(
        &self,
        scope: &Scope,
        targets: &[SearchTarget],
        question: &RankingQuery<'_>,
        fused: &[FusedChunk<Name>],
        known: &mut LookupCache,
    ) -> Result<Vec<RankedChunk>, KnowledgeError> {
        let (mut findings, mut seen) = (Vec::new(), NearDuplicates::default());
        let mut room: Vec<usize> = targets.iter().map(|one| one.limit.unwrap_or(usize::MAX)).collect();
        // Mostly all are there, so that no more than is wanted has to be read.
        let (first, rest) = fused.split_at(question.limit.min(fused.len()));
        for portion in [first].into_iter().chain(rest.chunks(PORTION)) {
            if !findings.is_empty() && known.is_enough() {
                break;
            }
            self.look_up(scope, targets, portion, known).await?;
            for one in portion {
                let Some(live) = known.chunks.get(&one.name).cloned().flatten() else { continue };
                let Some(room) = room.get_mut(one.name.0).filter(|room| **room > 0) else { continue };
                if question.distinct && !seen.is_new(&live.chunk.text) {
                    continue;
                }
                *room -= 1;
                let FusedChunk { score, lexical, semantic, .. } = *one;
                findings.push(RankedChunk { target: one.name.0, live, score, lexical, semantic });
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
            let live = self.ports.items.load_live_chunks(scope, &target.base.id, &found).await?;
            let live = live.into_iter().chain(std::iter::repeat(None));
            unknown.into_iter().zip(live).for_each(|(name, live)| known.add(name, live));
        }
        Ok(())
    }
}

/// The findings of all targets as one ranking; `None` when none was searched so.
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

/// The score that findings of a target must reach.
fn least_score(targets: &[SearchTarget], target: usize, question: &RankingQuery<'_>) -> Option<f32> {
    let own = targets.get(target).and_then(|target| target.min_score);
    question.min_score.into_iter().chain(own).reduce(f32::max)
}

fn reaches(one: &FusedChunk<Name>, least: Option<f32>) -> bool {
    let Some(least) = least else { return true };
    [one.lexical, one.semantic].into_iter().flatten().any(|score| score >= least)
}
