//! The intent of a prompt: an answer, a summary, an image or speech.

mod words;

use language::fold::is_unspaced;

use super::incomplete_question::find_missing_parts;
use super::question::{MAX_PROMPT, normalize};
use crate::ModelKind;
use words::{
    DRAW, GENERAL, MAKE, NOT_SUMMARY, PICTURES, POLITE, SOUNDS, SPEAK, SUMMARY_PHRASES, SUMMARY_SIGNS,
    SUMMARY_WORDS,
};

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

/// Detects the intent of a prompt.
#[must_use]
pub fn intent(prompt: &str) -> Intent {
    let flat = normalize(prompt);
    let words: Vec<&str> = flat.split(' ').filter(|word| !word.is_empty()).take(400).collect();
    if let Some(media) = media(&words, &flat) {
        return media;
    }
    let asked = words.first().is_some_and(|word| word.starts_with("resume"))
        || words.iter().any(|word| SUMMARY_WORDS.iter().any(|sign| begins(word, sign)))
        || SUMMARY_PHRASES.iter().any(|phrase| flat.contains(&format!(" {phrase} ")))
        || SUMMARY_SIGNS.iter().any(|sign| prompt.contains(sign));
    let nothing = !prompt.chars().any(is_unspaced) && is_general(prompt);
    if asked || nothing {
        return Intent::Summary { sentences: count(&words), list: wants_list(&words) };
    }
    Intent::Answer
}

/// Whether a word begins with a sign; a short sign must be the whole word.
fn begins(word: &str, sign: &str) -> bool {
    if sign.len() < 4 { word == sign } else { word.starts_with(sign) && !NOT_SUMMARY.contains(&word) }
}

/// Whether a complete prompt names nothing but documents in general.
fn is_general(prompt: &str) -> bool {
    let language = language::detect::detect(prompt);
    if find_missing_parts(prompt, language).is_incomplete() {
        return false;
    }
    let flat = normalize(prompt);
    let stop = |word: &str| {
        language::vocabulary::is_stop_word(language, word)
            || language::vocabulary::is_stop_word(language::Language::ENGLISH, word)
    };
    !flat.split(' ').any(|word| !word.is_empty() && !stop(word) && !GENERAL.contains(&word))
}

/// The subject of a summary: the words of the prompt without those of the request.
#[must_use]
pub fn focus(prompt: &str) -> String {
    let keep = |word: &&str| {
        let folded = language::fold::fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
        !GENERAL.contains(&folded.as_str())
            && !SUMMARY_WORDS.iter().any(|sign| folded.starts_with(sign))
            && !SUMMARY_PHRASES.iter().any(|phrase| phrase.split(' ').any(|part| part == folded))
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
    let order = words.iter().position(|word| !POLITE.contains(word))?;
    let verb = words.get(order)?;
    if order < OBJECT_REACH && MAKE.contains(verb) {
        let objects: Vec<&str> = words.iter().skip(order + 1).take(OBJECT_REACH).copied().collect();
        if objects.iter().any(|word| PICTURES.contains(word)) {
            return Some(Intent::Image);
        }
        if objects.iter().any(|word| SOUNDS.contains(word)) {
            return Some(Intent::Speech);
        }
        // Conclusions are drawn too, and lists are drawn up.
        let article = objects.first().is_some_and(|word| {
            ["a", "an", "me", "ein", "eine", "einen", "un", "une", "uma", "um", "una", "een"].contains(word)
        });
        if DRAW.contains(verb)
            && article
            && !objects.iter().any(|word| {
                ["conclusion", "conclusions", "comparison", "list", "table", "line", "parallel"]
                    .contains(word)
            })
        {
            return Some(Intent::Image);
        }
    }
    SPEAK.iter().any(|phrase| flat.contains(&format!(" {phrase} "))).then_some(Intent::Speech)
}

fn wants_list(words: &[&str]) -> bool {
    const LISTS: &[&str] = &[
        "bullet",
        "bullets",
        "points",
        "stichpunkte",
        "stichpunkten",
        "stichworten",
        "punkte",
        "puces",
        "puntos",
        "punti",
        "pontos",
        "punten",
        "punktach",
    ];
    words.iter().any(|word| LISTS.contains(word))
}

/// The number before a word for sentences or points.
fn count(words: &[&str]) -> Option<usize> {
    const COUNTED: &[&str] = &[
        "sentence",
        "sentences",
        "points",
        "bullets",
        "bullet",
        "satz",
        "satze",
        "satzen",
        "stichpunkte",
        "stichpunkten",
        "punkte",
        "punkten",
        "phrase",
        "phrases",
        "frase",
        "frases",
        "puntos",
        "frasi",
        "punti",
        "pontos",
        "zin",
        "zinnen",
        "punten",
        "zdaniach",
        "zdaniu",
        "key",
        "main",
    ];
    const NUMBERS: [&[&str]; 8] = [
        &["1", "one", "single", "einem", "ein", "une", "una", "um", "uma", "een", "jednym"],
        &["2", "two", "zwei", "deux", "dos", "due", "dois", "duas", "twee", "dwoch"],
        &["3", "three", "drei", "trois", "tres", "tre", "drie", "trzech"],
        &["4", "four", "vier", "quatre", "cuatro", "quattro", "quatro", "czterech"],
        &["5", "five", "funf", "cinq", "cinco", "cinque", "vijf", "pieciu"],
        &["6", "six", "sechs", "seis", "sei", "zes", "szesciu"],
        &["7", "seven", "sieben", "sept", "siete", "sette", "sete", "zeven"],
        &["8", "eight", "acht", "huit", "ocho", "otto", "oito"],
    ];
    let number = |word: &str| NUMBERS.iter().position(|names| names.contains(&word)).map(|at| at + 1);
    words.windows(2).find_map(|pair| match pair {
        [first, second] if COUNTED.contains(second) => number(first),
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
