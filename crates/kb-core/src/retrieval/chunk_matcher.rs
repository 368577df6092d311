//! What the syntax of a query demands of chunks. Pure.

use std::collections::HashSet;

use language::fold::{fold, fold_phrase, is_boundary, normalise};

use super::query_syntax::ParsedQuery;
use crate::analysis::query_words;
use crate::lexical::field_terms;
use crate::{LiveChunk, TermConstraint, TermPrefix};

/// What a chunk, its headings and its title must have and must not have.
#[derive(Debug, Default)]
pub(super) struct ChunkMatcher {
    /// From [`fold_phrase`].
    phrases: Vec<String>,
    /// From [`fold_phrase`].
    excluded_phrases: Vec<String>,
    excluded_terms: HashSet<String>,
}

impl ChunkMatcher {
    /// The demands of a query on the chunks of a base with these languages, and those of them that a lexical index can
    /// meet. The order of the words of a phrase is for the matcher alone.
    pub(super) fn new(query: &ParsedQuery, languages: &[String]) -> (Self, TermConstraint) {
        let (mut matcher, mut constraint) = (Self::default(), TermConstraint::default());
        for phrase in &query.phrases {
            matcher.phrases.push(fold_phrase(phrase));
            constraint.required.extend(word_terms(phrase, languages));
        }
        for excluded in &query.excluded {
            let mut words = word_terms(excluded, languages);
            match (words.pop(), words.is_empty()) {
                (Some(terms), true) => matcher.excluded_terms.extend(terms),
                _ => matcher.excluded_phrases.push(fold_phrase(excluded)),
            }
        }
        constraint.excluded = matcher.excluded_terms.iter().cloned().collect();
        for prefix in &query.prefixes {
            let terms = word_terms(prefix, languages).into_iter().flatten().collect();
            constraint.prefixes.push(TermPrefix { prefix: fold(&normalise(prefix)), terms });
        }
        (matcher, constraint)
    }

    pub(super) fn matches(&self, live: &LiveChunk) -> bool {
        let (title, heading, text) = (&live.name, &live.chunk.heading, &live.chunk.text);
        if !(self.phrases.is_empty() && self.excluded_phrases.is_empty()) {
            let texts = [title, heading, text].map(|text| fold_phrase(text));
            let has = |phrase: &String| texts.iter().any(|text| has_phrase(text, phrase));
            if !self.phrases.iter().all(has) || self.excluded_phrases.iter().any(has) {
                return false;
            }
        }
        let mut excluded = false;
        if !self.excluded_terms.is_empty() {
            field_terms(title, heading, text, live.language.as_deref(), &mut |term| {
                excluded |= self.excluded_terms.contains(term);
            });
        }
        !excluded
    }
}

/// The terms of each word of a text.
pub(super) fn word_terms(text: &str, languages: &[String]) -> Vec<Vec<String>> {
    let words = query_words(text, languages).into_iter().filter(|word| !word.beside);
    words.map(|word| word.terms).collect()
}

/// Whether a folded text has the words of a folded phrase, one after the other.
pub(super) fn has_phrase(text: &str, phrase: &str) -> bool {
    let mut places = text.match_indices(phrase).filter(|(at, _)| is_boundary(text, *at));
    !phrase.is_empty() && places.any(|(at, found)| is_boundary(text, at + found.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chunk, ItemId};

    fn live(title: &str, text: &str, language: &str) -> LiveChunk {
        LiveChunk {
            item: ItemId("item_1".into()),
            number: 1,
            name: title.into(),
            meta: serde_json::Map::new(),
            expires: None,
            language: Some(language.into()),
            chunk: Chunk {
                position: 0,
                page: None,
                start: 0,
                end: 0,
                heading: String::new(),
                text: text.into(),
            },
        }
    }

    #[test]
    fn phrases_are_whole_words_in_their_order_whatever_is_between_them() {
        for (query, text, expected) in [
            ("\"cost of tugs\"", "The cost of\n*tugs* rose.", true),
            ("\"cost of tugs\"", "The tugs of a cost.", false),
            ("\"cost of tug\"", "The cost of tugs.", false),
            ("\"ost of tugs\"", "The cost of tugs.", false),
            ("\"Äpfel schälen\"", "Nun ÄPFEL SCHÄLEN und waschen.", true),
            ("\"apfel schalen\"", "Nun Äpfel schälen.", true),
            ("\"塔在夜里\"", "港口的灯塔在夜里发出白光。", true),
            ("\"夜里在\"", "港口的灯塔在夜里发出白光。", false),
            ("\"harbour log\"", "Nothing.", true),
            ("tug -barges", "A barge and a tug.", false),
            ("tug -barges", "A bargeman and a tug.", true),
            ("tug -\"old barge\"", "An old barge.", false),
            ("tug -\"old barge\"", "An old, barge-like tug.", false),
            ("tug -\"old barge\"", "A barge, old.", true),
        ] {
            let (matcher, _) =
                ChunkMatcher::new(&ParsedQuery::parse(query), &["en".to_owned(), "de".to_owned()]);
            assert_eq!(matcher.matches(&live("Harbour log.md", text, "en")), expected, "{query} in {text}");
        }
    }
}
