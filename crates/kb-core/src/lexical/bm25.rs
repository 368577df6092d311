//! Lexical scores: Okapi BM25 in the form of Lucene, over the chunks of one base, with the fields of a chunk
//! weighted before saturation (BM25F: Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple
//! weighted fields", 2004).

use crate::IndexedChunk;
use crate::analysis::terms;

/// Weight of the title field, in occurrences of the text field.
const TITLE: usize = 1;
/// Weight of the heading field, likewise.
const HEADING: usize = 1;

/// Emits the terms of a chunk; those of title and headings are repeated by their weight.
pub fn chunk_terms(chunk: &IndexedChunk, each: &mut dyn FnMut(&str)) {
    field_terms(&chunk.title, &chunk.heading, &chunk.text, chunk.language.as_deref(), each);
}

/// Emits the terms of each field separately.
pub fn field_terms(
    title: &str,
    heading: &str,
    text: &str,
    language: Option<&str>,
    each: &mut dyn FnMut(&str),
) {
    for (field, weight) in [(title, TITLE), (heading, HEADING), (text, 1)] {
        for _ in 0..weight {
            terms(field, language, each);
        }
    }
}

/// The parameters of BM25.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25 {
    /// Saturation of the term frequency.
    pub k1: f32,
    /// Length normalisation, from 0 to 1.
    pub b: f32,
}

impl Default for Bm25 {
    fn default() -> Self {
        Self { k1: 1.35, b: 7.0 / 9.0 }
    }
}

impl Bm25 {
    /// Inverse document frequency of a word that `with` of `all` chunks contain.
    #[must_use]
    pub fn idf(with: u64, all: u64) -> f32 {
        let (with, all) = (with.min(all) as f64, all as f64);
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln() as f32
    }

    /// The saturated term frequency of a word with `count` occurrences in a chunk of `length` terms; below 1.
    #[must_use]
    pub fn share(&self, count: u32, length: f32, average: f32) -> f32 {
        let norm = self.k1 * (1.0 - self.b + self.b * length / average.max(1.0));
        count as f32 / (count as f32 + norm)
    }
}
