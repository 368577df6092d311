//! Answers to the question that was asked: yes and no, any choice, none.

use language::fold::fold_word;

use crate::nlu::acts::dialogue_acts::ActSpan;
use crate::nlu::candidates::booleans;
use crate::nlu::context::field_profile::SlotType;
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::choice_ranges;
use crate::nlu::entities::count_context;
use crate::nlu::tokens::message::any_lexicon;
use agents_core::chat::{ActType, Phase, SlotOperation, SlotUpdate};

/// "Yes" and "no" are the value of a boolean field; for the next list item, "no" ends the list.
pub(crate) fn apply_yes_no(
    context: &NluContext<'_>,
    acts: &mut Vec<ActSpan>,
    settled: &[SlotCandidate],
    statements: &mut Vec<SlotUpdate>,
) {
    let Some((index, profile)) = context.asked_field().filter(|_| context.turn.phase == Phase::Filling)
    else {
        return;
    };
    let first = acts.iter().position(|acted| matches!(acted.act.act_type, ActType::Yes | ActType::No));
    let Some(first) = first else { return };
    let agrees = acts.get(first).is_some_and(|acted| acted.act.act_type == ActType::Yes);
    if profile.slot_type == SlotType::List
        && agrees
        && acts.iter().any(|acted| acted.act.act_type == ActType::Finish)
    {
        // "Yes, that's everything" adds nothing.
        acts.remove(first);
        return;
    }
    if profile.slot_type == SlotType::List && !agrees && settled.is_empty() && statements.is_empty() {
        if let Some(acted) = acts.get_mut(first) {
            acted.act.act_type = ActType::Finish;
        }
        return;
    }
    // "No, the end was at 7": the "no" is about the corrected value.
    let is_open =
        |claim: &SlotCandidate| context.profiles.get(claim.profile).is_none_or(|profile| profile.is_open);
    if profile.slot_type == SlotType::Flag && !agrees && settled.iter().any(|claim| !is_open(claim)) {
        acts.remove(first);
        return;
    }
    let is_done = acts.iter().any(|acted| matches!(acted.act.act_type, ActType::Finish | ActType::Cancel));
    // "Yes, that works" accepts an offer and does not answer a question about breakfast.
    let words = acts.get(first).map_or(0..0, |acted| acted.words.clone());
    let offers = context.lexicon.list("taken_up");
    let takes_up = agrees
        && (offers.within(&context.text, 0..context.text.len()).is_some()
            || words.len() > 1 && !context.is_in_list("yes", words.start));
    // "No, that's all, thanks for your help" ends the dialogue and does not answer the question.
    let closes =
        !agrees && context.lexicon.list("closing").within(&context.text, 0..context.text.len()).is_some();
    let uncovered = (0..context.text.len())
        .filter(|at| !acts.iter().any(|acted| acted.words.contains(at)))
        .filter(|at| {
            !["filler", "pronoun", "negation", "flag_words", "common"]
                .iter()
                .any(|list| context.is_in_list(list, *at))
        })
        .filter(|at| !context.field_words.get(index).is_some_and(|own| own.contains(at)))
        .count();
    if takes_up
        || closes
        || uncovered > 3
        || profile.slot_type != SlotType::Flag
        || is_done
        || settled.iter().any(|claim| claim.profile == index)
    {
        return;
    }
    if let Some(value) = booleans::answer(profile, agrees) {
        statements.push(SlotUpdate {
            path: profile.path.clone(),
            change: SlotOperation::Set,
            value,
            is_meant: true,
        });
        acts.remove(first);
    }
}

/// "It doesn't matter" selects the option for no preference, if there is one.
pub(crate) fn apply_any_choice(
    context: &NluContext<'_>,
    acts: &mut Vec<ActSpan>,
    statements: &mut Vec<SlotUpdate>,
) {
    let Some((_, profile)) =
        context.asked_field().filter(|(_, profile)| profile.slot_type == SlotType::Choice)
    else {
        return;
    };
    let option = profile
        .field
        .options
        .iter()
        .find(|option| any_lexicon().list("any_option").has_word(&fold_word(option)));
    let says =
        |acted: &ActSpan| acted.act.act_type == ActType::Skip && context.list("any", acted.words.start) > 0;
    if let Some(option) = option.filter(|_| acts.iter().any(says)) {
        acts.retain(|acted| !says(acted));
        let value = choice_ranges::option_value(profile, option);
        statements.push(SlotUpdate {
            path: profile.path.clone(),
            change: SlotOperation::Set,
            value,
            is_meant: true,
        });
    }
}

/// "None" and "no" mean zero when a count was asked for.
pub(crate) fn apply_none_as_zero(
    context: &NluContext<'_>,
    acts: &mut Vec<ActSpan>,
    statements: &mut Vec<SlotUpdate>,
) {
    let Some((_, profile)) =
        context.asked_field().filter(|(_, profile)| profile.slot_type == SlotType::Count)
    else {
        return;
    };
    let is_none = |acted: &ActSpan| {
        let none = context.is_in_list("none_word", acted.words.start);
        acted.words.len() == 1 && (none || acted.act.act_type == ActType::No)
    };
    let zero = count_context::value(context, profile, 0.0, &(0..0));
    let fits = profile.field.options.is_empty() || profile.field.options.contains(&"0".to_owned());
    let ends = acts.iter().any(|acted| acted.act.act_type == ActType::Finish)
        || profile.field.minimum.is_some_and(|least| least > 0.0);
    if context.text.len() <= 3 && fits && !ends && acts.iter().any(is_none) {
        acts.retain(|acted| !is_none(acted));
        statements.push(SlotUpdate {
            path: profile.path.clone(),
            change: SlotOperation::Set,
            value: zero,
            is_meant: true,
        });
    }
}
