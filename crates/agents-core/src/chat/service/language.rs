//! Language detection of a conversation.

use forms_core::FormSchema;
use gen_core::language_code;

use crate::chat::Session;
use crate::chat::wording::Language;

/// Most field descriptions used to detect a form's language.
const DESCRIPTIONS: usize = 12;

/// Updates the session's language. A short message is unreliable, so only a message of at least five words
/// changes a known language.
pub(super) fn update_language(session: &mut Session, message: &str) {
    const SENTENCE: usize = 5;
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let words = message.split_whitespace().filter(is_word).count();
    let told = match words {
        SENTENCE.. => language_code(message),
        _ if session.language.is_empty() => Language::of_greeting(message).map(Language::code),
        _ => None,
    };
    if let Some(code) = told {
        code.clone_into(&mut session.language);
    }
}

/// Whether the language is known but has no templates.
pub(super) fn has_no_templates(language: &str) -> bool {
    !language.is_empty() && Language::of_code(language).is_none()
}

/// The language of replies: the user's, else the form's, else English.
pub(super) fn reply_language(session: &Session, schema: &FormSchema) -> Language {
    Language::of_code(&session.language).unwrap_or_else(|| {
        let described: Vec<&str> = schema
            .fields
            .iter()
            .filter_map(|field| field.description.as_deref())
            .take(DESCRIPTIONS)
            .collect();
        language_code(&described.join(". ")).and_then(Language::of_code).unwrap_or_default()
    })
}
