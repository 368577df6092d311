//! Finds the field that words refer to by its name, description or type.

use std::ops::Range;

use crate::nlu::candidates::name_cues;
use crate::nlu::context::field_profile::{FieldProfile, SlotType};
use crate::nlu::context::nlu_context::NluContext;
use crate::nlu::entities::ambiguity;

/// The field that a span of words names best.
pub(crate) fn find_named_field(context: &NluContext<'_>, words: &Range<usize>) -> Option<String> {
    let score = |index: usize| -> i32 {
        let places = context.field_words.get(index).map(Vec::as_slice).unwrap_or_default();
        let hits = places.iter().filter(|place| words.contains(place)).count();
        let exact = context.profiles.get(index).map_or(0, |profile| {
            words
                .clone()
                .filter(|at| {
                    profile.name.iter().any(|name| name == context.text.folded(*at))
                        && !context.is_in_list("break", *at)
                })
                .count()
        });
        let own = context.profiles.get(index).map_or(0, |profile| profile.name_stems.len());
        let senses = context
            .profiles
            .get(index)
            .map_or(0, |profile| i32::from(is_slot_type_word(context, profile, words)));
        let about = context.profiles.get(index).map_or(0, |profile| {
            let speaks = |at: &usize| {
                let root = context.text.stem(*at);
                let is_outer = profile.parent_stems.iter().any(|word| word == root);
                profile.description_stems.iter().any(|word| word == root)
                    && !is_outer
                    && !context.is_in_list("break", *at)
            };
            words.clone().filter(speaks).count()
        });
        let count = |n: usize| i32::try_from(n.min(9)).unwrap_or(9);
        let favour = ambiguity::ambiguity_score(context, index, words);
        if hits + exact + about == 0 && senses == 0 || favour < 0 {
            0
        } else {
            4 * count(hits) + 3 * count(exact) + 2 * senses + 2 * count(about) + favour + 1 - count(own)
        }
    };
    let best = (0..context.profiles.len()).map(|index| (score(index), std::cmp::Reverse(index))).max()?;
    (best.0 > 0).then(|| context.profiles.get(best.1.0).map(|profile| profile.path.clone()))?
}

/// Whether a span names the field's slot type: "the date", "my e-mail".
fn is_slot_type_word(context: &NluContext<'_>, profile: &FieldProfile<'_>, words: &Range<usize>) -> bool {
    let name = |at: usize| context.is_in_list("name_noun", at);
    if name_cues::is_about_user(context, profile) && words.clone().any(name) {
        return true;
    }
    let key = match profile.slot_type {
        SlotType::Date => "date",
        SlotType::Time => "time",
        SlotType::Email => "email",
        SlotType::Phone => "phone",
        SlotType::Money => "money",
        SlotType::Address => "address",
        _ => return false,
    };
    words.clone().filter(|at| !profile.parent_stems.iter().any(|word| word == context.text.stem(*at))).any(
        |at| context.lexicon.list("sense").key_at(&context.text, at).is_some_and(|sense| sense.value == key),
    )
}
