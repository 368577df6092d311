//! Candidates of numeric fields: `two tickets`, `for 4`, `just me`, `3 star`, `a 2 bedroom apartment`.

use std::ops::Range;

use language::number::spoken::{SpokenNumber, is_ordinal_suffix};
use language::phrase::PhraseMatch;
use serde_json::json;

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::count_context::{ends_phrase, has_noun, is_bare, is_labelled, is_year, value};
use crate::nlu::tokens::message::any_lexicon;
use agents_core::chat::Phase;

/// Ordinals beyond are no position; "last" is this one.
const MAX_PLACE: usize = 1_000;
/// Words after a number in which the counted noun is searched.
const REACH: usize = 3;

/// Slot types that a number can fill.
const SLOT_TYPES: [SlotType; 5] =
    [SlotType::Count, SlotType::Number, SlotType::Duration, SlotType::Money, SlotType::Code];

/// Adds candidates for the number at a word. Returns the number of words consumed.
pub(crate) fn add_candidates(
    context: &NluContext<'_>,
    at: usize,
    claims: &mut Vec<SlotCandidate>,
    taken: &mut Vec<Range<usize>>,
) -> usize {
    if let Some(PhraseMatch { tokens: words, value: key }) =
        context.lexicon.list("party").key_at(&context.text, at)
    {
        let value: f64 = key.parse().unwrap_or(1.0);
        let range = at..at + words;
        if context.asserts(at) {
            add_people_candidates(context, &range, value, 4, claims);
        }
        return words;
    }
    let Some(number) = context.text.number_at(at) else {
        return add_ordinal_candidates(context, at, claims);
    };
    let words = at..at + number.tokens;
    if !context.accepts_values_at(at)
        || context.ambiguous_fields.is_name_number(at)
        || is_idiom(context, &words, number)
    {
        return number.tokens;
    }
    if let Some(spread) = context.text.spread_at(at) {
        add_range_candidates(context, at..at + spread, claims);
        taken.push(at..at + spread);
        return spread;
    }
    let before = claims.len();
    let lone = lone_count(context, &words).filter(|_| !is_age(context, &words));
    let named = fields_named_nearby(context, at);
    for (index, profile) in context.fields_of_types(&SLOT_TYPES) {
        let Some((score, extent)) = score(context, index, profile, &words, number, &named)
            .or((lone == Some(index)).then(|| (3, words.clone())))
        else {
            continue;
        };
        let score = score + context.prior_score(index, at);
        let value = value(context, profile, number.value, &extent);
        claims.push(context.make_candidate(index, extent, value, score));
    }
    let for_people = at > 0 && context.is_in_list("for_people", at - 1) && ends_phrase(context, words.end)
        || context.list("of_us", words.end) > 0;
    if for_people {
        add_people_candidates(context, &words, number.value, 2, claims);
    }
    if claims.len() > before {
        taken.push(words);
    }
    number.tokens
}

/// "Third grade": an ordinal before a word of the field's name is a number.
fn add_ordinal_candidates(context: &NluContext<'_>, at: usize, claims: &mut Vec<SlotCandidate>) -> usize {
    let Some((length, place)) = context.text.ordinal_at(at, MAX_PLACE) else { return 0 };
    let noun = at + length;
    if place + 1 == MAX_PLACE || !context.accepts_values_at(at) {
        return 0;
    }
    for (index, profile) in context.fields_of_types(&[SlotType::Count, SlotType::Number]) {
        if profile.name.iter().any(|name| name == context.text.folded(noun))
            && !context.ambiguous_fields.is_name_number(at)
        {
            let words = at..noun + 1;
            let value = value(context, profile, (place + 1) as f64, &words);
            claims.push(context.make_candidate(index, words, value, 5 + context.prior_score(index, at)));
        }
    }
    0
}

/// "3 or 4 people" is no single number; the field gets the text, whose validation makes the bot ask again.
fn add_range_candidates(context: &NluContext<'_>, words: Range<usize>, claims: &mut Vec<SlotCandidate>) {
    let named = fields_named_nearby(context, words.start);
    for (index, profile) in context.fields_of_types(&SLOT_TYPES) {
        let last = (words.start..words.end).rev().find_map(|at| Some((at, context.text.number_at(at)?)));
        let Some((at, number)) = last else { continue };
        let Some((score, extent)) = score(context, index, profile, &(at..words.end), number, &named) else {
            continue;
        };
        let whole = words.start..extent.end;
        let value = json!(context.text.slice(&words));
        let score = score + context.prior_score(index, words.start);
        claims.push(SlotCandidate { is_meant: true, ..context.make_candidate(index, whole, value, score) });
    }
}

/// "4 out of 5" and "4/5" where the scale ends at the field's maximum: the span, and a candidate for the
/// asked field.
pub(crate) fn scale_candidate(context: &NluContext<'_>, at: usize) -> Option<(Range<usize>, SlotCandidate)> {
    let (index, profile) =
        context.asked_field().filter(|(_, profile)| SLOT_TYPES.contains(&profile.slot_type))?;
    let most = profile.field.maximum.or_else(|| profile.field.options.last()?.trim().parse().ok())?;
    let number = context.text.number_at(at)?;
    let joint = at + number.tokens;
    let out_of = context.list("out_of", joint);
    let slash = context.text.gap(joint - 1).trim() == "/";
    let end = joint + out_of;
    let limit = context.text.number_at(end).filter(|_| out_of > 0 || slash)?;
    let words = at..end + limit.tokens;
    let fits = (limit.value - most).abs() < f64::EPSILON
        && context.accepts_values_at(at)
        && is_bare(context, &words);
    let value = value(context, profile, number.value, &(at..joint));
    fits.then(|| (words.clone(), context.make_candidate(index, words, value, 8)))
}

/// "I'm 34": the number is an age if no counted noun follows.
fn is_age(context: &NluContext<'_>, words: &Range<usize>) -> bool {
    if !ends_phrase(context, words.end) {
        return false;
    }
    let introduces = |n: usize| words.start.checked_sub(n).is_some_and(|at| context.list("i_am", at) == n);
    (1..=2).any(introduces)
}

/// Whether a field asks for an age.
fn is_age_field(profile: &FieldProfile<'_>) -> bool {
    profile.name.iter().any(|own| any_lexicon().list("age_noun").has_word(own))
}

/// The only open count field, if the message is only a number and no number was asked for.
fn lone_count(context: &NluContext<'_>, words: &Range<usize>) -> Option<usize> {
    let asked = context.asked_field().is_some_and(|(_, profile)| {
        SLOT_TYPES.contains(&profile.slot_type) || profile.slot_type == SlotType::Choice
    });
    if asked || context.sentences.len() > 1 || !is_bare(context, words) {
        return None;
    }
    // After the summary, a number alone is a new value.
    let is_late = context.turn.phase != Phase::Filling;
    let mut open =
        context.fields_of_types(&[SlotType::Count]).filter(|(_, profile)| profile.is_open || is_late);
    let only = open.next().map(|(index, _)| index);
    only.filter(|_| open.next().is_none())
}

/// Adds candidates for a number of people.
fn add_people_candidates(
    context: &NluContext<'_>,
    words: &Range<usize>,
    value: f64,
    base: i32,
    claims: &mut Vec<SlotCandidate>,
) {
    let people = context.lexicon.list("count_of_people");
    for (index, profile) in context.fields_of_types(&[SlotType::Count]) {
        let own = profile.name.iter().any(|word| people.has_word(word));
        let about = profile.description_stems.iter().any(|word| people.has_word(word));
        if own || about {
            let score = base + i32::from(own) + context.prior_score(index, words.start);
            let value = self::value(context, profile, value, words);
            claims.push(context.make_candidate(index, words.clone(), value, score));
        }
    }
}

/// Whether the number is part of an idiom: "one way", "the one", "one of them".
fn is_idiom(context: &NluContext<'_>, words: &Range<usize>, number: SpokenNumber) -> bool {
    let (before, after) = (context.text.folded(words.start.wrapping_sub(1)), context.text.folded(words.end));
    let one = !number.in_digits && (number.value - 1.0).abs() < f64::EPSILON;
    let ordinal = number.in_digits
        && is_ordinal_suffix(after, context.text.languages())
        && context.text.gap(words.end - 1).is_empty();
    let spoken = context.lexicon.list("idiom_after").has_word(after)
        || context.lexicon.list("idiom_before").has_word(before);
    let named = context.field_words.iter().flatten().any(|place| (words.end..words.end + 2).contains(place));
    ordinal || context.is_in_list("idiom_noun", words.end) || one && spoken && !named
}

/// Score of a number for a field, and the span that states it; `None` when it does not fit.
fn score(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    words: &Range<usize>,
    number: SpokenNumber,
    named: &[usize],
) -> Option<(i32, Range<usize>)> {
    if profile.slot_type == SlotType::Code && !(number.in_digits && context.nearness(index, words) >= 3) {
        return None;
    }
    if let Some((score, extent)) = noun(context, profile, words) {
        return Some((score, extent));
    }
    if let Some(extent) = people(context, profile, words) {
        return Some((4, extent));
    }
    if is_year(profile, number) && context.nearness(index, words) + 2 * i32::from(profile.is_asked) >= 2 {
        return Some((5, words.clone()));
    }
    if is_labelled(context, index, words) || is_age_field(profile) && is_age(context, words) {
        return Some((5, words.clone()));
    }
    let follows = has_noun(context, words.start, words.end);
    let bare = !follows && is_bare(context, words);
    // "The quality deserves a 4": the only number in the sentence, and the only field named.
    let other = named.iter().any(|other| *other != index);
    let is_only = named == [index]
        && !follows
        && profile.slot_type != SlotType::Code
        && ends_phrase(context, words.end);
    if is_only && is_lone_number(context, words) {
        return Some((4, words.clone()));
    }
    let changed = !other
        && context.corrects(words.start)
        && profile.recency.is_some()
        && !follows
        && ends_phrase(context, words.end);
    match () {
        () if profile.is_asked && bare => Some((4, words.clone())),
        () if changed && profile.slot_type != SlotType::Code => Some((2, words.clone())),
        () => None,
    }
}

/// The numeric fields that the sentence of a word names, at most two.
fn fields_named_nearby(context: &NluContext<'_>, at: usize) -> Vec<usize> {
    let around = context.sentence_words(at);
    let is_named = |index: usize, profile: &FieldProfile<'_>| {
        let places = context.field_words.get(index).map(Vec::as_slice).unwrap_or_default();
        let is_name = |at: usize| profile.name.iter().any(|name| name == context.text.folded(at));
        places.iter().any(|at| around.contains(at) && is_name(*at) && !context.is_in_list("break", *at))
    };
    let all = context.fields_of_types(&SLOT_TYPES).filter(|(index, profile)| is_named(*index, profile));
    all.map(|(index, _)| index).take(2).collect()
}

/// Whether the sentence has no other number.
fn is_lone_number(context: &NluContext<'_>, words: &Range<usize>) -> bool {
    let mut others = context.sentence_words(words.start).filter(|at| !words.contains(at));
    others.all(|at| context.text.number_at(at).is_none())
}

/// Score and span when the noun after the number is a word of the field's name or description.
fn noun(
    context: &NluContext<'_>,
    profile: &FieldProfile<'_>,
    words: &Range<usize>,
) -> Option<(i32, Range<usize>)> {
    let around = context.sentence_words(words.start);
    for step in 0..REACH {
        let at = words.end + step;
        let stop = !around.contains(&at)
            || step > 0 && profile.slot_type == SlotType::Code
            || step > 0 && (context.is_in_list("break", at) || context.text.number_at(at).is_some())
            || at > words.end && context.text.gap(at - 1).contains([',', '.']);
        if stop {
            return None;
        }
        let root = context.text.stem(at);
        let far = i32::try_from(step).unwrap_or(3);
        // Words in between may be the value of another field.
        let extent = words.start..if step == 0 { at + 1 } else { words.end };
        if profile.slot_type == SlotType::Money {
            return None;
        }
        if profile.has_name_stem(root) && !context.is_in_list("break", at) {
            return Some((7 - far, extent));
        }
        let about = profile.description_stems.iter().any(|word| word == root)
            || profile.slot_type == SlotType::Count
                && profile.description_stems.iter().any(|word| context.lexicon.are_alike(word, root));
        if about {
            return Some((5 - far, extent));
        }
        if profile.slot_type == SlotType::Duration && step == 0 && is_unit(context, at) {
            return Some((4, words.start..at + 1));
        }
        // "3 years old"
        let is_age = context.is_in_list("old_age", at + 1) || context.is_in_list("age_unit", at);
        if step == 0 && is_age && is_age_field(profile) {
            return Some((6, words.start..at + 2));
        }
    }
    None
}

/// The span when people are counted and the field is a number of people.
fn people(
    context: &NluContext<'_>,
    profile: &FieldProfile<'_>,
    words: &Range<usize>,
) -> Option<Range<usize>> {
    let people = context.lexicon.list("count_of_people");
    let is_for =
        profile.slot_type == SlotType::Count && profile.name.iter().any(|word| people.has_word(word));
    let reach = words.end..(words.end + REACH).min(context.sentence_words(words.start).end);
    let at = reach
        .take_while(|at| !context.is_in_list("break", *at))
        .find(|at| is_for && people.has_word(context.text.folded(*at)))?;
    Some(words.start..if at == words.end { at + 1 } else { words.end })
}

fn is_unit(context: &NluContext<'_>, at: usize) -> bool {
    let units = ["unit_day", "unit_week", "unit_month", "unit_year"];
    units.iter().any(|name| context.is_in_list(name, at)) || context.is_in_list("duration_unit", at)
}
