//! What kind of answer a question wants, by its question words, and whether a text has one.

mod signs;

use crate::text::fold;
use signs::{ASKING, SIGNS};

/// What an answer must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A number, written or in digits.
    Amount,
    /// A number of the things that the question names first.
    Count,
    /// A way to do something.
    Manner,
    /// A sum of money.
    Money,
    /// A share.
    Percent,
    /// A date, time, weekday or period.
    Time,
    /// Somebody.
    Person,
    /// Somewhere.
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

impl Wanted {
    /// Whether an answer has a form by which code knows it: a figure, a time or an address.
    pub(super) fn has_form(self) -> bool {
        matches!(
            self,
            Self::Amount | Self::Count | Self::Money | Self::Percent | Self::Time | Self::Phone | Self::Email
        )
    }
}

/// A text in lower case, folded, its words between single blanks, with one at each end.
pub(super) fn flat(text: &str) -> String {
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

/// What a question wants. `question` is as it was asked.
pub(super) fn wanted(question: &str) -> Wanted {
    let flat = flat(question);
    // A question word at the beginning speaks before all others.
    let head: String = flat.chars().take(28).collect();
    for (wanted, signs) in SIGNS.iter().filter(|(wanted, _)| {
        matches!(wanted, Wanted::Person | Wanted::Place | Wanted::Time | Wanted::Reason)
    }) {
        if signs.iter().any(|sign| sign.is_ascii() && head.starts_with(&format!(" {sign} "))) {
            return *wanted;
        }
    }
    let found = SIGNS.iter().find(|(_, signs)| signs.iter().any(|sign| has(&flat, sign)));
    found.map_or(Wanted::Any, |(wanted, _)| *wanted)
}

/// Whether a text asks something.
pub(in crate::builtin) fn is_question(text: &str) -> bool {
    if text.contains(['?', '？', '¿']) || text.contains("ですか") || text.contains("ますか") {
        return true;
    }
    let flat = flat(text);
    let first = flat.split(' ').find(|word| !word.is_empty()).unwrap_or_default();
    ASKING.contains(&first) || SIGNS.iter().any(|(_, signs)| signs.iter().any(|sign| has(&flat, sign)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_word_tells_what_is_wanted() {
        for (question, expected) in [
            ("When does it end?", Wanted::Time),
            ("Who signed the contract?", Wanted::Person),
            ("How much is the rent?", Wanted::Money),
            ("How many rooms are there?", Wanted::Count),
            ("How do I open it?", Wanted::Manner),
            ("What percentage is tax?", Wanted::Percent),
            ("Wo ist die Wohnung?", Wanted::Place),
            ("Wie hoch ist die Miete?", Wanted::Amount),
            ("À quelle heure ouvre la gare ?", Wanted::Time),
            ("Wat kost een hond?", Wanted::Money),
            ("What is the e-mail address?", Wanted::Email),
            ("Perché è chiuso?", Wanted::Reason),
            ("What is included?", Wanted::Any),
        ] {
            assert_eq!(wanted(question), expected, "{question}");
        }
    }
}
