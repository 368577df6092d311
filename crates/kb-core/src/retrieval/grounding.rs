//! What generation is grounded on: passages of bases for a question, within a budget.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use gen_core::{Knowledge, KnowledgeSource, Passage, Passages, SourceError};
use shared_core::{DomainError as _, Scope, StoreError};

use super::Mode;
use super::find::{Finding, Question, Target};
use super::passage::{Piece, Run, passage};
use crate::{BaseId, KnowledgeError, KnowledgeService};

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
    async fn passages(&self, scope: &Scope, question: Knowledge<'_>) -> Result<Passages, SourceError> {
        let query = shortened(question.query);
        let targets = self.targets(scope, &question, &query).await?;
        let asked = Question { text: &query, limit: WANTED, min_score: None, distinct: true };
        let mut findings = match targets.is_empty() || query.is_empty() {
            true => Vec::new(),
            false => self.0.find(scope, &targets, &asked).await.map_err(failed)?,
        };
        if question.whole && findings.len() < WANTED {
            let beginnings = self.0.beginnings(scope, &targets, WANTED - findings.len()).await?;
            findings.extend(beginnings);
        }
        let items = self.within(scope, &findings, question.max_chars).await?;
        Ok(Passages { passages: passages(items, &findings, &targets), warnings: warnings(&targets) })
    }
}

impl Grounding {
    /// The bases that hold anything.
    async fn targets(
        &self,
        scope: &Scope,
        question: &Knowledge<'_>,
        query: &str,
    ) -> Result<Vec<Target>, SourceError> {
        let mut bases = Vec::new();
        for id in question.bases {
            let found = self.0.ports.bases.find(scope, &BaseId(id.clone())).await?;
            bases.push(found.ok_or_else(|| SourceError::Unusable {
                code: "unknown_knowledge_base",
                message: format!("there is no knowledge base '{id}'"),
            })?);
        }
        bases.retain(|base| base.counts.chunks > 0);
        if let Some(written) = bases.iter().map(|base| base.written).max() {
            self.0.caught_up(written).await.map_err(failed)?;
        }
        let mut targets = Vec::with_capacity(bases.len());
        for base in bases {
            let vectors = base.serving.is_some() && !query.is_empty();
            let mode = if vectors { Mode::Hybrid } else { Mode::Lexical };
            let target = self.0.target(question.payer, base, None, mode, query, true).await;
            targets.push(target.map_err(failed)?);
        }
        Ok(targets)
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
