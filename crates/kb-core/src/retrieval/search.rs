//! The use case: a search in one base.

use std::time::Duration;

use gen_core::{GenError, ModelId, Payer};
use shared_core::{Scope, Violation};

use super::filter::Filter;
use super::find::{Finding, Question, Target};
use super::{Mode, SearchAnswer, SearchRequest, SearchResult, SearchWarning};
use crate::service::rules::{MAX_NEIGHBOURS, MAX_QUERY, MAX_RESULTS};
use crate::{Base, BaseId, ItemSet, KnowledgeError, KnowledgeService};

/// How long an index is waited for that has not what was written before the search.
const PATIENCE: Duration = Duration::from_secs(5);

impl KnowledgeService {
    /// Searches a base. What was written before is found, what was deleted before is not. Query vectors are
    /// made on the account of `payer`; when no mode is asked for and they cannot be made, words alone decide, which
    /// is a warning.
    ///
    /// # Errors
    /// When the request breaks rules, there is no such base, the index does not get up to date within
    /// seconds, the base has no vectors though they are asked for, or the model or the store fails.
    pub async fn search(
        &self,
        scope: &Scope,
        payer: &Payer,
        base: &BaseId,
        request: SearchRequest,
    ) -> Result<SearchAnswer, KnowledgeError> {
        let filter = check(&request)?;
        let found = self.ports.bases.find(scope, base).await?;
        let base = found.ok_or_else(|| KnowledgeError::BaseNotFound(base.0.clone()))?;
        let mode = mode(&base, request.mode)?;
        if base.counts.chunks == 0 {
            return Ok(SearchAnswer::default());
        }
        self.caught_up(base.written).await?;
        let items = match (filter, &request.filter) {
            (Some(filter), Some(written)) => Some(self.selected(scope, &base, filter, written).await?),
            _ => None,
        };
        if items.as_ref().is_some_and(|items| items.numbers().is_empty()) {
            return Ok(SearchAnswer::default());
        }
        let target = self.target(payer, base, items, mode, &request.query, request.mode.is_none()).await?;
        let question = Question {
            text: &request.query,
            limit: request.limit,
            min_score: request.min_score,
            distinct: request.distinct,
        };
        let findings = self.find(scope, std::slice::from_ref(&target), &question).await?;
        let findings = self.joined(scope, findings, request.neighbours).await?;
        let results = findings.into_iter().map(result).collect();
        Ok(SearchAnswer { results, warnings: target.warning.into_iter().collect() })
    }

    /// Waits until the indexes have a change.
    pub(super) async fn caught_up(&self, written: i64) -> Result<(), KnowledgeError> {
        match self.applied.wait(written, self.ports.timer.as_ref(), PATIENCE).await {
            true => Ok(()),
            false => Err(KnowledgeError::IndexNotReady),
        }
    }

    /// A base to search; `lenient`: by words alone where no vector can be made.
    pub(super) async fn target(
        &self,
        payer: &Payer,
        base: Base,
        items: Option<ItemSet>,
        mode: Mode,
        query: &str,
        lenient: bool,
    ) -> Result<Target, KnowledgeError> {
        let words = mode != Mode::Semantic;
        let mut target = Target { base, items, words, vector: None, warning: None };
        let Some(model) = target.base.serving.clone().filter(|_| mode != Mode::Lexical) else {
            return Ok(target);
        };
        let vector = match model.parse::<ModelId>().map_err(GenError::from) {
            Ok(id) => self.embedder.query(payer, &id, query).await,
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

/// How a base is searched.
fn mode(base: &Base, asked: Option<Mode>) -> Result<Mode, KnowledgeError> {
    match (asked, &base.serving) {
        (None, Some(_)) => Ok(Mode::Hybrid),
        (None, None) => Ok(Mode::Lexical),
        // Both, as far as there are both.
        (Some(Mode::Hybrid), None) => Ok(Mode::Lexical),
        (Some(Mode::Semantic), None) => {
            let rule = "the knowledge base has no embedding model, so that it can be searched by words alone";
            Err(KnowledgeError::NoVectors([Violation::new("/mode", rule)]))
        }
        (Some(mode), _) => Ok(mode),
    }
}

/// Checks what can be checked without doing anything.
fn check(request: &SearchRequest) -> Result<Option<Filter>, KnowledgeError> {
    let mut wrong = Vec::new();
    let mut say = |path: &str, message: String| wrong.push(Violation::new(path, message));
    if request.query.trim().is_empty() {
        say("/query", "'query' must not be empty".to_owned());
    }
    if request.query.chars().nth(MAX_QUERY).is_some() {
        say("/query", format!("'query' has at most {MAX_QUERY} characters"));
    }
    if !(1..=MAX_RESULTS).contains(&request.limit) {
        say("/limit", format!("'limit' must be between 1 and {MAX_RESULTS}"));
    }
    if request.min_score.is_some_and(|score| !(0.0..=1.0).contains(&score)) {
        say("/minScore", "'minScore' must be between 0 and 1".to_owned());
    }
    if request.neighbours > MAX_NEIGHBOURS {
        say("/neighbours", format!("'neighbours' must be between 0 and {MAX_NEIGHBOURS}"));
    }
    let filter = match request.filter.as_ref().map(|filter| Filter::parse(filter, "/filter")) {
        Some(Ok(filter)) => Some(filter),
        Some(Err(violations)) => {
            wrong.extend(violations);
            None
        }
        None => None,
    };
    if wrong.is_empty() { Ok(filter) } else { Err(KnowledgeError::Invalid(wrong)) }
}

fn result(finding: Finding) -> SearchResult {
    let Finding { live, score, lexical, semantic, .. } = finding;
    SearchResult {
        item: live.item,
        title: live.name,
        meta: live.meta,
        chunk: live.chunk,
        score,
        lexical,
        semantic,
    }
}
