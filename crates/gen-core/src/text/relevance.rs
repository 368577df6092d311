//! Relevance of a text to a question. Its words match the question's terms by stem, meaning, part of a
//! compound or with a typing error, and are weighted by rarity (BM25; Robertson and Zaragoza, "The
//! Probabilistic Relevance Framework", 2009).

use std::collections::HashMap;

use language::Language;
use language::fold::{fold, is_unspaced};
use language::stem::Stemmer;
use language::token::words;
use language::vocabulary::is_stop_word;

use super::concepts::{compound_meanings, meanings};
use super::question_words::{is_light, without_question_words};

/// Maximum terms of a question. Bounds memory and time: each unit has as many scores.
pub const MAX_TERMS: usize = 48;
/// Maximum distinct words with cached matches. Bounds the memory.
const MAX_REMEMBERED: usize = 400_000;
/// Weights of matches other than the same stem (1). All are above 0.6, the minimum of `generate::support`.
/// Chosen by hand; no measurement is recorded.
const MEANING: f32 = 0.75;
const PART: f32 = 0.65;
const SLIP: f32 = 0.7;
const FAMILY: f32 = 0.7;

/// A content word of the question.
#[derive(Clone, Debug)]
pub struct Term {
    /// The word in lower case.
    word: String,
    folded: String,
    meanings: u64,
    /// Weight relative to other terms; 1 for a common content word.
    pub weight: f32,
    /// Whether it is a name or number, which has no synonyms.
    pub name: bool,
}

impl Term {
    /// Whether it has a digit.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.word.bytes().any(|byte| byte.is_ascii_digit())
    }
}

/// The content words of a question.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// The language of the question.
    pub language: Language,
    /// In the order of the question.
    pub terms: Vec<Term>,
}

/// A term of the question that a word matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Index of the term.
    pub term: u8,
    /// The weight of the match, 0 to 1.
    pub weight: f32,
}

impl Query {
    /// The terms of a question in `language`.
    #[must_use]
    pub fn new(text: &str, language: Language) -> Self {
        let mut query = Self { language, terms: Vec::new() };
        query.add(text, 1.0);
        query
    }

    /// Adds the new terms of another text, with their weights times `factor`.
    pub fn add(&mut self, text: &str, factor: f32) {
        let text = without_question_words(text);
        for word in words(&text) {
            if self.terms.len() >= MAX_TERMS {
                return;
            }
            let lower = word.text.to_lowercase();
            let pair = word.text.chars().any(is_unspaced);
            let digits = lower.chars().any(|c| c.is_ascii_digit());
            if is_stop_word(self.language, &lower) || (lower.chars().count() < 2 && !digits && !pair) {
                continue;
            }
            let folded = fold_term(&lower);
            if self.terms.iter().any(|term| term.folded == folded) {
                continue;
            }
            let first = text.get(..word.start).is_none_or(|before| !before.contains(char::is_alphanumeric));
            let capital = word.text.starts_with(char::is_uppercase)
                && !self.language.locale().is_some_and(|locale| locale.capital_nouns);
            let name = digits || capital && !first;
            let light = is_light(&folded);
            // As `rank::MISSING_LIGHT`: such words say little. Chosen by hand; no measurement is recorded.
            let weight = factor * if light { 0.3 } else { 1.0 };
            self.terms.push(Term {
                meanings: meanings(&folded),
                word: lower,
                folded,
                weight,
                name: name && !light,
            });
        }
    }

    /// Whether it has no content words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// Matches the words of texts in one language against a question.
#[derive(Debug)]
pub struct Matcher<'q> {
    query: &'q Query,
    language: Language,
    stemmer: Stemmer,
    compounds: bool,
    /// What participles begin with; empty where they have no prefix.
    participle_prefix: &'static str,
    stems: Vec<String>,
    remembered: HashMap<String, Box<[Hit]>>,
}

impl<'q> Matcher<'q> {
    /// A matcher for texts in `language`.
    #[must_use]
    pub fn new(query: &'q Query, language: Language) -> Self {
        let stemmer = Stemmer::new(language);
        let stems = query.terms.iter().map(|term| stemmer.stem(&term.word)).collect();
        let compounds = language.locale().is_some_and(|locale| locale.compounds);
        let prefixes = language.locale().map(|locale| locale.grammar.words("participle_prefix"));
        let participle_prefix = prefixes.and_then(|prefixes| prefixes.iter().next()).unwrap_or_default();
        Self { query, language, stemmer, compounds, participle_prefix, stems, remembered: HashMap::new() }
    }

    /// The terms that a word matches.
    pub fn hits(&mut self, word: &str) -> &[Hit] {
        if !self.remembered.contains_key(word) {
            if self.remembered.len() >= MAX_REMEMBERED {
                self.remembered.clear();
            }
            let hits = self.compare(word);
            self.remembered.insert(word.to_owned(), hits);
        }
        self.remembered.get(word).map_or(&[], |hits| hits)
    }

    fn compare(&self, word: &str) -> Box<[Hit]> {
        let lower = word.to_lowercase();
        if is_stop_word(self.language, &lower) {
            return Box::default();
        }
        let stemmed = self.stemmer.stem(&lower);
        let folded = fold_term(&lower);
        let shared = if self.compounds { compound_meanings(&folded) } else { meanings(&folded) };
        let terms = self.query.terms.iter().zip(&self.stems).enumerate();
        let hits = terms.filter_map(|(at, (term, stem))| {
            let weight = if *stem == stemmed || term.folded == folded {
                1.0
            } else if term.meanings & shared != 0 {
                MEANING
            } else {
                self.stem_similarity(stem, &stemmed)?
            };
            Some(Hit { term: u8::try_from(at).ok()?, weight })
        });
        hits.collect()
    }

    /// The weight of a match of two different stems; `None` if they do not match.
    fn stem_similarity(&self, term: &str, word: &str) -> Option<f32> {
        let (short, long) = if term.len() <= word.len() { (term, word) } else { (word, term) };
        if short.len() < 4 || short.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if !self.participle_prefix.is_empty() {
            // `gehalten` matches `halten`.
            let base = |stem| str::strip_prefix(stem, self.participle_prefix).unwrap_or(stem);
            let (a, b) = (base(short), base(long));
            if a == b && a.len() >= 4 {
                return Some(FAMILY);
            }
        }
        if self.compounds && (short.len() >= 5 && (long.starts_with(short) || long.ends_with(short))) {
            return Some(PART);
        }
        let common = short.bytes().zip(long.bytes()).take_while(|(a, b)| a == b).count();
        if common >= 5 && common * 10 >= long.len() * 7 && common + 2 >= short.len() {
            return Some(FAMILY);
        }
        let near = short.len() >= 6 && long.len() - short.len() <= 1 && common >= 2;
        (near && strsim::osa_distance(short, long) <= 1).then_some(SLIP)
    }
}

/// A folded word without its hyphens.
fn fold_term(word: &str) -> String {
    let mut folded = fold(word);
    folded.retain(|c| c != '-');
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(question: &str, language: Language, word: &str) -> f32 {
        let query = Query::new(question, language);
        Matcher::new(&query, language).hits(word).first().map_or(0.0, |hit| hit.weight)
    }

    #[test]
    fn a_word_stands_for_a_term_by_stem_meaning_part_or_slip() {
        let [german, polish] = ["de", "pl"].map(|code| Language::from_code(code).unwrap());
        assert!((hit("deliveries", Language::ENGLISH, "delivery") - 1.0).abs() < 1e-6);
        assert!(hit("cost", Language::ENGLISH, "Price") > 0.5);
        assert!(hit("Frist Kündigung", german, "Kündigungsfrist") > 0.5);
        assert!(hit("temprature", Language::ENGLISH, "temperature") > 0.5);
        assert!(hit("umowa", polish, "umowy") > 0.9);
        assert!(hit("cost", Language::ENGLISH, "coast") < 0.1);
        assert!(hit("the", Language::ENGLISH, "the") < 0.1);
    }

    #[test]
    fn a_question_keeps_a_bounded_number_of_terms() {
        let long: String = (0..500).map(|n| format!("word{n} ")).collect();
        assert_eq!(Query::new(&long, Language::ENGLISH).terms.len(), MAX_TERMS);
    }
}
