//! The language of a message.

use language::cue::Lexicon;
use language::detect::detect_among;
use language::{Language, Languages, Level};

use crate::nlu::tokens::message::Message;
use agents_core::chat::{UserTurn, form_language};

/// Most words of a message that are too few to tell a language alone.
const FEW: usize = 4;
/// Score of two small words of a language, which tell it.
const SURE: usize = 4;

/// Detects the language of a message among those with a complete locale; for few words that of the dialogue so far,
/// else that of the form. Unknown when the words may belong to several languages.
pub(crate) fn detect_language(text: &Message<'_>, turn: &UserTurn<'_>) -> Language {
    let detection = detect_among(text.raw, Languages::of_level(Level::Full));
    if detection.is_reliable || text.len() > FEW && detection.score >= SURE && !detection.is_tied {
        return detection.language;
    }
    // Any user may say a word of English, so an English greeting or form tells nothing of the words after it.
    let tells = |language: &Language| *language != Language::ENGLISH && language.is_at_least(Level::Full);
    let spoken = [turn.language, form_language(turn.form)];
    let likely = spoken.into_iter().find(tells);
    let own = likely.or_else(|| spoken.into_iter().find(|language| language.is_at_least(Level::Full)));
    match (detection.language, likely) {
        (Language::UNKNOWN, likely) => likely.unwrap_or_default(),
        // "Me llamo": a typical phrase tells more than a first word that is also English.
        (Language::ENGLISH, None) if has_foreign_phrase(text) => Language::UNKNOWN,
        // Words of several languages, and English ones: "no".
        (Language::ENGLISH, likely) => likely.unwrap_or(Language::ENGLISH),
        (_, Some(likely)) if detection.is_tied => likely,
        // "5 de marzo de 2026": the words belong to several languages.
        (_, None) if detection.is_tied => Language::UNKNOWN,
        (detected, Some(likely)) if detected == likely => detected,
        // "Dan Brown, 12 years old": one word tells nothing of a long message.
        _ if text.len() > FEW && !has_foreign_phrase(text) => own.unwrap_or_default(),
        _ => Language::UNKNOWN,
    }
}

/// Lists whose phrases of several words identify a language.
const PHRASES: [&str; 14] = [
    "self_intro",
    "unknown",
    "not_applicable",
    "later",
    "yes",
    "no",
    "finish",
    "skip",
    "repeat",
    "explain",
    "back",
    "review",
    "cancel",
    "restart",
];

/// Whether a message has a typical phrase that is not English.
fn has_foreign_phrase(text: &Message<'_>) -> bool {
    let (any, english) = (Lexicon::of(Language::UNKNOWN), Lexicon::of(Language::ENGLISH));
    let length = |lexicon: &Lexicon, at: usize| {
        PHRASES.iter().map(|list| lexicon.list(list).length_at(text, at)).max()
    };
    (0..text.len()).any(|at| length(any, at) > length(english, at).max(Some(1)))
}
