//! A run: each question is searched with each of the settings, and judged.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::try_join_all;
use futures_util::stream;
use gen_core::{CallerContext, RerankOptions};
use kb_core::{BaseId, KnowledgeError, KnowledgeService, Mode, SearchAnswer, SearchRequest};
use serde_json::Value;
use shared_core::{DomainError as _, Scope, Timer, Violation};

use super::judge::judge;
use super::{Question, QuestionFailure, QuestionOutcome, RetrievalComparison, RetrievalScores};
use crate::EvaluationError;

/// Questions that are searched concurrently. Chosen by hand; no measurement is recorded.
const TOGETHER: usize = 8;
/// Maximum time of a run, since its client waits. Chosen by hand; no measurement is recorded.
const RUN_TIME: Duration = Duration::from_secs(60);

/// The settings of searches.
#[derive(Clone, Debug, PartialEq)]
pub struct RetrievalSettings {
    /// The search method; as in searches without one when absent.
    pub mode: Option<Mode>,
    /// Maximum results of a question.
    pub limit: usize,
    /// Minimum score of a result. A question without any result is refused.
    pub min_score: Option<f32>,
    /// How results are reranked; as the knowledge base says when absent.
    pub rerank: Option<RerankOptions>,
    /// Only items whose meta match.
    pub filter: Option<Value>,
}

/// The runs of a set, one for each of the settings, over the same questions.
#[derive(Clone, Debug, PartialEq)]
pub struct RetrievalEvaluation {
    /// One run for each of the settings.
    pub runs: Vec<RetrievalRun>,
    /// How the second run differs from the first; `None` for a single run.
    pub comparison: Option<RetrievalComparison>,
    /// Whether all questions were asked in time.
    pub is_complete: bool,
}

/// The questions of a set with one of the settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RetrievalRun {
    /// The figures.
    pub scores: RetrievalScores,
    /// The outcome of each question, in order.
    pub outcomes: Vec<QuestionOutcome>,
    /// Limitations of the searches, each once.
    pub warnings: Vec<RunWarning>,
}

/// A limitation of searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunWarning {
    /// Stable code, as that of searches.
    pub code: &'static str,
    /// One sentence, of the first such search.
    pub message: String,
    /// Number of questions that it concerns.
    pub questions: u32,
}

/// What the searches of a run need.
#[derive(Debug)]
pub(super) struct Searcher<'a> {
    pub(super) knowledge: &'a KnowledgeService,
    pub(super) scope: &'a Scope,
    pub(super) payer: &'a CallerContext,
    pub(super) base: &'a BaseId,
}

impl Searcher<'_> {
    /// Asks the questions in order until the time is over.
    pub(super) async fn run(
        &self,
        questions: &[Question],
        settings: &[RetrievalSettings],
        timer: &dyn Timer,
    ) -> Result<RetrievalEvaluation, EvaluationError> {
        // Collected, since a closure over references that lives across an await is not `Send`.
        let asked: Vec<_> = questions.iter().map(|question| self.ask(question, settings)).collect();
        let mut answers = stream::iter(asked).buffered(TOGETHER).take_until(timer.sleep(RUN_TIME));
        let mut runs = vec![RetrievalRun::default(); settings.len()];
        let mut count = 0;
        while let Some(found) = answers.next().await {
            count += 1;
            for (run, (outcome, answer)) in runs.iter_mut().zip(found?) {
                run.outcomes.push(outcome);
                run.warn(&answer);
            }
        }
        for run in &mut runs {
            run.scores = RetrievalScores::of(&run.outcomes);
        }
        let comparison = match runs.as_slice() {
            [first, second] => Some(RetrievalComparison::of(
                (&first.outcomes, &first.scores),
                (&second.outcomes, &second.scores),
            )),
            _ => None,
        };
        Ok(RetrievalEvaluation { runs, comparison, is_complete: count == questions.len() })
    }

    /// Searches a question with each of the settings.
    async fn ask(
        &self,
        question: &Question,
        settings: &[RetrievalSettings],
    ) -> Result<Vec<(QuestionOutcome, SearchAnswer)>, EvaluationError> {
        let searches: Vec<_> =
            settings.iter().enumerate().map(|(at, settings)| self.search(question, at, settings)).collect();
        try_join_all(searches).await
    }

    async fn search(
        &self,
        question: &Question,
        at: usize,
        settings: &RetrievalSettings,
    ) -> Result<(QuestionOutcome, SearchAnswer), EvaluationError> {
        let request = SearchRequest {
            limit: settings.limit,
            mode: settings.mode,
            min_score: settings.min_score,
            rerank: settings.rerank.clone(),
            filter: settings.filter.clone(),
            ..SearchRequest::new(question.query.as_str())
        };
        match self.knowledge.search(self.scope, self.payer, self.base, request).await {
            Ok(answer) => Ok((outcome(question, &answer, None), answer)),
            // Another question may be answered; the failed one counts as not found.
            Err(error @ KnowledgeError::Model(_)) => {
                let failure = QuestionFailure { code: error.code(), message: error.to_string() };
                Ok((outcome(question, &SearchAnswer::default(), Some(failure)), SearchAnswer::default()))
            }
            Err(error) if !error.violations().is_empty() => Err(EvaluationError::Settings {
                code: error.code(),
                violations: error.violations().iter().map(|one| below(one, at)).collect(),
            }),
            Err(error) => Err(error.into()),
        }
    }
}

impl RetrievalRun {
    fn warn(&mut self, answer: &SearchAnswer) {
        for warning in &answer.warnings {
            match self.warnings.iter_mut().find(|known| known.code == warning.code) {
                Some(known) => known.questions += 1,
                None => self.warnings.push(RunWarning {
                    code: warning.code,
                    message: warning.message.clone(),
                    questions: 1,
                }),
            }
        }
    }
}

/// A violation of a search's rule by the settings at this index.
fn below(violation: &Violation, at: usize) -> Violation {
    Violation::new(format!("/settings/{at}{}", violation.path), violation.message.clone())
}

fn outcome(question: &Question, answer: &SearchAnswer, failure: Option<QuestionFailure>) -> QuestionOutcome {
    let results = &answer.results;
    let judgement = judge(question, results);
    // A search that failed refuses nothing.
    let refused = question.unanswerable.then_some(results.is_empty() && failure.is_none());
    QuestionOutcome {
        ranks: judgement.ranks,
        results: u32::try_from(results.len()).unwrap_or(u32::MAX),
        best_score: results.iter().map(|result| result.score).reduce(f32::max),
        has_answer: judgement.has_answer,
        refused,
        failure,
    }
}
