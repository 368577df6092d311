//! Stemmers by language. A word in a script that its text's language does not use gets the stemmer of that
//! script's most frequent language.

use rust_stemmers::{Algorithm, Stemmer};

use super::forms::{Kind, WordForm};
use super::normalize::without_accents;

/// Maximum characters of a term, below the limit of any index.
const MAX_CHARS: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Tamil,
    Other,
}

impl Script {
    fn of(word: &str) -> Self {
        match word.chars().next().map_or(0, u32::from) {
            0..=0x24f | 0x1e00..=0x1eff => Self::Latin,
            0x370..=0x3ff | 0x1f00..=0x1fff => Self::Greek,
            0x400..=0x52f => Self::Cyrillic,
            0x600..=0x6ff | 0x750..=0x77f => Self::Arabic,
            0xb80..=0xbff => Self::Tamil,
            _ => Self::Other,
        }
    }

    /// The stemmer for words whose language is unknown.
    fn usual(self) -> Option<Algorithm> {
        match self {
            Self::Latin => Some(Algorithm::English),
            Self::Cyrillic => Some(Algorithm::Russian),
            Self::Greek => Some(Algorithm::Greek),
            Self::Arabic => Some(Algorithm::Arabic),
            Self::Tamil => Some(Algorithm::Tamil),
            Self::Other => None,
        }
    }
}

/// Script and stemmer of a language.
fn known(language: &str) -> Option<(Script, Option<Algorithm>)> {
    Some(match language.get(..2)? {
        "ar" => (Script::Arabic, Some(Algorithm::Arabic)),
        "da" => (Script::Latin, Some(Algorithm::Danish)),
        "de" => (Script::Latin, Some(Algorithm::German)),
        "el" => (Script::Greek, Some(Algorithm::Greek)),
        "en" => (Script::Latin, Some(Algorithm::English)),
        "es" => (Script::Latin, Some(Algorithm::Spanish)),
        "fi" => (Script::Latin, Some(Algorithm::Finnish)),
        "fr" => (Script::Latin, Some(Algorithm::French)),
        "hu" => (Script::Latin, Some(Algorithm::Hungarian)),
        "it" => (Script::Latin, Some(Algorithm::Italian)),
        "nl" => (Script::Latin, Some(Algorithm::Dutch)),
        "no" | "nb" | "nn" => (Script::Latin, Some(Algorithm::Norwegian)),
        "pt" => (Script::Latin, Some(Algorithm::Portuguese)),
        "ro" => (Script::Latin, Some(Algorithm::Romanian)),
        "ru" => (Script::Cyrillic, Some(Algorithm::Russian)),
        "sv" => (Script::Latin, Some(Algorithm::Swedish)),
        "ta" => (Script::Tamil, Some(Algorithm::Tamil)),
        "tr" => (Script::Latin, Some(Algorithm::Turkish)),
        "be" | "bg" | "mk" | "sr" | "uk" => (Script::Cyrillic, None),
        "fa" | "ur" => (Script::Arabic, None),
        "af" | "az" | "ca" | "cs" | "eo" | "et" | "hr" | "id" | "la" | "lt" | "lv" | "pl" | "sk" | "sl"
        | "sn" | "tk" | "tl" | "uz" | "vi" | "zu" => (Script::Latin, None),
        _ => return None,
    })
}

/// Turns the forms of a text in one language into terms.
pub(super) struct TermChain {
    own: Option<(Script, Option<Algorithm>)>,
    accents: bool,
    term: String,
}

impl TermChain {
    /// For a language, or for texts in an unknown language.
    pub(super) fn of(language: Option<&str>) -> Self {
        // Vietnamese words differ by their tone marks alone.
        let accents = language.is_some_and(|language| language.starts_with("vi"));
        Self { own: language.and_then(known), accents, term: String::new() }
    }

    fn algorithm(&self, word: &str) -> Option<Algorithm> {
        let script = Script::of(word);
        match self.own {
            Some((own, algorithm)) if own == script => algorithm,
            _ => script.usual(),
        }
    }

    /// The term of a form.
    pub(super) fn term(&mut self, form: &WordForm<'_>) -> &str {
        let word = match form.text.char_indices().nth(MAX_CHARS) {
            Some((end, _)) => &form.text[..end],
            None => form.text,
        };
        let algorithm = if form.kind == Kind::Word { self.algorithm(word) } else { None };
        let stem = algorithm.map(|algorithm| Stemmer::create(algorithm).stem(word));
        let stem = stem.as_deref().filter(|stem| !stem.is_empty()).unwrap_or(word);
        self.term.clear();
        if self.accents || stem.is_ascii() {
            self.term.push_str(stem);
        } else {
            without_accents(stem, &mut self.term);
        }
        if self.term.is_empty() {
            self.term.push_str(word);
        }
        &self.term
    }
}
