//! Tokenises chunks for tantivy, which calls the analysis of `kb-core` on its own threads.

use kb_core::{IndexedChunk, field_terms};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Name of the tokenizer in the schema.
pub(super) const TOKENIZER: &str = "chunk";

/// The prefix of each term of a base.
pub(super) fn prefix(base: i64) -> String {
    format!("{base:x} ")
}

/// A chunk as one text: a line with the lengths of its fields, then the fields.
pub(super) fn pack_chunk(chunk: &IndexedChunk) -> String {
    let IndexedChunk { base, title, heading, text, language, .. } = chunk;
    let language = language.as_deref().filter(|language| !language.contains([' ', '\n']));
    let head = format!("{base} {} {} {}\n", language.unwrap_or("-"), title.len(), heading.len());
    [head.as_str(), title, heading, text].concat()
}

/// Where the fields of a packed chunk lie.
struct PackedChunk<'a> {
    base: i64,
    language: Option<&'a str>,
    title: &'a str,
    heading: &'a str,
    text: &'a str,
}

impl<'a> PackedChunk<'a> {
    fn read(packed: &'a str) -> Option<Self> {
        let (head, fields) = packed.split_once('\n')?;
        let mut parts = head.split(' ');
        let base = parts.next()?.parse().ok()?;
        let language = parts.next().filter(|language| *language != "-");
        let (title, rest) = fields.split_at_checked(parts.next()?.parse().ok()?)?;
        let (heading, text) = rest.split_at_checked(parts.next()?.parse().ok()?)?;
        Some(Self { base, language, title, heading, text })
    }
}

/// Tokenises packed chunks. Each term is prefixed with its base; the first token is the base alone.
#[derive(Clone, Debug, Default)]
pub(super) struct ChunkTokenizer {
    /// All terms, concatenated.
    terms: String,
    /// End offset of each term.
    ends: Vec<usize>,
    token: Token,
}

impl Tokenizer for ChunkTokenizer {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, packed: &'a str) -> TermStream<'a> {
        self.terms.clear();
        self.ends.clear();
        if let Some(PackedChunk { base, language, title, heading, text }) = PackedChunk::read(packed) {
            let prefix = prefix(base);
            self.add(&prefix, "");
            field_terms(title, heading, text, language, &mut |term| self.add(&prefix, term));
        }
        self.token.reset();
        TermStream { tokenizer: self, next: 0 }
    }
}

impl ChunkTokenizer {
    fn add(&mut self, prefix: &str, term: &str) {
        self.terms.push_str(prefix);
        self.terms.push_str(term);
        self.ends.push(self.terms.len());
    }
}

/// The terms of one chunk.
pub(super) struct TermStream<'a> {
    tokenizer: &'a mut ChunkTokenizer,
    next: usize,
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        let ChunkTokenizer { terms, ends, token } = &mut *self.tokenizer;
        let Some(end) = ends.get(self.next) else { return false };
        let start = self.next.checked_sub(1).map_or(0, |last| ends[last]);
        token.text.clear();
        token.text.push_str(&terms[start..*end]);
        token.position = self.next;
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.tokenizer.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokenizer.token
    }
}

#[cfg(test)]
mod tests {
    use kb_core::ChunkKey;

    use super::*;

    fn terms(chunk: &IndexedChunk) -> Vec<String> {
        let (mut tokenizer, packed) = (ChunkTokenizer::default(), pack_chunk(chunk));
        let mut stream = tokenizer.token_stream(&packed);
        let mut terms = Vec::new();
        while stream.advance() {
            terms.push(stream.token().text.clone());
        }
        terms
    }

    #[test]
    fn each_term_has_its_base_before_it_whatever_the_fields_hold() {
        let chunk = IndexedChunk {
            key: ChunkKey { item: 1, position: 0 },
            base: 255,
            sequence: 1,
            title: "3 de\n9".to_owned(),
            heading: String::new(),
            text: "kilns".to_owned(),
            language: Some("en".to_owned()),
        };
        assert_eq!(terms(&chunk), ["ff ", "ff 3", "ff de", "ff 9", "ff kiln"]);
        let odd = IndexedChunk { base: -1, language: Some("e n\n".to_owned()), ..chunk };
        assert!(terms(&odd).iter().all(|term| term.starts_with("ffffffffffffffff ")));
        assert_eq!(terms(&odd).len(), 5);
    }

    #[test]
    fn what_was_not_packed_has_no_terms() {
        let mut tokenizer = ChunkTokenizer::default();
        for text in ["", "\n", "1 en 0\n", "1 en 99 0\nshort", "x en 0 0\nword", "1 en 1 0\n\u{e9}"] {
            assert!(!tokenizer.token_stream(text).advance(), "{text:?}");
        }
    }
}
