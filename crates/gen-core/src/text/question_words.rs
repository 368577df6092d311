//! Words of questions: what they begin with and refer to, and words that say little about their subject.

use std::sync::LazyLock;

use language::fold::is_unspaced;
use language::phrase::SectionPhrases;
use language::{Language, Words};

pub(super) static QUESTIONS: LazyLock<SectionPhrases> =
    LazyLock::new(|| SectionPhrases::of(|locale| locale.questions));

/// Question words of scripts without spaces, longer ones before those that they contain. As pairs of
/// characters they would be meaningless terms.
static INTERROGATIVES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let locales = Language::all().filter_map(Language::locale);
    let mut words: Vec<&str> =
        locales.map(|locale| locale.questions.words("interrogative")).flat_map(Words::iter).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
});

/// Whether a folded word says little about the subject of a question.
pub(super) fn is_light(folded: &str) -> bool {
    QUESTIONS.has_word("light", folded)
}

/// Replaces the question words of scripts without spaces by spaces.
pub(super) fn without_question_words(text: &str) -> String {
    let mut text = text.to_owned();
    if text.chars().any(is_unspaced) {
        for word in INTERROGATIVES.iter() {
            text = text.replace(word, " ");
        }
    }
    text
}
