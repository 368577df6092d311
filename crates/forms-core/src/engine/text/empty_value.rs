//! How people and models say that there is no value.

use language::fold::fold_letters;
use unicode_normalization::char::is_combining_mark;

/// Bytes of a text that may say nothing more than that.
const MAX_SAID: usize = 120;
/// Whole texts, folded and without accents.
const WHOLE: [&str; 57] = [
    "none",
    "null",
    "na",
    "nil",
    "nan",
    "unknown",
    "undefined",
    "missing",
    "absent",
    "blank",
    "empty",
    "unspecified",
    "unavailable",
    "novalue",
    "nodata",
    "noinformation",
    "tbd",
    "tba",
    "ka",
    "nv",
    "keine",
    "keineangabe",
    "keineangaben",
    "ohneangabe",
    "nichtangegeben",
    "nichtgenannt",
    "nichtvorhanden",
    "nichtverfugbar",
    "unbekannt",
    "entfallt",
    "inconnu",
    "neant",
    "nonprecise",
    "nonindique",
    "nonrenseigne",
    "nonmentionne",
    "nondisponible",
    "sinespecificar",
    "noespecificado",
    "noindicado",
    "nodisponible",
    "noconsta",
    "desconocido",
    "nonspecificato",
    "nonindicato",
    "nondisponibile",
    "naoinformado",
    "naoespecificado",
    "naodisponivel",
    "nietvermeld",
    "onbekend",
    "ejangivet",
    "brakdanych",
    "brak",
    "неуказано",
    "нетданных",
    "неизвестно",
];
/// What "not …" must go on with.
const NOT: [&str; 15] = [
    "stated",
    "specified",
    "available",
    "provided",
    "found",
    "mentioned",
    "applicable",
    "given",
    "disclosed",
    "indicated",
    "listed",
    "present",
    "known",
    "shown",
    "included",
];
/// What may follow: "in the document".
const WHERE: [&str; 4] = ["inthe", "inthis", "onthe", "bythe"];

/// Whether `text` says only that there is nothing.
pub(crate) fn means_no_value(text: &str) -> bool {
    let text = text.trim();
    if text.len() > MAX_SAID {
        return false;
    }
    if is_dash(text) {
        return true;
    }
    let said: String = fold_letters(text).chars().filter(|c| !is_combining_mark(*c)).collect();
    if WHOLE.contains(&said.as_str()) || matches!(text, "无" | "無" | "なし" | "不明" | "없음") {
        return true;
    }
    let Some(rest) = said.strip_prefix("not") else { return false };
    let rest = NOT.iter().find_map(|word| rest.strip_prefix(word));
    rest.is_some_and(|rest| rest.is_empty() || WHERE.iter().any(|place| rest.starts_with(place)))
}

/// Words of programs for what could not be had, folded; they say nothing about a document.
const NO_ANSWER: [&str; 3] = ["nan", "undefined", "infinity"];

/// Whether a text is what programs write where they have no value, which is no statement that there is none.
pub(crate) fn is_program_null(text: &str) -> bool {
    text.len() <= MAX_SAID && NO_ANSWER.contains(&fold_letters(text).as_str())
}

/// Whether a text is a dash, or several, as tables have them where nothing stands.
pub(crate) fn is_dash(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, '-' | '‐' | '‑' | '–' | '—' | '―' | '−' | '_'))
}

#[cfg(test)]
mod tests {
    use super::means_no_value;

    #[test]
    fn nothing_is_said_in_many_words() {
        for text in [
            "N/A",
            "n.a.",
            "-",
            "—",
            "None",
            "not stated",
            "Not specified in the document.",
            "k. A.",
            "Keine Angabe",
            "non précisé",
            "не указано",
            "UNKNOWN",
            "not found in the text",
            "無",
        ] {
            assert!(means_no_value(text), "{text}");
        }
        for text in [
            "",
            "Na Li",
            "Nothing Ltd",
            "Not Just Coffee",
            "nonesuch",
            "0",
            "notary",
            "not found guilty",
            "No",
            "x",
        ] {
            assert!(!means_no_value(text), "{text}");
        }
    }
}
