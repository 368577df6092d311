//! Towns and addresses: "in Livermore", "from San Jose to LA", "to 2050 Broadway".

use std::ops::Range;

use serde_json::json;

use super::names;
use super::profile::{Profile, Role, Sense};
use super::scene::{Claim, Scene};

pub(super) fn claims(scene: &Scene<'_>, taken: &[Range<usize>], claims: &mut Vec<Claim>) {
    if scene.of_sense(&[Sense::Place, Sense::Address]).next().is_none() {
        return;
    }
    let mut at = 0;
    while at < scene.text.len() {
        let Some((length, said)) = cue(scene, at) else {
            at += 1;
            continue;
        };
        let mut from = at + length;
        while matches!(
            scene.text.plain(from),
            "the" | "city" | "downtown" | "beautiful" | "sunny" | "a" | "my" | "place" | "area"
        ) || scene.text.plain(from) == "of" && from > at + length
        {
            from += 1;
        }
        let free = |words: &Range<usize>| {
            !taken.iter().any(|range| range.start < words.end && words.start < range.end)
        };
        match named(scene, at, at + length - 1, from).filter(|words| free(words) && scene.states(words.start))
        {
            Some(words) => {
                of_fields(scene, &words, said, at, claims);
                // Its last words may be a cue themselves only after it.
                at = words.end.max(at + 1);
            }
            None => at += 1,
        }
    }
    leading(scene, claims);
}

/// A name by its capitals, or in small letters where a town is asked for or the user writes so.
fn named(scene: &Scene<'_>, cue: usize, last: usize, from: usize) -> Option<Range<usize>> {
    if !scene.around(cue).contains(&from) {
        return None;
    }
    names::run(scene, from).or_else(|| {
        let asked =
            scene.asked().is_some_and(|(_, profile)| matches!(profile.sense, Sense::Place | Sense::Address));
        let towns =
            matches!(scene.text.plain(last), "in" | "near" | "around" | "from" | "nach" | "aus" | "en")
                || scene.list("destination", cue) > 1
                || scene.list("origin", cue) > 1
                || matches!(scene.text.plain(last), "to" | "a") && from_earlier(scene, cue);
        let known = |at: usize| {
            let root = scene.text.root(at);
            scene.profiles.iter().any(|profile| profile.has_word(root))
                || scene.text.plain(at).ends_with("ing")
        };
        let words = names::small_run(scene, from, if asked { 3 } else { 2 })?;
        // "in the kitchen" is no town.
        let article =
            last + 1 < from && matches!(scene.text.plain(from - 1), "the" | "a" | "my" | "place" | "area");
        let fits =
            towns && !article && (asked || names::is_uncapitalised(scene)) && !words.clone().any(known);
        fits.then_some(words)
    })
}

/// Whether "from" stands before in the sentence, so that "to" names a place.
fn from_earlier(scene: &Scene<'_>, at: usize) -> bool {
    let start = scene.around(at).start;
    (start..at).any(|at| matches!(scene.text.plain(at), "from" | "von" | "de" | "desde"))
}

/// A word that a place follows, and the role it gives.
fn cue(scene: &Scene<'_>, at: usize) -> Option<(usize, Role)> {
    let (origin, destination, any) =
        (scene.list("origin", at), scene.list("destination", at), scene.list("place cue", at));
    let longest = origin.max(destination).max(any);
    match longest {
        0 => None,
        length if length == origin => Some((length, Role::Start)),
        length if length == destination => Some((length, Role::End)),
        length => Some((length, Role::None)),
    }
}

/// A name before what it is: "Nairobi is the departure city", "the Hayward area".
fn leading(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    for sentence in &scene.sentences {
        for at in sentence.words.clone() {
            let is_start = at == sentence.words.start;
            let Some(words) =
                names::run(scene, at).filter(|words| is_start || scene.text.plain(words.end) == "area")
            else {
                continue;
            };
            let next = scene.text.plain(words.end);
            let onward = is_start
                && matches!(next, "to" | "nach" | "a")
                && names::run(scene, words.end + 1).is_some_and(|run| run.end <= sentence.words.end);
            if onward && scene.states(at) {
                of_fields(scene, &words, Role::Start, at, claims);
                continue;
            }
            let tells = matches!(next, "is" | "will") && is_start || next == "area";
            if !tells || !scene.states(at) {
                continue;
            }
            let said = (words.end..sentence.words.end)
                .find_map(|at| cue(scene, at).map(|(_, role)| role).filter(|role| *role != Role::None));
            let speaks = (words.end..sentence.words.end).any(|at| {
                matches!(
                    scene.text.root(at),
                    "city" | "town" | "area" | "destination" | "origin" | "place" | "location"
                )
            });
            if speaks {
                of_fields(scene, &words, said.unwrap_or(Role::None), at, claims);
            }
        }
    }
}

fn of_fields(scene: &Scene<'_>, words: &Range<usize>, said: Role, cue: usize, claims: &mut Vec<Claim>) {
    let last = scene.text.plain(words.end - 1);
    let is_street = scene.text.is_digits(words.start)
            || scene.lexicon.list("street").has(last) && words.len() > 1
            // "Elm Street 5"
            || scene.text.is_digits(words.end - 1) && words.len() > 1;
    let is_venue = scene.lexicon.list("venue").has(last);
    let has = |role: Role| scene.of_sense(&[Sense::Place]).any(|(_, profile)| profile.role == role);
    let towns = scene.of_sense(&[Sense::Place]).filter(|(_, profile)| is_town(profile)).count();
    let has_address = scene.of_sense(&[Sense::Address]).next().is_some();
    for (index, profile) in scene.of_sense(&[Sense::Place, Sense::Address]) {
        let near = scene.nearness(index, &(cue..words.end));
        let mut score = 3 + near.min(3) + scene.standing(index, words.start);
        score += match (said, profile.role) {
            (Role::None, Role::None) => 1,
            (a, b) if a == b => 4,
            (Role::None, Role::End) => 0,
            (Role::None, Role::Start) => -1,
            (Role::Start, Role::None) => {
                if has(Role::Start) {
                    -8
                } else {
                    -2
                }
            }
            (Role::End, Role::None) => {
                if has(Role::End) {
                    -6
                } else {
                    0
                }
            }
            _ => -8,
        };
        score += match (profile.sense, is_street) {
            (Sense::Address, true) => 3,
            (Sense::Address, false) => -6,
            (_, true) if has_address || scene.text.is_digits(words.end - 1) => -6,
            (_, true) if said == Role::None && !profile.is_asked => -4,
            _ => 0,
        };
        let is_city = profile
            .own
            .iter()
            .any(|word| matches!(word.as_str(), "city" | "town" | "stadt" | "ville" | "ciudad"));
        score += 2 * i32::from(is_city && !is_venue);
        if profile.sense == Sense::Place && !is_town(profile) && towns > 0 {
            score += if is_venue { 3 } else { -4 };
        } else if is_venue && is_town(profile) {
            score -= 1;
        }
        // "at" goes before the name of a house rather than of a town, "for" before anything.
        if matches!(scene.text.plain(cue), "at" | "for" | "by" | "about" | "of" | "check")
            && !profile.is_asked
        {
            score -= 2;
        }
        if score >= 3 {
            claims.push(scene.claim(index, words.clone(), json!(scene.text.slice(words)), score));
        }
    }
}

/// Whether a field is for a town rather than for a house.
fn is_town(profile: &Profile<'_>) -> bool {
    let houses = ["airport", "station", "venue", "event", "terminal", "stop", "address", "name"];
    let says_house = profile.own.iter().any(|word| houses.contains(&word.as_str()));
    let says_town = profile.has_word("city") || profile.has_word("town") || profile.has_word("area");
    !says_house && (says_town || !profile.about.iter().any(|word| houses.contains(&word.as_str())))
        || profile.own.iter().any(|word| matches!(word.as_str(), "city" | "town" | "area"))
}
