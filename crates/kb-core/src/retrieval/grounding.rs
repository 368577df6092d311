//! Grounding for generation: passages of bases for a question, within a budget.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::try_join_all;
use gen_core::{BaseQuery, KnowledgeQuery, KnowledgeSource, PageLayout, Passage, Passages, SourceError};
use shared_core::{DomainError as _, Scope, StoreError, Violation};

use super::SearchWarning;
use super::find::{RankedChunk, RankingQuery, SearchTarget};
use super::passage::{ChunkRun, PassageChunk, PassageSource, passage};
use super::query_syntax::ParsedQuery;
use super::targets::{SharedQuery, check_base_query, warnings};
use crate::service::rules::MAX_RESULTS;
use crate::{BaseId, DocumentLayout, ItemId, KnowledgeError, KnowledgeService};

/// Chunks that are retrieved. Chosen by hand; no measurement recorded.
const WANTED: usize = 20;
/// For this many of the best, the neighbouring chunks are added where the budget allows.
/// Chosen by hand; no measurement recorded.
const EXPANDED: usize = 5;
/// A longer question is searched by this many characters of its beginning and of its end. Protects time.
const HALF: usize = 1_500;

/// Knowledge bases behind the port of generation.
#[derive(Clone, Debug)]
pub struct Grounding(pub KnowledgeService);

/// The selected chunks of one document, by position.
type DocumentChunks = BTreeMap<u64, PassageChunk>;
/// Index of a distinct document; copies share one.
type Source = usize;

#[async_trait]
impl KnowledgeSource for Grounding {
    fn check(&self, base: &BaseQuery, path: &str) -> Vec<Violation> {
        check_base_query(&self.0.ports.generation, base, path)
    }

    async fn passages(&self, scope: &Scope, question: KnowledgeQuery<'_>) -> Result<Passages, SourceError> {
        let query = shortened(question.query);
        let (targets, behind) = self.targets(scope, &question, &query).await?;
        let asked = RankingQuery {
            text: &query,
            limit: candidate_limit(&targets),
            distinct: true,
            ..RankingQuery::default()
        };
        let (mut findings, unranked) = match targets.is_empty() || query.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => self.0.find_reranked(scope, question.payer, &targets, &asked).await.map_err(failed)?,
        };
        if question.whole && findings.len() < asked.limit {
            let beginnings = self.0.beginnings(scope, &targets, asked.limit - findings.len()).await?;
            findings.extend(beginnings);
        }
        let sources = self.sources(scope, &findings).await?;
        let items = self.select_within(scope, &findings, &sources, question.max_chars).await?;
        let passages = passages(items, &findings, &sources, &targets);
        let warnings = warnings(behind.into_iter().chain(unranked), &targets);
        Ok(Passages { passages, warnings: warnings.into_iter().map(|warning| warning.message).collect() })
    }

    async fn layout(&self, scope: &Scope, id: &str) -> Option<Arc<dyn PageLayout>> {
        // A citation without an exact page gets that of the chunk: the answer does not fail for it.
        let item = self.0.item(scope, &ItemId(id.to_owned())).await.ok()?;
        let document = self.0.read_item(scope, &item).await.ok().flatten()?;
        Some(Arc::new(DocumentLayout(document)))
    }
}

/// The documents of the hits.
#[derive(Debug, Default)]
struct Sources {
    /// The document of each hit, in order.
    of: Vec<Source>,
    /// SHA-256 of each content; `None` without one.
    hashes: Vec<Option<String>>,
}

impl Grounding {
    /// The requested bases that have any matching items, and whether the index is behind.
    async fn targets(
        &self,
        scope: &Scope,
        question: &KnowledgeQuery<'_>,
        query: &str,
    ) -> Result<(Vec<SearchTarget>, Option<SearchWarning>), SourceError> {
        let mut bases = Vec::new();
        for asked in question.bases {
            let found = self.0.ports.bases.find(scope, &BaseId(asked.id.clone())).await?;
            let found = found.ok_or_else(|| SourceError::Unusable {
                code: "unknown_knowledge_base",
                message: format!("there is no knowledge base '{}'", asked.id),
            })?;
            bases.push((asked, found));
        }
        bases.retain(|(_, base)| base.counts.chunks > 0);
        let behind = match bases.iter().map(|(_, base)| base.written).max() {
            Some(written) => self.0.wait_for_index(written, question.wait).await.map_err(failed)?,
            None => None,
        };
        // Concurrently: the timeout of a missing vector passes once, whatever the number of bases.
        let parsed = ParsedQuery::of_words(query);
        let shared = SharedQuery {
            query: &parsed,
            meaning: query,
            mode: None,
            filter: None,
            exact: false,
            rerank: None,
        };
        let targets: Vec<_> =
            bases.into_iter().map(|base| self.0.base_target(scope, question.payer, base, shared)).collect();
        let targets = try_join_all(targets).await.map_err(failed)?;
        Ok((targets.into_iter().flatten().collect(), behind))
    }

    /// The document of each hit: items with the same content are one.
    async fn sources(&self, scope: &Scope, findings: &[RankedChunk]) -> Result<Sources, StoreError> {
        let mut sources = Sources::default();
        let (mut items, mut contents) = (HashMap::new(), HashMap::new());
        for finding in findings {
            let key = (finding.target, finding.live.number);
            if let Entry::Vacant(unseen) = items.entry(key) {
                let item = self.0.ports.items.find(scope, &finding.live.item).await?;
                let hash = item.and_then(|item| item.content).map(|content| content.sha256);
                let next = sources.hashes.len();
                let source = match &hash {
                    Some(hash) => *contents.entry(hash.clone()).or_insert(next),
                    None => next,
                };
                if source == next {
                    sources.hashes.push(hash);
                }
                unseen.insert(source);
            }
            sources.of.extend(items.get(&key).copied());
        }
        Ok(sources)
    }

    /// Selects the retrieved chunks, best first, within the budget; then the neighbours of the best.
    async fn select_within(
        &self,
        scope: &Scope,
        findings: &[RankedChunk],
        sources: &Sources,
        max_chars: usize,
    ) -> Result<BTreeMap<Source, DocumentChunks>, StoreError> {
        let mut items: BTreeMap<Source, DocumentChunks> = BTreeMap::new();
        let mut room = max_chars;
        for (rank, (finding, source)) in findings.iter().zip(&sources.of).enumerate() {
            let piece = PassageChunk { chunk: finding.live.chunk.clone(), found: Some(rank) };
            add(items.entry(*source).or_default(), piece, &mut room);
        }
        for (finding, source) in findings.iter().zip(&sources.of).take(EXPANDED) {
            if room == 0 {
                break;
            }
            let around = self.0.around(scope, finding, 1).await?;
            if let Some(pieces) = items.get_mut(source)
                && pieces
                    .get(&finding.live.chunk.start)
                    .is_some_and(|piece| piece.chunk == finding.live.chunk)
            {
                for chunk in around {
                    add(pieces, PassageChunk { chunk, found: None }, &mut room);
                }
            }
        }
        Ok(items)
    }
}

/// Chunks retrieved over all bases: the limits of the bases that have one, and the default for the others.
fn candidate_limit(targets: &[SearchTarget]) -> usize {
    let limited: usize = targets.iter().filter_map(|target| target.limit).sum();
    let others = if targets.iter().all(|target| target.limit.is_some()) { 0 } else { WANTED };
    limited.saturating_add(others).clamp(1, MAX_RESULTS)
}

/// Adds a chunk that does not overlap the selected ones, if the budget allows.
fn add(pieces: &mut DocumentChunks, piece: PassageChunk, room: &mut usize) {
    let (start, end) = (piece.chunk.start, piece.chunk.end);
    let before = pieces.range(..end.max(start + 1)).next_back();
    if before.is_some_and(|(other, before)| before.chunk.end > start || *other == start) {
        return;
    }
    if let Some(left) = room.checked_sub(piece.size()) {
        *room = left;
        pieces.insert(start, piece);
    }
}

/// Joins adjacent chunks of a document to passages; best first.
fn passages(
    items: BTreeMap<Source, DocumentChunks>,
    findings: &[RankedChunk],
    sources: &Sources,
    targets: &[SearchTarget],
) -> Vec<Passage> {
    let mut runs: Vec<ChunkRun> = Vec::new();
    for pieces in items.into_values() {
        let mut open: Option<ChunkRun> = None;
        for piece in pieces.into_values() {
            match &mut open {
                Some(run) if run.goes_on_with(&piece) => run.push(piece),
                _ => runs.extend(open.replace(ChunkRun::of(piece))),
            }
        }
        runs.extend(open);
    }
    runs.sort_by_key(ChunkRun::rank);
    let found = runs.iter().filter_map(|run| Some((run, findings.get(run.rank())?)));
    found
        .filter_map(|(run, finding)| {
            let base = targets.get(finding.target)?.base.id.0.clone();
            let sha256 = sources.of.get(run.rank()).and_then(|source| sources.hashes.get(*source)).cloned();
            Some(passage(run, finding, PassageSource { base, sha256: sha256.flatten() }))
        })
        .collect()
}

/// The question, shortened for the search.
fn shortened(question: &str) -> Arc<str> {
    let question = question.trim();
    let Some((end, _)) = question.char_indices().nth(HALF) else { return question.into() };
    let Some((start, _)) = question.char_indices().rev().nth(HALF - 1) else { return question.into() };
    if start <= end {
        return question.into();
    }
    let parts = [question.get(..end), question.get(start..)];
    parts.map(Option::unwrap_or_default).join(" ").into()
}

/// Converts an error for generation.
fn failed(error: KnowledgeError) -> SourceError {
    match error {
        KnowledgeError::Store(error) => SourceError::Store(error),
        KnowledgeError::IndexNotReady => {
            SourceError::NotReady { code: error.code(), message: error.to_string() }
        }
        KnowledgeError::Model(error) => SourceError::Model(error),
        error @ (KnowledgeError::NoVectors(_) | KnowledgeError::Invalid(_)) => {
            SourceError::Unusable { code: error.code(), message: error.to_string() }
        }
        other => SourceError::Store(StoreError::Failed(Box::new(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_question_the_beginning_and_the_end_are_looked_for() {
        assert_eq!(&*shortened("  Who keeps the key? "), "Who keeps the key?");
        let long = format!("First. {} Who keeps the ключ?", "filler ".repeat(2_000));
        let short = shortened(&long);
        assert!(short.starts_with("First. ") && short.ends_with("Who keeps the ключ?"));
        assert_eq!(short.chars().count(), 2 * HALF + 1);
    }
}
