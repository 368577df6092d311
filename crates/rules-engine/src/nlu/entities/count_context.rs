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
pub(crate) fn is_labelled(context: &NluContext<'_>, index: usize, words: &Range<usize>) -> bool {
    let places = context.field_words.get(index).map(Vec::as_slice).unwrap_or_default();
    let around = context.sentence_words(words.start);
    let named = places.iter().filter(|place| around.contains(place) && **place < words.start).max();
    named.is_some_and(|place| {
        let between = place + 1..words.start;
        let linked = between.len() <= 4
            && between.clone().all(|at| {
                ["break", "link", "filler"].iter().any(|list| context.is_in_list(list, at))
                    || context.ambiguous_fields.is_number(index, at)
            });
        // "Quantity 4 price 12": the name of the next field ends the phrase.
        let is_other = |(other, places): (usize, &Vec<usize>)| other != index && places.contains(&words.end);
        linked && (ends_phrase(context, words.end) || context.field_words.iter().enumerate().any(is_other))
    })
}

/// Whether no noun follows that could be counted.
pub(crate) fn ends_phrase(context: &NluContext<'_>, at: usize) -> bool {
    at >= context.text.len()
        || context.text.before(at).contains(['.', ',', '!', '?', ';', '\n', ')'])
        || context.is_in_list("break", at)
        || context.is_in_list("filler", at)
        || context.list("correction", at) > 0
        || context.list("pieces", at) > 0
}

/// Whether a noun follows that could be counted.
pub(crate) fn has_noun(context: &NluContext<'_>, start: usize, end: usize) -> bool {
    let around = context.sentence_words(start);
    around.contains(&end) && !ends_phrase(context, end)
}

/// Whether the number at a word is all that its clause states.
pub(crate) fn is_alone(context: &NluContext<'_>, at: usize) -> bool {
    let words = context.text.number_at(at).map_or(0, |number| number.tokens);
    words > 0 && is_bare(context, &(at..at + words))
}

/// Whether the number is all that its clause states, apart from function words.
pub(crate) fn is_bare(context: &NluContext<'_>, words: &Range<usize>) -> bool {
    let around = context.sentence_words(words.start);
    let clause = context
        .sentence(words.start)
        .and_then(|sentence| sentence.clauses.iter().find(|clause| clause.contains(&words.start)).cloned());
    let clause = clause.unwrap_or(around);
    clause.filter(|at| !words.contains(at)).all(|at| {
        ["lead", "filler", "break", "courtesy", "yes", "correction", "pronoun", "link", "common"]
            .iter()
            .any(|list| context.is_in_list(list, at))
    })
}

/// A number in the JSON type of the field.
pub(crate) fn value(
    context: &NluContext<'_>,
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
        let unit = context.text.stem(words.end - 1);
        if !profile.has_name_stem(unit)
            && !profile.description_stems.iter().any(|word| context.lexicon.are_alike(word, unit))
        {
            return json!(context.text.slice(words));
        }
    }
    match profile.slot_type {
        SlotType::Code | SlotType::Money => json!(context.text.slice(words)),
        _ => json!(numbers::json(number).to_string()),
    }
}
