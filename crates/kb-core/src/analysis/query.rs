//! The words of a query.

use std::collections::HashMap;

use language::fold::normalise;

use super::forms::{WordForm, forms};
use super::question_words::QuestionWords;
use super::term::TermWriter;

/// Maximum characters of a query. Protects time.
const MAX_CHARS: usize = 1 << 14;
/// Maximum languages of a query, in addition to the unknown language. Protects time.
const MAX_LANGUAGES: usize = 16;
/// Maximum distinct words of a query. Protects time.
const MAX_WORDS: usize = 1024;

/// Weight of an alternative form. The README (Lexical analysis) measures it on three sets.
const BESIDE: f32 = 0.5;
/// Weight of a question word. The README (Lexical analysis) measures it on three sets.
const ASKING: f32 = 0.1;

/// A word of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryWord {
    /// Its terms in each of the languages; never empty, deduplicated. A chunk that has any of them has the
    /// word.
    pub terms: Vec<String>,
    /// Its weight: the number of its occurrences, reduced for question words and alternative forms.
    pub weight: f32,
    /// Whether it is an alternative form of another word, which a chunk need not contain.
    pub beside: bool,
}

/// The words of a query in the order of their first occurrence, analysed for texts in these languages (ISO
/// 639-1) and for texts in an unknown language.
#[must_use]
pub fn query_words(text: &str, languages: &[String]) -> Vec<QueryWord> {
    let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(end, _)| end);
    let text = normalise(&text[..end]);
    let known = languages.iter().take(MAX_LANGUAGES).map(|language| Some(language.as_str()));
    let mut writers: Vec<TermWriter> = known.chain([None]).map(TermWriter::of).collect();
    let asking = QuestionWords::of(&text, languages);
    let mut words: Vec<QueryWord> = Vec::new();
    let mut places: HashMap<Vec<String>, usize> = HashMap::new();
    forms(&text, false, &mut |form: WordForm<'_>| {
        let mut terms: Vec<String> = Vec::with_capacity(1);
        for writer in &mut writers {
            let term = writer.term(&form);
            if !terms.iter().any(|known| known == term) {
                terms.push(term.to_owned());
            }
        }
        let weight = if form.beside { BESIDE } else { 1.0 };
        let weight = if asking.has(form.text) { weight * ASKING } else { weight };
        match places.get(&terms) {
            Some(place) => {
                words[*place].weight += weight;
                words[*place].beside &= form.beside;
            }
            None if words.len() < MAX_WORDS => {
                places.insert(terms.clone(), words.len());
                words.push(QueryWord { terms, weight, beside: form.beside });
            }
            None => {}
        }
    });
    words
}
