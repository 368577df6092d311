//! Words of a section of the locales by key, in all languages together, with an enum of the keys.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::Language;
use crate::locale::{Locale, Section};

/// Words of one section by key.
pub(crate) struct ByKey(FxHashMap<&'static str, FxHashSet<String>>);

impl ByKey {
    /// The words as `fold` writes them.
    pub(crate) fn of(section: impl Fn(&'static Locale) -> Section, fold: fn(&str) -> String) -> Self {
        let mut words: FxHashMap<&'static str, FxHashSet<String>> = FxHashMap::default();
        for locale in Language::all().filter_map(Language::locale) {
            for entry in section(locale).entries() {
                words.entry(entry.key).or_default().extend(entry.words.iter().map(fold));
            }
        }
        Self(words)
    }

    pub(crate) fn words(&self, key: &str) -> impl Iterator<Item = &str> {
        self.0.get(key).into_iter().flatten().map(String::as_str)
    }

    pub(crate) fn has(&self, key: &str, folded: &str) -> bool {
        self.0.get(key).is_some_and(|words| words.contains(folded))
    }
}

macro_rules! keyed_words {
    ($(#[$about:meta])* $name:ident in $section:ident by $fold:path: $($(#[$doc:meta])* $kind:ident = $key:literal,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $kind,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// The key in the locales.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$kind => $key,)*
                }
            }

            /// Whether a folded text is one of these, in any language.
            #[must_use]
            pub fn has(self, folded: &str) -> bool {
                Self::by_key().has(self.key(), folded)
            }

            /// The folded texts of this kind in all languages, in no order.
            pub fn words(self) -> impl Iterator<Item = &'static str> {
                Self::by_key().words(self.key())
            }

            fn by_key() -> &'static $crate::keyed_words::ByKey {
                static WORDS: std::sync::LazyLock<$crate::keyed_words::ByKey> = std::sync::LazyLock::new(|| {
                    $crate::keyed_words::ByKey::of(|locale| locale.$section, $fold)
                });
                &WORDS
            }
        }
    };
}

pub(crate) use keyed_words;
