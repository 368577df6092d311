//! The term under which an index has a form.

use language::Language;
use language::stem::Stemmer;

use super::forms::{Kind, WordForm};

/// Characters of a term at the most, which keeps it below the bounds of any index.
/// Chosen by hand; no measurement recorded.
const MAX_CHARS: usize = 64;

/// Makes terms of the forms of a text in one language.
pub(super) struct TermWriter {
    stemmer: Stemmer,
    term: String,
}

impl TermWriter {
    /// The writer of a language (ISO 639-1), or of texts whose language is not known.
    pub(super) fn of(language: Option<&str>) -> Self {
        let language = language.and_then(Language::from_code).unwrap_or_default();
        Self { stemmer: Stemmer::new(language), term: String::new() }
    }

    /// The term of a form.
    pub(super) fn term(&mut self, form: &WordForm<'_>) -> &str {
        let word = match form.text.char_indices().nth(MAX_CHARS) {
            Some((end, _)) => &form.text[..end],
            None => form.text,
        };
        match form.kind {
            Kind::Word => self.stemmer.index_term(word, &mut self.term),
            Kind::Exact => self.stemmer.exact_term(word, &mut self.term),
        }
        &self.term
    }
}
