//! Drops candidates and acts that do not hold: retracted guesses, a "no" before another statement, removed
//! values.

use crate::nlu::acts::dialogue_acts::ActSpan;
use crate::nlu::context::field_profile::SlotType;
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use agents_core::chat::{ActType, Phase};

/// Drops a "no" that is redundant ("No, we have none") or that precedes a statement about something else.
pub(crate) fn drop_idle_no(context: &NluContext<'_>, acts: &mut Vec<ActSpan>) {
    let is_flag_or_list = context
        .asked_field()
        .is_none_or(|(_, profile)| matches!(profile.slot_type, SlotType::Flag | SlotType::List));
    if is_flag_or_list || context.turn.phase != Phase::Filling {
        return;
    }
    let denied = acts.iter().any(|acted| acted.act.act_type == ActType::NotApplicable && acted.is_whole);
    let idle =
        |at: &usize| !acts.iter().any(|acted| acted.words.contains(at)) && !context.is_in_list("filler", *at);
    let tells = (0..context.text.len()).filter(idle).count() > 2;
    if denied || tells {
        acts.retain(|acted| acted.act.act_type != ActType::No);
    }
}

/// Drops candidates that are only the answer to a confirmation: they are about the existing value.
pub(crate) fn drop_answer_to_confirmation(
    context: &NluContext<'_>,
    acts: &[ActSpan],
    settled: &mut Vec<SlotCandidate>,
) {
    if !context.turn.is_confirmation {
        return;
    }
    let answers = |claim: &SlotCandidate| {
        let is_asked = context.profiles.get(claim.profile).is_some_and(|profile| profile.is_asked);
        let mut answers =
            acts.iter().filter(|acted| matches!(acted.act.act_type, ActType::Yes | ActType::No));
        is_asked && answers.any(|acted| claim.words.clone().all(|at| acted.words.contains(&at)))
    };
    settled.retain(|claim| !answers(claim));
}

/// "We might be 6, not sure yet": drops a guess that is retracted at once, and the act that retracts it.
pub(crate) fn drop_unsure_guesses(
    context: &NluContext<'_>,
    acts: &mut Vec<ActSpan>,
    settled: &mut Vec<SlotCandidate>,
) {
    acts.retain(|acted| {
        let sentence = context.sentence_words(acted.words.start);
        let before = sentence.start..acted.words.start;
        let hedged = context.lexicon.list("hedge").within(&context.text, before.clone()).is_some();
        let guessed = |claim: &SlotCandidate| before.contains(&claim.words.start);
        if acted.act.act_type != ActType::Unknown || !hedged || !settled.iter().any(guessed) {
            return true;
        }
        settled.retain(|claim| !guessed(claim));
        false
    });
}
