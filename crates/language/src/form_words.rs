//! Words of descriptions from which a form is made: what they say of a field, what introduces a list, what joins
//! entries. Lists of phrases by name, as the `[schema]` of the locales has them, folded as [`fold`] does.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::detect::detect_form;
use crate::fold::fold;
use crate::language::{Language, Languages};
use crate::locale::{Entry, Level, Locale, Section, Words};
use crate::per_locale::PerLocale;

/// Words that belong to no language.
const SYMBOLS: Section = Section(include_str!(concat!(env!("OUT_DIR"), "/schema.txt")));
/// The numbers that are read as words.
const NUMBERS: std::ops::RangeInclusive<i64> = 1..=10;

/// The words of a language, together with those of English, which occur everywhere.
#[derive(Debug, Default)]
pub struct FormWords {
    language: Language,
    /// The phrases of each list, those of the language first.
    lists: FxHashMap<&'static str, Vec<String>>,
    numbers: FxHashMap<String, u8>,
}

impl FormWords {
    /// Those of a language; of an unknown one those of all complete languages.
    #[must_use]
    pub fn of(language: Language) -> &'static Self {
        static ANY: LazyLock<FormWords> =
            LazyLock::new(|| FormWords::new(Language::UNKNOWN, Languages::of_level(Level::Full)));
        static BY_LANGUAGE: PerLocale<FormWords> = PerLocale::new();
        let own = BY_LANGUAGE.get(language, |_| {
            FormWords::new(language, Languages::from(language).with(Language::ENGLISH))
        });
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
        for Entry { key, words, .. } in locale.schema.entries() {
            self.extend(key, words);
        }
        // Of English beside another language only the plain "and" and "or": "plus" is a word of others, too.
        let count = if self.language.code() == Some(locale.code) { usize::MAX } else { 1 };
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

    /// The phrases of a list, folded; none for a list that there is not.
    #[must_use]
    pub fn list(&self, key: &str) -> &[String] {
        self.lists.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a folded word is in a list.
    #[must_use]
    pub fn has(&self, key: &str, folded: &str) -> bool {
        self.list(key).iter().any(|word| word == folded)
    }

    /// Whether a folded word has an ending of a list before which at least `stem` bytes stand.
    #[must_use]
    pub fn has_ending(&self, key: &str, folded: &str, stem: usize) -> bool {
        self.list(key).iter().any(|ending| folded.len() >= ending.len() + stem && folded.ends_with(ending.as_str()))
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
