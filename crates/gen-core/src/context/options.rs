//! Limits of the context that a request can set.

use shared_core::Violation;

/// Upper bound of `maxContextTokens`. The windows of the largest models (`catalogue::table`) have about as
/// many.
pub const MAX_CONTEXT_TOKENS: u64 = 1_000_000;
/// Upper bound of `topK`. Bounds the time. Chosen by hand; no measurement is recorded.
pub const MAX_TOP_K: u64 = 1_000;

/// Limits of the context of one request. `None` is the server's default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContextOptions {
    /// Maximum tokens of all passages together.
    pub max_tokens: Option<u64>,
    /// Maximum number of passages.
    pub top_k: Option<u64>,
    /// Minimum score of a passage, 0 to 1.
    pub min_score: Option<f64>,
}

impl ContextOptions {
    /// Violations, by the parameter names of the request.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        let mut wrong = Vec::new();
        if self.max_tokens.is_some_and(|tokens| !(1..=MAX_CONTEXT_TOKENS).contains(&tokens)) {
            let rule = format!("'maxContextTokens' must be between 1 and {MAX_CONTEXT_TOKENS}");
            wrong.push(Violation::new("/maxContextTokens", rule));
        }
        if self.top_k.is_some_and(|count| !(1..=MAX_TOP_K).contains(&count)) {
            wrong.push(Violation::new("/topK", format!("'topK' must be between 1 and {MAX_TOP_K}")));
        }
        if self.min_score.is_some_and(|score| !(0.0..=1.0).contains(&score)) {
            wrong.push(Violation::new("/minScore", "'minScore' must be between 0 and 1"));
        }
        wrong
    }
}
