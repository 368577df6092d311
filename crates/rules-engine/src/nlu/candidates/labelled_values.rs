//! Candidates stated with the name of their field: "my policy number is AB-12", "change the subject to …",
//! "reason: broken".

use std::ops::Range;

use serde_json::json;

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::names;

/// Slot types whose value follows the field's name.
const SLOT_TYPES: [SlotType; 9] = [
    SlotType::Title,
    SlotType::Person,
    SlotType::Place,
    SlotType::Address,
    SlotType::Class,
    SlotType::Code,
    SlotType::Text,
    SlotType::Phone,
    SlotType::Url,
];

pub(crate) fn add_candidates(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    for (index, profile) in context.fields_of_types(&SLOT_TYPES) {
        let places = context.field_words.get(index).map(Vec::as_slice).unwrap_or_default();
        // Only the last name word before a link yields a value.
        for place in places {
            let Some(end) = label_end(context, index, profile, *place) else { continue };
            let changes = context
                .sentence_words(*place)
                .any(|at| context.is_in_list("change", at) || context.is_in_list("set", at));
            let Some(from) =
                link_end(context, end, changes).or_else(|| find_code_after(context, profile, end))
            else {
                continue;
            };
            if !context.accepts_values_at(*place) {
                continue;
            }
            let Some(words) = value(context, index, profile, from) else { continue };
            let score =
                7 + context.prior_score(index, words.start) - 2 * context.count_unsaid_words(index, *place);
            if score >= 5 {
                let value = json!(context.text.slice(&words));
                claims.push(SlotCandidate {
                    is_meant: true,
                    ..context.make_candidate(index, words, value, score)
                });
            }
        }
    }
}

/// The end of the field's name that has a word at `place`, including a following "number" or "name".
fn label_end(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    place: usize,
) -> Option<usize> {
    let around = context.sentence_words(place);
    let mut end = place + 1;
    let places = context.field_words.get(index)?;
    while around.contains(&end) {
        let again = places.contains(&end)
            || profile.name.iter().any(|word| word == context.text.folded(end))
            || context.ambiguous_fields.is_number(index, end)
            || context.is_in_list("label_noun", end)
            || context.text.folded(end) == "s" && context.ambiguous_fields.is_name_number(end - 1);
        if !again || context.is_in_list("link", end) {
            break;
        }
        end += 1;
    }
    Some(end)
}

/// "Policy AB-12", "meter no. 4711": a code with digits directly after the name.
fn find_code_after(context: &NluContext<'_>, profile: &FieldProfile<'_>, end: usize) -> Option<usize> {
    let has_digit = |at: usize| context.text.folded(at).chars().any(|c| c.is_ascii_digit());
    let parted = context.text.gap(end - 1).contains([',', ';', '\n']);
    let mixed = |at: usize| {
        has_digit(at) || (context.text.gap(at) == "-" || context.text.is_all_caps(at)) && has_digit(at + 1)
    };
    let fits =
        profile.slot_type == SlotType::Code && context.sentence_words(end - 1).contains(&end) && mixed(end);
    (fits && !parted).then_some(end)
}

/// Extends codes to everything joined to them: the "K" of "K-2026-778".
pub(crate) fn extend_codes(context: &NluContext<'_>, settled: &mut [SlotCandidate]) {
    let is_joint = |at: usize| {
        let gap = context.text.gap(at);
        at + 1 < context.text.len() && !gap.is_empty() && gap.chars().all(|c| "-_/.".contains(c))
    };
    for claim in settled {
        let is_mark =
            context.profiles.get(claim.profile).is_some_and(|profile| profile.slot_type == SlotType::Code);
        if !is_mark || claim.words.is_empty() || claim.value != context.text.slice(&claim.words) {
            continue;
        }
        let Range { mut start, mut end } = claim.words.clone();
        while start > 0 && is_joint(start - 1) {
            start -= 1;
        }
        while is_joint(end - 1) {
            end += 1;
        }
        claim.words = start..end;
        claim.value = json!(context.text.slice(&claim.words));
    }
}

/// The start of the value after a name: after "is", "to", ":" or "="; `None` without a link.
fn link_end(context: &NluContext<'_>, end: usize, changes: bool) -> Option<usize> {
    let gap = context.text.gap(end - 1);
    if gap.trim_start().starts_with([':', '=']) {
        return Some(end);
    }
    let firm = |at: usize| ["copula", "into", "as_word"].iter().any(|list| context.is_in_list(list, at));
    let mut at = end;
    let mut is_firm = false;
    for _ in 0..3 {
        if !matches!(gap, " ") || !(firm(at) || context.is_in_list("label_gap", at)) {
            break;
        }
        is_firm |= firm(at)
            && (!context.is_in_list("infinitive_copula", at)
                || changes
                || context.is_in_list("modal", at - 1))
            && (changes || !["into", "as_word"].iter().any(|list| context.is_in_list(list, at)));
        at += 1;
    }
    // "is called".
    at += usize::from(is_firm && context.list("generic_cue", at) == 1);
    (is_firm && context.sentence_words(end - 1).contains(&at)).then_some(at)
}

/// The value from a word on: to the end of the clause, or of the sentence for free text.
fn value(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    from: usize,
) -> Option<Range<usize>> {
    let around = context.sentence_words(from);
    if !around.contains(&from)
        || context.is_in_list("negation", from)
        || context.is_in_list("interrogative", from)
    {
        return None;
    }
    let from = from + usize::from(context.is_in_list("articles", from) && around.contains(&(from + 1)));
    if profile.slot_type == SlotType::Text {
        return Some(from..next_label_start(context, index, from, around.end));
    }
    if let Some(words) =
        (profile.slot_type == SlotType::Title).then(|| names::find_title(context, from, &[])).flatten()
    {
        return Some(words);
    }
    if let Some(words) = names::capitalized_name(context, from)
        .filter(|_| profile.slot_type != SlotType::Code && profile.slot_type != SlotType::Address)
    {
        return Some(words);
    }
    let limit = next_label_start(context, index, from, around.end);
    let ends = |at: &usize| {
        let comma = *at > from
            && context.text.gap(at - 1).contains([',', ';'])
            && profile.slot_type != SlotType::Address;
        comma
            || *at > from
                && context.is_in_list("break", *at)
                && !["articles", "of"].iter().any(|list| context.is_in_list(list, *at))
    };
    let end = (from..limit).find(ends).unwrap_or(limit);
    let words = from..end;
    let sane = match profile.slot_type {
        SlotType::Code => {
            words.len() <= 6
                && words.clone().any(|at| {
                    context.text.is_digits(at)
                        || context.text.folded(at).chars().any(|c| c.is_ascii_digit())
                        || context.text.is_all_caps(at)
                })
        }
        SlotType::Phone => words.clone().any(|at| context.text.is_digits(at)),
        SlotType::Url => false,
        SlotType::Address => words.len() <= 14,
        _ if words.len() == 1 && participle(context, from) => false,
        _ => {
            words.len() <= 5
                && !words
                    .clone()
                    .all(|at| context.is_in_list("common", at) || context.is_in_list("pronoun", at))
                && !context.is_in_list("auxiliary", from)
        }
    };
    (!words.is_empty() && sane).then_some(words)
}

/// Whether a lower-case word is a participle: "situated", "missing".
fn participle(context: &NluContext<'_>, at: usize) -> bool {
    let plain = context.text.folded(at);
    !context.text.is_capital(at) && (plain.ends_with("ed") || plain.ends_with("ing"))
}

/// The start of the next field's name, as in ", and my …", or `end`.
fn next_label_start(context: &NluContext<'_>, index: usize, from: usize, end: usize) -> usize {
    let mine = |at: usize| ["articles", "possessive"].iter().any(|list| context.is_in_list(list, at));
    let others = |at: usize| {
        context.field_words.iter().enumerate().any(|(other, places)| other != index && places.contains(&at))
    };
    for at in from + 1..end {
        let parted = context.text.gap(at - 1).contains(',') || context.is_in_list("and", at);
        let next = at + usize::from(context.is_in_list("and", at));
        let named = || {
            let linked = (1..=2).any(|n| context.is_in_list("copula", next + n));
            linked && others(next)
        };
        if parted && (named() || mine(next) && (1..=2).any(|n| others(next + n))) {
            return at;
        }
    }
    end
}
