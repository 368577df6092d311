//! "No, I meant York": a name put in place of the one that was given last.

use std::ops::Range;

use forms_core::read_answer;
use serde_json::json;

use super::bare::stripped;
use super::names;
use super::profile::{Profile, Sense};
use super::scene::{Claim, Scene};
use super::text::plain;

/// Fields whose values are names.
const NAMES: [Sense; 5] = [Sense::Person, Sense::Place, Sense::Title, Sense::Class, Sense::Code];

pub(super) fn claims(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    for sentence in &scene.sentences {
        if !scene.corrects(sentence.words.start) {
            continue;
        }
        if let Some(claim) = sentence.clauses.iter().find_map(|clause| put_right(scene, clause)) {
            claims.push(claim);
        }
    }
}

/// The clause is a name alone, and the value given last is one too.
fn put_right(scene: &Scene<'_>, clause: &Range<usize>) -> Option<Claim> {
    let words = stripped(scene, clause);
    let introduces = scene.lexicon.list("self intro").within(&scene.text, clause.clone()).is_some();
    let labelled = scene.own.iter().flatten().any(|place| (clause.start..words.start).contains(place));
    let named = names::run(scene, words.start).is_some_and(|run| run == words);
    let (index, _) = latest(scene)?;
    let asked_fits = scene.asked().is_some_and(|(_, profile)| NAMES.contains(&profile.sense));
    let only_no = scene.lexicon.list("correction").within(&scene.text, scene.around(clause.start)).is_none();
    if !named || introduces || labelled || asked_fits && only_no {
        return None;
    }
    claim(scene, index, words)
}

/// The value given last, where it is a name.
fn latest<'s, 'a>(scene: &'s Scene<'a>) -> Option<(usize, &'s Profile<'a>)> {
    let mut given: Vec<_> =
        scene.profiles.iter().enumerate().filter(|(_, profile)| profile.recency.is_some()).collect();
    given.sort_by_key(|(_, profile)| profile.recency);
    given.into_iter().find(|(_, profile)| NAMES.contains(&profile.sense))
}

fn claim(scene: &Scene<'_>, index: usize, words: Range<usize>) -> Option<Claim> {
    let sane = !words.is_empty() && words.len() <= 6;
    let said = scene.text.slice(&words);
    let value = json!(said);
    // A choice of another field, or what the field does not take, is not meant for it.
    let is_choice = scene.profiles.iter().enumerate().any(|(other, profile)| {
        other != index && profile.field.options.iter().any(|option| plain(option) == plain(said))
    });
    let fits = scene
        .profiles
        .get(index)
        .is_some_and(|profile| matches!(read_answer(profile.field, &value), Ok(Some(_))));
    (sane && fits && !is_choice).then(|| Claim { is_meant: true, ..scene.claim(index, words, value, 9) })
}
