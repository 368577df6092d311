//! The words of a query.

use std::collections::HashMap;

use super::fold;
use super::forms::{Form, forms};
use super::stem::Chain;

/// Characters of a query that are read.
const MAX_CHARS: usize = 1 << 14;
/// Languages that a query is understood in at the most, besides that of texts whose language is not known.
const MAX_LANGUAGES: usize = 16;
/// Different words that a query has at the most.
const MAX_WORDS: usize = 1024;

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryWord {
    /// What it is in each of the languages; never empty, without repetitions. A chunk that has any of them has
    /// the word.
    pub terms: Vec<String>,
    /// How often the query has it.
    pub count: u32,
    /// Whether it stands beside another form of the same thing, and a chunk may as well lack it.
    pub beside: bool,
}

/// The words of a query in the order in which they first occur, as they are in texts of these languages
/// (ISO 639-1) and in texts whose language is not known.
#[must_use]
pub fn query_words(text: &str, languages: &[String]) -> Vec<QueryWord> {
    let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(end, _)| end);
    let text = fold::normalised(&text[..end]);
    let known = languages.iter().take(MAX_LANGUAGES).map(|language| Some(language.as_str()));
    let mut chains: Vec<Chain> = known.chain([None]).map(Chain::of).collect();
    let mut words: Vec<QueryWord> = Vec::new();
    let mut places: HashMap<Vec<String>, usize> = HashMap::new();
    forms(&text, false, &mut |form: Form<'_>| {
        let mut terms: Vec<String> = Vec::with_capacity(1);
        for chain in &mut chains {
            let term = chain.term(&form);
            if !terms.iter().any(|known| known == term) {
                terms.push(term.to_owned());
            }
        }
        match places.get(&terms) {
            Some(place) => {
                words[*place].count += 1;
                words[*place].beside &= form.beside;
            }
            None if words.len() < MAX_WORDS => {
                places.insert(terms.clone(), words.len());
                words.push(QueryWord { terms, count: 1, beside: form.beside });
            }
            None => {}
        }
    });
    words
}
