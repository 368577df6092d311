//! Detects the type of answer that a question asks for, by its question words.

use std::sync::LazyLock;

use language::detect::detect;
use language::phrase::{SectionPhrases, flatten};
use language::token::words;

use super::question_words::QUESTIONS;
use super::relevance::Query;

static ANSWER_TYPES: LazyLock<SectionPhrases> =
    LazyLock::new(|| SectionPhrases::of(|locale| locale.answer_types));

/// Maximum characters of a prompt that are read.
pub(super) const MAX_PROMPT: usize = 8_000;
/// Answer types whose words at the start of a question decide.
const OPENING_TYPES: [&str; 4] = ["time", "person", "place", "reason"];
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
    /// The type of a key of the locales.
    fn of_key(key: &str) -> Self {
        match key {
            "amount" => Self::Amount,
            "count" => Self::Count,
            "manner" => Self::Manner,
            "money" => Self::Money,
            "percent" => Self::Percent,
            "time" => Self::Time,
            "person" => Self::Person,
            "place" => Self::Place,
            "phone" => Self::Phone,
            "email" => Self::Email,
            "reason" => Self::Reason,
            _ => Self::Any,
        }
    }

    /// Whether an answer has a form that code can recognise: a number, a time or an address.
    #[must_use]
    pub fn has_form(self) -> bool {
        matches!(
            self,
            Self::Amount | Self::Count | Self::Money | Self::Percent | Self::Time | Self::Phone | Self::Email
        )
    }
}

/// The answer type of a question as the user wrote it.
#[must_use]
pub fn detect_answer_type(question: &str) -> AnswerType {
    let flat = flatten(question);
    // A question word at the start takes precedence.
    let opening = OPENING_TYPES.iter().find(|key| ANSWER_TYPES.begins(key, &flat));
    AnswerType::of_key(opening.copied().or_else(|| ANSWER_TYPES.first_in(&flat)).unwrap_or_default())
}

/// Whether a text is a question.
#[must_use]
pub fn is_question(text: &str) -> bool {
    let flat = flatten(text);
    let first = flat.split_ascii_whitespace().next().unwrap_or_default();
    text.contains(['?', '？', '¿'])
        || QUESTIONS.is_in("particle", &flat)
        || QUESTIONS.has_word("opener", first)
        || ANSWER_TYPES.first_in(&flat).is_some()
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
    let flat = flatten(prompt);
    let mut said = flat.split_ascii_whitespace();
    query.terms.len() <= FEW_TERMS
        || said.next().is_some_and(|word| QUESTIONS.has_word("continuation", word))
        || said.any(|word| QUESTIONS.has_word("pointer", word)) && words(prompt).count() <= 12
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
