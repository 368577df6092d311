//! What generation is grounded on: passages of bases for a question, within a budget.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::try_join_all;
use gen_core::{BaseQuery, Knowledge, KnowledgeSource, Passage, Passages, Payer, SourceError};
use shared_core::{DomainError as _, Scope, StoreError, Violation};

use super::Mode;
use super::filter::Filter;
use super::find::{Finding, Question, Target};
use super::passage::{Piece, Run, passage};
use super::search::{mode, narrowed};
use crate::service::rules::MAX_RESULTS;
use crate::{Base, BaseId, KnowledgeError, KnowledgeService};

/// Chunks that are looked for.
const WANTED: usize = 20;
/// Of the best of them, the chunks before and after are given too where there is room.
const EXPANDED: usize = 5;
/// Characters of a longer question that are looked for, of its beginning and of its end each.
const HALF: usize = 1_500;

/// Knowledge bases behind the port of generation.
#[derive(Clone, Debug)]
pub struct Grounding(pub KnowledgeService);

/// The chunks of one item that are given, by their place.
type Pieces = BTreeMap<u32, Piece>;

#[async_trait]
impl KnowledgeSource for Grounding {
    fn check(&self, base: &BaseQuery, path: &str) -> Vec<Violation> {
        let mut wrong = Vec::new();
        let _: Option<Filter> =
            narrowed(base.filter.as_ref(), (base.limit, base.min_score), path, &mut wrong);
        if base.mode.as_deref().is_some_and(|name| Mode::from_name(name).is_none()) {
            let rule = "'mode' must be one of lexical, semantic, hybrid";
            wrong.push(Violation::new(format!("{path}/mode"), rule));
        }
        wrong
    }

    async fn passages(&self, scope: &Scope, question: Knowledge<'_>) -> Result<Passages, SourceError> {
        let query = shortened(question.query);
        let targets = self.targets(scope, &question, &query).await?;
        let asked = Question { text: &query, limit: wanted(&targets), min_score: None, distinct: true };
        let mut findings = match targets.is_empty() || query.is_empty() {
            true => Vec::new(),
            false => self.0.find(scope, &targets, &asked).await.map_err(failed)?,
        };
        if question.whole && findings.len() < asked.limit {
            let beginnings = self.0.beginnings(scope, &targets, asked.limit - findings.len()).await?;
            findings.extend(beginnings);
        }
        let items = self.within(scope, &findings, question.max_chars).await?;
        Ok(Passages { passages: passages(items, &findings, &targets), warnings: warnings(&targets) })
    }
}

impl Grounding {
    /// The bases that hold anything of what is asked for.
    async fn targets(
        &self,
        scope: &Scope,
        question: &Knowledge<'_>,
        query: &str,
    ) -> Result<Vec<Target>, SourceError> {
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
        if let Some(written) = bases.iter().map(|(_, base)| base.written).max() {
            self.0.caught_up(written).await.map_err(failed)?;
        }
        // At the same time: a vector that does not come is waited for once, however many bases there are.
        let targets: Vec<_> =
            bases.into_iter().map(|base| self.target(scope, question.payer, base, query)).collect();
        let targets = try_join_all(targets).await.map_err(failed)?;
        Ok(targets.into_iter().flatten().collect())
    }

    /// How a base is searched as it is asked for; none where its filter leaves nothing.
    async fn target(
        &self,
        scope: &Scope,
        payer: &Payer,
        (asked, base): (&BaseQuery, Base),
        query: &str,
    ) -> Result<Option<Target>, KnowledgeError> {
        let named = asked.mode.as_deref().and_then(Mode::from_name);
        let mode = if query.is_empty() { Mode::Lexical } else { mode(&base, named)? };
        let mut wrong = Vec::new();
        let filter = narrowed(asked.filter.as_ref(), (asked.limit, asked.min_score), "", &mut wrong);
        if !wrong.is_empty() {
            return Err(KnowledgeError::Invalid(wrong));
        }
        let items = match (filter, &asked.filter) {
            (Some(filter), Some(written)) => Some(self.0.selected(scope, &base, filter, written).await?),
            _ => None,
        };
        if items.as_ref().is_some_and(|items| items.numbers().is_empty()) {
            return Ok(None);
        }
        let (limit, min_score) = (asked.limit, asked.min_score);
        let target = Target { items, limit, min_score, ..Target::of(base) };
        Ok(Some(self.0.target(payer, target, mode, query, named.is_none()).await?))
    }

    /// The chunks that were found, best first, while there is room; then those around the best.
    async fn within(
        &self,
        scope: &Scope,
        findings: &[Finding],
        max_chars: usize,
    ) -> Result<BTreeMap<(usize, i64), Pieces>, StoreError> {
        let mut items: BTreeMap<(usize, i64), Pieces> = BTreeMap::new();
        let mut room = max_chars;
        for (rank, finding) in findings.iter().enumerate() {
            let piece = Piece { chunk: finding.live.chunk.clone(), found: Some(rank) };
            let pieces = items.entry((finding.target, finding.live.number)).or_default();
            add(pieces, piece, &mut room);
        }
        for finding in findings.iter().take(EXPANDED) {
            if room == 0 {
                break;
            }
            let around = self.0.around(scope, finding, 1).await?;
            if let Some(pieces) = items.get_mut(&(finding.target, finding.live.number))
                && pieces.contains_key(&finding.live.chunk.position)
            {
                for chunk in around {
                    add(pieces, Piece { chunk, found: None }, &mut room);
                }
            }
        }
        Ok(items)
    }
}

/// Chunks that are looked for in all bases together: those that bases are limited to, and as many as usual of the others.
fn wanted(targets: &[Target]) -> usize {
    let limited: usize = targets.iter().filter_map(|target| target.limit).sum();
    let others = if targets.iter().all(|target| target.limit.is_some()) { 0 } else { WANTED };
    limited.saturating_add(others).clamp(1, MAX_RESULTS)
}

/// Adds a chunk that is not there yet, where there is room for it.
fn add(pieces: &mut Pieces, piece: Piece, room: &mut usize) {
    let place = piece.chunk.position;
    if pieces.contains_key(&place) {
        return;
    }
    if let Some(left) = room.checked_sub(piece.size()) {
        *room = left;
        pieces.insert(place, piece);
    }
}

/// The chunks of each item that follow each other as one passage; the best first.
fn passages(items: BTreeMap<(usize, i64), Pieces>, findings: &[Finding], targets: &[Target]) -> Vec<Passage> {
    let mut runs: Vec<Run> = Vec::new();
    for pieces in items.into_values() {
        let mut open: Option<Run> = None;
        for piece in pieces.into_values() {
            match &mut open {
                Some(run) if run.goes_on_with(&piece) => run.push(piece),
                _ => runs.extend(open.replace(Run::of(piece))),
            }
        }
        runs.extend(open);
    }
    runs.sort_by_key(Run::rank);
    let found = runs.iter().filter_map(|run| Some((run, findings.get(run.rank())?)));
    found
        .filter_map(|(run, finding)| {
            let base = targets.get(finding.target)?.base.id.0.clone();
            Some(passage(run, finding, base))
        })
        .collect()
}

/// What the bases could not be searched by, each once: mostly several have one model.
fn warnings(targets: &[Target]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for warning in targets.iter().filter_map(|target| target.warning.as_ref()) {
        if !told.contains(&warning.message) {
            told.push(warning.message.clone());
        }
    }
    told
}

/// A question as it is looked for.
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

/// A failure as generation understands it.
fn failed(error: KnowledgeError) -> SourceError {
    match error {
        KnowledgeError::Store(error) => SourceError::Store(error),
        KnowledgeError::IndexNotReady => {
            SourceError::Later { code: error.code(), message: error.to_string() }
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
