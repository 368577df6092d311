//! The one name of a language, and sets of languages.

use std::fmt;

use crate::locale::{COUNT, LOCALES, Level, Locale};

/// A language that there is a locale of, or none.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

// Sets of languages are bits of one number.
const _: () = assert!(COUNT < 128);

impl Language {
    /// A language that is not known.
    pub const UNKNOWN: Self = Self(0);
    /// English, whose locale file says which keys there are; what has no words in another language falls back to
    /// it.
    pub const ENGLISH: Self = Self(1);

    /// The language of an ISO 639 code, with or without a region: `de`, `deu`, `de-AT`, `pt_BR`.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        let code = code.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        let is = |locale: &Locale| {
            locale.code == code || locale.iso639_3 == code || locale.aliases.contains(&code)
        };
        Self::all().find(|language| language.locale().is_some_and(is))
    }

    /// Its ISO 639-1 code; `None` where it is unknown.
    #[must_use]
    pub fn code(self) -> Option<&'static str> {
        self.locale().map(|locale| locale.code)
    }

    /// What is known of it.
    #[must_use]
    pub fn locale(self) -> Option<&'static Locale> {
        LOCALES.get(self.index()?)
    }

    /// Whether it is unknown.
    #[must_use]
    pub const fn is_unknown(self) -> bool {
        self.0 == 0
    }

    /// This one, or another where it is unknown.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        if self.is_unknown() { other } else { self }
    }

    /// Whether its locale is at least so complete.
    #[must_use]
    pub fn is_at_least(self, level: Level) -> bool {
        self.locale().is_some_and(|locale| locale.level >= level)
    }

    /// All languages: English, then by how complete they are, then by code.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=COUNT).filter_map(|at| u8::try_from(at).ok()).map(Self)
    }

    /// Its place among all.
    pub(crate) fn index(self) -> Option<usize> {
        usize::from(self.0).checked_sub(1)
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Language({})", self.code().unwrap_or("unknown"))
    }
}

/// A set of languages.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Languages(u128);

impl Languages {
    /// None.
    pub const NONE: Self = Self(0);
    /// All that there are.
    pub const ALL: Self = Self((1 << COUNT) - 1);

    /// Those whose locale is at least so complete.
    #[must_use]
    pub fn of_level(level: Level) -> Self {
        Language::all().filter(|language| language.is_at_least(level)).collect()
    }

    /// With one more.
    #[must_use]
    pub fn with(self, language: Language) -> Self {
        Self(self.0 | language.index().map_or(0, |at| 1 << at))
    }

    /// Those of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those of either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a language is among them.
    #[must_use]
    pub fn contains(self, language: Language) -> bool {
        language.index().is_some_and(|at| self.0 >> at & 1 == 1)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each, in the order of [`Language::all`].
    pub fn iter(self) -> impl Iterator<Item = Language> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let at = rest.trailing_zeros();
            rest &= rest.checked_sub(1)?;
            u8::try_from(at + 1).ok().map(Language)
        })
    }
}

impl From<Language> for Languages {
    fn from(language: Language) -> Self {
        Self::NONE.with(language)
    }
}

impl FromIterator<Language> for Languages {
    fn from_iter<I: IntoIterator<Item = Language>>(languages: I) -> Self {
        languages.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for Languages {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_many_codes_and_one_name() {
        for code in ["de", "DE", "deu", "de-AT", "de_CH"] {
            assert_eq!(Language::from_code(code).and_then(Language::code), Some("de"), "{code}");
        }
        assert_eq!(Language::from_code("nb").and_then(Language::code), Some("no"));
        assert_eq!(Language::from_code("xx"), None);
        assert_eq!(Language::ENGLISH.code(), Some("en"));
        assert_eq!(Language::UNKNOWN.code(), None);
        assert_eq!(Language::default(), Language::UNKNOWN);
    }

    #[test]
    fn a_set_of_languages_has_each_once() {
        let german = Language::from_code("de").unwrap();
        let set: Languages = [Language::ENGLISH, german, german, Language::UNKNOWN].into_iter().collect();
        assert_eq!(set.iter().count(), 2);
        assert!(set.contains(german) && !set.contains(Language::UNKNOWN));
        assert_eq!(Languages::ALL.iter().count(), COUNT);
    }
}
