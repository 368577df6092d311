//! Stems: the Snowball stemmer of a language, or the cutting of its commonest endings.

use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer as Snowball};
use rustc_hash::FxHashSet;

use crate::fold::{fold, strip_accents};
use crate::language::Language;
use crate::locale::{Script, Words};

/// Letters that an ending leaves at the least.
const MIN_STEM: usize = 4;

impl Script {
    /// The script of a word, by its first letter.
    #[must_use]
    pub fn of(word: &str) -> Self {
        match word.chars().next().map_or(0, u32::from) {
            0..=0x24f | 0x1e00..=0x1eff => Self::Latin,
            0x370..=0x3ff | 0x1f00..=0x1fff => Self::Greek,
            0x400..=0x52f => Self::Cyrillic,
            0x590..=0x5ff => Self::Hebrew,
            0x600..=0x6ff | 0x750..=0x77f => Self::Arabic,
            0xb80..=0xbff => Self::Tamil,
            0x3040..=0x30ff => Self::Kana,
            0x3400..=0x9fff => Self::Han,
            0x1100..=0x11ff | 0xac00..=0xd7af => Self::Hangul,
            _ => Self::Other,
        }
    }

    /// The most frequent language of the script; unknown where none is told.
    #[must_use]
    pub fn usual_language(self) -> Language {
        static USUAL: LazyLock<Vec<(Script, Language)>> = LazyLock::new(|| {
            let usual = Language::all()
                .filter(|language| language.locale().is_some_and(|locale| locale.usual_of_script));
            usual.filter_map(|language| Some((language.locale()?.script, language))).collect()
        });
        USUAL.iter().find(|(script, _)| *script == self).map_or(Language::UNKNOWN, |(_, language)| *language)
    }
}

/// Stems words of texts in one language.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stemmer {
    algorithm: Option<Algorithm>,
    script: Option<Script>,
    endings: Words,
    keeps_accents: bool,
}

impl Stemmer {
    /// The stemmer of a language; one that stems nothing where it has none.
    #[must_use]
    pub fn new(language: Language) -> Self {
        language.locale().map_or_else(Self::default, |locale| Self {
            algorithm: locale.stemmer,
            script: Some(locale.script),
            endings: locale.stem_endings,
            keeps_accents: locale.keeps_accents,
        })
    }

    /// The stem of a word in lower case, folded. Words with digits are only folded.
    #[must_use]
    pub fn stem(&self, word: &str) -> String {
        let word = word.replace('-', "");
        if word.chars().any(|c| c.is_ascii_digit()) {
            return fold(&word);
        }
        match self.algorithm {
            Some(algorithm) => fold(&Snowball::create(algorithm).stem(&word)),
            None => self.cut(fold(&word)),
        }
    }

    fn cut(&self, folded: String) -> String {
        let stem = self
            .endings
            .iter()
            .find_map(|ending| folded.strip_suffix(ending).filter(|rest| rest.len() >= MIN_STEM));
        match stem {
            Some(stem) => stem.to_owned(),
            None => folded,
        }
    }

    /// Writes the term under which an index has a word in lower case and form KC. A word in a script that its
    /// text's language is not written in gets the stemmer of that script's most frequent language.
    pub fn index_term(&self, word: &str, term: &mut String) {
        let script = Script::of(word);
        let usual = || script.usual_language().locale().and_then(|locale| locale.stemmer);
        let algorithm = if self.script == Some(script) { self.algorithm } else { usual() };
        let stem = algorithm.map(|algorithm| Snowball::create(algorithm).stem(word));
        self.write(stem.as_deref().filter(|stem| !stem.is_empty()).unwrap_or(word), word, term);
    }

    /// The same of what is looked up as it is: a number, an identifier.
    pub fn exact_term(&self, word: &str, term: &mut String) {
        self.write(word, word, term);
    }

    /// The stem without accents; the word as it is where nothing else is in it.
    fn write(&self, stem: &str, word: &str, term: &mut String) {
        term.clear();
        if self.keeps_accents || stem.is_ascii() {
            term.push_str(stem)
        } else {
            strip_accents(stem, term)
        }
        if term.is_empty() {
            term.push_str(word);
        }
    }
}

/// The folded word without its English endings of number and tense. Snowball joins words of different meaning; this is
/// for comparing names, where a `university` is not `universal` and `parking` is no form of `park`.
#[must_use]
pub fn light_stem(folded: &str) -> String {
    static EXCEPTIONS: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
        let words = Language::ENGLISH.locale().map(|locale| locale.stem_exceptions);
        words.into_iter().flat_map(Words::iter).collect()
    });
    if EXCEPTIONS.contains(folded) || !folded.is_ascii() || folded.len() < MIN_STEM {
        return folded.to_owned();
    }
    let cut = |ending: &str, least: usize| folded.strip_suffix(ending).filter(|rest| rest.len() >= least);
    if let Some(rest) = cut("ies", 2) {
        return format!("{rest}y");
    }
    let is_plural = !["ss", "us", "is"].iter().any(|ending| folded.ends_with(ending));
    let is_sibilant = ["ches", "shes", "xes", "sses", "zes"].iter().any(|ending| folded.ends_with(ending));
    let singular = match () {
        () if is_sibilant => cut("es", 2).unwrap_or(folded),
        () if is_plural => cut("s", 3).unwrap_or(folded),
        () => folded,
    };
    if EXCEPTIONS.contains(singular) {
        return singular.to_owned();
    }
    let tense = singular.strip_suffix("ing").or_else(|| singular.strip_suffix("ed"));
    let bare = tense.filter(|rest| rest.len() >= 3).unwrap_or(singular);
    bare.strip_suffix('e').filter(|rest| rest.len() >= 3).unwrap_or(bare).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stemmer(code: &str) -> Stemmer {
        Stemmer::new(Language::from_code(code).unwrap_or_default())
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (code, one, other) in [
            ("en", "deliveries", "delivery"),
            ("de", "häuser", "haus"),
            ("fr", "continuellement", "continuelle"),
            ("pl", "umowa", "umowy"),
            ("nl", "lichamelijk", "lichamelijke"),
            ("sv", "bilarna", "bilar"),
        ] {
            assert_eq!(stemmer(code).stem(one), stemmer(code).stem(other), "{one} {other}");
        }
        assert_eq!(stemmer("xx").stem("Größe"), "grosse");
        assert_eq!(stemmer("en").stem("ab-12s"), "ab12s");
    }

    #[test]
    fn forms_of_a_name_have_one_light_stem() {
        for (one, other) in [("smoking", "smoke"), ("shared", "sharing"), ("pets", "pet"), ("cities", "city")]
        {
            assert_eq!(light_stem(one), light_stem(other), "{one} {other}");
        }
        for (one, other) in [("parking", "park"), ("university", "universal"), ("größe", "großen")] {
            assert_ne!(light_stem(one), light_stem(other), "{one} {other}");
        }
    }

    #[test]
    fn an_index_stems_foreign_scripts_by_their_usual_language() {
        let term = |code: &str, word: &str| {
            let mut term = String::new();
            stemmer(code).index_term(word, &mut term);
            term
        };
        assert_eq!(term("de", "книги"), term("ru", "книги"));
        assert_eq!(term("de", "häuser"), "haus");
        assert_eq!(term("vi", "tiếng"), "tiếng");
        // A language of its own script without a stemmer.
        assert_eq!(term("pl", "running"), "running");
        assert_eq!(term("", "running"), "run");
    }
}
