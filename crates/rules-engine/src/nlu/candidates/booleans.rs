//! Candidates of boolean fields from what they are about: "with wifi", "no pets". [`answer`] gives the value
//! of a "yes" or "no".

use std::collections::HashMap;
use std::ops::Range;

use language::stem::light_stem;
use serde_json::Value;

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::tokens::message::any_lexicon;
use crate::nlu::tokens::sentences::SentenceMood;

pub(crate) fn add_candidates(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    let mut having: HashMap<&str, usize> = HashMap::new();
    for own in context.profiles.iter().flat_map(|profile| &profile.name_stems) {
        *having.entry(own).or_default() += 1;
    }
    for (index, profile) in context.fields_of_types(&[SlotType::Flag]) {
        let keys: Vec<FeatureRoot> = feature_roots(context, profile)
            .into_iter()
            .map(|word| FeatureRoot { is_shared: having.get(word.as_str()).is_some_and(|n| *n > 1), word })
            .collect();
        claims.extend(feature(context, index, profile, &keys));
    }
}

/// A stem that identifies a field's feature.
struct FeatureRoot {
    word: String,
    /// Whether other fields share it, so that it is weak evidence: "tax" in `church_tax` beside `tax_year`.
    is_shared: bool,
}

/// Stems of the field's feature, from its name or else its description.
fn feature_roots(context: &NluContext<'_>, profile: &FieldProfile<'_>) -> Vec<String> {
    let empty = context.lexicon.list("flag_words");
    let telling = |words: &[String]| -> Vec<String> {
        words.iter().filter(|word| !empty.has_word(word)).map(|word| light_stem(word)).collect()
    };
    let keys = telling(&profile.name);
    if keys.is_empty() {
        profile.description_stems.iter().filter(|word| !empty.has_word(word)).take(3).cloned().collect()
    } else {
        keys
    }
}

/// A candidate from a sentence that states or requests the feature.
fn feature(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    keys: &[FeatureRoot],
) -> Option<SlotCandidate> {
    let mut best: Option<SlotCandidate> = None;
    for sentence in &context.sentences {
        if sentence.mood == SentenceMood::Question {
            continue;
        }
        let Some((words, firm)) = find_in_sentence(context, &sentence.words, keys) else { continue };
        if is_asked_after(context, &sentence.words, words.start, sentence.mood) {
            continue;
        }
        // "Is there one with parking?" requests it; "Is there parking?" only asks.
        let near = words.start.saturating_sub(4).max(sentence.words.start)..(words.start + 1).min(words.end);
        if sentence.mood == SentenceMood::Existence
            && !near.clone().any(|at| context.is_in_list("wanting", at))
        {
            continue;
        }
        // "No, I left the church": the sentence after "no" could mean either value.
        let refuses = context.list("no", sentence.words.start) > 0
            && context.text.gap(sentence.words.start).contains(',')
            && !near.clone().any(|at| context.is_in_list("wanting", at));
        // "No, no breakfast": the refused feature is named.
        let is_named = near.clone().any(|at| at > sentence.words.start && context.is_in_list("negation", at));
        if refuses && !is_named && !profile.is_asked {
            continue;
        }
        let value = polarity(context, &words, &sentence.words, profile)?;
        let score = 4 + i32::from(firm) + context.prior_score(index, words.start);
        best = Some(context.make_candidate(index, words, value, score));
    }
    best
}

/// Whether the sentence asks about the feature in the form of a statement or request: "I like it, does it
/// have parking", "It has parking?"
fn is_asked_after(context: &NluContext<'_>, sentence: &Range<usize>, at: usize, mode: SentenceMood) -> bool {
    let before = sentence.start..at;
    let condition = before.clone().any(|at| context.is_in_list("whether", at));
    let from = at.saturating_sub(5).max(sentence.start);
    let inverted = (from..at).any(|at| {
        context.is_in_list("inverted_verb", at)
            && context.is_in_list("inverted_subject", at + 1)
            && at > sentence.start
    });
    let echo = mode == SentenceMood::Request
        && context.lexicon.list("request").within(&context.text, sentence.clone()).is_none()
        && context.is_in_list("echo_subject", sentence.start);
    condition || inverted || echo
}

/// The words of a sentence that name the feature, and whether all stems are there.
fn find_in_sentence(
    context: &NluContext<'_>,
    words: &Range<usize>,
    keys: &[FeatureRoot],
) -> Option<(Range<usize>, bool)> {
    let means = context.lexicon.list("means");
    let mut hits: Vec<(usize, &String)> = Vec::new();
    for at in words.clone() {
        let phrase = means
            .find(&context.text, at)
            .and_then(|found| Some((found.tokens, means.keys().get(found.value)?)));
        for key in keys {
            let meant = phrase.filter(|(_, names)| names.iter().any(|name| light_stem(name) == key.word));
            if let Some((length, _)) = meant {
                return Some((at..at + length, true));
            }
            let here = context.text.stem(at);
            if here == key.word || context.lexicon.are_alike(here, &key.word) {
                hits.push((at, &key.word));
            }
        }
    }
    let found: Vec<&FeatureRoot> =
        keys.iter().filter(|key| hits.iter().any(|(_, word)| **word == key.word)).collect();
    let is_weak = |word: &str| context.lexicon.list("weak").has_word(word) || word.len() <= 2;
    let strong = found.iter().any(|key| !(is_weak(&key.word) || keys.len() > 1 && key.is_shared));
    let enough =
        found.len() * 2 > keys.len() || found.len() == keys.len() || found.len() * 2 == keys.len() && strong;
    let all_weak = found.len() == keys.len() && keys.len() > 1;
    if found.is_empty() || !enough || !(strong || all_weak) {
        return None;
    }
    let first = hits.iter().map(|hit| hit.0).min()?;
    let last = hits.iter().map(|hit| hit.0).filter(|at| *at < first + 5).max()?;
    Some((first..last + 1, found.len() == keys.len()))
}

/// The value of a mentioned feature: false after a negation, else true.
fn polarity(
    context: &NluContext<'_>,
    words: &Range<usize>,
    sentence: &Range<usize>,
    profile: &FieldProfile<'_>,
) -> Option<Value> {
    let (yes, no) = profile.boolean_values.clone()?;
    let from = sentence.start.max(words.start.saturating_sub(4));
    let is_parted =
        |at: usize| (at..words.start).any(|between| context.text.gap(between).contains([',', ';', '.']));
    let denials =
        (from..words.start).filter(|at| context.is_in_list("negation", *at) && !is_parted(*at)).count();
    let hindered = (from..words.start).any(|at| context.is_in_list("hindrance", at));
    let after = words.end..(words.end + 3).min(sentence.end);
    let denied_after = after.clone().any(|at| context.is_in_list("negation", at));
    let denied = (denials % 2 == 1) != hindered && denials > 0;
    // For a field about permission, "no pets" does not say whether pets are allowed.
    let about_leave = profile.name.iter().any(|word| any_lexicon().list("permitted").has_word(word));
    if denied && about_leave && !profile.is_asked {
        return None;
    }
    Some(if denied || denied_after && denials == 0 { no } else { yes })
}

/// The value of a "yes" or "no" to the field's question; `None` when the field is not boolean.
pub(crate) fn answer(profile: &FieldProfile<'_>, agrees: bool) -> Option<Value> {
    let (yes, no) = profile.boolean_values.clone()?;
    Some(if agrees { yes } else { no })
}
