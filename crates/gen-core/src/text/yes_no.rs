//! Yes and no in many languages, and as marks.

use super::folding::fold_without_accents;

/// Folded and without accents.
const YES: &str = "true yes y ja j jo oui si sim da tak ano evet kylla igen jah nai да так ναι נכון כן نعم 是 はい 有 예 네 \
    wahr vrai verdadero vero verdadeiro checked";
const NO: &str = "false no n nein non nao nee nej nie ne hayir ei nem nu oxi нет ні οχι לא لا 否 不是 いいえ 無 아니요 아니오 \
    falsch faux falso nei unwahr nope unchecked nichtzutreffend";

/// Whether a whole text is a yes or a no; `None` for other texts.
#[must_use]
pub fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "1" | "☑" | "☒" | "✓" | "✔" | "✅" | "[x]" | "[X]" | "x" | "X" => Some(true),
        "0" | "☐" | "✗" | "✘" | "❌" | "[ ]" | "[]" => Some(false),
        _ => {
            let word = fold_without_accents(text);
            let is = |words: &str| words.split(' ').any(|known| known == word);
            if is(YES) { Some(true) } else { is(NO).then_some(false) }
        }
    }
}
