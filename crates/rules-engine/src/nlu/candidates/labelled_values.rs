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

pub(crate) fn add_candidates(scene: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    for (index, profile) in scene.fields_of_types(&SLOT_TYPES) {
        let places = scene.field_words.get(index).map(Vec::as_slice).unwrap_or_default();
        // Only the last name word before a link yields a value.
        for place in places {
            let Some(end) = label_end(scene, index, profile, *place) else { continue };
            let changes = scene
                .sentence_words(*place)
                .any(|at| scene.is_in_list("change", at) || scene.is_in_list("set", at));
            let Some(from) = link_end(scene, end, changes).or_else(|| find_code_after(scene, profile, end))
            else {
                continue;
            };
            if !scene.accepts_values_at(*place) {
                continue;
            }
            let Some(words) = value(scene, index, profile, from) else { continue };
            let score =
                7 + scene.prior_score(index, words.start) - 2 * scene.count_unsaid_words(index, *place);
            if score >= 5 {
                let value = json!(scene.text.slice(&words));
                claims.push(SlotCandidate {
                    is_meant: true,
                    ..scene.make_candidate(index, words, value, score)
                });
            }
        }
    }
}

/// The end of the field's name that has a word at `place`, including a following "number" or "name".
fn label_end(
    scene: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    place: usize,
) -> Option<usize> {
    let around = scene.sentence_words(place);
    let mut end = place + 1;
    let places = scene.field_words.get(index)?;
    while around.contains(&end) {
        let again = places.contains(&end)
            || profile.name.iter().any(|word| word == scene.text.folded(end))
            || scene.ambiguous_fields.is_number(index, end)
            || scene.is_in_list("label_noun", end)
            || scene.text.folded(end) == "s" && scene.ambiguous_fields.is_name_number(end - 1);
        if !again || scene.is_in_list("link", end) {
            break;
        }
        end += 1;
    }
    Some(end)
}

/// "Policy AB-12", "meter no. 4711": a code with digits directly after the name.
fn find_code_after(scene: &NluContext<'_>, profile: &FieldProfile<'_>, end: usize) -> Option<usize> {
    let has_digit = |at: usize| scene.text.folded(at).chars().any(|c| c.is_ascii_digit());
    let parted = scene.text.gap(end - 1).contains([',', ';', '\n']);
    let mixed = |at: usize| {
        has_digit(at) || (scene.text.gap(at) == "-" || scene.text.is_all_caps(at)) && has_digit(at + 1)
    };
    let fits =
        profile.slot_type == SlotType::Code && scene.sentence_words(end - 1).contains(&end) && mixed(end);
    (fits && !parted).then_some(end)
}

/// Extends codes to everything joined to them: the "K" of "K-2026-778".
pub(crate) fn extend_codes(scene: &NluContext<'_>, settled: &mut [SlotCandidate]) {
    let is_joint = |at: usize| {
        let gap = scene.text.gap(at);
        at + 1 < scene.text.len() && !gap.is_empty() && gap.chars().all(|c| "-_/.".contains(c))
    };
    for claim in settled {
        let is_mark =
            scene.profiles.get(claim.profile).is_some_and(|profile| profile.slot_type == SlotType::Code);
        if !is_mark || claim.words.is_empty() || claim.value != scene.text.slice(&claim.words) {
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
        claim.value = json!(scene.text.slice(&claim.words));
    }
}

/// The start of the value after a name: after "is", "to", ":" or "="; `None` without a link.
fn link_end(scene: &NluContext<'_>, end: usize, changes: bool) -> Option<usize> {
    let gap = scene.text.gap(end - 1);
    if gap.trim_start().starts_with([':', '=']) {
        return Some(end);
    }
    let firm = |at: usize| ["copula", "into", "as_word"].iter().any(|list| scene.is_in_list(list, at));
    let mut at = end;
    let mut is_firm = false;
    for _ in 0..3 {
        if !matches!(gap, " ") || !(firm(at) || scene.is_in_list("label_gap", at)) {
            break;
        }
        is_firm |= firm(at)
            && (!scene.is_in_list("infinitive_copula", at) || changes || scene.is_in_list("modal", at - 1))
            && (changes || !["into", "as_word"].iter().any(|list| scene.is_in_list(list, at)));
        at += 1;
    }
    // "is called".
    at += usize::from(is_firm && scene.list("generic_cue", at) == 1);
    (is_firm && scene.sentence_words(end - 1).contains(&at)).then_some(at)
}

/// The value from a word on: to the end of the clause, or of the sentence for free text.
fn value(
    scene: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    from: usize,
) -> Option<Range<usize>> {
    let around = scene.sentence_words(from);
    if !around.contains(&from)
        || scene.is_in_list("negation", from)
        || scene.is_in_list("interrogative", from)
    {
        return None;
    }
    let from = from + usize::from(scene.is_in_list("articles", from) && around.contains(&(from + 1)));
    if profile.slot_type == SlotType::Text {
        return Some(from..next_label_start(scene, index, from, around.end));
    }
    if let Some(words) =
        (profile.slot_type == SlotType::Title).then(|| names::find_title(scene, from, &[])).flatten()
    {
        return Some(words);
    }
    if let Some(words) = names::capitalized_name(scene, from)
        .filter(|_| profile.slot_type != SlotType::Code && profile.slot_type != SlotType::Address)
    {
        return Some(words);
    }
    let limit = next_label_start(scene, index, from, around.end);
    let ends = |at: &usize| {
        let comma = *at > from
            && scene.text.gap(at - 1).contains([',', ';'])
            && profile.slot_type != SlotType::Address;
        comma
            || *at > from
                && scene.is_in_list("break", *at)
                && !["articles", "of"].iter().any(|list| scene.is_in_list(list, *at))
    };
    let end = (from..limit).find(ends).unwrap_or(limit);
    let words = from..end;
    let sane = match profile.slot_type {
        SlotType::Code => {
            words.len() <= 6
                && words.clone().any(|at| {
                    scene.text.is_digits(at)
                        || scene.text.folded(at).chars().any(|c| c.is_ascii_digit())
                        || scene.text.is_all_caps(at)
                })
        }
        SlotType::Phone => words.clone().any(|at| scene.text.is_digits(at)),
        SlotType::Url => false,
        SlotType::Address => words.len() <= 14,
        _ if words.len() == 1 && participle(scene, from) => false,
        _ => {
            words.len() <= 5
                && !words.clone().all(|at| scene.is_in_list("common", at) || scene.is_in_list("pronoun", at))
                && !scene.is_in_list("auxiliary", from)
        }
    };
    (!words.is_empty() && sane).then_some(words)
}

/// Whether a lower-case word is a participle: "situated", "missing".
fn participle(scene: &NluContext<'_>, at: usize) -> bool {
    let plain = scene.text.folded(at);
    !scene.text.is_capital(at) && (plain.ends_with("ed") || plain.ends_with("ing"))
}

/// The start of the next field's name, as in ", and my …", or `end`.
fn next_label_start(scene: &NluContext<'_>, index: usize, from: usize, end: usize) -> usize {
    let mine = |at: usize| ["articles", "possessive"].iter().any(|list| scene.is_in_list(list, at));
    let others = |at: usize| {
        scene.field_words.iter().enumerate().any(|(other, places)| other != index && places.contains(&at))
    };
    for at in from + 1..end {
        let parted = scene.text.gap(at - 1).contains(',') || scene.is_in_list("and", at);
        let next = at + usize::from(scene.is_in_list("and", at));
        let named = || {
            let linked = (1..=2).any(|n| scene.is_in_list("copula", next + n));
            linked && others(next)
        };
        if parted && (named() || mine(next) && (1..=2).any(|n| others(next + n))) {
            return at;
        }
    }
    end
}
