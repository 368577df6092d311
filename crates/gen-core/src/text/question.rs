//! Detects the type of answer that a question asks for, by its question words.

mod answer_types;

use language::detect::detect;
use language::fold::fold;
use language::token::words;

use super::relevance::Query;
use answer_types::{ANSWER_TYPE_WORDS, ASKING};

/// Maximum characters of a prompt that are read.
pub(super) const MAX_PROMPT: usize = 8_000;
/// Maximum content words of a question that depends on the previous one.
const FEW_TERMS: usize = 2;

/// What an answer must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerType {
    /// A number, written or in digits.
    Amount,
    /// A number of the things that the question names first.
    Count,
    /// A way to do something.
    Manner,
    /// A sum of money.
    Money,
    /// A percentage.
    Percent,
    /// A date, time, weekday or period.
    Time,
    /// A person.
    Person,
    /// A place.
    Place,
    /// A telephone number.
    Phone,
    /// An e-mail address.
    Email,
    /// A cause.
    Reason,
    /// Anything.
    Any,
}

impl AnswerType {
    /// Whether an answer has a form that code can recognise: a number, a time or an address.
    #[must_use]
    pub fn has_form(self) -> bool {
        matches!(
            self,
            Self::Amount | Self::Count | Self::Money | Self::Percent | Self::Time | Self::Phone | Self::Email
        )
    }
}

/// A text in lower case, folded, with single blanks between its words and at each end.
pub(super) fn normalize(text: &str) -> String {
    let mut flat = String::from(" ");
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        flat.push_str(&fold(word));
        flat.push(' ');
    }
    flat
}

fn has(flat: &str, sign: &str) -> bool {
    if sign.is_ascii() || sign.chars().all(|c| ('\u{400}'..'\u{500}').contains(&c)) {
        return flat.contains(&format!(" {sign} "));
    }
    flat.contains(sign)
}

/// The answer type of a question as the user wrote it.
#[must_use]
pub fn detect_answer_type(question: &str) -> AnswerType {
    let flat = normalize(question);
    // A question word at the start takes precedence.
    let head: String = flat.chars().take(28).collect();
    for (wanted, signs) in ANSWER_TYPE_WORDS.iter().filter(|(wanted, _)| {
        matches!(wanted, AnswerType::Person | AnswerType::Place | AnswerType::Time | AnswerType::Reason)
    }) {
        if signs.iter().any(|sign| sign.is_ascii() && head.starts_with(&format!(" {sign} "))) {
            return *wanted;
        }
    }
    let found = ANSWER_TYPE_WORDS.iter().find(|(_, signs)| signs.iter().any(|sign| has(&flat, sign)));
    found.map_or(AnswerType::Any, |(wanted, _)| *wanted)
}

/// Whether a text is a question.
#[must_use]
pub fn is_question(text: &str) -> bool {
    if text.contains(['?', '？', '¿']) || text.contains("ですか") || text.contains("ますか") {
        return true;
    }
    let flat = normalize(text);
    let first = flat.split(' ').find(|word| !word.is_empty()).unwrap_or_default();
    ASKING.contains(&first)
        || ANSWER_TYPE_WORDS.iter().any(|(_, signs)| signs.iter().any(|sign| has(&flat, sign)))
}

/// Whether a prompt depends on the messages before it.
pub(crate) fn is_follow_up(prompt: &str) -> bool {
    let prompt: String = prompt.chars().take(MAX_PROMPT).collect();
    depends_on_previous(&prompt, &Query::new(&prompt, detect(&prompt)))
}

/// Whether a question, whose terms are `query`, depends on the previous one: it has few words of its own, begins
/// with a conjunction, or has a pronoun that refers back.
#[must_use]
pub fn depends_on_previous(prompt: &str, query: &Query) -> bool {
    const GOES_ON: &[&str] =
        &["and", "und", "et", "y", "e", "en", "i", "a", "also", "what about", "but", "ou"];
    const POINTS: &[&str] = &[
        "it", "its", "they", "them", "their", "he", "she", "his", "her", "this", "that", "these", "those",
        "er", "sie", "es", "ihn", "ihm", "dies", "dieser", "diese", "il", "elle", "ils", "elles", "cela",
        "lui", "ella", "ellos", "eso", "esto", "lei", "loro", "questo", "ele", "ela", "isso", "hij", "zij",
        "het", "dat", "dit", "on", "ona", "ono", "to",
    ];
    let flat = normalize(prompt);
    let mut said = flat.split(' ').filter(|word| !word.is_empty());
    query.terms.len() <= FEW_TERMS
        || said.next().is_some_and(|word| GOES_ON.contains(&word))
        || said.any(|word| POINTS.contains(&word)) && words(prompt).count() <= 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_word_tells_what_is_wanted() {
        for (question, expected) in [
            ("When does it end?", AnswerType::Time),
            ("Who signed the contract?", AnswerType::Person),
            ("How much is the rent?", AnswerType::Money),
            ("How many rooms are there?", AnswerType::Count),
            ("How do I open it?", AnswerType::Manner),
            ("What percentage is tax?", AnswerType::Percent),
            ("Wo ist die Wohnung?", AnswerType::Place),
            ("Wie hoch ist die Miete?", AnswerType::Amount),
            ("À quelle heure ouvre la gare ?", AnswerType::Time),
            ("Wat kost een hond?", AnswerType::Money),
            ("What is the e-mail address?", AnswerType::Email),
            ("Perché è chiuso?", AnswerType::Reason),
            ("What is included?", AnswerType::Any),
        ] {
            assert_eq!(detect_answer_type(question), expected, "{question}");
        }
    }
}
