//! Candidates of enum fields: by exact words, synonyms, prefix, numeric range, or position in the list.

use std::collections::HashMap;
use std::ops::Range;

use language::phrase::PhraseMatch;
use language::stem::light_stem;
use serde_json::json;

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::choice_ranges::option_value;
use crate::nlu::entities::choice_ranges::{ordinal_candidate, range_candidate, stands_alone};
use crate::nlu::entities::sizes;
use crate::nlu::tokens::message::{any_lexicon, words_of};

/// Most words of an option compared.
const MAX_WORDS: usize = 12;
/// Most candidates of a field compared with each other.
const MAX_FOUND: usize = 20;
/// Most options of a form compared.
const MAX_OPTIONS: usize = 10_000;

/// Positions of each stem of the message.
pub(crate) type RootPositions<'s> = HashMap<&'s str, Vec<usize>>;

pub(crate) fn root_positions<'s>(context: &'s NluContext<'_>) -> RootPositions<'s> {
    let mut places: RootPositions<'s> = HashMap::new();
    for (at, _, stem) in context.text.words() {
        places.entry(stem).or_default().push(at);
    }
    places
}

pub(crate) fn add_candidates(
    context: &NluContext<'_>,
    places: &RootPositions<'_>,
    claims: &mut Vec<SlotCandidate>,
) {
    let mut left = MAX_OPTIONS;
    for (index, profile) in context.fields_of_types(&[SlotType::Choice]) {
        left = left.saturating_sub(profile.field.options.len());
        if left == 0 {
            return;
        }
        for found in field_candidates(context, index, profile, places) {
            claims.push(found);
        }
        if profile.is_asked {
            claims.extend(
                range_candidate(context, index, profile)
                    .or_else(|| ordinal_candidate(context, index, profile)),
            );
        }
    }
}

/// Score of a size word for a field whose options are sizes.
const SIZE_SCORE: i32 = 5;

/// The candidates of one field.
fn field_candidates(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    places: &RootPositions<'_>,
) -> Vec<SlotCandidate> {
    let options = &profile.field.options;
    let split: Vec<Vec<String>> = options
        .iter()
        .map(|option| words_of(option).iter().take(MAX_WORDS).map(|word| light_stem(word)).collect())
        .collect();
    let mut found = Vec::new();
    for (option, words) in options.iter().zip(&split) {
        let Some(first) = words.first() else { continue };
        for at in places.get(first.as_str()).into_iter().flatten() {
            let whole = words.iter().enumerate().all(|(n, word)| context.text.stem(at + n) == word);
            if whole && let Some(score) = full_match_score(context, index, *at, words) {
                push(context, index, *at..at + words.len(), option, score, &mut found);
            }
            let shared = split.iter().filter(|other| other.first() == Some(first)).count() > 1;
            if !whole && !shared && words.len() > 1 && is_prefix_match(context, index, profile, *at, words) {
                push(context, index, *at..at + 1, option, 3, &mut found);
            }
        }
        add_synonym_candidates(context, index, option, words, &mut found);
        add_inner_word_candidates(context, index, option, words, &split, places, &mut found);
    }
    add_negative_candidates(context, index, profile, &mut found);
    let words = if sizes::has_size_options(profile) { 0..context.text.len() } else { 0..0 };
    for at in words {
        if let Some((words, option)) = sizes::option(context, profile, at) {
            push(context, index, at..at + words, option, SIZE_SCORE, &mut found);
        }
    }
    let alternatives: Vec<Range<usize>> = found
        .iter()
        .take(MAX_FOUND)
        .filter(|claim| found.iter().take(MAX_FOUND).any(|other| is_alternative(context, claim, other)))
        .map(|claim| claim.words.clone())
        .collect();
    found.retain(|claim| !alternatives.contains(&claim.words));
    found
}

/// "Mini or compact" chooses neither.
fn is_alternative(context: &NluContext<'_>, one: &SlotCandidate, other: &SlotCandidate) -> bool {
    let (first, last) = if one.words.start < other.words.start { (one, other) } else { (other, one) };
    first.value != last.value
        && first.words.end + 1 == last.words.start
        && context.is_in_list("or", first.words.end)
}

fn push(
    context: &NluContext<'_>,
    index: usize,
    words: Range<usize>,
    option: &str,
    score: i32,
    found: &mut Vec<SlotCandidate>,
) {
    if !context.accepts_values_at(words.start) || is_refused(context, words.start) {
        return;
    }
    let score = score + context.nearness(index, &words) + context.prior_score(index, words.start)
        - context.count_unsaid_words(index, words.start)
        + i32::try_from(words.len().min(4)).unwrap_or(1);
    let score = score + owner(context, index, words.start);
    let value =
        context.profiles.get(index).map_or_else(|| json!(option), |profile| option_value(profile, option));
    found.push(context.make_candidate(index, words, value, score));
}

/// Score for possession: "to his savings account" is the other party's, "from my" the user's own.
fn owner(context: &NluContext<'_>, index: usize, at: usize) -> i32 {
    let Some(profile) = context.profiles.get(index) else { return 0 };
    let theirs = profile.name.iter().any(|word| context.lexicon.list("other_party").has_word(word));
    let before = at.saturating_sub(3).max(context.sentence_words(at).start)..at;
    let near = |list: &str| before.clone().rev().position(|at| context.is_in_list(list, at));
    let possessive = before
        .clone()
        .any(|at| context.text.is_capital(at) && context.text.slice(&(at..at + 1)).contains(['\'', '’']));
    let other = near("theirs").or(possessive.then_some(0));
    match (near("ours"), other) {
        (None, None) => 0,
        (Some(own), Some(other)) if own < other => {
            if theirs {
                -6
            } else {
                1
            }
        }
        (Some(_), None) => {
            if theirs {
                -6
            } else {
                1
            }
        }
        _ => {
            if theirs {
                6
            } else {
                0
            }
        }
    }
}

/// Whether the option is negated: "not Sports".
fn is_refused(context: &NluContext<'_>, at: usize) -> bool {
    let start = context.sentence_words(at).start;
    let near = at.saturating_sub(2).max(start)..at;
    if near.clone().any(|place| context.is_in_list("hindrance", place)) {
        return false;
    }
    // "Anything but a suite" and "I don't want a suite" refuse; in "no, sports" the comma separates.
    let wide = at.saturating_sub(4).max(start)..at;
    let excepts = |place: usize| {
        let all = context.is_in_list("all_words", place.wrapping_sub(1));
        context.is_in_list("except", place) || all && context.is_in_list("but_instead", place)
    };
    let wants = |place: usize| {
        context.is_in_list("negation", place) && (place + 1..at).any(|next| context.is_in_list("wish", next))
    };
    wide.clone().any(|place| {
        (excepts(place) || wants(place))
            && !(place..at).any(|between| context.text.gap(between).contains([';', '.', '!']))
    }) || near.clone().any(|place| {
        context.is_in_list("negation", place)
            && !(place..at).any(|between| context.text.gap(between).contains([',', ';', '.', '!']))
    })
}

/// Score of an option whose words all match; `None` for everyday words without further evidence.
fn full_match_score(context: &NluContext<'_>, index: usize, at: usize, words: &[String]) -> Option<i32> {
    let asked = context.profiles.get(index).is_some_and(|profile| profile.is_asked);
    let near = context.nearness(index, &(at..at + words.len()));
    let plain = context.text.folded(at);
    let everyday = words.len() == 1
        && (context.is_in_list("common", at)
            || context.is_in_list("filler", at)
            || context.is_in_list("no", at)
            || context.is_in_list("break", at)
            || plain.len() <= 2
            || context.list("ordinals", at) > 0
            || context.list("not_applicable", at) > 0
            || context.text.number_at(at).is_some());
    let told = context
        .profiles
        .get(index)
        .is_some_and(|profile| words.iter().all(|word| profile.description_stems.contains(word)));
    if everyday && !told && near < 3 && !(asked && stands_alone(context, at, words.len())) {
        return None;
    }
    Some(5)
}

/// Whether the first word of a longer option is enough: the field was asked or named, the word is a
/// capitalised name, or a similar second word follows.
fn is_prefix_match(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    at: usize,
    words: &[String],
) -> bool {
    let plain = context.text.folded(at);
    let vague = plain.len() < 4
        || context.is_in_list("common", at)
        || context.list("ordinals", at) > 0
        || context.is_in_list("weak", at)
        || context.text.number_at(at).is_some();
    if vague {
        return false;
    }
    let next = words.get(1).is_some_and(|word| context.lexicon.are_alike(context.text.stem(at + 1), word));
    let named = context.text.is_capital(at)
        && at > context.sentence_words(at).start
        && !context.text.is_capital(at + 1);
    next || profile.is_asked || named || context.nearness(index, &(at..at + 1)) >= 2
}

/// A later word that only this option has, if the field was asked for.
fn add_inner_word_candidates(
    context: &NluContext<'_>,
    index: usize,
    option: &str,
    words: &[String],
    split: &[Vec<String>],
    places: &RootPositions<'_>,
    found: &mut Vec<SlotCandidate>,
) {
    if !context.profiles.get(index).is_some_and(|profile| profile.is_asked) {
        return;
    }
    for word in words.iter().skip(1).filter(|word| word.len() >= 4) {
        let alone = split.iter().filter(|other| other.contains(word)).count() == 1;
        let Some(at) = places.get(word.as_str()).and_then(|places| places.first()).filter(|_| alone) else {
            continue;
        };
        let everyday = context.is_in_list("common", *at) || context.is_in_list("break", *at);
        if !everyday && stands_alone(context, *at, 1) {
            push(context, index, *at..at + 1, option, 2, found);
        }
    }
}

/// Candidates by synonyms of an option.
fn add_synonym_candidates(
    context: &NluContext<'_>,
    index: usize,
    option: &str,
    words: &[String],
    found: &mut Vec<SlotCandidate>,
) {
    let means = context.lexicon.list("means");
    let joined = words.join(" ");
    for at in 0..context.text.len() {
        if let Some(PhraseMatch { tokens: length, value: line }) = means.find(&context.text, at) {
            let keys = means.keys().get(line).map(Vec::as_slice).unwrap_or_default();
            let fits = keys.iter().any(|key| {
                words_of(key).iter().map(|word| light_stem(word)).collect::<Vec<_>>().join(" ") == joined
            });
            if fits {
                push(context, index, at..at + length, option, 3, found);
            }
        }
        if words.len() > 2 || context.is_in_list("break", at) {
            continue;
        }
        let Some(first) = words.first() else { continue };
        let here = context.text.stem(at);
        let follows =
            words.get(1).is_none_or(|word| context.lexicon.are_alike(context.text.stem(at + 1), word));
        if here != first && !here.is_empty() && context.lexicon.are_alike(here, first) && follows {
            push(context, index, at..at + words.len(), option, 3, found);
        }
    }
}

/// "no subtitles" selects the option "None" of the field about subtitles.
fn add_negative_candidates(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    found: &mut Vec<SlotCandidate>,
) {
    let none = profile.field.options.iter().find(|option| {
        let words = words_of(option);
        words.first().is_some_and(|word| any_lexicon().list("none_word").has_word(word))
    });
    let Some(none) = none else { return };
    for place in context.field_words.get(index).into_iter().flatten() {
        let before = place.wrapping_sub(1);
        if context.asserts(*place) && context.is_in_list("negation", before) {
            let words = before..place + 1;
            found.push(context.make_candidate(index, words, json!(none), 8));
        }
    }
}
