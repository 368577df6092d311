//! Words that make a question of the others. They are rare in texts that state things, so that their rarity says
//! nothing; they count little. Which words these are depends on the language of the query.

use language::detect::detect_among;
use language::vocabulary::is_question_word;
use language::{Language, Languages, Script};

use super::forms::{WordForm, forms};

/// The question words of one query.
pub(super) struct QuestionWords(Vec<Language>);

impl QuestionWords {
    /// Those of the query's language, chosen from these (all when there are none); none when the query has nothing
    /// but question words.
    pub(super) fn of(query: &str, languages: &[String]) -> Self {
        let candidates = match languages.is_empty() {
            true => Languages::ALL,
            false => languages.iter().filter_map(|code| Language::from_code(code)).collect(),
        };
        let detected = detect_among(query, candidates).language;
        let asked = Language::all().filter(|language| *language == detected || is_east_asian(*language));
        let known = Self(asked.collect());
        let mut has_others = false;
        forms(query, false, &mut |form: WordForm<'_>| has_others |= !known.has(form.text));
        if has_others { known } else { Self(Vec::new()) }
    }

    /// Whether a word is one of them.
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.iter().any(|language| is_question_word(*language, word))
    }
}

/// Whether the words of a language are pairs of characters, which other languages do not have.
fn is_east_asian(language: Language) -> bool {
    let script = language.locale().map(|locale| locale.script);
    matches!(script, Some(Script::Han | Script::Kana | Script::Hangul))
}
