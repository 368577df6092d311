//! Detects the type of answer that a question asks for, by its question words.

mod answer_types;

use language::fold::fold;

use answer_types::{ANSWER_TYPE_WORDS, ASKING};

/// What an answer must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerType {
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
    pub(super) fn has_form(self) -> bool {
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
    // The block of Cyrillic, whose words have spaces around them; other signs that are not ASCII do not.
    if sign.is_ascii() || sign.chars().all(|c| ('\u{400}'..'\u{500}').contains(&c)) {
        return flat.contains(&format!(" {sign} "));
    }
    flat.contains(sign)
}

/// The answer type of a question as the user wrote it.
pub(super) fn detect_answer_type(question: &str) -> AnswerType {
    let flat = normalize(question);
    // A question word at the start takes precedence.
    // The longest of these signs has 19 characters.
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
pub(in crate::builtin) fn is_question(text: &str) -> bool {
    if text.contains(['?', '？', '¿']) || text.contains("ですか") || text.contains("ますか") {
        return true;
    }
    let flat = normalize(text);
    let first = flat.split(' ').find(|word| !word.is_empty()).unwrap_or_default();
    ASKING.contains(&first)
        || ANSWER_TYPE_WORDS.iter().any(|(_, signs)| signs.iter().any(|sign| has(&flat, sign)))
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
