//! The language of a conversation.

use language::detect::detect;

use forms_core::FormSchema;

use crate::chat::Session;
use crate::chat::wording::Language;

/// Descriptions of a form that its language is told by.
const DESCRIPTIONS: usize = 12;

/// Remembers the language that the user is heard in. Few words tell little, so only a whole sentence changes it.
pub(super) fn update_language(session: &mut Session, message: &str) {
    const SENTENCE: usize = 5;
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let words = message.split_whitespace().filter(is_word).count();
    let told = match words {
        SENTENCE.. => detect(message).code(),
        _ if session.language.is_empty() => Language::of_greeting(message).map(Language::code),
        _ => None,
    };
    if let Some(code) = told {
        code.clone_into(&mut session.language);
    }
}

/// Whether a language is known that there are no templates for.
pub(super) fn has_no_templates(language: &str) -> bool {
    !language.is_empty() && Language::of_code(language).is_none()
}

/// The language of replies: the user's, else that of the form, else English.
pub(super) fn reply_language(session: &Session, schema: &FormSchema) -> Language {
    Language::of_code(&session.language).unwrap_or_else(|| {
        let described: Vec<&str> = schema
            .fields
            .iter()
            .filter_map(|field| field.description.as_deref())
            .take(DESCRIPTIONS)
            .collect();
        detect(&described.join(". ")).code().and_then(Language::of_code).unwrap_or_default()
    })
}
