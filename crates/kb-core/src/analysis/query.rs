//! The words of a query.

use std::collections::HashMap;

use language::fold::normalise;

use super::forms::{WordForm, forms};
use super::question_words::QuestionWords;
use super::term::TermWriter;

/// Characters of a query that are read.
const MAX_CHARS: usize = 1 << 14;
/// Languages that a query is understood in at the most, besides that of texts whose language is not known.
const MAX_LANGUAGES: usize = 16;
/// Different words that a query has at the most.
const MAX_WORDS: usize = 1024;

/// What a form weighs that stands beside another of the same thing.
const BESIDE: f32 = 0.5;
/// What a word weighs that only makes a question of the others.
const ASKING: f32 = 0.1;

/// A word of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryWord {
    /// What it is in each of the languages; never empty, without repetitions. A chunk that has any of them has
    /// the word.
    pub terms: Vec<String>,
    /// How much it counts: as often as the query has it, and less where it only asks, or stands beside another
    /// form of the same thing.
    pub weight: f32,
    /// Whether it stands beside another form of the same thing, and a chunk may as well lack it.
    pub beside: bool,
}

/// The words of a query in the order in which they first occur, as they are in texts of these languages
/// (ISO 639-1) and in texts whose language is not known.
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
