//! Splits a message into sentences and clauses, and classifies the mood of each sentence.

use std::ops::Range;

use crate::nlu::tokens::message::{Message, any_lexicon};

/// Mood of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SentenceMood {
    /// States something.
    Statement,
    /// Requests an action: "Can you find me a table for four?"
    Request,
    /// Asks whether something exists: "Is there something in Oakland?"
    Existence,
    /// Asks for information: "What is the address there?"
    Question,
}

/// A sentence as ranges of words.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) words: Range<usize>,
    pub(crate) mood: SentenceMood,
    /// The clauses between commas, colons, brackets and quotes.
    pub(crate) clauses: Vec<Range<usize>>,
}

/// Splits a message into sentences.
pub(crate) fn sentences(text: &Message<'_>) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut start = 0;
    for at in 0..text.len() {
        if at + 1 == text.len() || ends_sentence(text, at) || starts_question(text, at) {
            let words = start..at + 1;
            let mark = text.gap(at).trim_start();
            let mode = sentence_mood(text, &words, mark.starts_with('?') || text.gap(at).contains('?'));
            found.push(Sentence { clauses: clauses(text, &words), words, mood: mode });
            start = at + 1;
        }
    }
    found
}

/// Whether a sentence ends after word `at`.
fn ends_sentence(text: &Message<'_>, at: usize) -> bool {
    let gap = text.gap(at);
    if gap.contains(['!', '?', '\n', ';', '…', '。'])
        || gap.contains(" - ")
        || gap.contains(" – ")
        || gap.contains(" — ")
    {
        return true;
    }
    let Some(rest) = gap.split_once('.').map(|(_, rest)| rest) else { return false };
    let word = text.folded(at);
    let abbreviations = any_lexicon().list("abbreviation");
    // "ext. 12", "no. 5", "Musterstr. 5": the number belongs to the same sentence.
    let numbers = text.is_digits(at + 1) && !gap.contains('\n');
    let is_short = abbreviations.has_word(word) && text.is_capital(at)
        || numbers
            && (abbreviations.has_word(word)
                || any_lexicon().list("numbered").has_word(word)
                || has_street_suffix(word))
        || word.chars().count() == 1 && !text.is_digits(at);
    // A full stop without a space is a number, an address or a typo; a capital after it marks the typo.
    let parts = rest.starts_with(char::is_whitespace) || rest.is_empty() && text.is_capital(at + 1);
    let is_ordinal = text.is_digits(at) && !text.is_capital(at + 1);
    let is_month = text.is_digits(at) && text.lexicon().list("months").length_at(text, at + 1) > 0;
    parts && !is_short && !is_ordinal && !is_month
}

/// "Musterstr.": whether a word ends with an abbreviated street.
fn has_street_suffix(word: &str) -> bool {
    let suffixes = any_lexicon().list("street_suffix");
    word.char_indices().filter_map(|(at, _)| word.get(at..)).any(|suffix| suffixes.has_word(suffix))
}

/// Whether a question starts after word `at` within the sentence: ", can you …", "and is it …", "but do they
/// …".
fn starts_question(text: &Message<'_>, at: usize) -> bool {
    let lexicon = text.lexicon();
    let comma = text.gap(at).contains(',');
    let linked = ["and", "but"].iter().any(|list| text.lexicon().list(list).has_word(text.folded(at + 1)));
    let verb = at + 1 + usize::from(linked);
    if !comma && !linked {
        return false;
    }
    let subject = lexicon.list("pronoun").has_word(text.folded(verb + 1))
        || text.lexicon().list("question_subject").has_word(text.folded(verb + 1));
    let inverted = lexicon.list("auxiliary").length_at(text, verb) > 0
        && subject
        && !lexicon.list("perfect_auxiliary").has_word(text.folded(verb));
    let asks = text.lexicon().list("wh_word").has_word(text.folded(verb))
        && (text.lexicon().list("wh_verb").has_word(text.folded(verb + 1))
            || text.folded(verb).ends_with('s'));
    inverted || asks || lexicon.list("request").length_at(text, verb) > 1
}

/// Splits a sentence at commas, colons, brackets and quotes.
fn clauses(text: &Message<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = words.start;
    for at in words.clone() {
        let gap = text.gap(at);
        // A comma between digits without a space is part of a number.
        let numeric = text.is_digits(at) && text.is_digits(at + 1) && !gap.contains(' ');
        if at + 1 == words.end || (gap.contains([',', ':', '(', ')', '"', '“', '”']) && !numeric) {
            found.push(start..at + 1);
            start = at + 1;
        }
    }
    found
}

fn sentence_mood(text: &Message<'_>, words: &Range<usize>, marked: bool) -> SentenceMood {
    let lexicon = text.lexicon();
    let list = |name: &str, at: usize| lexicon.list(name).length_at(text, at);
    let mut at = words.start;
    // Skip words before the verb: "OK. Well, and can you …"
    while at < words.end {
        let skipped = list("filler", at).max(list("yes", at)).max(list("no", at)).max(list("courtesy", at));
        if skipped == 0 || list("interrogative", at) > 0 || list("request", at) > skipped {
            break;
        }
        at += skipped;
    }
    // Hypotheticals state nothing: "If I were to come with five", "what if it rains".
    let supposes = |at: usize| list("hypothetical", at) > 0;
    if supposes(at) || (words.start..words.end).take(6).any(|at| list("hypothetical", at) > 2) {
        return SentenceMood::Question;
    }
    let asks = |from: usize| lexicon.list("ask").within(text, from..words.end).is_some();
    if list("request", at) > 0 {
        let verb = at + list("request", at);
        return if asks(at) && lexicon.list("ask").within(text, verb..(verb + 4).min(words.end)).is_some() {
            SentenceMood::Existence
        } else {
            SentenceMood::Request
        };
    }
    if list("existence", at) > 0 {
        return SentenceMood::Existence;
    }
    // "What I need is a table" is a statement.
    let cleft = !marked
        && text.lexicon().list("cleft").has_word(text.folded(at))
        && text.lexicon().list("cleft_subject").has_word(text.folded(at + 1));
    if list("interrogative", at) > 0 && at < words.end && !cleft {
        return SentenceMood::Question;
    }
    let subject = text.folded(at + 1);
    let inverted = list("pronoun", at + 1) > 0 || lexicon.list("question_subject").has_word(subject);
    // "No, have we not" is an answer despite its inversion.
    let answers = at > words.start && !marked && list("yes", words.start).max(list("no", words.start)) > 0;
    if list("auxiliary", at) > 0 && (marked || inverted) && !answers {
        return SentenceMood::Question;
    }
    if lexicon.list("ask").length_at(text, at) > 0 || list("filler", at) > 0 && asks(at) {
        return SentenceMood::Existence;
    }
    if lexicon.list("inquiry").within(text, at..words.end.min(at + 9)).is_some() {
        return SentenceMood::Existence;
    }
    if marked {
        // "And the address?" asks; "Tomorrow at noon?" and "in Oakland?" propose a value.
        let later = (at..words.end).any(|at| list("interrogative", at) > 0);
        return if later { SentenceMood::Question } else { SentenceMood::Request };
    }
    SentenceMood::Statement
}
