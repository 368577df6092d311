//! Candidates of fields for a member of a class: genres, cuisines, sports, colours. Only known members are
//! found.

use serde_json::json;

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::tokens::sentences::SentenceMood;

/// Most members compared with each other.
const MAX_FOUND: usize = 20;

pub(crate) fn add_candidates(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    let class = context.lexicon.list("class");
    let nouns = context.lexicon.list("class_noun");
    for (index, profile) in context.fields_of_types(&[SlotType::Class, SlotType::Title, SlotType::Text]) {
        let is_class =
            profile.slot_type == SlotType::Class || profile.name.iter().any(|word| nouns.has_word(word));
        let fitting: Vec<bool> =
            class.keys().iter().map(|keys| is_class && profile.mentions_any(keys)).collect();
        if !fitting.contains(&true) {
            continue;
        }
        let mut found = Vec::new();
        let mut at = 0;
        while at < context.text.len() {
            let longest = class
                .all(&context.text, at)
                .filter(|found| fitting.get(found.value) == Some(&true))
                .map(|found| found.tokens)
                .max();
            let Some(words) = longest else {
                at += 1;
                continue;
            };
            if is_about_field(context, index, profile, at, words) {
                found.push(make_candidate(context, index, at..at + words));
            }
            at += words;
        }
        claims.extend(found.iter().filter(|claim| !is_listed(context, &found, claim)).cloned());
    }
}

/// "France, Spain and the UK": one of three or more is not the value of a single-valued field.
fn is_listed(context: &NluContext<'_>, found: &[SlotCandidate], claim: &SlotCandidate) -> bool {
    if found.len() <= 2 {
        return false;
    }
    let around = context.sentence_words(claim.words.start);
    found.iter().take(MAX_FOUND).filter(|other| around.contains(&other.words.start)).count() > 2
}

fn make_candidate(context: &NluContext<'_>, index: usize, words: std::ops::Range<usize>) -> SlotCandidate {
    let score = 6
        + context.nearness(index, &words)
        + context.prior_score(index, words.start)
        + i32::from(words.len() > 1);
    context.make_candidate(index, words.clone(), json!(context.text.slice(&words)), score)
}

/// Whether a member is stated about the field: not in a question, not negated, and not part of a longer name.
fn is_about_field(
    context: &NluContext<'_>,
    index: usize,
    profile: &FieldProfile<'_>,
    at: usize,
    words: usize,
) -> bool {
    let everyday = context.is_in_list("common", at)
        || context.is_in_list("weak", at)
        || context.is_in_list("ambiguous_class", at);
    let noun = (at + words..at + words + 2)
        .any(|next| profile.has_stem(context.text.stem(next)) || context.is_in_list("class_head", next));
    let refused = context.is_in_list("negation", at.wrapping_sub(1));
    let in_name = at > 0
        && context.text.is_capital(at - 1)
        && context.text.is_capital(at)
        && at - 1 > context.sentence_words(at).start
        || context.text.is_capital(at + words)
            && context.text.gap(at + words - 1) == " "
            && context.text.is_capital(at);
    let asks_only =
        context.sentence(at).is_some_and(|sentence| sentence.mood == SentenceMood::Existence) && !noun;
    context.accepts_values_at(at)
        && !asks_only
        && !refused
        && !in_name
        && (!everyday || noun || context.nearness(index, &(at..at + words)) >= 3 || profile.is_asked)
}
