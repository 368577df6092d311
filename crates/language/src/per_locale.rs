//! Indexes of locales, made when they are first asked for.

use std::sync::OnceLock;

use crate::language::Language;
use crate::locale::{COUNT, Locale};

/// Something that is made of each locale when it is first asked for.
pub(crate) struct PerLocale<T>([OnceLock<T>; COUNT]);

impl<T> PerLocale<T> {
    pub(crate) const fn new() -> Self {
        Self([const { OnceLock::new() }; COUNT])
    }

    /// What was made of the language's locale; `None` for a language that has none.
    pub(crate) fn get(&self, language: Language, make: impl FnOnce(&'static Locale) -> T) -> Option<&T> {
        let locale = language.locale()?;
        Some(self.0.get(language.index()?)?.get_or_init(|| make(locale)))
    }
}
