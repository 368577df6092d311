//! How people and models say that there is no value.

use std::sync::LazyLock;

use crate::fold::fold_word;
use crate::language::Language;
use crate::vocabulary::Everywhere;

/// Bytes of a text that may say nothing more than that.
const MAX_BYTES: usize = 120;
/// Letters of a text that may go on with where there is no value: `not given in the document`.
const MIN_LETTERS: usize = 8;
/// Words of programs for what could not be had, folded; they say nothing about a document.
const NO_ANSWER: [&str; 3] = ["nan", "undefined", "infinity"];

/// Whether a text says only that there is nothing.
#[must_use]
pub fn means_no_value(text: &str) -> bool {
    static WORDS: LazyLock<Everywhere> = LazyLock::new(|| Everywhere::of(|locale| locale.absence));
    static PLACES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let locales = Language::all().filter_map(Language::locale);
        locales.flat_map(|locale| locale.absence_places.iter()).map(fold_word).collect()
    });
    let text = text.trim();
    if text.len() > MAX_BYTES {
        return false;
    }
    if is_dash(text) {
        return true;
    }
    let said = fold_word(text);
    if said == "nan" || WORDS.has(&said) {
        return true;
    }
    PLACES
        .iter()
        .flat_map(|place| said.match_indices(place.as_str()))
        .any(|(at, _)| at >= MIN_LETTERS && said.get(..at).is_some_and(|head| WORDS.has(head)))
}

/// Whether a text is what programs write where they have no value, which is no statement that there is none.
#[must_use]
pub fn is_program_null(text: &str) -> bool {
    text.len() <= MAX_BYTES && NO_ANSWER.contains(&fold_word(text).as_str())
}

/// Whether a text is a dash, or several, as tables have them where nothing stands.
#[must_use]
pub fn is_dash(text: &str) -> bool {
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
            "brak danych",
            "não informado",
            "nicht angegeben im Dokument",
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
