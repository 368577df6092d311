//! Options chosen by a number in their range, or by their position in the list.

use std::ops::Range;

use forms_core::FieldType;
use serde_json::{Value, json};

use crate::nlu::context::field_profile::FieldProfile;
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::count_context;
use crate::nlu::entities::numbers;
use crate::nlu::tokens::message::Message;

/// Most options parsed as ranges.
const MAX_RANGES: usize = 100;

/// "I'm 34" for options that are ranges: "under 18", "18-29", "30-49", "65 and older".
pub(crate) fn range_candidate(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
) -> Option<SlotCandidate> {
    let options = &profile.field.options;
    let ranges: Vec<Option<(f64, f64)>> =
        options.iter().take(MAX_RANGES).map(|option| range_of(option)).collect();
    let at = (0..context.text.len().min(12)).find(|at| count_context::is_alone(context, *at))?;
    let number = context.text.number_at(at)?;
    // At most one option may be no range, and exactly one range must contain the number.
    let all =
        ranges.iter().flatten().count() + 1 >= options.iter().filter(|option| !option.is_empty()).count();
    let mut fitting = options.iter().zip(&ranges).filter(|(_, range)| {
        range.is_some_and(|(least, most)| least <= number.value && number.value <= most)
    });
    let (option, _) = fitting.next().filter(|_| all && options.len() > 1)?;
    let is_only = fitting.next().is_none() && context.text.spread_at(at).is_none();
    is_only.then(|| context.make_candidate(index, at..at + number.tokens, option_value(profile, option), 6))
}

/// The numeric range of an option such as "18-29" or "under 18".
pub(crate) fn range_of(option: &str) -> Option<(f64, f64)> {
    let text = Message::new(option);
    let words: Vec<&str> = text.tokens.iter().map(|word| word.folded.as_str()).collect();
    let has = |list: &str| words.iter().any(|word| text.lexicon().list(list).has_word(word));
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        [least, most] if least < most => Some((*least, *most)),
        [most] if has("less_than") || option.contains('<') => Some((f64::NEG_INFINITY, most - 1.0)),
        [least] if has("more_than") || option.ends_with('+') => Some((*least, f64::INFINITY)),
        _ => None,
    }
}

/// "the second one", "2": the position in the list of options.
pub(crate) fn ordinal_candidate(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
) -> Option<SlotCandidate> {
    let options = &profile.field.options;
    let claim = |words: Range<usize>, place: usize| {
        options
            .get(place)
            .map(|option| context.make_candidate(index, words, option_value(profile, option), 6))
    };
    let short = context.text.len() <= 8;
    for at in 0..context.text.len().min(12) {
        if let Some((words, place)) = context.text.ordinal_at(at, options.len()) {
            let noun = context.list("choice_noun", at + words);
            let is_last = at + words == context.text.len()
                || context.text.gap(at + words - 1).contains([',', '.'])
                || context.list("filler", at + words) > 0;
            if noun > 0 || is_last && short {
                return claim(at..at + words + noun, place);
            }
        }
        let numbered = ["number_noun", "option_noun"].iter().any(|list| context.is_in_list(list, at));
        let from = at + usize::from(numbered);
        let number = context
            .text
            .number_at(from)
            .filter(|number| number.value.fract() == 0.0 && number.value > 0.0)
            .filter(|_| context.sentences.len() == 1 && context.text.spread_at(from).is_none());
        if let Some(number) = number
            && (numbered
                || stands_alone(context, at, number.tokens) && count_context::is_alone(context, at) && short)
        {
            let place = (number.value as usize).checked_sub(1)?;
            return claim(at..at + usize::from(numbered) + number.tokens, place);
        }
    }
    None
}

/// An option in the JSON type of its field.
pub(crate) fn option_value(profile: &FieldProfile<'_>, option: &str) -> Value {
    let is_number = matches!(profile.field.kind, FieldType::Number | FieldType::Integer);
    option.trim().parse::<f64>().ok().filter(|_| is_number).map_or_else(|| json!(option), numbers::json)
}

/// Whether at most one other content word is in the sentence.
pub(crate) fn stands_alone(context: &NluContext<'_>, at: usize, length: usize) -> bool {
    let around = context.sentence_words(at);
    let weak = |place: &usize| {
        context.is_in_list("lead", *place)
            || context.is_in_list("filler", *place)
            || context.is_in_list("courtesy", *place)
    };
    around.filter(|place| !(at..at + length).contains(place)).filter(|place| !weak(place)).count() <= 1
}
