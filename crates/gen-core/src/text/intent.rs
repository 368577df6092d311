//! The intent of a prompt: an answer, a summary, an image or speech.

use std::collections::HashMap;
use std::sync::LazyLock;

use language::Language;
use language::detect::detect;
use language::fold::{fold, fold_word, is_unspaced};
use language::phrase::{SectionPhrases, flatten};
use language::vocabulary::is_stop_word;

use super::incomplete_question::find_missing_parts;
use super::question::MAX_PROMPT;
use crate::ModelKind;

static INTENTS: LazyLock<SectionPhrases> = LazyLock::new(|| SectionPhrases::of(|locale| locale.intents));

/// What a prompt asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Find the answer in the documents.
    Answer,
    /// Summarise the documents.
    Summary {
        /// The requested number of sentences, if the prompt has one.
        sentences: Option<usize>,
        /// Whether the summary is a list.
        list: bool,
    },
    /// Generate an image.
    Image,
    /// Generate speech.
    Speech,
}

/// Words after an imperative that may have its object.
const OBJECT_REACH: usize = 6;

/// Maximum words of a prompt that are read.
const MAX_WORDS: usize = 400;

/// Detects the intent of a prompt.
#[must_use]
pub fn intent(prompt: &str) -> Intent {
    let flat = flatten(prompt);
    let words: Vec<&str> = flat.split_ascii_whitespace().take(MAX_WORDS).collect();
    if let Some(media) = media(&words, &flat) {
        return media;
    }
    let asked = words.first().is_some_and(|word| has_prefix("summary_opening", word))
        || words.iter().any(|word| asks_summary(word))
        || INTENTS.is_in("summary", &flat);
    let nothing = !prompt.chars().any(is_unspaced) && is_general(prompt, &words);
    if asked || nothing {
        let list = words.iter().any(|word| INTENTS.has_word("points", word));
        return Intent::Summary { sentences: count(&words), list };
    }
    Intent::Answer
}

/// Whether a folded word begins with an entry of a key.
fn has_prefix(key: &str, word: &str) -> bool {
    INTENTS.phrases(key).any(|prefix| word.starts_with(prefix))
}

fn asks_summary(word: &str) -> bool {
    has_prefix("summary_prefix", word) && !INTENTS.has_word("no_summary", word)
}

/// Whether a complete prompt, of these folded words, names nothing but documents in general.
fn is_general(prompt: &str, folded: &[&str]) -> bool {
    let language = detect(prompt);
    if find_missing_parts(prompt, language).is_incomplete() {
        return false;
    }
    let stop = |word: &str| is_stop_word(language, word) || is_stop_word(Language::ENGLISH, word);
    folded.iter().all(|word| stop(word) || INTENTS.has_word("general", word))
}

/// The subject of a summary: the words of the prompt without those of the request.
#[must_use]
pub fn focus(prompt: &str) -> String {
    let keep = |word: &&str| {
        let folded = fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
        !INTENTS.has_word("general", &folded)
            && !has_prefix("summary_prefix", &folded)
            && !INTENTS.phrases("summary").any(|phrase| phrase.split(' ').any(|part| part == folded))
            && !folded.chars().all(|c| c.is_ascii_digit())
    };
    prompt.split_whitespace().filter(keep).collect::<Vec<_>>().join(" ")
}

/// The subject of a requested summary, which may be empty; `None` if the prompt requests no summary.
pub(crate) fn summary_focus(prompt: &str) -> Option<String> {
    let prompt: String = prompt.chars().take(MAX_PROMPT).collect();
    matches!(intent(&prompt), Intent::Summary { .. }).then(|| focus(&prompt))
}

/// The kind of model that makes the medium that a prompt asks for, if it is not text.
pub(crate) fn wants_media(prompt: &str) -> Option<ModelKind> {
    match intent(&prompt.chars().take(MAX_PROMPT).collect::<String>()) {
        Intent::Image => Some(ModelKind::TextToImage),
        Intent::Speech => Some(ModelKind::TextToSpeech),
        Intent::Answer | Intent::Summary { .. } => None,
    }
}

fn media(words: &[&str], flat: &str) -> Option<Intent> {
    let has = |key: &str, words: &[&str]| words.iter().any(|word| INTENTS.has_word(key, word));
    let order = words.iter().position(|word| !INTENTS.has_word("polite", word))?;
    let verb = words.get(order)?;
    if order < OBJECT_REACH && INTENTS.has_word("make", verb) {
        let rest = words.get(order + 1..).unwrap_or_default();
        let objects = rest.get(..OBJECT_REACH.min(rest.len())).unwrap_or_default();
        if has("picture", objects) {
            return Some(Intent::Image);
        }
        if has("sound", objects) {
            return Some(Intent::Speech);
        }
        // Conclusions are drawn too, and lists are drawn up.
        let object = objects.first().is_some_and(|word| INTENTS.has_word("draw_object", word));
        if INTENTS.has_word("draw", verb) && object && !has("drawn_up", objects) {
            return Some(Intent::Image);
        }
    }
    INTENTS.is_in("speak", flat).then_some(Intent::Speech)
}

/// The largest number of sentences or points that is understood.
const MAX_COUNT: usize = 8;

/// Small numbers in words of all languages.
static NUMBERS: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let numbered =
        Language::all().filter_map(Language::locale).flat_map(|locale| locale.number_words.numbered());
    let small = numbered.filter_map(|(number, words)| Some((usize::try_from(number).ok()?, words)));
    let words = small.filter(|(number, _)| (1..=MAX_COUNT).contains(number));
    words
        .flat_map(|(number, words)| words.iter().map(move |word| (word, number)))
        .filter(|(word, _)| !word.contains(' '))
        .map(|(word, number)| (fold_word(word), number))
        .collect()
});

/// The number before a word for sentences or points.
fn count(words: &[&str]) -> Option<usize> {
    let number = |word: &str| {
        let digits = word.parse().ok().filter(|number| (1..=MAX_COUNT).contains(number));
        let single = || INTENTS.has_word("single", word).then_some(1);
        digits.or_else(|| NUMBERS.get(word).copied()).or_else(single)
    };
    words.windows(2).find_map(|pair| match pair {
        [first, second] if INTENTS.has_word("counted", second) => number(first),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_tells_what_it_wants() {
        let summary = Intent::Summary { sentences: None, list: false };
        for (prompt, expected) in [
            ("Summarise this.", summary),
            ("What is this about?", summary),
            ("Worum geht es in dem Dokument?", summary),
            ("Fasse den Vertrag zusammen", summary),
            ("Résume ce texte", summary),
            ("¿De qué trata el documento?", summary),
            ("Di cosa parla?", summary),
            ("Streść dokument", summary),
            ("总结一下", summary),
            ("", summary),
            ("Here is the document.", summary),
            ("Summarize in two sentences", Intent::Summary { sentences: Some(2), list: false }),
            ("Give me the three main points", Intent::Summary { sentences: Some(3), list: true }),
            ("When does it end?", Intent::Answer),
            ("payment terms", Intent::Answer),
            ("Vat het document samen", summary),
            ("How much is the VAT?", Intent::Answer),
            ("Tell me what this is.", summary),
            ("Who was the", Intent::Answer),
            ("Was ist die", Intent::Answer),
            ("When do talks resume?", Intent::Answer),
            ("Draw me a red bicycle", Intent::Image),
            ("Can you create a logo for my shop?", Intent::Image),
            ("Erstelle bitte ein Bild von einem Hund", Intent::Image),
            ("Draw a conclusion from the report", Intent::Answer),
            ("Who made the picture on page 3?", Intent::Answer),
            ("Please read this aloud", Intent::Speech),
            ("Generate an audio version", Intent::Speech),
        ] {
            assert_eq!(intent(prompt), expected, "{prompt}");
        }
    }
}
