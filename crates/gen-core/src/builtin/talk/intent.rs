//! What a prompt wants: an answer, a summary, or something that the built-in model cannot make.

use super::question::flat;
use crate::text::is_cjk;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    /// Find the answer in the documents.
    Answer,
    /// Say what the documents are about.
    Summary {
        /// In so many sentences, where the prompt says.
        sentences: Option<usize>,
        /// As a list.
        list: bool,
    },
    /// Make a picture.
    Image,
    /// Speak.
    Speech,
}

/// Beginnings of words that ask for a summary, folded.
const SUMMARY_WORDS: &[&str] = &[
    "summar",
    "tldr",
    "zusammenfass",
    "zusammengefasst",
    "resum",
    "riassu",
    "samenvat",
    "vat",
    "streszc",
    "stresc",
    "podsum",
    "sammanfatt",
    "opsummer",
    "rezum",
    "synthes",
    "sintesi",
    "sintetiz",
];
/// Parts of prompts that ask for one, folded words between blanks.
const SUMMARY_PHRASES: &[&str] = &[
    "sum up",
    "tl dr",
    "in short",
    "key points",
    "main points",
    "key takeaways",
    "main ideas",
    "the gist",
    "an overview",
    "what is this about",
    "what s this about",
    "what is it about",
    "what is this document about",
    "what is the document about",
    "what is this text about",
    "what is the text about",
    "what are these documents about",
    "what is this file about",
    "worum geht",
    "wovon handelt",
    "wichtigsten punkte",
    "kernaussagen",
    "uberblick uber",
    "fasse",
    "fass",
    "de quoi parle",
    "de quoi s agit",
    "de quoi traite",
    "points cles",
    "points principaux",
    "de que trata",
    "de que habla",
    "puntos clave",
    "puntos principales",
    "di cosa parla",
    "di che cosa parla",
    "di cosa tratta",
    "punti chiave",
    "punti principali",
    "do que trata",
    "do que se trata",
    "sobre o que",
    "pontos principais",
    "waar gaat dit",
    "waar gaat het document",
    "waar gaat de tekst",
    "waarover gaat",
    "belangrijkste punten",
    "o czym jest",
    "o czym mowi",
    "najwazniejsze punkty",
];
const SUMMARY_SIGNS: &[&str] = &["总结", "概括", "概要", "摘要", "要約", "まとめ", "何について", "요약"];

/// Words about papers in general: a prompt of these alone asks nothing particular.
const GENERAL: &[&str] = &[
    "document",
    "documents",
    "text",
    "texts",
    "file",
    "files",
    "page",
    "pages",
    "paper",
    "attached",
    "attachment",
    "content",
    "contents",
    "context",
    "read",
    "look",
    "here",
    "following",
    "above",
    "below",
    "briefly",
    "short",
    "brief",
    "sentence",
    "sentences",
    "bullet",
    "point",
    "points",
    "main",
    "key",
    "article",
    "report",
    "overview",
    "dokument",
    "dokumente",
    "datei",
    "anhang",
    "inhalt",
    "kurz",
    "satz",
    "satze",
    "satzen",
    "bericht",
    "artikel",
    "stichpunkten",
    "stichpunkte",
    "fichier",
    "texte",
    "bref",
    "phrases",
    "phrase",
    "rapport",
    "documento",
    "documentos",
    "texto",
    "archivo",
    "frases",
    "frase",
    "informe",
    "documenti",
    "testo",
    "frasi",
    "ficheiro",
    "arquivo",
    "relatorio",
    "bestand",
    "tekst",
    "zinnen",
    "zin",
    "dokumentu",
    "tekstu",
    "zdaniach",
    "zdania",
    "plik",
    "one",
    "two",
    "three",
    "four",
    "five",
    "drei",
    "zwei",
    "funf",
    "trois",
    "deux",
    "tres",
    "dos",
    "tre",
    "due",
    "drie",
    "twee",
    "about",
    "summary",
    "hello",
    "hi",
    "thanks",
];

/// Verbs that order something to be made, folded.
const MAKE: &[&str] = &[
    "draw",
    "paint",
    "sketch",
    "generate",
    "create",
    "make",
    "produce",
    "render",
    "design",
    "zeichne",
    "male",
    "erstelle",
    "erzeuge",
    "generiere",
    "mach",
    "dessine",
    "dessinez",
    "genere",
    "cree",
    "dibuja",
    "pinta",
    "genera",
    "crea",
    "disegna",
    "dipingi",
    "desenha",
    "desenhe",
    "gera",
    "gere",
    "crie",
    "cria",
    "teken",
    "maak",
    "genereer",
    "narysuj",
    "stworz",
    "wygeneruj",
];
const DRAW: &[&str] = &[
    "draw", "paint", "sketch", "zeichne", "male", "dessine", "dessinez", "dibuja", "disegna", "dipingi",
    "desenha", "desenhe", "teken", "narysuj",
];
const PICTURES: &[&str] = &[
    "image",
    "picture",
    "photo",
    "photograph",
    "illustration",
    "drawing",
    "painting",
    "logo",
    "icon",
    "poster",
    "bild",
    "foto",
    "zeichnung",
    "illustrationen",
    "dessin",
    "imagen",
    "dibujo",
    "ilustracion",
    "immagine",
    "disegno",
    "imagem",
    "desenho",
    "afbeelding",
    "tekening",
    "plaatje",
    "obraz",
    "obrazek",
    "rysunek",
    "zdjecie",
];
const SOUNDS: &[&str] = &[
    "audio",
    "speech",
    "voice",
    "mp3",
    "wav",
    "podcast",
    "song",
    "music",
    "sprachausgabe",
    "musik",
    "lied",
    "chanson",
    "musique",
    "cancion",
    "musica",
    "canzone",
    "muziek",
    "piosenke",
];
const SPEAK: &[&str] = &[
    "read aloud",
    "read this aloud",
    "read it aloud",
    "read out loud",
    "read this out",
    "say this out loud",
    "say out loud",
    "speak this",
    "text to speech",
    "lies vor",
    "lies das vor",
    "lies mir",
    "lis a haute voix",
    "lis a voix haute",
    "lee en voz alta",
    "leggi ad alta voce",
    "le em voz alta",
    "leia em voz alta",
    "lees voor",
    "lees dit voor",
    "przeczytaj na glos",
];
/// Words that may stand before an order.
const POLITE: &[&str] = &[
    "please", "can", "could", "would", "you", "now", "bitte", "kannst", "du", "konnen", "sie", "peux", "tu",
    "pouvez", "vous", "por", "favor", "puedes", "puoi", "per", "favore", "pode", "voce", "kun", "je", "kunt",
    "u", "prosze", "me", "mir",
];
/// Words after an order in which its object is looked for.
const OBJECT_REACH: usize = 6;

/// What a prompt wants.
pub(super) fn intent(prompt: &str) -> Intent {
    let flat = flat(prompt);
    let words: Vec<&str> = flat.split(' ').filter(|word| !word.is_empty()).take(400).collect();
    if let Some(media) = media(&words, &flat) {
        return media;
    }
    let asked = words.first().is_some_and(|word| word.starts_with("resume"))
        || words.iter().any(|word| SUMMARY_WORDS.iter().any(|sign| begins(word, sign)))
        || SUMMARY_PHRASES.iter().any(|phrase| flat.contains(&format!(" {phrase} ")))
        || SUMMARY_SIGNS.iter().any(|sign| prompt.contains(sign));
    let nothing = !prompt.chars().any(is_cjk) && is_general(prompt);
    if asked || nothing {
        return Intent::Summary { sentences: count(&words), list: wants_list(&words) };
    }
    Intent::Answer
}

/// Whether a word begins with a sign; short signs must be the word.
fn begins(word: &str, sign: &str) -> bool {
    if sign.len() < 4 { word == sign } else { word.starts_with(sign) && !NOT_SUMMARY.contains(&word) }
}

/// Words that begin like orders to summarise and are none.
const NOT_SUMMARY: &[&str] = &["resume", "resumes", "resumed", "resumption", "summaries"];

/// Whether a prompt names nothing but papers in general.
fn is_general(prompt: &str) -> bool {
    let language = crate::text::detect(prompt);
    let flat = flat(prompt);
    let stop = |word: &str| {
        crate::text::is_stop(language, word) || crate::text::is_stop(crate::text::Language::English, word)
    };
    !flat.split(' ').any(|word| !word.is_empty() && !stop(word) && !GENERAL.contains(&word))
}

/// What a summary is to be about, when the prompt says: its words without those of the order.
pub(super) fn focus(prompt: &str) -> String {
    let keep = |word: &&str| {
        let folded = crate::text::fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
        !GENERAL.contains(&folded.as_str())
            && !SUMMARY_WORDS.iter().any(|sign| folded.starts_with(sign))
            && !SUMMARY_PHRASES.iter().any(|phrase| phrase.split(' ').any(|part| part == folded))
            && !folded.chars().all(|c| c.is_ascii_digit())
    };
    prompt.split_whitespace().filter(keep).collect::<Vec<_>>().join(" ")
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
