//! What stands around a number: labels, nouns, ends of phrases.

use std::ops::Range;

use language::number::spoken::SpokenNumber;
use serde_json::{Value, json};

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::NluContext;
use crate::nlu::entities::numbers;

pub(crate) fn is_year(profile: &FieldProfile<'_>, number: SpokenNumber) -> bool {
    number.in_digits && (1_900.0..2_100.0).contains(&number.value) && profile.has_stem("year")
}

/// Whether the field is named before the number: "the number of rooms is 3", "party size: 4", "change the
/// seats to 2".
pub(crate) fn is_labelled(scene: &NluContext<'_>, index: usize, words: &Range<usize>) -> bool {
    let places = scene.field_words.get(index).map(Vec::as_slice).unwrap_or_default();
    let around = scene.sentence_words(words.start);
    let named = places.iter().filter(|place| around.contains(place) && **place < words.start).max();
    named.is_some_and(|place| {
        let between = place + 1..words.start;
        let linked = between.len() <= 4
            && between.clone().all(|at| {
                ["break", "link", "filler"].iter().any(|list| scene.is_in_list(list, at))
                    || scene.ambiguous_fields.is_number(index, at)
            });
        // "Quantity 4 price 12": the name of the next field ends the phrase.
        let is_other = |(other, places): (usize, &Vec<usize>)| other != index && places.contains(&words.end);
        linked && (ends_phrase(scene, words.end) || scene.field_words.iter().enumerate().any(is_other))
    })
}

/// Whether no noun follows that could be counted.
pub(crate) fn ends_phrase(scene: &NluContext<'_>, at: usize) -> bool {
    at >= scene.text.len()
        || scene.text.before(at).contains(['.', ',', '!', '?', ';', '\n', ')'])
        || scene.is_in_list("break", at)
        || scene.is_in_list("filler", at)
        || scene.list("correction", at) > 0
        || scene.list("pieces", at) > 0
}

/// Whether a noun follows that could be counted.
pub(crate) fn has_noun(scene: &NluContext<'_>, start: usize, end: usize) -> bool {
    let around = scene.sentence_words(start);
    around.contains(&end) && !ends_phrase(scene, end)
}

/// Whether the number at a word is all that its clause states.
pub(crate) fn is_alone(scene: &NluContext<'_>, at: usize) -> bool {
    let words = scene.text.number_at(at).map_or(0, |number| number.tokens);
    words > 0 && is_bare(scene, &(at..at + words))
}

/// Whether the number is all that its clause states, apart from function words.
pub(crate) fn is_bare(scene: &NluContext<'_>, words: &Range<usize>) -> bool {
    let around = scene.sentence_words(words.start);
    let clause = scene
        .sentence(words.start)
        .and_then(|sentence| sentence.clauses.iter().find(|clause| clause.contains(&words.start)).cloned());
    let clause = clause.unwrap_or(around);
    clause.filter(|at| !words.contains(at)).all(|at| {
        ["lead", "filler", "break", "courtesy", "yes", "correction", "pronoun", "link", "common"]
            .iter()
            .any(|list| scene.is_in_list(list, at))
    })
}

/// A number in the JSON type of the field.
pub(crate) fn value(
    scene: &NluContext<'_>,
    profile: &FieldProfile<'_>,
    number: f64,
    words: &Range<usize>,
) -> Value {
    let option =
        profile.field.options.iter().find(|option| option.trim().parse::<f64>().ok() == Some(number));
    if let Some(option) = option {
        return json!(option);
    }
    if !profile.is_text() {
        return numbers::json(number);
    }
    // A duration in another unit than the field's keeps its unit.
    if profile.slot_type == SlotType::Duration && words.len() > 1 {
        let unit = scene.text.stem(words.end - 1);
        if !profile.has_name_stem(unit)
            && !profile.description_stems.iter().any(|word| scene.lexicon.are_alike(word, unit))
        {
            return json!(scene.text.slice(words));
        }
    }
    match profile.slot_type {
        SlotType::Code | SlotType::Money => json!(scene.text.slice(words)),
        _ => json!(numbers::json(number).to_string()),
    }
}
