//! What a request wants of its context.

use shared_core::Violation;

/// Tokens of context that a request may ask for.
pub const MAX_CONTEXT_TOKENS: u64 = 1_000_000;
/// Passages that a request may ask for.
pub const MAX_TOP_K: u64 = 1_000;

/// Bounds of the context of one request; what is `None` is left to the server.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContextOptions {
    /// Tokens of all passages together, at most.
    pub max_tokens: Option<u64>,
    /// Passages, at most.
    pub top_k: Option<u64>,
    /// The least score of a passage, 0 to 1.
    pub min_score: Option<f64>,
}

impl ContextOptions {
    /// What is wrong with them, by the names of the request.
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
