//! The passages from which those of the prompt are selected.

use std::collections::HashMap;

use super::ContextItem;
use super::chunking::chunk_document;
use crate::text::estimate;
use crate::{Passage, SourceDocument};

/// Tokens of what is around a passage in the prompt: number, title, page. Chosen by hand; no measurement is
/// recorded.
const FRAME: usize = 24;

/// The sources of the candidates.
#[derive(Clone, Debug, Default)]
pub struct ContextMaterial {
    /// Documents of the request, in order.
    pub documents: Vec<SourceDocument>,
    /// Passages of knowledge bases, best first.
    pub passages: Vec<Passage>,
}

/// A passage that may be selected.
pub(super) struct Candidate {
    pub(super) item: ContextItem,
    /// Index of its document. Passages of knowledge bases come after all documents.
    pub(super) source: usize,
    /// Index within its source.
    pub(super) at: usize,
    pub(super) tokens: usize,
}

/// All passages of the documents, and those of the knowledge bases.
pub(super) fn candidates(material: ContextMaterial) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let sources = material.documents.len();
    for (source, document) in material.documents.iter().enumerate() {
        for (at, piece) in chunk_document(document).into_iter().enumerate() {
            let item = ContextItem {
                n: 0,
                knowledge_id: None,
                id: document.id.clone(),
                title: document.title.clone(),
                page: piece.page(),
                score: 0.0,
                text: piece.text,
                stretches: piece.stretches,
                layout: document.layout.clone(),
            };
            candidates.push(Candidate { tokens: token_cost(&item), item, source, at });
        }
    }
    let mut items: HashMap<(Option<String>, String), usize> = HashMap::new();
    for (at, passage) in material.passages.into_iter().enumerate() {
        let next = sources + items.len();
        let source = *items.entry((passage.knowledge_id.clone(), passage.id.clone())).or_insert(next);
        let Passage { knowledge_id, id, title, page, score, text, stretches, .. } = passage;
        let item = ContextItem { n: 0, knowledge_id, id, title, page, score, text, stretches, layout: None };
        candidates.push(Candidate { tokens: token_cost(&item), item, source, at });
    }
    candidates
}

/// Tokens of a passage in the prompt, with what is around it.
pub(super) fn token_cost(item: &ContextItem) -> usize {
    estimate(&item.text) + estimate(&item.title) + FRAME
}
