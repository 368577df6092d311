//! Yes and no in the words of many languages, and as marks.

use unicode_normalization::char::is_combining_mark;

use super::super::text::fold::folded;

/// Folded and without accents.
const YES: [&str; 34] = [
    "true",
    "yes",
    "y",
    "ja",
    "j",
    "jo",
    "oui",
    "si",
    "sim",
    "da",
    "tak",
    "ano",
    "evet",
    "kylla",
    "igen",
    "jah",
    "nai",
    "да",
    "так",
    "ναι",
    "נכון",
    "כן",
    "نعم",
    "是",
    "はい",
    "有",
    "예",
    "네",
    "wahr",
    "vrai",
    "verdadero",
    "vero",
    "verdadeiro",
    "checked",
];
const NO: [&str; 34] = [
    "false",
    "no",
    "n",
    "nein",
    "non",
    "nao",
    "nee",
    "nej",
    "nie",
    "ne",
    "hayir",
    "ei",
    "nem",
    "nu",
    "oxi",
    "нет",
    "ні",
    "οχι",
    "לא",
    "لا",
    "否",
    "不是",
    "いいえ",
    "無",
    "아니요",
    "아니오",
    "falsch",
    "faux",
    "falso",
    "nei",
    "unwahr",
    "nope",
    "unchecked",
    "nichtzutreffend",
];

/// Folded and without accents.
pub(super) fn plain(text: &str) -> String {
    folded(text).chars().filter(|c| !is_combining_mark(*c)).collect()
}

/// Whether a text says yes or no.
pub(super) fn flag(text: &str) -> Option<bool> {
    match text {
        "1" | "☑" | "☒" | "✓" | "✔" | "✅" | "[x]" | "[X]" | "x" | "X" => Some(true),
        "0" | "☐" | "✗" | "✘" | "❌" | "[ ]" | "[]" => Some(false),
        _ => {
            let word = plain(text);
            let is = |words: &[&str]| words.contains(&word.as_str());
            if is(&YES) { Some(true) } else { is(&NO).then_some(false) }
        }
    }
}
