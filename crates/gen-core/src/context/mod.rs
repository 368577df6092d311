//! The context of a prompt: the most relevant passages of documents and knowledge bases that fit into the
//! model's window, numbered in the order of the prompt. Pure; reads nothing itself.

mod candidates;
mod chunking;
mod deduplication;
mod options;
mod relevance;
mod selection;

use std::sync::Arc;

use serde::Serialize;

pub use candidates::ContextMaterial;
pub use options::{ContextOptions, MAX_CONTEXT_TOKENS, MAX_TOP_K};
pub use selection::select_context;

use crate::{PageLayout, Part, SourceSpan};

/// The instruction for a request with documents or knowledge bases in which nothing relevant was found.
pub const NOTHING_FOUND_RULE: &str = "The documents and knowledge bases of this question hold nothing on it. Say so plainly, in the language of the \
question. Answer nothing from your own knowledge, and cite nothing.";

/// A passage in the prompt, cited as `[n]`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextItem {
    /// Its number, from 1.
    pub n: usize,
    /// Its knowledge base; `None` for a document of the request.
    pub knowledge_id: Option<String>,
    /// The id of the item or file.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The page, from 1: of its first sentence that the answer cites, else of the match in it. `None` without
    /// pages.
    pub page: Option<u32>,
    /// Relevance to the prompt, 0 to 1: the share of the prompt's words that it has, weighted by their
    /// rarity; or the score of its knowledge base, if that is higher.
    pub score: f64,
    /// Its text.
    pub text: String,
    /// The spans of the text in the document.
    #[serde(skip)]
    pub stretches: Vec<SourceSpan>,
    /// The page layout of the document, if it is loaded.
    #[serde(skip)]
    pub layout: Option<Arc<dyn PageLayout>>,
}

impl ContextItem {
    /// The passage as a document of a message. Its number is its position among the documents; it is also in
    /// the name, for models that read the document as text.
    #[must_use]
    pub fn part(&self) -> Part {
        let page = self.page.map(|page| format!(", p. {page}")).unwrap_or_default();
        let name = format!("[{}] {}{page}", self.n, self.title);
        Part::Document { name, description: None, text: self.text.as_str().into() }
    }
}
