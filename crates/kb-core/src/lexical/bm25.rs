//! Lexical scores: Okapi BM25 in the form of Lucene, over the chunks of one base, with the fields of a chunk
//! weighted before saturation (BM25F: Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple
//! weighted fields", 2004).

use language::bm25::Bm25;

use crate::IndexedChunk;
use crate::analysis::terms;

/// Weight of the title field, in occurrences of the text field. Chosen by hand; no measurement recorded.
const TITLE: usize = 1;
/// Weight of the heading field, likewise. Chosen by hand; no measurement recorded.
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

/// The parameters for chunks. The README (Lexical analysis) measures them beside others on three sets. `k1` ·
/// (1 - `b`) is .3, as with tantivy's 1.2 and .75 (decision 0015).
pub const CHUNK_BM25: Bm25 = Bm25 { k1: 1.35, b: 7.0 / 9.0 };
