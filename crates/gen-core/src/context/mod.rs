//! The context of a prompt: passages of documents and knowledge bases, the most relevant that fit the
//! model's window, numbered in the order they are shown in. Pure; reads nothing itself.

mod chunking;
mod deduplication;
mod options;
mod relevance;
mod selection;

use std::sync::Arc;

use serde::Serialize;

pub use options::{ContextOptions, MAX_CONTEXT_TOKENS, MAX_TOP_K};
pub use selection::{ContextMaterial, select_context};

use crate::{PageLayout, Part, SourceSpan};

/// What a model is told when documents or knowledge bases were named that hold nothing on the question.
pub(crate) const NOTHING_FOUND_RULE: &str = "The documents and knowledge bases of this question hold nothing on it. Say so plainly, in the language of the \
question. Answer nothing from your own knowledge, and cite nothing.";

/// A passage that stands in the prompt, cited as `[n]`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextItem {
    /// Its number, from 1.
    pub n: usize,
    /// The knowledge base it comes from; none for a document of the request.
    pub knowledge_id: Option<String>,
    /// The item's or file's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The page, from 1, where there are pages: of the first sentence of it that the answer rests on; else of what
    /// was found in it.
    pub page: Option<u32>,
    /// How well it fits the prompt, 0 to 1: the share of the prompt's words that it has, weighed by how rare they are,
    /// or the score of its knowledge base where vectors rank it higher.
    pub score: f64,
    /// Its text.
    pub text: String,
    /// Which parts of the text stand where in the document.
    #[serde(skip)]
    pub stretches: Vec<SourceSpan>,
    /// Where the document's characters are printed, where it is at hand.
    #[serde(skip)]
    pub layout: Option<Arc<dyn PageLayout>>,
}

impl ContextItem {
    /// The passage as a document of a message. Its number is its place among the documents, and stands in
    /// its name for models that read it as text.
    #[must_use]
    pub fn part(&self) -> Part {
        let page = self.page.map(|page| format!(", p. {page}")).unwrap_or_default();
        let name = format!("[{}] {}{page}", self.n, self.title);
        Part::Document { name, description: None, text: self.text.as_str().into() }
    }
}
