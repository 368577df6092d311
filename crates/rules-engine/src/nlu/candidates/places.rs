//! Candidates of towns and addresses: "in Livermore", "from San Jose to LA", "to 2050 Broadway".

use std::ops::Range;

use serde_json::json;

use crate::nlu::context::field_profile::{FieldProfile, RangeRole, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::names;
use crate::nlu::tokens::message::any_lexicon;

pub(crate) fn add_candidates(
    context: &NluContext<'_>,
    taken: &[Range<usize>],
    claims: &mut Vec<SlotCandidate>,
) {
    if context.fields_of_types(&[SlotType::Place, SlotType::Address]).next().is_none() {
        return;
    }
    let mut at = 0;
    while at < context.text.len() {
        let Some((length, said)) = cue(context, at) else {
            at += 1;
            continue;
        };
        let mut from = at + length;
        while context.is_in_list("before_town", from) || context.is_in_list("of", from) && from > at + length
        {
            from += 1;
        }
        let free = |words: &Range<usize>| {
            !taken.iter().any(|range| range.start < words.end && words.start < range.end)
        };
        match find_place_name(context, at, at + length - 1, from)
            .filter(|words| free(words) && context.accepts_values_at(words.start))
        {
            Some(words) => {
                add_field_candidates(context, &words, said, at, claims);
                // Words of a name are not examined as cues.
                at = words.end.max(at + 1);
            }
            None => at += 1,
        }
    }
    add_leading_names(context, claims);
}

/// A capitalised name, or a lower-case one where a town was asked for or the user writes without capitals.
fn find_place_name(context: &NluContext<'_>, cue: usize, last: usize, from: usize) -> Option<Range<usize>> {
    if !context.sentence_words(cue).contains(&from) {
        return None;
    }
    names::capitalized_name(context, from).or_else(|| {
        let asked = context
            .asked_field()
            .is_some_and(|(_, profile)| matches!(profile.slot_type, SlotType::Place | SlotType::Address));
        let towns = context.is_in_list("town_cue", last)
            || context.list("destination", cue) > 1
            || context.list("origin", cue) > 1
            || context.is_in_list("onward", last) && has_from_before(context, cue);
        let known = |at: usize| {
            let root = context.text.stem(at);
            context.profiles.iter().any(|profile| profile.has_stem(root))
                || context.text.folded(at).ends_with("ing")
        };
        let words = names::lowercase_name(context, from, if asked { 3 } else { 2 })?;
        // "in the kitchen" is no town.
        let article = last + 1 < from && context.is_in_list("thing_article", from - 1);
        let fits =
            towns && !article && (asked || names::is_uncapitalised(context)) && !words.clone().any(known);
        fits.then_some(words)
    })
}

/// Whether "from" precedes in the sentence, so that "to" introduces a place.
fn has_from_before(context: &NluContext<'_>, at: usize) -> bool {
    let start = context.sentence_words(at).start;
    (start..at).any(|at| context.is_in_list("from_town", at))
}

/// A cue before a place: number of words, and the role it gives.
fn cue(context: &NluContext<'_>, at: usize) -> Option<(usize, RangeRole)> {
    let (origin, destination, any) =
        (context.list("origin", at), context.list("destination", at), context.list("place_cue", at));
    let longest = origin.max(destination).max(any);
    match longest {
        0 => None,
        length if length == origin => Some((length, RangeRole::Start)),
        length if length == destination => Some((length, RangeRole::End)),
        length => Some((length, RangeRole::None)),
    }
}

/// A name before its noun: "Nairobi is the departure city", "the Hayward area".
fn add_leading_names(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    for sentence in &context.sentences {
        for at in sentence.words.clone() {
            let is_start = at == sentence.words.start;
            let Some(words) = names::capitalized_name(context, at)
                .filter(|words| is_start || context.is_in_list("area_noun", words.end))
            else {
                continue;
            };
            let next = context.text.folded(words.end);
            let onward = is_start
                && context.lexicon.list("onward").has_word(next)
                && names::capitalized_name(context, words.end + 1)
                    .is_some_and(|run| run.end <= sentence.words.end);
            if onward && context.accepts_values_at(at) {
                add_field_candidates(context, &words, RangeRole::Start, at, claims);
                continue;
            }
            let tells = context.lexicon.list("place_verb").has_word(next) && is_start
                || context.is_in_list("area_noun", words.end);
            if !tells || !context.accepts_values_at(at) {
                continue;
            }
            let said = (words.end..sentence.words.end).find_map(|at| {
                cue(context, at).map(|(_, role)| role).filter(|role| *role != RangeRole::None)
            });
            let speaks = (words.end..sentence.words.end)
                .any(|at| context.lexicon.list("place_noun").has_word(context.text.stem(at)));
            if speaks {
                add_field_candidates(context, &words, said.unwrap_or(RangeRole::None), at, claims);
            }
        }
    }
}

fn add_field_candidates(
    context: &NluContext<'_>,
    words: &Range<usize>,
    said: RangeRole,
    cue: usize,
    claims: &mut Vec<SlotCandidate>,
) {
    let last = context.text.folded(words.end - 1);
    let is_street = context.text.is_digits(words.start)
            || context.lexicon.list("street").has_word(last) && words.len() > 1
            // "Elm Street 5"
            || context.text.is_digits(words.end - 1) && words.len() > 1;
    let is_venue = context.lexicon.list("venue").has_word(last);
    let has = |role: RangeRole| {
        context.fields_of_types(&[SlotType::Place]).any(|(_, profile)| profile.role == role)
    };
    let towns = context.fields_of_types(&[SlotType::Place]).filter(|(_, profile)| is_town(profile)).count();
    let has_address = context.fields_of_types(&[SlotType::Address]).next().is_some();
    for (index, profile) in context.fields_of_types(&[SlotType::Place, SlotType::Address]) {
        let near = context.nearness(index, &(cue..words.end));
        let mut score = 3 + near.min(3) + context.prior_score(index, words.start);
        score += match (said, profile.role) {
            (RangeRole::None, RangeRole::None) => 1,
            (a, b) if a == b => 4,
            (RangeRole::None, RangeRole::End) => 0,
            (RangeRole::None, RangeRole::Start) => -1,
            (RangeRole::Start, RangeRole::None) => {
                if has(RangeRole::Start) {
                    -8
                } else {
                    -2
                }
            }
            (RangeRole::End, RangeRole::None) => {
                if has(RangeRole::End) {
                    -6
                } else {
                    0
                }
            }
            _ => -8,
        };
        score += match (profile.slot_type, is_street) {
            (SlotType::Address, true) => 3,
            (SlotType::Address, false) => -6,
            (_, true) if has_address || context.text.is_digits(words.end - 1) => -6,
            (_, true) if said == RangeRole::None && !profile.is_asked => -4,
            _ => 0,
        };
        let is_city = profile.name.iter().any(|word| any_lexicon().list("town_noun").has_word(word));
        score += 2 * i32::from(is_city && !is_venue);
        if profile.slot_type == SlotType::Place && !is_town(profile) && towns > 0 {
            score += if is_venue { 3 } else { -4 };
        } else if is_venue && is_town(profile) {
            score -= 1;
        }
        // "at" usually precedes a venue, not a town; "for" precedes anything.
        if context.is_in_list("venue_cue", cue) && !profile.is_asked {
            score -= 2;
        }
        if score >= 3 {
            claims.push(context.make_candidate(
                index,
                words.clone(),
                json!(context.text.slice(words)),
                score,
            ));
        }
    }
}

/// Whether a field is for a town and not for a venue or building.
fn is_town(profile: &FieldProfile<'_>) -> bool {
    let houses = any_lexicon().list("venue_noun");
    let says_house = profile.name_stems.iter().any(|word| houses.has_word(word));
    let says_town = profile
        .name_stems
        .iter()
        .chain(&profile.description_stems)
        .any(|word| any_lexicon().list("town_area").has_word(word));
    !says_house && (says_town || !profile.description_stems.iter().any(|word| houses.has_word(word)))
        || profile.name_stems.iter().any(|word| any_lexicon().list("town_area").has_word(word))
}
