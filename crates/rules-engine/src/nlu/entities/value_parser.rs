//! Parses the value of a span for a field that is already known.

use std::ops::Range;

use language::date::spoken::Calendar;
use language::stem::light_stem;
use language::time::SpokenTime;
use language::time::clock_form;
use serde_json::{Value, json};

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::NluContext;
use crate::nlu::entities::choice_ranges;
use crate::nlu::entities::count_context;
use crate::nlu::tokens::message::any_lexicon;
use crate::nlu::tokens::message::words_of;

/// The value that a span states for a field; `None` when it has no value of its type. For free text the span
/// as written.
pub(crate) fn value(
    context: &NluContext<'_>,
    profile: &FieldProfile<'_>,
    words: &Range<usize>,
) -> Option<Value> {
    let is_number = matches!(
        profile.slot_type,
        SlotType::Count | SlotType::Number | SlotType::Money | SlotType::Duration
    ) && !profile.is_text();
    match profile.slot_type {
        SlotType::Flag | SlotType::List | SlotType::Object => None,
        SlotType::Choice => {
            let has = |word: &String| words.clone().any(|at| context.text.stem(at) == light_stem(word));
            let fits = |option: &&String| !option.is_empty() && words_of(option).iter().all(has);
            Some(choice_ranges::option_value(profile, profile.field.options.iter().find(fits)?))
        }
        _ if profile.is_iso_date() => {
            let calendar = calendar(context, profile);
            let date = words.clone().find_map(|at| calendar.day_at(&context.text, at))?.date?;
            Some(json!(date.to_string()))
        }
        SlotType::Time if profile.field.format.as_deref() == Some("time") => {
            let time = words.clone().find_map(|at| time(context, at))?;
            Some(json!(clock_form(time.minutes)))
        }
        _ if is_number => {
            let mut found = words.clone().filter_map(|at| context.text.number_at(at));
            let number = found.next()?;
            Some(count_context::value(context, profile, number.value, words))
        }
        _ => Some(json!(context.text.slice(words))).filter(|_| !words.is_empty()),
    }
}

/// The calendar for a field's dates.
pub(crate) fn calendar(context: &NluContext<'_>, profile: &FieldProfile<'_>) -> Calendar {
    // The form may be in another language than the message.
    let speaks = |list: &str| {
        profile
            .name
            .iter()
            .chain(&profile.description_stems)
            .any(|word| any_lexicon().list(list).has_word(word))
    };
    let (is_past, is_birth) = (speaks("past_date"), speaks("birth"));
    Calendar { today: context.turn.today, is_past, is_birth, languages: context.text.languages() }
}

/// The time at a word, including a bare number.
pub(crate) fn time(context: &NluContext<'_>, at: usize) -> Option<SpokenTime> {
    context.text.time_at(at).or_else(|| context.text.lone_time_at(at))
}
