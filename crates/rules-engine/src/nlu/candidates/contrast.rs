//! Replacements of a field's current value: "B, not A", "not A but B", "B instead of A".

use std::ops::Range;

use chrono::{Datelike, Days, NaiveDate};
use forms_core::read_answer;
use language::date::spoken::Calendar;
use language::fold::fold_word;
use language::time::clock_form;
use serde_json::{Value, json};

use crate::nlu::context::field_profile::{FieldProfile, SlotType, pointer};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::ambiguity;
use crate::nlu::entities::answer_frame::strip_answer_frame;
use crate::nlu::entities::value_parser;
use crate::nlu::tokens::message::{Message, words_of};

/// Most words of a replacement.
const MAX_WORDS: usize = 6;

/// The refused span of a sentence, and the candidate that replaces it.
#[derive(Debug)]
pub(crate) struct Contrast {
    pub(crate) refused: Range<usize>,
    pub(crate) claim: Option<SlotCandidate>,
}

/// The contrasts of a message, at most one per sentence.
pub(crate) fn contrasts(context: &NluContext<'_>) -> Vec<Contrast> {
    context.sentences.iter().filter_map(|sentence| contrast(context, &sentence.words)).collect()
}

fn contrast(context: &NluContext<'_>, words: &Range<usize>) -> Option<Contrast> {
    let (at, length) = words.clone().find_map(|at| {
        let instead = context.list("instead_of", at);
        let not = usize::from(["not_word", "no_word"].iter().any(|list| context.is_in_list(list, at)));
        Some((at, instead.max(not))).filter(|(_, length)| *length > 0)
    })?;
    let is_instead = context.list("instead_of", at) > 0;
    let article = context.is_in_list("articles", at + length);
    let from = at + length + usize::from(article);
    let Some((index, taken)) = find_current_value(context, from, words.end) else {
        // No field has this value. The refused words are still excluded as candidates.
        let number = context
            .text
            .number_at(from)
            .filter(|_| words.contains(&from) && (is_instead || at > words.start));
        let taken =
            number.map(|number| number.tokens).or(is_instead.then(|| words.end.saturating_sub(from)))?;
        return Some(Contrast { refused: at..from + taken, claim: None });
    };
    let refused = at..from + taken;
    let but = context.is_in_list("but_instead", refused.end);
    let after = strip_answer_frame(context, &(refused.end + usize::from(but)..words.end));
    let before = || strip_answer_frame(context, &(words.start..at));
    let right = if after.is_empty() || is_instead && !before().is_empty() { before() } else { after };
    let value = value(context, index, &right, &(from..refused.end));
    let claim = value
        .map(|value| SlotCandidate { is_meant: true, ..context.make_candidate(index, right, value, 14) });
    Some(Contrast { refused, claim })
}

/// The field whose current value is at a word, most recently filled first, and the number of words.
fn find_current_value(context: &NluContext<'_>, from: usize, end: usize) -> Option<(usize, usize)> {
    let mut filled: Vec<(usize, &FieldProfile<'_>)> =
        context.profiles.iter().enumerate().filter(|(_, profile)| !profile.is_open).collect();
    filled.sort_by_key(|(_, profile)| profile.recency.unwrap_or(usize::MAX));
    let found = |whole: bool| {
        filled.iter().find_map(|(index, profile)| {
            let now = pointer(&context.turn, &profile.path)?;
            let taken = if whole {
                match_value(context, profile, now, from)
            } else {
                part(context, profile, now, from)
            };
            let taken = taken.filter(|taken| from + taken <= end)?;
            (!ambiguity::names_other_field(context, *index, &(from..from + taken))).then_some((*index, taken))
        })
    };
    found(true).or_else(|| found(false))
}

/// Number of words at a position that state the current value.
fn match_value(
    context: &NluContext<'_>,
    profile: &FieldProfile<'_>,
    now: &Value,
    from: usize,
) -> Option<usize> {
    if let Some(now) = now.as_f64() {
        return context
            .text
            .number_at(from)
            .filter(|number| (number.value - now).abs() < f64::EPSILON)
            .map(|number| number.tokens);
    }
    let now = now.as_str()?;
    if profile.slot_type == SlotType::Time
        && let (Some(time), Some(minutes)) = (value_parser::time(context, from), minutes(now))
    {
        return (time.minutes % 720 == minutes % 720).then_some(time.tokens);
    }
    if profile.is_iso_date()
        && let Some(day) = value_parser::calendar(context, profile).day_at(&context.text, from)
    {
        let words = day.skipped + day.tokens;
        let date: NaiveDate = now.parse().ok()?;
        let is_weekday = (from..from + words).any(|at| context.is_in_list("weekdays", at));
        let same = day.date.filter(|said| *said == date || is_weekday && said.weekday() == date.weekday());
        return same.map(|_| words);
    }
    let now = fold_word(now);
    let joined = |n: usize| (from..from + n).map(|at| context.text.folded(at)).collect::<String>();
    (1..=MAX_WORDS).find(|n| !now.is_empty() && joined(*n) == now)
}

/// One word of a value of several words: the "Grace" of "Grace Hopper".
fn part(context: &NluContext<'_>, profile: &FieldProfile<'_>, now: &Value, from: usize) -> Option<usize> {
    let words = words_of(now.as_str().filter(|_| profile.is_text() && profile.slot_type != SlotType::Text)?);
    let word = context.text.folded(from);
    (words.len() > 1 && words.iter().any(|own| own == word)).then_some(1)
}

/// Minutes since midnight of a clock time.
fn minutes(clock: &str) -> Option<u32> {
    let (hours, minutes) = clock.split_once(':')?;
    Some(hours.parse::<u32>().ok()? * 60 + minutes.get(..2)?.parse::<u32>().ok()?)
}

/// The value that the words of the replacement state.
fn value(
    context: &NluContext<'_>,
    index: usize,
    right: &Range<usize>,
    refused: &Range<usize>,
) -> Option<Value> {
    let profile = context.profiles.get(index)?;
    let now = pointer(&context.turn, &profile.path)?;
    let value = match now.as_str() {
        _ if profile.slot_type == SlotType::Text => return None,
        Some(now) if profile.slot_type == SlotType::Time => {
            // "8, not 7" keeps the half of the day.
            let time = right.clone().find_map(|at| value_parser::time(context, at))?;
            let is_late = minutes(now).is_some_and(|now| now >= 720);
            let shift = if time.is_bare && is_late && time.minutes < 720 { 720 } else { 0 };
            json!(clock_form(time.minutes + shift))
        }
        Some(now) if profile.is_text() && !profile.is_iso_date() => {
            json!(text(context, now, right, refused)?)
        }
        // "Not Monday, Tuesday" stays in the same week.
        Some(now) if profile.is_iso_date() && right.clone().any(|at| context.is_in_list("weekdays", at)) => {
            let near = now.parse::<NaiveDate>().ok()?.checked_sub_days(Days::new(3))?;
            let calendar = Calendar {
                today: near,
                is_past: false,
                is_birth: false,
                languages: context.text.languages(),
            };
            json!(right.clone().find_map(|at| calendar.day_at(&context.text, at))?.date?.to_string())
        }
        _ => value_parser::value(context, profile, right)?,
    };
    matches!(read_answer(profile.field, &value), Ok(Some(_))).then_some(value)
}

/// The replacement text. If only a part was refused, the other words of the value are kept.
fn text(context: &NluContext<'_>, now: &str, right: &Range<usize>, refused: &Range<usize>) -> Option<String> {
    let said = context.text.slice(right);
    if said.is_empty() || right.len() > MAX_WORDS {
        return None;
    }
    // An option of another field is not meant for this one.
    let is_choice = context
        .profiles
        .iter()
        .any(|profile| profile.field.options.iter().any(|option| fold_word(option) == fold_word(said)));
    let old = context.text.slice(refused);
    let words = words_of(now);
    let shares = right.clone().any(|at| words.iter().any(|word| word == context.text.folded(at)));
    // A longer value includes its lead-in words; another rule parses it.
    if shares && right.len() > words.len() + 1 {
        return None;
    }
    let is_whole = fold_word(now) == fold_word(old) || shares || right.len() >= words.len();
    let own = Message::new(now);
    let place = own.tokens.iter().find(|word| word.folded == fold_word(old)).filter(|_| !is_whole);
    let kept = place.and_then(|word| Some((now.get(..word.start)?, now.get(word.end..)?)));
    let text = kept.map_or_else(|| said.to_owned(), |(before, after)| format!("{before}{said}{after}"));
    (!is_choice).then_some(text)
}
