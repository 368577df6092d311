//! Candidates of amounts of money.

use std::ops::Range;

use language::money::{sign_after, sign_before};
use serde_json::{Value, json};

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::numbers;

pub(crate) fn add_candidates(
    context: &NluContext<'_>,
    words: &Range<usize>,
    value: f64,
    claims: &mut Vec<SlotCandidate>,
) {
    if !context.accepts_values_at(words.start) {
        return;
    }
    let around = context.sentence_words(words.start);
    let verbs = context.lexicon.list("money_verb");
    let verb = around.clone().find_map(|at| verbs.key_at(&context.text, at)).map(|verb| verb.value);
    let own =
        context.fields_of_types(&[SlotType::Money]).map(|(index, _)| context.nearness(index, words)).max();
    for (index, profile) in context.fields_of_types(&[SlotType::Money, SlotType::Number, SlotType::Count]) {
        let near = context.nearness(index, words);
        // "4 pieces, price $12.50": a named money field takes precedence over other numeric fields.
        let is_of_money = profile.slot_type != SlotType::Money && own.is_some_and(|own| own >= near.max(1));
        if profile.slot_type != SlotType::Money && near < 3 && !profile.is_asked || is_of_money {
            continue;
        }
        let told = verb.is_some_and(|key| profile.name_stems.iter().any(|own| own == key));
        let score = 3 + near + context.prior_score(index, words.start) + 4 * i32::from(told)
            - context.count_unsaid_words(index, words.start);
        if score >= 3 {
            claims.push(context.make_candidate(
                index,
                words.clone(),
                sum_value(context, profile, words, value),
                score,
            ));
        }
    }
}

fn sum_value(
    context: &NluContext<'_>,
    profile: &FieldProfile<'_>,
    words: &Range<usize>,
    value: f64,
) -> Value {
    if !profile.is_text() {
        return numbers::json(value);
    }
    let said = context.text.slice(words);
    match (sign_before(&context.text, words.start), sign_after(&context.text, words.end)) {
        (Some(sign), _) => json!(format!("{sign}{said}")),
        (None, Some(sign)) => json!(format!("{said} {sign}")),
        (None, None) => json!(said),
    }
}
