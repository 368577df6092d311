//! The language that the user speaks in a conversation.

use forms_core::FormSchema;
use language::Language;
use language::detect::{detect, detect_greeting};

/// Words of a message that is a sentence.
const SENTENCE: usize = 5;
/// Most field descriptions used to detect a form's language.
const DESCRIPTIONS: usize = 12;

/// The language of the user after a message; `known` is the one before it. Few words tell little, so only a whole
/// sentence changes it.
#[must_use]
pub fn spoken_language(known: Language, form: &FormSchema, message: &str) -> Language {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    match message.split_whitespace().filter(is_word).count() {
        SENTENCE.. => detect(message).or(known),
        _ if known.is_unknown() => detect_greeting(message, form_language(form)).unwrap_or_default(),
        _ => known,
    }
}

/// The language of a form's descriptions.
#[must_use]
pub fn form_language(form: &FormSchema) -> Language {
    let described = form.fields.iter().filter_map(|field| field.description.as_deref());
    detect(&described.take(DESCRIPTIONS).collect::<Vec<_>>().join(". "))
}
