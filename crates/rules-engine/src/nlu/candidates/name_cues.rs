//! Candidates for names of people and things, by a cue before them: "the movie Hellboy", "by Drake", "called
//! …", "my name is …".

use std::ops::Range;

use serde_json::json;

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::formats::{EntityKind, find_entities};
use crate::nlu::entities::names;
use crate::nlu::tokens::message::any_lexicon;

/// Slot types that names can fill.
const SLOT_TYPES: [SlotType; 2] = [SlotType::Title, SlotType::Person];

pub(crate) fn add_candidates(
    context: &NluContext<'_>,
    taken: &[Range<usize>],
    claims: &mut Vec<SlotCandidate>,
) {
    own_name(context, claims);
    let cue = context.lexicon.list("cue");
    let keys = cue.keys();
    for (index, profile) in context.fields_of_types(&SLOT_TYPES) {
        let own = |line: usize| {
            keys.get(line)
                .is_some_and(|keys| keys.iter().any(|key| profile.name.iter().any(|word| word == key)))
        };
        let about = |line: usize| keys.get(line).is_some_and(|keys| profile.mentions_any(keys));
        let fitting: Vec<i32> =
            (0..keys.len()).map(|line| if own(line) { 3 } else { 2 * i32::from(about(line)) }).collect();
        for at in 0..context.text.len() {
            if !context.accepts_values_at(at) {
                continue;
            }
            let lines = cue
                .all(&context.text, at)
                .filter_map(|found| Some((found.tokens, *fitting.get(found.value)?)))
                .filter(|(_, weight)| *weight > 0);
            let noun = own_noun(context, index, at).then_some((1, 3));
            let generic = context.list("generic_cue", at);
            let generic =
                (generic > 0 && context.nearness(index, &(at..at + generic)) > 0).then_some((generic, 3));
            let Some((length, weight)) = lines.chain(noun).chain(generic).max() else { continue };
            let is_call = context.list("generic_cue", at) > 0
                || length > 1 && context.is_in_list("it_word", at + length - 1);
            if let Some(words) = name_after(context, at + length, is_call, taken)
                && !taken.iter().any(|range| range.start < words.end && words.start < range.end)
            {
                let mut score =
                    weight + i32::try_from(length).unwrap_or(1) - 1 + context.prior_score(index, words.start);
                score += context.nearness(index, &words).min(2) + i32::from(words.len() > 1);
                score -= i32::from(
                    profile.slot_type == SlotType::Person && context.count_unsaid_words(index, at) > 1,
                );
                if score >= 4 {
                    claims.push(context.make_candidate(
                        index,
                        words.clone(),
                        json!(if profile.slot_type == SlotType::Person {
                            strip_possessive(context, &words)
                        } else {
                            context.text.slice(&words)
                        }),
                        score,
                    ));
                }
            }
        }
    }
    add_quoted_candidates(context, claims);
}

/// Whether the field's noun is directly before a name: "the restaurant Khamsa".
fn own_noun(context: &NluContext<'_>, index: usize, at: usize) -> bool {
    let own = context.field_words.get(index).is_some_and(|places| places.contains(&at));
    let begins_name = context.text.is_capital(at + 1) && context.text.gap(at).trim_matches(['"', '“']) == " ";
    own && begins_name && !context.text.is_capital(at)
}

/// The name after a cue.
fn name_after(
    context: &NluContext<'_>,
    from: usize,
    is_call: bool,
    taken: &[Range<usize>],
) -> Option<Range<usize>> {
    let mut at = from;
    while context.is_in_list("before_title", at)
        && !(context.text.is_capital(at) && context.is_in_list("articles", at))
    {
        at += 1;
    }
    if is_call && let Some(words) = names::find_title(context, at, taken) {
        return Some(words);
    }
    if context.sentence_words(from).contains(&at)
        && let Some(words) = names::capitalized_name(context, at)
    {
        return Some(words);
    }
    is_call.then(|| names::lowercase_name(context, at, 4)).flatten()
}

/// Candidates of quotations: for the asked field, a named one, or the only open title field.
fn add_quoted_candidates(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    for (shape, bytes) in find_entities(&context.text) {
        let words = context.text.tokens_in(&bytes);
        if shape != EntityKind::Quoted || words.is_empty() || !context.accepts_values_at(words.start) {
            continue;
        }
        let said = context.text.raw.get(bytes).unwrap_or_default().trim();
        let alone =
            context.fields_of_types(&[SlotType::Title]).filter(|(_, profile)| profile.is_open).count() == 1;
        for (index, profile) in
            context.fields_of_types(&[SlotType::Title, SlotType::Text, SlotType::Person, SlotType::Place])
        {
            let near = context.nearness(index, &words);
            let fits = near > 0
                || has_cue_before(context, profile, words.start)
                || profile.is_asked
                || alone && profile.slot_type == SlotType::Title && profile.is_open;
            if fits {
                claims.push(context.make_candidate(
                    index,
                    words.clone(),
                    json!(said),
                    5 + near + context.prior_score(index, words.start),
                ));
            }
        }
    }
}

/// Whether a cue of the field is directly before the word.
fn has_cue_before(context: &NluContext<'_>, profile: &FieldProfile<'_>, at: usize) -> bool {
    let cue = context.lexicon.list("cue");
    (1..=3.min(at)).any(|back| {
        let fits = |line: usize| cue.keys().get(line).is_some_and(|keys| profile.mentions_any(keys));
        cue.all(&context.text, at - back).any(|found| found.tokens == back && fits(found.value))
    })
}

/// Candidates from "My name is Ada Lovelace", "I'm Ada", "call me Ada".
fn own_name(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    for at in 0..context.text.len() {
        let whole = context.list("self_intro", at);
        let weak = context.list("self_intro_weak", at);
        let (first, last) = (context.list("first_intro", at), context.list("last_intro", at));
        let length = whole.max(weak).max(first).max(last);
        if length == 0 || !context.accepts_values_at(at) {
            continue;
        }
        let words = names::capitalized_name(context, at + length).or_else(|| {
            (whole.max(first).max(last) > 0 && whole + first + last >= 2)
                .then(|| names::lowercase_name(context, at + length, 4))
                .flatten()
        });
        let Some(words) =
            words.filter(|words| words.len() <= 5 && !words.clone().any(|at| context.text.is_digits(at)))
        else {
            continue;
        };
        let is_weak = whole == 0 && first == 0 && last == 0;
        let asked = context.asked_field().is_some_and(|(_, profile)| is_about_user(context, profile));
        // "I'm German", "it's Tuesday": a name only at the start, or when a name was asked for.
        let begins = (0..at)
            .all(|before| context.is_in_list("courtesy", before) || context.is_in_list("filler", before));
        let plausible = !is_weak
            || asked
            || begins && words.len() == 2
            || words.len() <= 3 && begins && !context.is_in_list("it_word", at);
        if plausible {
            assign_user_name(context, &words, first > 0, last > 0, if is_weak { 4 } else { 6 }, claims);
        }
    }
}

pub(crate) fn is_about_user(context: &NluContext<'_>, profile: &FieldProfile<'_>) -> bool {
    let words = context.lexicon.list("self");
    profile.slot_type == SlotType::Person && profile.name.iter().all(|word| words.has_word(word))
}

/// Adds candidates for the user's own name, whole or split into its parts.
fn assign_user_name(
    context: &NluContext<'_>,
    words: &Range<usize>,
    first: bool,
    last: bool,
    score: i32,
    claims: &mut Vec<SlotCandidate>,
) {
    let own: Vec<(usize, &FieldProfile<'_>)> =
        context.fields_of_types(&SLOT_TYPES).filter(|(_, profile)| is_about_user(context, profile)).collect();
    let is = |profile: &FieldProfile<'_>, list: &str| {
        profile.name.iter().any(|word| context.lexicon.list(list).has_word(word))
    };
    let has_parts = own.iter().any(|(_, profile)| is(profile, "last_name"));
    let mut push = |index: usize, words: Range<usize>, score: i32| {
        let value = json!(context.text.slice(&words));
        claims.push(SlotCandidate { is_meant: true, ..context.make_candidate(index, words, value, score) });
    };
    for (index, profile) in own {
        let standing = context.prior_score(index, words.start);
        let (is_first, is_last) = (is(profile, "first_name"), is(profile, "last_name"));
        match () {
            () if is_last && last || is_first && first => push(index, words.clone(), score + 4),
            () if first || last => {}
            () if is_first && (has_parts || words.len() == 1) => {
                push(index, words.start..words.start + 1, score + standing)
            }
            () if is_last && words.len() > 1 => push(index, words.start + 1..words.end, score + standing),
            () if is_last && profile.is_asked => push(index, words.clone(), score + standing),
            () if is_first || is_last => {}
            () => push(index, words.clone(), score + standing + i32::from(profile.name.len() == 1)),
        }
    }
}

/// Splits "Tom Baker" if the first name was asked for and the last name has an open field.
pub(crate) fn split_name(
    context: &NluContext<'_>,
    claim: SlotCandidate,
    settled: &[SlotCandidate],
) -> Vec<SlotCandidate> {
    let is = |profile: &FieldProfile<'_>, list: &str| {
        is_about_user(context, profile)
            && profile.name.iter().any(|word| any_lexicon().list(list).has_word(word))
    };
    let own = context.profiles.get(claim.profile).is_some_and(|profile| is(profile, "first_name"));
    let last = context.profiles.iter().enumerate().find(|(index, profile)| {
        let is_free = profile.is_open && settled.iter().all(|other| other.profile != *index);
        is_free && is(profile, "last_name") && !is(profile, "first_name")
    });
    let Range { start, end } = claim.words.clone();
    let is_name = end - start == 2 && (start..end).all(|at| context.text.is_capital(at));
    match last.filter(|_| own && is_name && context.text.gap(start) == " ") {
        Some((last, _)) => vec![
            SlotCandidate {
                words: start..start + 1,
                value: json!(context.text.slice(&(start..start + 1))),
                ..claim.clone()
            },
            SlotCandidate {
                profile: last,
                words: start + 1..end,
                value: json!(context.text.slice(&(start + 1..end))),
                ..claim
            },
        ],
        None => vec![claim],
    }
}

/// Strips the possessive "'s" of an owner: "Mary's account" is Mary's, but "at Macy's" is a name.
fn strip_possessive<'s>(context: &'s NluContext<'_>, words: &Range<usize>) -> &'s str {
    let said = context.text.slice(words);
    let owns = context.text.gap(words.end - 1) == " "
        && context.text.is_capital(words.start)
        && !context.is_in_list("break", words.end);
    let bare = said.strip_suffix("'s").or_else(|| said.strip_suffix("’s"));
    bare.filter(|_| owns && words.end < context.sentence_words(words.start).end).unwrap_or(said)
}
