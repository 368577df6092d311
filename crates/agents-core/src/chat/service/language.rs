//! Language detection of a conversation.

use forms_core::FormSchema;
use language::Language;
use language::detect::{detect, detect_greeting};
use language::reply::has_replies;

use crate::chat::{Session, nlu};

/// Most field descriptions used to detect a form's language. Bounds the time. Chosen by hand; no measurement
/// is recorded.
const DESCRIPTIONS: usize = 12;

/// Remembers the language that the user is heard in. Few words tell little, so only a whole sentence changes it.
pub(super) fn update_language(session: &mut Session, schema: &FormSchema, message: &str) {
    // Chosen by hand; no measurement is recorded.
    const SENTENCE: usize = 5;
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1;
    let words = message.split_whitespace().filter(is_word).count();
    let told = match words {
        SENTENCE.. => detect(message).code(),
        _ if session.language.is_empty() => {
            detect_greeting(message, form_language(schema)).and_then(Language::code)
        }
        _ => None,
    };
    if let Some(code) = told {
        code.clone_into(&mut session.language);
    }
}

/// The language of a conversation, as far as its user has told it.
pub(super) fn session_language(session: &Session) -> Language {
    Language::from_code(&session.language).unwrap_or_default()
}

/// Whether the rules read what the user says; so they try where the language is not known.
pub(super) fn is_read(session: &Session) -> bool {
    session.language.is_empty() || nlu::reads(session_language(session))
}

/// Whether a language is known that there are no replies in.
pub(super) fn has_no_replies(session: &Session) -> bool {
    !session.language.is_empty() && !has_replies(session_language(session))
}

/// The language of replies: the user's, else the form's, else English.
pub(super) fn reply_language(session: &Session, schema: &FormSchema) -> Language {
    let own = session_language(session);
    if has_replies(own) {
        return own;
    }
    Some(form_language(schema)).filter(|language| has_replies(*language)).unwrap_or(Language::ENGLISH)
}

/// The language of a form's descriptions.
fn form_language(schema: &FormSchema) -> Language {
    let described = schema.fields.iter().filter_map(|field| field.description.as_deref());
    detect(&described.take(DESCRIPTIONS).collect::<Vec<_>>().join(". "))
}
