//! The numbers and names of texts.

use std::collections::HashSet;

use language::Language;
use language::fold::fold;
use language::sentence::sentences;
use language::token::words;

/// The numbers and words of a text.
pub(super) struct Facts {
    numbers: HashSet<String>,
    /// Folded.
    words: HashSet<String>,
}

impl Facts {
    pub(super) fn from_text(text: &str) -> Self {
        Self { numbers: numbers(text), words: words(text).map(|word| fold(word.text)).collect() }
    }

    /// Whether it has all numbers and names of a statement in `language`.
    pub(super) fn contain_all(&self, statement: &str, language: Language) -> bool {
        numbers(statement).is_subset(&self.numbers) && names_are_in(&names(statement, language), &self.words)
    }
}

/// The numbers of a text by their digits: without thousands separators, leading zeros and zeros at the end of
/// decimals.
pub(super) fn numbers(text: &str) -> HashSet<String> {
    let runs = text
        .split(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '\'' | '’' | '\u{a0}' | '\u{202f}'));
    let runs = runs.map(|run| run.trim_matches(|c: char| !c.is_ascii_digit())).filter(|run| !run.is_empty());
    runs.flat_map(|run| {
        let marks = run.matches(|c: char| !c.is_ascii_digit()).count();
        let (whole, part) = match run.rfind(['.', ',']) {
            Some(at) => (run.get(..at).unwrap_or_default(), run.get(at + 1..).unwrap_or_default()),
            None => (run, ""),
        };
        // Dates and versions, such as 3.5.2026, are split into their parts.
        if marks > 1 && part.len() != 3 && !run.contains(['\'', '’']) && run.matches(',').count() != 1 {
            return run.split(|c: char| !c.is_ascii_digit()).map(canonical).collect();
        }
        // Three digits after the last mark are thousands.
        if part.len() == 3 {
            return vec![canonical(run)];
        }
        let part = part.trim_end_matches('0');
        let whole = canonical(whole);
        vec![if part.is_empty() { whole } else { format!("{whole}.{part}") }]
    })
    .collect()
}

fn canonical(run: &str) -> String {
    let digits: String = run.chars().filter(char::is_ascii_digit).collect();
    let bare = digits.trim_start_matches('0');
    if bare.is_empty() { "0".to_owned() } else { bare.to_owned() }
}

/// The names of a statement, folded: capitalised words that do not begin a sentence. In German, which
/// capitalises all nouns, none.
pub(super) fn names(statement: &str, language: Language) -> Vec<String> {
    if language.locale().is_some_and(|locale| locale.capital_nouns) {
        return Vec::new();
    }
    let mut names = Vec::new();
    for (start, end) in sentences(statement) {
        let sentence = statement.get(start..end).unwrap_or_default();
        for word in words(sentence) {
            let before = sentence.get(..word.start).unwrap_or_default().trim_end();
            let begins =
                !before.contains(char::is_alphanumeric) || before.ends_with([':', '"', '“', '|', '*', '-']);
            let capital = word.text.starts_with(char::is_uppercase);
            if capital
                && !begins
                && word.text.chars().count() > 1
                && !word.text.contains(|c: char| c.is_ascii_digit())
            {
                names.push(fold(word.text));
            }
        }
    }
    names
}

/// Whether every name is among the words, or is the prefix of one, as in another case.
fn names_are_in(names: &[String], all: &HashSet<String>) -> bool {
    let stem =
        // Without two letters of an ending, but at least three. Chosen by hand; no measurement is recorded.
        |word: &str| word.chars().take(word.chars().count().saturating_sub(2).max(3)).collect::<String>();
    names.iter().all(|name| {
        all.contains(name) || {
            let stem = stem(name);
            all.iter().any(|word| word.starts_with(&stem))
        }
    })
}
