//! Detects the language of a text by its script and its stop words; stemmers by language.

use rust_stemmers::{Algorithm, Stemmer};

use super::stop_words;
use super::words::words;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    English,
    German,
    French,
    Spanish,
    Italian,
    Portuguese,
    Dutch,
    Polish,
    Swedish,
    Danish,
    Finnish,
    Russian,
    Romanian,
    Turkish,
    Hungarian,
    Chinese,
    Japanese,
    /// Another language, or too little text.
    #[default]
    Other,
}

/// Maximum characters of a text that are read.
const SAMPLE: usize = 6_000;

impl Language {
    /// The ISO 639-1 code; `None` for [`Self::Other`].
    pub(crate) fn code(self) -> Option<&'static str> {
        Some(match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Italian => "it",
            Self::Portuguese => "pt",
            Self::Dutch => "nl",
            Self::Polish => "pl",
            Self::Swedish => "sv",
            Self::Danish => "da",
            Self::Finnish => "fi",
            Self::Russian => "ru",
            Self::Romanian => "ro",
            Self::Turkish => "tr",
            Self::Hungarian => "hu",
            Self::Chinese => "zh",
            Self::Japanese => "ja",
            Self::Other => return None,
        })
    }

    /// The Snowball stemmer; `None` for languages without one.
    pub(crate) fn stemmer(self) -> Option<Stemmer> {
        let algorithm = match self {
            Self::English => Algorithm::English,
            Self::German => Algorithm::German,
            Self::French => Algorithm::French,
            Self::Spanish => Algorithm::Spanish,
            Self::Italian => Algorithm::Italian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Dutch => Algorithm::Dutch,
            Self::Swedish => Algorithm::Swedish,
            Self::Danish => Algorithm::Danish,
            Self::Finnish => Algorithm::Finnish,
            Self::Russian => Algorithm::Russian,
            Self::Romanian => Algorithm::Romanian,
            Self::Turkish => Algorithm::Turkish,
            Self::Hungarian => Algorithm::Hungarian,
            Self::Polish | Self::Chinese | Self::Japanese | Self::Other => return None,
        };
        Some(Stemmer::create(algorithm))
    }

    /// Whether compounds are written as one word.
    pub(crate) fn compounds(self) -> bool {
        matches!(
            self,
            Self::German | Self::Dutch | Self::Swedish | Self::Danish | Self::Finnish | Self::Hungarian
        )
    }
}

/// Detects the language of a text.
pub(crate) fn detect(text: &str) -> Language {
    let end = text.char_indices().nth(SAMPLE).map_or(text.len(), |(at, _)| at);
    let sample = text.get(..end).unwrap_or(text);
    if let Some(language) = by_script(sample) {
        return language;
    }
    let lists = &*stop_words::STOP_WORDS;
    let mut scores = vec![0_u32; lists.len()];
    for word in words(sample) {
        let word = word.text.to_lowercase();
        for (score, (_, list)) in scores.iter_mut().zip(lists) {
            *score += if list.contains(word.as_str()) { 2 } else { 0 };
        }
        for c in word.chars() {
            for (language, letters) in LETTERS {
                if letters.contains(c)
                    && let Some(at) = lists.iter().position(|(other, _)| other == language)
                    && let Some(score) = scores.get_mut(at)
                {
                    *score += 1;
                }
            }
        }
    }
    let best = scores.iter().copied().max().unwrap_or(0);
    let at = scores.iter().position(|score| *score == best && best > 0);
    at.and_then(|at| lists.get(at)).map_or(Language::Other, |(language, _)| *language)
}

/// The ISO 639-1 code of the language of a text, by its script and stop words; `None` if it is unknown.
#[must_use]
pub fn language_code(text: &str) -> Option<&'static str> {
    detect(text).code()
}

/// Letters typical of a language.
const LETTERS: &[(Language, &str)] = &[
    (Language::German, "äöüß"),
    (Language::French, "èêçàœ"),
    (Language::Spanish, "ñ¿íó"),
    (Language::Italian, "òìù"),
    (Language::Portuguese, "ãõçê"),
    (Language::Polish, "ąćęłńśźż"),
    (Language::Swedish, "åäö"),
    (Language::Danish, "åæø"),
    (Language::Romanian, "ășțî"),
    (Language::Turkish, "ışğ"),
    (Language::Hungarian, "őű"),
];

fn by_script(sample: &str) -> Option<Language> {
    let (mut han, mut kana, mut cyrillic, mut letters) = (0, 0, 0, 0);
    for c in sample.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        match c {
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{3400}'..='\u{9fff}' => han += 1,
            '\u{0400}'..='\u{04ff}' => cyrillic += 1,
            _ => {}
        }
    }
    if (han + kana) * 3 > letters {
        return Some(if kana * 10 > han { Language::Japanese } else { Language::Chinese });
    }
    (cyrillic * 2 > letters).then_some(Language::Russian)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_enough_to_tell_its_language() {
        for (text, language) in [
            ("When does the contract end?", Language::English),
            ("Wann endet der Vertrag?", Language::German),
            ("Quand le contrat prend-il fin ?", Language::French),
            ("¿Cuándo termina el contrato?", Language::Spanish),
            ("Quando finisce il contratto?", Language::Italian),
            ("Quando é que o contrato termina?", Language::Portuguese),
            ("Wanneer eindigt het contract?", Language::Dutch),
            ("Kiedy kończy się umowa?", Language::Polish),
            ("Когда заканчивается договор?", Language::Russian),
            ("合同什么时候结束？", Language::Chinese),
            ("契約はいつ終わりますか。", Language::Japanese),
            ("xyzzy", Language::Other),
        ] {
            assert_eq!(detect(text), language, "{text}");
        }
    }
}
