//! Reranking: a model scores the best results of the first stage with the query, and they are put in the order
//! of its scores.

use std::collections::BTreeMap;
use std::pin::pin;

use futures_util::future::{Either, join_all, select};
use gen_core::{
    CallerContext, Fault, GenError, GenService, ModelId, ModelIdError, ModelKind, ProviderError,
    RerankOptions, RerankRequest, Spend, Upstream,
};
use shared_core::{Scope, Violation};

use super::SearchWarning;
use super::find::{RankedChunk, RankingQuery, SearchTarget};
use super::target_reranker::TargetReranker;
use crate::service::rules::MAX_RERANK_DEPTH;
use crate::{Base, KnowledgeError, KnowledgeService};

/// Maximum characters of a text that are sent: the largest chunks of documents have about as many, and models
/// truncate longer ones. Bounds the size of the call.
const TEXT: usize = 8_000;
/// Maximum characters of the query that are sent. Bounds the cost: models read the query with each text.
const QUERY: usize = 2_000;

/// The violations of the rules by the options at `path` of a request.
pub(super) fn check_options(generation: &GenService, options: &RerankOptions, path: &str) -> Vec<Violation> {
    let model =
        options.model.as_deref().map(|model| check_reranker(generation, model, &format!("{path}/model")));
    let model = match model {
        Some(Err(KnowledgeError::UnknownModel([violation]))) => Some(violation),
        _ => None,
    };
    depth_violation(options, path).into_iter().chain(model).collect()
}

fn depth_violation(options: &RerankOptions, path: &str) -> Option<Violation> {
    let wrong = options.depth.is_some_and(|depth| depth > MAX_RERANK_DEPTH);
    let rule = || format!("'depth' must be between 0 and {MAX_RERANK_DEPTH}");
    wrong.then(|| Violation::new(format!("{path}/depth"), rule()))
}

/// Validates a reranking model, named at `path`; its vendor may still lack a key.
pub(crate) fn check_reranker(generation: &GenService, model: &str, path: &str) -> Result<(), KnowledgeError> {
    let unknown = |rule: String| KnowledgeError::UnknownModel([Violation::new(path, rule)]);
    let name = path.rsplit('/').next().unwrap_or_default();
    let id: ModelId = model.parse().map_err(|error: ModelIdError| {
        unknown(error.to_string().replace("'modelId'", &format!("'{name}'")))
    })?;
    generation.check_for(&id, ModelKind::TextToScore).map_err(|error| unknown(error.to_string()))
}

/// The reranker of a base for a search with these options.
pub(super) fn target_reranker(
    base: &Base,
    options: Option<&RerankOptions>,
) -> Result<Option<TargetReranker>, KnowledgeError> {
    let own = usize::try_from(base.rerank.depth).unwrap_or(MAX_RERANK_DEPTH);
    let model = options.and_then(|options| options.model.as_ref()).or(base.rerank.model.as_ref());
    match (options.and_then(|options| options.depth), model) {
        (Some(0), _) => Ok(None),
        (depth, Some(model)) => {
            Ok(Some(TargetReranker { model: model.clone(), depth: depth.unwrap_or(own) }))
        }
        (_, None) if options.is_some() => {
            let rule = "'rerank' must have a 'model', as the knowledge base has no reranking model";
            Err(KnowledgeError::Invalid(vec![Violation::new("/rerank/model", rule)]))
        }
        (_, None) => Ok(None),
    }
}

impl KnowledgeService {
    /// The reranker of a search in one base.
    pub(super) fn reranker(
        &self,
        base: &Base,
        options: Option<&RerankOptions>,
    ) -> Result<Option<TargetReranker>, KnowledgeError> {
        if let Some(options) = options {
            if let Some(violation) = depth_violation(options, "/rerank") {
                return Err(KnowledgeError::Invalid(vec![violation]));
            }
            if let Some(model) = &options.model {
                check_reranker(&self.ports.generation, model, "/rerank/model")?;
            }
        }
        target_reranker(base, options)
    }

    /// As [`KnowledgeService::find`], reranked where targets want it. Where a model fails or is late, its
    /// targets keep the order of the first stage, with a warning.
    pub(super) async fn find_reranked(
        &self,
        scope: &Scope,
        payer: &CallerContext,
        targets: &[SearchTarget],
        question: &RankingQuery<'_>,
    ) -> Result<(Vec<RankedChunk>, Vec<SearchWarning>), KnowledgeError> {
        let Some(depth) = targets.iter().filter_map(|one| one.rerank.as_ref()).map(|one| one.depth).max()
        else {
            return Ok((self.find(scope, targets, question).await?, Vec::new()));
        };
        let RankingQuery { text, limit, .. } = *question;
        let wider = RankingQuery { limit: limit.max(depth), ..*question };
        let mut findings = self.find(scope, targets, &wider).await?;
        let groups = groups(targets, &findings);
        let calls: Vec<_> = groups
            .iter()
            .map(|(model, places)| self.rerank_scores(payer, model, text, embedded_texts(&findings, places)))
            .collect();
        let mut warnings = Vec::new();
        for (scores, places) in join_all(calls).await.into_iter().zip(groups.values()) {
            match scores {
                Ok(scores) => findings = reordered(findings, places, &scores),
                Err(error) => warnings.push(SearchWarning::not_reranked(&error)),
            }
        }
        Ok((within_limits(findings, targets, limit), warnings))
    }

    /// The scores of texts, within the time limit.
    async fn rerank_scores(
        &self,
        payer: &CallerContext,
        model: &str,
        query: &str,
        texts: Vec<String>,
    ) -> Result<Vec<f32>, GenError> {
        let id: ModelId = model.parse()?;
        let request =
            RerankRequest { model: id.model.clone(), query: prefix(query, QUERY).to_owned(), texts };
        let asked = pin!(self.ports.generation.rerank(payer, &id, request));
        let budget = self.limits.rerank;
        match select(asked, self.ports.timer.sleep(budget)).await {
            Either::Left((made, _)) => Ok(made?.answer.scores),
            Either::Right(_) => Err(GenError::Provider {
                upstream: Upstream::Provider(id.provider),
                error: Box::new(ProviderError::new(
                    Fault::Timeout,
                    format!("the scores were not available within {} ms", budget.as_millis()),
                )),
                spent: Spend::default(),
            }),
        }
    }
}

/// The findings that each model reranks, by their places: of each target the first ones, up to its depth.
fn groups(targets: &[SearchTarget], findings: &[RankedChunk]) -> BTreeMap<String, Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut taken = vec![0_usize; targets.len()];
    for (place, finding) in findings.iter().enumerate() {
        let Some(reranker) = targets.get(finding.target).and_then(|target| target.rerank.as_ref()) else {
            continue;
        };
        let Some(taken) = taken.get_mut(finding.target).filter(|taken| **taken < reranker.depth) else {
            continue;
        };
        *taken += 1;
        groups.entry(reranker.model.clone()).or_default().push(place);
    }
    groups
}

/// The texts of findings with their headings. A chunk without any text is represented by its title.
fn embedded_texts(findings: &[RankedChunk], places: &[usize]) -> Vec<String> {
    let text = |finding: &RankedChunk| {
        let text = finding.live.chunk.embedded_text();
        let text = if text.is_empty() { &finding.live.name } else { &text };
        prefix(text, TEXT).to_owned()
    };
    places.iter().filter_map(|place| findings.get(*place)).map(text).collect()
}

fn prefix(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or(text)
}

/// The findings with those at `places` in the order of their scores, among these places: the findings of other
/// models, whose scores cannot be compared, keep theirs. Of equal scores, the first stage decides.
fn reordered(findings: Vec<RankedChunk>, places: &[usize], scores: &[f32]) -> Vec<RankedChunk> {
    let mut best: Vec<(usize, f32)> = places.iter().copied().zip(scores.iter().copied()).collect();
    best.sort_by(|(_, score), (_, other)| other.total_cmp(score));
    let mut slots: Vec<Option<RankedChunk>> = findings.into_iter().map(Some).collect();
    let mut take = |(place, score): &(usize, f32)| {
        let finding = slots.get_mut(*place).and_then(Option::take)?;
        Some(RankedChunk { rerank: Some(*score), ..finding })
    };
    let best: Vec<Option<RankedChunk>> = best.iter().map(&mut take).collect();
    for (place, finding) in places.iter().zip(best) {
        if let Some(slot) = slots.get_mut(*place) {
            *slot = finding;
        }
    }
    slots.into_iter().flatten().collect()
}

/// The first findings, up to the limit and to those of the targets.
fn within_limits(findings: Vec<RankedChunk>, targets: &[SearchTarget], limit: usize) -> Vec<RankedChunk> {
    let mut room: Vec<usize> = targets.iter().map(|one| one.limit.unwrap_or(usize::MAX)).collect();
    let mut fits = |finding: &RankedChunk| {
        let Some(room) = room.get_mut(finding.target).filter(|room| **room > 0) else { return false };
        *room -= 1;
        true
    };
    findings.into_iter().filter(|finding| fits(finding)).take(limit).collect()
}

#[cfg(test)]
mod tests;
