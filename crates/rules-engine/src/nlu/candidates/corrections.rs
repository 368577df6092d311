//! "No, I meant York": a name that replaces the most recently filled one.

use std::ops::Range;

use forms_core::read_answer;
use language::fold::fold_word;
use serde_json::json;

use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::answer_frame::strip_answer_frame;
use crate::nlu::entities::names;

/// Slot types whose values are names.
const NAME_TYPES: [SlotType; 5] =
    [SlotType::Person, SlotType::Place, SlotType::Title, SlotType::Class, SlotType::Code];

pub(crate) fn add_candidates(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    for sentence in &context.sentences {
        if !context.corrects(sentence.words.start) {
            continue;
        }
        if let Some(claim) = sentence.clauses.iter().find_map(|clause| correct_name(context, clause)) {
            claims.push(claim);
        }
    }
}

/// A candidate when the clause is a name alone and the most recently filled value is a name.
fn correct_name(context: &NluContext<'_>, clause: &Range<usize>) -> Option<SlotCandidate> {
    let words = strip_answer_frame(context, clause);
    let introduces = context.lexicon.list("self_intro").within(&context.text, clause.clone()).is_some();
    let labelled =
        context.field_words.iter().flatten().any(|place| (clause.start..words.start).contains(place));
    let named = names::capitalized_name(context, words.start).is_some_and(|run| run == words);
    let (index, _) = latest_name(context)?;
    let asked_fits =
        context.asked_field().is_some_and(|(_, profile)| NAME_TYPES.contains(&profile.slot_type));
    let only_no = context
        .lexicon
        .list("correction")
        .within(&context.text, context.sentence_words(clause.start))
        .is_none();
    if !named || introduces || labelled || asked_fits && only_no {
        return None;
    }
    make_candidate(context, index, words)
}

/// The most recently filled field whose value is a name.
fn latest_name<'s, 'a>(context: &'s NluContext<'a>) -> Option<(usize, &'s FieldProfile<'a>)> {
    let mut given: Vec<_> =
        context.profiles.iter().enumerate().filter(|(_, profile)| profile.recency.is_some()).collect();
    given.sort_by_key(|(_, profile)| profile.recency);
    given.into_iter().find(|(_, profile)| NAME_TYPES.contains(&profile.slot_type))
}

fn make_candidate(context: &NluContext<'_>, index: usize, words: Range<usize>) -> Option<SlotCandidate> {
    let sane = !words.is_empty() && words.len() <= 6;
    let said = context.text.slice(&words);
    let value = json!(said);
    // An option of another field, or a value that the field rejects, is not meant for this field.
    let is_choice = context.profiles.iter().enumerate().any(|(other, profile)| {
        other != index && profile.field.options.iter().any(|option| fold_word(option) == fold_word(said))
    });
    let fits = context
        .profiles
        .get(index)
        .is_some_and(|profile| matches!(read_answer(profile.field, &value), Ok(Some(_))));
    (sane && fits && !is_choice)
        .then(|| SlotCandidate { is_meant: true, ..context.make_candidate(index, words, value, 9) })
}
