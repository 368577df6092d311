//! Language detection of a conversation.

use forms_core::FormSchema;
use language::Language;
use language::reply::has_replies;

use crate::chat::{Nlu, Session, form_language, spoken_language};

/// Remembers the language that the user is heard in.
pub(super) fn update_language(session: &mut Session, schema: &FormSchema, message: &str) {
    if let Some(code) = spoken_language(session_language(session), schema, message).code() {
        code.clone_into(&mut session.language);
    }
}

/// The language of a conversation, as far as its user has told it.
pub(super) fn session_language(session: &Session) -> Language {
    Language::from_code(&session.language).unwrap_or_default()
}

/// Whether the rules read what the user says; so they try where the language is not known.
pub(super) fn is_read(nlu: &dyn Nlu, session: &Session) -> bool {
    session.language.is_empty() || nlu.reads(session_language(session))
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
