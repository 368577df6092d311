//! A search and its results.

use gen_core::GenError;
use serde_json::{Map, Value};

use crate::{Chunk, ItemId};

/// How chunks are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By their words.
    Lexical,
    /// By their vectors.
    Semantic,
    /// By both, fused; by words alone where the base has no vectors.
    Hybrid,
}

impl Mode {
    /// All of them, by their names.
    const NAMED: [(&str, Self); 3] =
        [("lexical", Self::Lexical), ("semantic", Self::Semantic), ("hybrid", Self::Hybrid)];

    /// The mode of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(own, _)| *own == name).map(|(_, mode)| mode)
    }
}

/// A search in one base.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The user's words, whatever they are; not blank.
    pub query: String,
    /// Results at the most, 1 to 100.
    pub limit: usize,
    /// How; when absent, both where the base has vectors, else by words.
    pub mode: Option<Mode>,
    /// Only items whose meta fits: see the grammar in `filter`.
    pub filter: Option<Value>,
    /// Only results that reach this score, from 0 to 1, by words or by vectors.
    pub min_score: Option<f32>,
    /// Chunks before and after each result that are joined to it.
    pub neighbours: u32,
    /// Whether a result that says nearly the same as a better one is left out.
    pub distinct: bool,
}

/// What a search answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchAnswer {
    /// Best first.
    pub results: Vec<SearchResult>,
    /// What the results lack; mostly nothing.
    pub warnings: Vec<SearchWarning>,
}

/// Something that the results of a search lack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchWarning {
    /// Stable, in snake case.
    pub code: &'static str,
    /// One sentence for the user.
    pub message: String,
}

impl SearchWarning {
    /// The question has no vector, though the base has some.
    pub(super) fn words_alone(why: &GenError) -> Self {
        Self { code: "searched_by_words_alone", message: format!("the search was by words alone: {why}") }
    }
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The item.
    pub item: ItemId,
    /// The item's title.
    pub title: String,
    /// The item's meta.
    pub meta: Map<String, Value>,
    /// The chunk that was found; with neighbours, its `text`, `start`, `end` and `page` are those of all.
    pub chunk: Chunk,
    /// From 0 to 1; higher is better, and comparable within one answer.
    pub score: f32,
    /// The score by words, where it was found by them.
    pub lexical: Option<f32>,
    /// The score by vectors, where it was found by them.
    pub semantic: Option<f32>,
}
