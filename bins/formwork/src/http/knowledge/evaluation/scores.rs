//! The JSON shapes of an evaluation.

use evaluation_core::retrieval::{
    QuestionFailure, QuestionOutcome, RetrievalComparison, RetrievalEvaluation, RetrievalRun,
    RetrievalScores, RunWarning,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::evaluations::records::ShareRecord;

/// How well the answers of a set were found.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RetrievalEvaluation")]
pub(super) struct RetrievalEvaluationRecord {
    /// Whether all questions were asked within a minute. The figures are those of the questions that were asked.
    complete: bool,
    /// One for each of the settings.
    runs: Vec<RunRecord>,
    /// How the second run differs from the first; null for a single one.
    comparison: Option<ComparisonRecord>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RetrievalRun")]
struct RunRecord {
    scores: ScoresRecord,
    /// The outcome of each question, in order.
    questions: Vec<OutcomeRecord>,
    /// Limitations of the searches, by their codes; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<WarningRecord>,
}

/// The figures of a run. Shares and means are null where there are no such questions.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RetrievalScores")]
struct ScoresRecord {
    /// Questions that were asked.
    questions: u32,
    /// Questions that have an answer.
    answerable: u32,
    /// Questions whose search failed. Nothing was found for them.
    failed: u32,
    /// Answerable questions without any result.
    empty: u32,
    /// Mean share of the places of an answer that the first result is at.
    recall_at_1: Option<ShareRecord>,
    /// The same of the first five results.
    recall_at_5: Option<ShareRecord>,
    /// The same of the first ten results.
    recall_at_10: Option<ShareRecord>,
    /// Mean reciprocal rank of the first result at a place of the answer.
    mrr: Option<f64>,
    /// Mean normalised discounted cumulative gain of the first ten results.
    ndcg_at_10: Option<f64>,
    /// Share of the unanswerable questions without any result.
    refusal_rate: Option<ShareRecord>,
}

/// What was found for a question.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "QuestionOutcome")]
struct OutcomeRecord {
    /// For each place of the answer, the rank of the first result there, from 1; null where there is none.
    ranks: Vec<Option<u32>>,
    /// Number of results.
    results: u32,
    /// The best score of the first stage; null without results.
    best_score: Option<f32>,
    /// Whether a result contains `answer`; null for a question without one.
    answer_found: Option<bool>,
    /// Whether nothing was found; null for an answerable question.
    refused: Option<bool>,
    /// Why the search failed.
    error: Option<OutcomeError>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "QuestionError")]
struct OutcomeError {
    /// Stable, in snake case.
    code: &'static str,
    /// One sentence.
    message: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RetrievalWarning")]
struct WarningRecord {
    /// As in searches.
    code: &'static str,
    /// One sentence, of the first such search.
    message: String,
    /// Number of questions that it concerns.
    questions: u32,
}

/// How the second run differs from the first. Figures are those of the second minus those of the first.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RetrievalComparison")]
struct ComparisonRecord {
    /// Questions with a better outcome: the first place has a better rank, or an unanswerable question is refused.
    better: u64,
    /// Questions with a worse outcome.
    worse: u64,
    /// Questions with the same outcome.
    same: u64,
    /// Probability of so many worse outcomes, if both runs were equally good (one-sided sign test).
    chance: f64,
    /// Whether the second run is worse, with 95 % certainty.
    is_worse: bool,
    recall_at_1: Option<f64>,
    recall_at_5: Option<f64>,
    recall_at_10: Option<f64>,
    mrr: Option<f64>,
    ndcg_at_10: Option<f64>,
    refusal_rate: Option<f64>,
}

impl From<RetrievalEvaluation> for RetrievalEvaluationRecord {
    fn from(RetrievalEvaluation { runs, comparison, is_complete }: RetrievalEvaluation) -> Self {
        Self {
            complete: is_complete,
            runs: runs.into_iter().map(RunRecord::from).collect(),
            comparison: comparison.map(ComparisonRecord::from),
        }
    }
}

impl From<RetrievalRun> for RunRecord {
    fn from(RetrievalRun { scores, outcomes, warnings }: RetrievalRun) -> Self {
        let warning =
            |RunWarning { code, message, questions }: RunWarning| WarningRecord { code, message, questions };
        Self {
            scores: scores.into(),
            questions: outcomes.into_iter().map(OutcomeRecord::from).collect(),
            warnings: warnings.into_iter().map(warning).collect(),
        }
    }
}

impl From<RetrievalScores> for ScoresRecord {
    fn from(scores: RetrievalScores) -> Self {
        let [first, five, ten] = scores.recall.map(|share| share.map(ShareRecord::from));
        Self {
            questions: scores.questions,
            answerable: scores.answerable,
            failed: scores.failed,
            empty: scores.empty,
            recall_at_1: first,
            recall_at_5: five,
            recall_at_10: ten,
            mrr: scores.reciprocal_rank,
            ndcg_at_10: scores.gain,
            refusal_rate: scores.refusal.map(ShareRecord::from),
        }
    }
}

impl From<QuestionOutcome> for OutcomeRecord {
    fn from(outcome: QuestionOutcome) -> Self {
        let error = |QuestionFailure { code, message }: QuestionFailure| OutcomeError { code, message };
        Self {
            ranks: outcome.ranks,
            results: outcome.results,
            best_score: outcome.best_score,
            answer_found: outcome.has_answer,
            refused: outcome.refused,
            error: outcome.failure.map(error),
        }
    }
}

impl From<RetrievalComparison> for ComparisonRecord {
    fn from(comparison: RetrievalComparison) -> Self {
        let [first, five, ten] = comparison.recall;
        Self {
            better: comparison.better,
            worse: comparison.worse,
            same: comparison.same,
            chance: comparison.chance(),
            is_worse: comparison.is_worse(),
            recall_at_1: first,
            recall_at_5: five,
            recall_at_10: ten,
            mrr: comparison.reciprocal_rank,
            ndcg_at_10: comparison.gain,
            refusal_rate: comparison.refusal,
        }
    }
}
