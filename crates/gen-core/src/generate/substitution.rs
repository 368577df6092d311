//! Detects a statement that repeats a sentence with another number or name.
//!
//! The content words of both are aligned in order (longest common subsequence). Between two aligned words,
//! the statement may have a number or name, and the sentence another one that the statement does not have at
//! all. Then the statement contradicts the sentence, even if the passage has that number or name elsewhere.

use std::collections::HashSet;

use language::Language;
use language::token::words;
use language::vocabulary::is_stop_word;

use super::facts::numbers;
use crate::text::{Hit, Matcher};

/// Minimum match weight for two words to be the same. A part of a compound reaches it.
/// `text::relevance::PART` is 0.65.
const ALIKE: f32 = 0.6;
/// Minimum share of the statement's content words that must be aligned for it to repeat the sentence: half.
/// Set on the articles of `bench refusals support` that were looked at; not measured alone.
const LEAST_ALIGNED: f32 = 0.5;
/// Maximum content words between two aligned ones, in the statement and in the sentence, for one to replace
/// the other. Chosen by hand; no measurement is recorded.
const MAX_GAP: usize = 4;
/// Maximum content words of a sentence that is aligned; longer ones are skipped. The time is quadratic.
const MAX_WORDS: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FactKind {
    Number,
    Name,
}

struct ContentWord {
    /// The terms of the statement that it matches.
    terms: Vec<u8>,
    /// Whether the statement has it in no form.
    is_new: bool,
    fact: Option<FactKind>,
}

/// The content words of a text. `numbers_said`: the numbers of the statement.
fn content_words(
    text: &str,
    language: Language,
    matcher: &mut Matcher<'_>,
    numbers_said: &HashSet<String>,
) -> Vec<ContentWord> {
    let mut all = Vec::new();
    for word in words(text) {
        let begins = text.get(..word.start).is_none_or(|before| !before.contains(char::is_alphanumeric));
        let digit = word.text.contains(|c: char| c.is_ascii_digit());
        if !digit && (is_stop_word(language, &word.text.to_lowercase()) || word.text.chars().count() < 2) {
            continue;
        }
        let named = !begins && word.text.starts_with(char::is_uppercase);
        let mark = if digit { Some(FactKind::Number) } else { named.then_some(FactKind::Name) };
        let alike = |hit: &&Hit| hit.weight >= ALIKE;
        let terms: Vec<u8> = matcher.hits(word.text).iter().filter(alike).map(|hit| hit.term).collect();
        let is_new = terms.is_empty() && numbers(word.text).is_disjoint(numbers_said);
        all.push(ContentWord { terms, is_new, fact: mark });
    }
    all
}

/// Whether `statement` replaces a number or name of `sentence`. `matcher` matches the statement's words in
/// texts of `language`, the language of the sentence.
pub(super) fn has_substitution(
    statement: &str,
    sentence: &str,
    language: Language,
    matcher: &mut Matcher<'_>,
) -> bool {
    let numbers_said = numbers(statement);
    let said = content_words(statement, language, matcher, &numbers_said);
    let printed = content_words(sentence, language, matcher, &numbers_said);
    // The words of a long statement are not all terms.
    if printed.len() > MAX_WORDS || said.iter().any(|word| word.terms.is_empty()) {
        return false;
    }
    let mut aligned = align(&said, &printed);
    if (aligned.len() as f32) < LEAST_ALIGNED * said.len() as f32 {
        return false;
    }
    aligned.push((said.len(), printed.len()));
    let (mut i, mut j) = (0, 0);
    for (next_i, next_j) in aligned {
        let gaps = (said.get(i..next_i).unwrap_or_default(), printed.get(j..next_j).unwrap_or_default());
        if has_other_fact(gaps) {
            return true;
        }
        (i, j) = (next_i + 1, next_j + 1);
    }
    false
}

/// Whether the statement's words have a number or name where the sentence's words have another one.
fn has_other_fact((said, printed): (&[ContentWord], &[ContentWord])) -> bool {
    said.len() <= MAX_GAP
        && printed.len() <= MAX_GAP
        && said
            .iter()
            .filter_map(|word| word.fact)
            .any(|mark| printed.iter().any(|other| other.fact == Some(mark) && other.is_new))
}

/// The longest common subsequence of two texts, as pairs of positions.
fn align(said: &[ContentWord], printed: &[ContentWord]) -> Vec<(usize, usize)> {
    let is_same = |a: &ContentWord, b: &ContentWord| a.terms.iter().any(|term| b.terms.contains(term));
    let width = printed.len() + 1;
    // Its length from each pair of positions to the ends.
    let mut lengths = vec![0_u16; (said.len() + 1) * width];
    let at = |lengths: &[u16], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or_default();
    for (i, a) in said.iter().enumerate().rev() {
        for (j, b) in printed.iter().enumerate().rev() {
            let longest = if is_same(a, b) {
                at(&lengths, i + 1, j + 1) + 1
            } else {
                at(&lengths, i + 1, j).max(at(&lengths, i, j + 1))
            };
            if let Some(length) = lengths.get_mut(i * width + j) {
                *length = longest;
            }
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while let (Some(a), Some(b)) = (said.get(i), printed.get(j)) {
        if is_same(a, b) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if at(&lengths, i + 1, j) >= at(&lengths, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Query;

    const SENTENCE: &str = "In 1931 the harbour gave 40 berths to Amara Nwosu, who kept them for nine years.";

    fn replaces(statement: &str) -> bool {
        let query = Query::new(statement, Language::ENGLISH);
        has_substitution(statement, SENTENCE, Language::ENGLISH, &mut Matcher::new(&query, Language::ENGLISH))
    }

    #[test]
    fn another_number_or_name_in_the_place_of_one_is_told() {
        assert!(replaces("In 1932 the harbour gave 40 berths to Amara Nwosu."));
        assert!(replaces("In 1931 the harbour gave 40 berths to Peter Nwosu."));
    }

    #[test]
    fn the_same_words_in_another_order_or_number_replace_nothing() {
        assert!(!replaces("40 berths went to Amara Nwosu in 1931."));
        assert!(!replaces("Amara Nwosu kept 40 berths for nine years."));
        assert!(!replaces("The harbour of Dunmore gave 40.0 berths to Amara Nwosu."));
    }
}
