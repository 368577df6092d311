//! "Change my name to Bob and my e-mail to b@x.org": fields that are named, each with its value.

use std::ops::Range;

use serde_json::json;

use super::acts::named;
use super::bare::stripped;
use super::profile::Sense;
use super::scene::{Claim, Scene};
use super::{numbers, reads};

/// Words that name a field.
const MAX_LABEL: usize = 8;
/// Words of a new value.
const MAX_VALUE: usize = 16;
/// Fields that one sentence changes.
const MAX_PAIRS: usize = 8;

/// A field, and the words of its new value.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) profile: usize,
    pub(super) words: Range<usize>,
}

/// Whether a sentence changes several fields by their names.
pub(super) fn are_in(scene: &Scene<'_>, words: &Range<usize>) -> bool {
    of_message(scene).iter().any(|pair| words.contains(&pair.words.start))
}

/// The fields that a sentence changes, where it names several, each with its value.
fn pairs(scene: &Scene<'_>, words: &Range<usize>) -> Vec<Pair> {
    let Some(verb) = words.clone().take(8).find(|at| scene.is("change", *at)) else { return Vec::new() };
    let mut found = Vec::new();
    let mut from = verb + 1;
    while let Some((profile, to)) = label(scene, from..words.end, &found) {
        found.push(Pair { profile, words: to + 1..words.end });
        let next = (to + 2..words.end.min(to + MAX_VALUE)).find(|at| {
            let parted = scene.text.gap(at - 1).contains(',') || joins(scene, *at);
            parted && label(scene, at + usize::from(joins(scene, *at))..words.end, &found).is_some()
        });
        let end = next.unwrap_or(words.end);
        if let Some(pair) = found.last_mut() {
            pair.words = stripped(scene, &(to + 1..end));
        }
        let Some(next) = next.filter(|_| found.len() < MAX_PAIRS) else { break };
        from = next + usize::from(joins(scene, next));
    }
    let takes_all = found.iter().all(|pair| {
        scene.profiles.get(pair.profile).is_some_and(|profile| profile.sense != Sense::List)
            && !pair.words.is_empty()
    });
    if found.len() > 1 && takes_all { found } else { Vec::new() }
}

/// All pairs of a message; they are looked for once.
fn of_message<'s>(scene: &'s Scene<'_>) -> &'s [Pair] {
    let find = || {
        let found = scene.sentences.iter().flat_map(|sentence| pairs(scene, &sentence.words));
        found.take(MAX_PAIRS).collect()
    };
    scene.pairs.get_or_init(find)
}

fn joins(scene: &Scene<'_>, at: usize) -> bool {
    matches!(scene.text.plain(at), "and" | "und" | "et" | "y")
}

/// The field that is named from a place on, and where "to" stands behind it.
fn label(scene: &Scene<'_>, words: Range<usize>, before: &[Pair]) -> Option<(usize, usize)> {
    let to = words.clone().skip(1).take(MAX_LABEL).find(|at| {
        matches!(scene.text.plain(*at), "to" | "into" | "auf" | "zu" | "in" | "en" | "a" | "por")
    })?;
    let parted = (words.start..to).any(|at| joins(scene, at) || scene.text.gap(at).contains([',', ';']));
    if parted || to + 1 >= words.end {
        return None;
    }
    let path = named(scene, &(words.start..to));
    let index = path.and_then(|path| scene.profiles.iter().position(|profile| profile.path == path));
    // "Change the first e-mail to … and the second one to …".
    let other = || {
        let last = scene.profiles.get(before.last()?.profile)?;
        let (_, place) = (words.start..to).find_map(|at| numbers::ordinal(&scene.text, at, 1_000))?;
        let number = u32::try_from(place + 1).ok();
        scene.profiles.iter().position(|profile| profile.name == last.name && profile.number == number)
    };
    Some((index.or_else(other)?, to))
}

/// Gives each field the words that were said for it, and nobody else.
pub(super) fn claims(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    for Pair { profile, words } in of_message(scene).iter().cloned() {
        claims.retain(|claim| {
            claim.profile == profile || claim.words.end <= words.start || words.end <= claim.words.start
        });
        let Some(field) = scene.profiles.get(profile) else { continue };
        // What the field cannot take is put to the user again.
        let value = reads::value(scene, field, &words).unwrap_or_else(|| json!(scene.text.slice(&words)));
        if field.sense != Sense::Flag {
            claims.retain(|claim| claim.profile != profile);
            claims.push(Claim { is_meant: true, ..scene.claim(profile, words, value, 20) });
        }
    }
}
