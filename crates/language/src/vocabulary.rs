//! Words looked up in their locale: stop words, question words, negation, and what is the same in all languages.

use std::collections::hash_map::Entry;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::fold::fold_word;
use crate::language::{Language, Languages};
use crate::locale::{Locale, Words};
use crate::per_locale::PerLocale;

/// The words of a list as they are written.
type Set = FxHashSet<&'static str>;

fn set(words: Words) -> Set {
    words.iter().collect()
}

/// Whether a word in lower case is a stop word of a language; of English where the language is unknown.
#[must_use]
pub fn is_stop_word(language: Language, word: &str) -> bool {
    static SETS: PerLocale<Set> = PerLocale::new();
    let words = SETS.get(language.or(Language::ENGLISH), |locale| set(locale.stop_words));
    words.is_some_and(|words| words.contains(word))
}

/// Whether a word in lower case only makes a question of others: a question word or auxiliary verb.
#[must_use]
pub fn is_question_word(language: Language, word: &str) -> bool {
    static SETS: PerLocale<Set> = PerLocale::new();
    let words = SETS.get(language.or(Language::ENGLISH), |locale| set(locale.question_words));
    words.is_some_and(|words| words.contains(word))
}

/// Whether a word denies in a language; in English where the language is unknown. The word is folded as
/// [`fold_word`] does.
#[must_use]
pub fn is_negation(language: Language, folded: &str) -> bool {
    static SETS: PerLocale<FxHashSet<String>> = PerLocale::new();
    let of = |locale: &'static Locale| locale.negation.iter().map(fold_word).collect();
    SETS.get(language.or(Language::ENGLISH), of).is_some_and(|words| words.contains(folded))
}

/// Folded words of one list of every locale, with the languages that have them.
pub(crate) struct Everywhere(FxHashMap<String, Languages>);

impl Everywhere {
    pub(crate) fn of(list: impl Fn(&'static Locale) -> Words) -> Self {
        let mut words: FxHashMap<String, Languages> = FxHashMap::default();
        for language in Language::all() {
            for word in language.locale().map(&list).into_iter().flat_map(Words::iter) {
                match words.entry(fold_word(word)) {
                    Entry::Occupied(mut known) => {
                        let with = known.get().with(language);
                        known.insert(with);
                    }
                    Entry::Vacant(free) => {
                        free.insert(language.into());
                    }
                }
            }
        }
        Self(words)
    }

    /// The languages that have a folded word; none for another word.
    pub(crate) fn languages(&self, folded: &str) -> Languages {
        self.0.get(folded).copied().unwrap_or_default()
    }

    pub(crate) fn has(&self, folded: &str) -> bool {
        self.0.contains_key(folded)
    }
}

macro_rules! everywhere {
    ($(#[$about:meta] $name:ident: $list:ident;)*) => {$(
        #[$about]
        ///
        /// The word is folded as [`fold_word`] does.
        #[must_use]
        pub fn $name(folded: &str) -> bool {
            static WORDS: LazyLock<Everywhere> = LazyLock::new(|| Everywhere::of(|locale| locale.$list));
            WORDS.has(folded)
        }
    )*};
}

everywhere! {
    /// Whether a word is an abbreviation whose full stop ends no sentence, in any language.
    is_abbreviation: abbreviations;
    /// Whether a word is a title of people, in any language.
    is_title: titles;
    /// Whether a word is a legal form of companies, in any language.
    is_company_suffix: company_suffixes;
    /// Whether a word marks a copy or its original, in any language.
    is_copy_word: copies;
    /// Whether a word stands beside the number of a page, in any language.
    is_page_word: pages;
    /// Whether a word is an article, in any language.
    is_article: articles;
    /// Whether a word, or a phrase without its spaces, is between the ends of a range, in any language.
    is_range_word: range;
    /// Whether a word joins, in any language.
    is_conjunction: and;
}

/// The languages of which a word is a title of people, folded.
#[must_use]
pub fn title_languages(folded: &str) -> Languages {
    static WORDS: LazyLock<Everywhere> = LazyLock::new(|| Everywhere::of(|locale| locale.titles));
    WORDS.languages(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_words_are_known_by_their_language() {
        let of = |code| Language::from_code(code).unwrap();
        assert!(is_stop_word(of("de"), "für") && !is_stop_word(of("en"), "für"));
        assert!(is_stop_word(Language::UNKNOWN, "the"));
        assert!(is_question_word(of("pl"), "dlaczego") && !is_question_word(of("pl"), "umowa"));
        assert!(is_stop_word(of("no"), "ikke"));
        // Finnish "en" denies, and Spanish "en" does not.
        assert!(
            is_negation(of("fi"), "en") && !is_negation(of("es"), "en") && is_negation(of("es"), "jamas")
        );
    }

    #[test]
    fn words_of_all_languages_are_known_together() {
        assert!(is_title("frau") && is_title("mme") && title_languages("dr").contains(Language::ENGLISH));
        assert!(is_company_suffix("gmbh") && is_company_suffix("ltda") && !is_company_suffix("hotel"));
        assert!(
            is_range_word("biszum")
                && is_range_word("tm")
                && is_conjunction("oraz")
                && !is_conjunction("bis")
        );
        assert!(
            is_copy_word("duplikat") && is_page_word("seite") && is_abbreviation("bzw") && is_article("het")
        );
    }
}
