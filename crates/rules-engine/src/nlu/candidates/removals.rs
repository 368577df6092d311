//! Recognises sentences that remove the value they name.

use crate::nlu::context::field_profile::SlotType;
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};

/// Whether the sentence removes the value: "Remove Spain" sets no value, except of a boolean field.
pub(crate) fn is_removed(context: &NluContext<'_>, claim: &SlotCandidate) -> bool {
    let is_flag =
        context.profiles.get(claim.profile).is_some_and(|profile| profile.slot_type == SlotType::Flag);
    let around = context.sentence_words(claim.words.start);
    let first = around.clone().find(|at| {
        !["filler", "request", "lead", "pronoun", "courtesy", "correction"]
            .iter()
            .any(|list| context.is_in_list(list, *at))
    });
    let removes = first.is_some_and(|at| {
        context.list("remove", at) > 0
            && !["without", "no_word", "weak_clear"].iter().any(|list| context.is_in_list(list, at))
    });
    removes && !is_flag
}
