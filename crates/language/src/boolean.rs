//! Yes and no, in the words of all languages and as marks.

use std::sync::LazyLock;

use crate::fold::fold_word;
use crate::language::Language;
use crate::locale::Locale;

use rustc_hash::FxHashMap;

/// Words for yes and no by their letters, without spaces.
static WORDS: LazyLock<FxHashMap<String, bool>> = LazyLock::new(|| {
    let mut words = FxHashMap::default();
    for locale in Language::all().filter_map(Language::locale) {
        for value in [true, false] {
            for word in booleans(locale, value) {
                words.entry(fold_word(word)).or_insert(value);
            }
        }
    }
    words
});

/// The words of a language for yes, or for no.
pub fn booleans(locale: &'static Locale, value: bool) -> impl Iterator<Item = &'static str> {
    locale.booleans.words(if value { "true" } else { "false" }).iter()
}

/// Whether a text as a whole says yes or no; `None` where it says neither.
#[must_use]
pub fn parse_boolean(text: &str) -> Option<bool> {
    match text {
        "1" | "☑" | "☒" | "✓" | "✔" | "✅" | "[x]" | "[X]" | "x" | "X" => Some(true),
        "0" | "☐" | "✗" | "✘" | "❌" | "[ ]" | "[]" => Some(false),
        _ => WORDS.get(&fold_word(text)).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yes_and_no_are_known_in_many_languages() {
        for text in ["Yes", "JA", "oui", "sí", "sì", "sim", "tak", "да", "はい", "true", "☑", "ναι", "kyllä"]
        {
            assert_eq!(parse_boolean(text), Some(true), "{text}");
        }
        for text in
            ["No", "nein", "não", "NIE", "hayır", "нет", "いいえ", "false", "☐", "nicht zutreffend", "όχι"]
        {
            assert_eq!(parse_boolean(text), Some(false), "{text}");
        }
        for text in ["", "maybe", "yes and no", "2", "non applicable"] {
            assert_eq!(parse_boolean(text), None, "{text}");
        }
    }

    #[test]
    fn no_word_says_both() {
        for locale in Language::all().filter_map(Language::locale) {
            for (value, word) in [true, false]
                .into_iter()
                .flat_map(|value| booleans(locale, value).map(move |word| (value, word)))
            {
                assert_eq!(parse_boolean(word), Some(value), "{word} in {}", locale.code);
            }
        }
    }
}
