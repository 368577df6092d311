//! The outcome of a question.

/// What was found for a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionOutcome {
    /// For each place of the answer, the rank of the first result there, from 1.
    pub ranks: Vec<Option<u32>>,
    /// Number of results.
    pub results: u32,
    /// The best score of the first stage.
    pub best_score: Option<f32>,
    /// Whether a result contains the answer; `None` without one.
    pub has_answer: Option<bool>,
    /// Whether nothing was found; `None` for a question that has an answer.
    pub refused: Option<bool>,
    /// Why the search failed.
    pub failure: Option<QuestionFailure>,
}

/// A failed search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionFailure {
    /// Stable code.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
}
