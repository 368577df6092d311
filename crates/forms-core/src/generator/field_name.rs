//! Derives a field's name from its label.
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::draft::DraftKind;
use super::infer::infer;
use super::language::Language;
use super::lexicon::FIELDS;
use super::question::{SUBJECTS, is_verb};
use super::words::{Word, has_any, words};

/// Most words of a name.
const MAX_WORDS: usize = 7;

/// The words of a label that form the name.
pub(super) fn field_name(text: &str, language: Language) -> String {
    let found = words(text);
    let plain: Vec<&str> = found.iter().map(|word| word.plain.as_str()).collect();
    let raw = |word: &Word| text.get(word.start..word.end).unwrap_or_default();
    let mut kept: Vec<String> = Vec::new();
    let skip = match plain.as_slice() {
        ["how", "many", ..] => {
            kept.push("number of".to_owned());
            2
        }
        [
            "which" | "what" | "welche" | "welcher" | "welches" | "quel" | "quelle" | "quels" | "quelles"
            | "cual",
            next,
            ..,
        ] if !is_verb(next) && !SUBJECTS.contains(next) && (plain.len() > 2 || plain[0] != "what") => 1,
        ["i", ..] if plain.len() > 1 => 1,
        _ => 0,
    };
    // "Which apps do you use most" is about apps.
    let asked = matches!(plain.first(), Some(&("how" | "which" | "what")));
    let end = (2..plain.len()).find(|at| asked && ["do", "does", "did"].contains(&plain[*at]));
    let wh = matches!(plain.first(), Some(&("who" | "when" | "where" | "why" | "what")));
    for word in found.iter().take(end.unwrap_or(found.len())).skip(skip) {
        let article = [
            "a", "an", "the", "their", "his", "her", "its", "your", "our", "my", "der", "die", "das", "dem",
            "den", "le", "les", "une", "leur", "votre", "all",
        ]
        .contains(&word.plain.as_str());
        let filler = wh && ["it", "is", "was"].contains(&word.plain.as_str());
        // "Party A" ends with a letter, not with an article.
        let article = article && word.end < text.trim_end().len();
        if (article && !kept.is_empty() && language != Language::Spanish) || filler {
            continue;
        }
        let bare = raw(word);
        let owner =
            bare.strip_suffix("'s").or_else(|| bare.strip_suffix("s'").map(|_| bare.trim_end_matches('\'')));
        let bare = owner.unwrap_or(bare);
        let elided =
            if kept.is_empty() { bare.strip_prefix("l'").or_else(|| bare.strip_prefix("L'")) } else { None };
        kept.push(elided.unwrap_or(bare).to_owned());
        if kept.len() >= MAX_WORDS {
            break;
        }
    }
    while kept.len() > 1
        && kept.last().is_some_and(|last| {
            ["by", "of", "in", "for", "with", "as", "and", "or", "to", "is", "are", "the", "-", "at"]
                .contains(&last.to_lowercase().as_str())
        })
    {
        // "Approved by", "rennet added at".
        let (last, before) = (kept[kept.len() - 1].to_lowercase(), kept[kept.len() - 2].to_lowercase());
        let dated = ["by", "at", "in", "to"].contains(&last.as_str())
            && (kept.len() == 2 || before.ends_with("ed") || before.ends_with("en"));
        if dated {
            break;
        }
        kept.pop();
    }
    let joined = kept.join(" ");
    // Both sides of a slash are part of the name.
    if has_any(&found, &["/"]) { joined.replace('/', " ") } else { joined }
}

/// Whether a text looks like the name of a field. Next to other sentences, only names that are common in
/// forms count.
pub(super) fn is_field_like(text: &str, beside_others: bool, language: Language) -> bool {
    let found = words(text);
    let common = found.last().is_some_and(|word| FIELDS.contains(&word.plain.as_str()));
    let talk = [
        "thank", "thanks", "please", "keep", "make", "use", "it", "this", "that", "i", "we", "you", "danke",
        "bitte", "merci", "gracias",
    ];
    let talking = found.first().is_some_and(|word| talk.contains(&word.plain.as_str()));
    let short = found.len() <= 4 && (common || !beside_others || (found.len() <= 3 && !talking));
    infer(&found, language).kind != DraftKind::String || short
}
