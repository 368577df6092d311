//! Detects incomplete questions: what their last words, or their auxiliary verb, require and the question
//! lacks. The heuristics use only the function words of each language. They distinguish endings that a
//! complete question may have, such as a preposition, from those that none has.

use language::sentence::sentences;
use language::token::words;
use language::{Language, Locale};

/// What a question lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissingParts {
    /// A noun after an article, a possessive, or an adjective with an article.
    pub noun: bool,
    /// The object of a preposition.
    pub object: bool,
    /// What follows a form of *be*, *have* or *do*, or a modal.
    pub predicate: bool,
    /// A clause after a conjunction or comma.
    pub clause: bool,
    /// The main verb of an auxiliary before the subject.
    pub verb: bool,
}

impl MissingParts {
    /// Whether the question lacks what every complete question has. A preposition may end a complete
    /// question.
    #[must_use]
    pub fn is_incomplete(self) -> bool {
        self.noun || self.predicate || self.clause || self.verb
    }
}

/// The small words of a language, by which it is told what a question lacks.
struct Grammar(&'static Locale);

impl Grammar {
    /// Whether a word in lower case is of a part of speech.
    fn has(&self, part: &str, word: &str) -> bool {
        self.0.grammar.words(part).contains(word)
    }

    /// Whether a word has an ending of a part of speech.
    fn ends(&self, part: &str, word: &str) -> bool {
        self.0.grammar.words(part).iter().any(|ending| word.ends_with(ending))
    }

    /// How a main verb is recognised: with capitals for nouns, the last word is in lower case and ends like an
    /// infinitive or participle (*Wann wurde der Vertrag* …); otherwise by the number of lower-case words beside
    /// the subject that do not end like nouns (*When did the war* …).
    fn is_verb_told_by_ending(&self) -> bool {
        self.0.capital_nouns
    }
}

/// What the last sentence of a prompt in `language` lacks.
#[must_use]
pub fn find_missing_parts(prompt: &str, language: Language) -> MissingParts {
    let Some(grammar) =
        language.locale().filter(|locale| locale.grammar.text("determiners").is_some()).map(Grammar)
    else {
        return MissingParts::default();
    };
    let last = sentences(prompt).last().and_then(|(start, end)| prompt.get(*start..*end));
    let question = last.unwrap_or_default().trim_end();
    let said: Vec<&str> = words(question).map(|word| word.text).collect();
    let lower: Vec<String> = said.iter().map(|word| word.to_lowercase()).collect();
    let Some(end) = lower.last() else { return MissingParts::default() };
    let predicate = grammar.has("auxiliaries", end) && !ends_a_clause(&grammar, question, &said, &lower);
    MissingParts {
        noun: lacks_noun(&grammar, question, &said, &lower),
        object: grammar.has("prepositions", end),
        predicate,
        clause: grammar.has("conjunctions", end) || question.ends_with([',', ':', ';']),
        verb: !predicate && lacks_verb(&grammar, &said, &lower),
    }
}

fn is_lowercase(word: &str) -> bool {
    word.starts_with(char::is_lowercase)
}

/// Whether the last word is a determiner or possessive, or an adjective after one.
fn lacks_noun(grammar: &Grammar, question: &str, said: &[&str], lower: &[String]) -> bool {
    let bare = question.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let possessive = grammar.ends("possessives", bare);
    let [.., before, end] = lower else { return possessive };
    // German nouns are capitalised.
    let inflected = || {
        grammar.is_verb_told_by_ending()
            && said.last().is_some_and(|word| is_lowercase(word))
            && grammar.ends("adjective_endings", end)
            && !grammar.has("auxiliaries", end)
    };
    let adjective = grammar.has("determiners", before) && (grammar.has("adjectives", end) || inflected());
    possessive || adjective || grammar.has("determiners", end)
}

/// Whether an auxiliary at the end may end a subordinate clause, as after a pronoun, or follow its main verb,
/// as in German.
fn ends_a_clause(grammar: &Grammar, question: &str, said: &[&str], lower: &[String]) -> bool {
    let [.., before, _] = lower else { return false };
    if grammar.has("pronouns", before) {
        return true;
    }
    let spoken = said.len().checked_sub(2).and_then(|at| said.get(at)).is_some_and(|word| is_lowercase(word));
    grammar.is_verb_told_by_ending()
        && (question.contains(',')
            || spoken && grammar.ends("verb_endings", before) && !grammar.has("determiners", before))
}

/// Whether an auxiliary near the beginning has no main verb after it.
fn lacks_verb(grammar: &Grammar, said: &[&str], lower: &[String]) -> bool {
    // Later helping verbs are those of a clause. Chosen by hand; no measurement is recorded.
    let Some(at) = lower.iter().take(8).position(|word| grammar.has("helpers", word)) else {
        return false;
    };
    let (Some(rest), Some(small_rest)) = (said.get(at + 1..), lower.get(at + 1..)) else { return false };
    // A yes/no question begins with its auxiliary; a statement is not a question.
    if at == 0 {
        return false;
    }
    let parts = ["determiners", "prepositions", "conjunctions", "pronouns"];
    let content = || {
        let of = rest.iter().zip(small_rest).filter(|(word, _)| is_lowercase(word)).map(|(_, lower)| lower);
        of.filter(|lower| parts.iter().all(|part| !grammar.has(part, lower)))
    };
    if grammar.is_verb_told_by_ending() {
        return !content().any(|word| grammar.ends("verb_endings", word));
    }
    let nouns = content().filter(|word| grammar.ends("noun_endings", word) && !word.ends_with("ss")).count();
    let subject = nouns > 0
        || rest.iter().any(|word| !is_lowercase(word))
        || small_rest.first().is_some_and(|word| grammar.has("pronouns", word));
    content().count() - nouns < if subject { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use language::detect::detect;

    use super::*;

    fn is_whole(question: &str) -> bool {
        find_missing_parts(question, detect(question)) == MissingParts::default()
    }

    #[test]
    fn a_question_that_breaks_off_lacks_something() {
        for question in [
            "How many points did the",
            "Who is the first",
            "What was Tesla's",
            "How many sacks did Jared Allen",
            "When did the ministers",
            "Which city was",
            "Wie viele Punkte gab die",
            "Wer ist der stellvertretende",
            "Wann wurde der Vertrag",
            "Wie viele Menschen haben",
            "Quel est le nom de la",
            "¿Cuál es el",
            "Qual è il",
            "Wat is het",
        ] {
            assert!(!is_whole(question), "{question}");
        }
    }

    #[test]
    fn a_short_question_lacks_nothing() {
        for question in [
            "Who is the CEO?",
            "Total?",
            "rent per month",
            "When did Tesla die?",
            "What does it cost?",
            "What did he invent?",
            "How many guests can stay?",
            "Who did she marry?",
            "When do doors open?",
            "When does the office open?",
            "Wie hoch ist die Miete?",
            "Wann endet der Vertrag?",
            "Wann wurde das Haus gebaut?",
            "Welche Rechte haben Mieter?",
            "Wie muss die Miete gezahlt werden?",
            "Quel est le loyer ?",
            "¿Cuánto cuesta?",
            "Ile kosztuje?",
        ] {
            assert!(is_whole(question), "{question}: {:?}", find_missing_parts(question, detect(question)));
        }
    }
}
