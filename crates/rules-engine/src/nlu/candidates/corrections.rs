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

pub(crate) fn add_candidates(scene: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    for sentence in &scene.sentences {
        if !scene.corrects(sentence.words.start) {
            continue;
        }
        if let Some(claim) = sentence.clauses.iter().find_map(|clause| correct_name(scene, clause)) {
            claims.push(claim);
        }
    }
}

/// A candidate when the clause is a name alone and the most recently filled value is a name.
fn correct_name(scene: &NluContext<'_>, clause: &Range<usize>) -> Option<SlotCandidate> {
    let words = strip_answer_frame(scene, clause);
    let introduces = scene.lexicon.list("self_intro").within(&scene.text, clause.clone()).is_some();
    let labelled =
        scene.field_words.iter().flatten().any(|place| (clause.start..words.start).contains(place));
    let named = names::capitalized_name(scene, words.start).is_some_and(|run| run == words);
    let (index, _) = latest_name(scene)?;
    let asked_fits = scene.asked_field().is_some_and(|(_, profile)| NAME_TYPES.contains(&profile.slot_type));
    let only_no =
        scene.lexicon.list("correction").within(&scene.text, scene.sentence_words(clause.start)).is_none();
    if !named || introduces || labelled || asked_fits && only_no {
        return None;
    }
    make_candidate(scene, index, words)
}

/// The most recently filled field whose value is a name.
fn latest_name<'s, 'a>(scene: &'s NluContext<'a>) -> Option<(usize, &'s FieldProfile<'a>)> {
    let mut given: Vec<_> =
        scene.profiles.iter().enumerate().filter(|(_, profile)| profile.recency.is_some()).collect();
    given.sort_by_key(|(_, profile)| profile.recency);
    given.into_iter().find(|(_, profile)| NAME_TYPES.contains(&profile.slot_type))
}

fn make_candidate(scene: &NluContext<'_>, index: usize, words: Range<usize>) -> Option<SlotCandidate> {
    let sane = !words.is_empty() && words.len() <= 6;
    let said = scene.text.slice(&words);
    let value = json!(said);
    // An option of another field, or a value that the field rejects, is not meant for this field.
    let is_choice = scene.profiles.iter().enumerate().any(|(other, profile)| {
        other != index && profile.field.options.iter().any(|option| fold_word(option) == fold_word(said))
    });
    let fits = scene
        .profiles
        .get(index)
        .is_some_and(|profile| matches!(read_answer(profile.field, &value), Ok(Some(_))));
    (sane && fits && !is_choice)
        .then(|| SlotCandidate { is_meant: true, ..scene.make_candidate(index, words, value, 9) })
}
