//! Words of descriptions from which a form is made: what they say of a field, what introduces a list, what joins
//! entries. Lists of phrases by name, as the `[schema]` of the locales has them, folded as [`fold`] does.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::detect::detect_form;
use crate::fold::fold;
use crate::language::{Language, Languages};
use crate::locale::{Entry, Level, Locale, Section, Words};
use crate::per_locale::PerLocale;

/// Words that belong to no language.
const SYMBOLS: Section = Section(include_str!(concat!(env!("OUT_DIR"), "/schema.txt")));
/// The numbers that are read as words.
const NUMBERS: std::ops::RangeInclusive<i64> = 1..=10;

/// Phrases in their order, and as a set.
#[derive(Debug, Default)]
struct List {
    phrases: Vec<String>,
    set: FxHashSet<String>,
}

impl Extend<String> for List {
    fn extend<T: IntoIterator<Item = String>>(&mut self, phrases: T) {
        let new = phrases.into_iter().filter(|phrase| self.set.insert(phrase.clone()));
        self.phrases.extend(new);
    }
}

/// The words of a language, together with those of English, which occur everywhere.
#[derive(Debug, Default)]
pub struct FormWords {
    language: Language,
    /// The phrases of each list, those of the language first.
    lists: FxHashMap<&'static str, List>,
    numbers: FxHashMap<String, u8>,
}

impl FormWords {
    /// Those of a language; of an unknown one those of all complete languages.
    #[must_use]
    pub fn of(language: Language) -> &'static Self {
        static ANY: LazyLock<FormWords> =
            LazyLock::new(|| FormWords::new(Language::UNKNOWN, Languages::of_level(Level::Full)));
        static BY_LANGUAGE: PerLocale<FormWords> = PerLocale::new();
        let own = BY_LANGUAGE
            .get(language, |_| FormWords::new(language, Languages::from(language).with(Language::ENGLISH)));
        own.unwrap_or_else(|| &ANY)
    }

    /// Those of the language that a description is in.
    #[must_use]
    pub fn detect(text: &str) -> &'static Self {
        Self::of(detect_form(text))
    }

    fn new(language: Language, languages: Languages) -> Self {
        let mut words = Self { language, ..Self::default() };
        let others = languages.iter().filter(|other| *other != language);
        for locale in std::iter::once(language).chain(others).filter_map(Language::locale) {
            words.add(locale);
        }
        for entry in SYMBOLS.entries() {
            words.extend(entry.key, entry.words);
        }
        words
    }

    fn add(&mut self, locale: &'static Locale) {
        let beside = self.language.locale().filter(|own| own.code != locale.code);
        let means_other = |word: &str| beside.is_some_and(|own| is_small_word(own, word));
        for Entry { key, words, .. } in locale.schema.entries() {
            let list = self.lists.entry(key).or_default();
            list.extend(words.iter().filter(|word| !means_other(word)).map(fold));
        }
        // Beside another language only the plain "and" and "or": "plus" is a word of others, too.
        let count = if beside.is_some() { 1 } else { usize::MAX };
        let whether = locale.schema.words("whether");
        for (key, words) in [("and", locale.and), ("or", locale.or)] {
            let joining = words.iter().filter(|word| !whether.contains(word)).take(count).map(fold);
            self.lists.entry(key).or_default().extend(joining);
        }
        self.extend("between", locale.between);
        self.extend("true", locale.booleans.words("true"));
        self.extend("false", locale.booleans.words("false"));
        for (number, words) in locale.number_words.numbered().filter(|(number, _)| NUMBERS.contains(number)) {
            // An article counts nothing.
            let words = words.iter().filter(|word| !locale.articles.contains(word));
            self.numbers.extend(words.map(fold).zip(std::iter::repeat(u8::try_from(number).unwrap_or(0))));
        }
    }

    fn extend(&mut self, key: &'static str, words: Words) {
        self.lists.entry(key).or_default().extend(words.iter().map(fold));
    }

    /// Their language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    fn get(&self, key: &str) -> Option<&List> {
        let list = self.lists.get(key);
        debug_assert!(list.is_some(), "no list of the locales is called {key}");
        list
    }

    /// The phrases of a list, folded, those of the language first.
    #[must_use]
    pub fn list(&self, key: &str) -> &[String] {
        self.get(key).map(|list| list.phrases.as_slice()).unwrap_or_default()
    }

    /// Whether a folded word is in a list.
    #[must_use]
    pub fn has(&self, key: &str, folded: &str) -> bool {
        self.get(key).is_some_and(|list| list.set.contains(folded))
    }

    /// Whether a folded word has an ending of a list before which at least `stem` bytes stand.
    #[must_use]
    pub fn has_ending(&self, key: &str, folded: &str, stem: usize) -> bool {
        self.list(key)
            .iter()
            .any(|ending| folded.len() >= ending.len() + stem && folded.ends_with(ending.as_str()))
    }

    /// Whether the language itself, and not only English, has words of a list.
    #[must_use]
    pub fn has_own(&self, key: &str) -> bool {
        self.language.locale().is_some_and(|locale| !locale.schema.words(key).is_empty())
    }

    /// Whether a noun stands before its attributes.
    #[must_use]
    pub fn is_noun_first(&self) -> bool {
        self.language.locale().is_some_and(|locale| locale.noun_first)
    }

    /// The number, 1 to 10, of a folded word.
    #[must_use]
    pub fn number(&self, folded: &str) -> Option<u8> {
        self.numbers.get(folded).copied()
    }
}

/// Whether a word of English is likely one of another language: a single letter, or a small word of it, such as
/// the Dutch "of".
fn is_small_word(locale: &Locale, word: &str) -> bool {
    word.chars().nth(1).is_none() || (word.len() == 2 && locale.stop_words.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(code: &str) -> &'static FormWords {
        FormWords::of(Language::from_code(code).unwrap_or_default())
    }

    #[test]
    fn a_language_has_its_words_and_those_of_english() {
        assert!(words("de").has("date", "datum") && words("de").has("date", "deadline"));
        assert!(!words("en").has("date", "datum") && words("").has("date", "datum"));
        assert!(words("de").has("number", "grosse") && words("fr").has("unit", "€"));
        assert!(words("de").has_ending("number_ending", "tagessatz", 1));
    }

    #[test]
    fn small_words_of_a_language_are_no_english_ones() {
        assert!(words("nl").has("or", "of") && !words("nl").has("preposition", "of"));
        assert!(words("en").has("preposition", "of") && !words("it").has("clause", "i"));
        assert!(words("fr").has("and", "and") && !words("fr").has("and", "plus"));
        // A Polish "czy" begins a question.
        assert!(words("pl").has("whether", "czy") && !words("pl").has("or", "czy"));
    }

    #[test]
    fn numbers_are_no_articles() {
        assert_eq!((words("de").number("drei"), words("de").number("ein")), (Some(3), None));
        assert_eq!((words("fr").number("ten"), words("fr").number("eleven")), (Some(10), None));
    }

    #[test]
    fn short_lists_tell_their_language() {
        for (text, code) in [
            ("a form with name and email", "en"),
            ("Ein Formular mit Name und E-Mail", "de"),
            ("un formulaire avec nom et adresse", "fr"),
            ("un formulario con nombre y correo", "es"),
            ("Straße, Größe, Stück", "de"),
            ("nome, cognome, telefono", "it"),
            ("nome, apelido, telemóvel", "pt"),
            ("naam, voornaam, woonplaats", "nl"),
            ("imię, nazwisko, telefon", "pl"),
            ("namn, efternamn, ort", "sv"),
            ("", "en"),
            ("a: b: c: d: e: f", "en"),
        ] {
            assert_eq!(FormWords::detect(text).language().code(), Some(code), "{text}");
        }
    }

    #[test]
    fn every_complete_language_has_the_words_that_none_can_do_without() {
        for language in Languages::of_level(Level::Full).iter() {
            let Some(locale) = language.locale() else { continue };
            for key in
                ["email", "date", "integer", "number", "field", "cue", "form", "required", "optional", "unit"]
            {
                assert!(!locale.schema.words(key).is_empty(), "{}: {key}", locale.code);
            }
            for kind in [
                "plain",
                "invoice",
                "contact",
                "job_application",
                "registration",
                "patient",
                "feedback",
                "order",
            ] {
                assert!(locale.forms.entries().any(|entry| entry.key == kind), "{}: {kind}", locale.code);
            }
        }
    }
}
