//! The reranker of a search target.

/// A model, and how much of the first stage it reranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TargetReranker {
    /// As `model@provider`.
    pub(super) model: String,
    /// Number of its best results that are reranked.
    pub(super) depth: usize,
}
