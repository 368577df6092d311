//! Named people and things, by the words before them: "the movie Hellboy", "by Drake", "called …", "my name is …".

use std::ops::Range;

use serde_json::json;

use super::lexicon::lexicon;
use super::names;
use super::profile::{Profile, Sense};
use super::scene::{Claim, Scene};
use super::shapes::{Shape, shapes};

/// Fields that names are for.
const SENSES: [Sense; 2] = [Sense::Title, Sense::Person];

pub(super) fn claims(scene: &Scene<'_>, taken: &[Range<usize>], claims: &mut Vec<Claim>) {
    own_name(scene, claims);
    let cue = scene.lexicon.list("cue");
    let keys = cue.keys();
    for (index, profile) in scene.of_sense(&SENSES) {
        let own = |line: usize| {
            keys.get(line)
                .is_some_and(|keys| keys.iter().any(|key| profile.name.iter().any(|word| word == key)))
        };
        let about = |line: usize| keys.get(line).is_some_and(|keys| profile.speaks_of(keys));
        let fitting: Vec<i32> =
            (0..keys.len()).map(|line| if own(line) { 3 } else { 2 * i32::from(about(line)) }).collect();
        for at in 0..scene.text.len() {
            if !scene.states(at) {
                continue;
            }
            let lines = cue
                .all(&scene.text, at)
                .filter_map(|(words, line)| Some((words, *fitting.get(line)?)))
                .filter(|(_, weight)| *weight > 0);
            let noun = own_noun(scene, index, at).then_some((1, 3));
            let generic = scene.list("generic cue", at);
            let generic =
                (generic > 0 && scene.nearness(index, &(at..at + generic)) > 0).then_some((generic, 3));
            let Some((length, weight)) = lines.chain(noun).chain(generic).max() else { continue };
            let is_call =
                scene.list("generic cue", at) > 0 || length > 1 && scene.text.plain(at + length - 1) == "it";
            if let Some(words) = name_after(scene, at + length, is_call, taken)
                && !taken.iter().any(|range| range.start < words.end && words.start < range.end)
            {
                let mut score =
                    weight + i32::try_from(length).unwrap_or(1) - 1 + scene.standing(index, words.start);
                score += scene.nearness(index, &words).min(2) + i32::from(words.len() > 1);
                score -= i32::from(profile.sense == Sense::Person && scene.unsaid(index, at) > 1);
                if score >= 4 {
                    claims.push(scene.claim(
                        index,
                        words.clone(),
                        json!(if profile.sense == Sense::Person {
                            owner(scene, &words)
                        } else {
                            scene.text.slice(&words)
                        }),
                        score,
                    ));
                }
            }
        }
    }
    quoted(scene, claims);
}

/// The field's own noun stands directly before a name: "the restaurant Khamsa".
fn own_noun(scene: &Scene<'_>, index: usize, at: usize) -> bool {
    let own = scene.own.get(index).is_some_and(|places| places.contains(&at));
    let begins_name = scene.text.is_capital(at + 1) && scene.text.gap(at).trim_matches(['"', '“']) == " ";
    own && begins_name && !scene.text.is_capital(at)
}

/// The name that a cue leads to.
fn name_after(scene: &Scene<'_>, from: usize, is_call: bool, taken: &[Range<usize>]) -> Option<Range<usize>> {
    let mut at = from;
    while matches!(
        scene.text.plain(at),
        "the"
            | "as"
            | "movie"
            | "film"
            | "song"
            | "album"
            | "it"
            | "named"
            | "called"
            | "restaurant"
            | "hotel"
    ) && !(scene.text.is_capital(at) && scene.text.plain(at) == "the")
    {
        at += 1;
    }
    if is_call && let Some(words) = names::called(scene, at, taken) {
        return Some(words);
    }
    if scene.around(from).contains(&at)
        && let Some(words) = names::run(scene, at)
    {
        return Some(words);
    }
    is_call.then(|| names::small_run(scene, at, 4)).flatten()
}

/// A quoted name goes to the field that was asked for, that is named, or that alone can have it.
fn quoted(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    for (shape, bytes) in shapes(&scene.text) {
        let words = scene.text.words_in(&bytes);
        if shape != Shape::Quoted || words.is_empty() || !scene.states(words.start) {
            continue;
        }
        let said = scene.text.raw.get(bytes).unwrap_or_default().trim();
        let alone = scene.of_sense(&[Sense::Title]).filter(|(_, profile)| profile.is_open).count() == 1;
        for (index, profile) in scene.of_sense(&[Sense::Title, Sense::Text, Sense::Person, Sense::Place]) {
            let near = scene.nearness(index, &words);
            let fits = near > 0
                || cued(scene, profile, words.start)
                || profile.is_asked
                || alone && profile.sense == Sense::Title && profile.is_open;
            if fits {
                claims.push(scene.claim(
                    index,
                    words.clone(),
                    json!(said),
                    5 + near + scene.standing(index, words.start),
                ));
            }
        }
    }
}

/// Whether a cue of the field's kind stands directly before.
fn cued(scene: &Scene<'_>, profile: &Profile<'_>, at: usize) -> bool {
    let cue = scene.lexicon.list("cue");
    (1..=3.min(at)).any(|back| {
        let fits = |line: usize| cue.keys().get(line).is_some_and(|keys| profile.speaks_of(keys));
        cue.all(&scene.text, at - back).any(|(words, line)| words == back && fits(line))
    })
}

/// "My name is Ada Lovelace", "I'm Ada", "call me Ada".
fn own_name(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    for at in 0..scene.text.len() {
        let whole = scene.list("self intro", at);
        let weak = scene.list("self intro weak", at);
        let (first, last) = (scene.list("first intro", at), scene.list("last intro", at));
        let length = whole.max(weak).max(first).max(last);
        if length == 0 || !scene.states(at) {
            continue;
        }
        let words = names::run(scene, at + length).or_else(|| {
            (whole.max(first).max(last) > 0 && whole + first + last >= 2)
                .then(|| names::small_run(scene, at + length, 4))
                .flatten()
        });
        let Some(words) =
            words.filter(|words| words.len() <= 5 && !words.clone().any(|at| scene.text.is_digits(at)))
        else {
            continue;
        };
        let is_weak = whole == 0 && first == 0 && last == 0;
        let asked = scene.asked().is_some_and(|(_, profile)| is_self(scene, profile));
        // "I'm German", "it's Tuesday": a name only at the start, or when asked for one.
        let begins = (0..at).all(|before| scene.is("courtesy", before) || scene.is("filler", before));
        let plausible = !is_weak
            || asked
            || begins && words.len() == 2
            || words.len() <= 3 && begins && scene.text.plain(at) != "its";
        if plausible {
            give_own_name(scene, &words, first > 0, last > 0, if is_weak { 4 } else { 6 }, claims);
        }
    }
}

pub(super) fn is_self(scene: &Scene<'_>, profile: &Profile<'_>) -> bool {
    let words = scene.lexicon.list("self");
    profile.sense == Sense::Person && profile.name.iter().all(|word| words.has(word))
}

/// Gives a name to the fields of the user's own: whole, or its parts.
fn give_own_name(
    scene: &Scene<'_>,
    words: &Range<usize>,
    first: bool,
    last: bool,
    score: i32,
    claims: &mut Vec<Claim>,
) {
    let own: Vec<(usize, &Profile<'_>)> =
        scene.of_sense(&SENSES).filter(|(_, profile)| is_self(scene, profile)).collect();
    let is = |profile: &Profile<'_>, list: &str| {
        profile.name.iter().any(|word| scene.lexicon.list(list).has(word))
    };
    let has_parts = own.iter().any(|(_, profile)| is(profile, "last name"));
    let mut push = |index: usize, words: Range<usize>, score: i32| {
        let value = json!(scene.text.slice(&words));
        claims.push(Claim { is_meant: true, ..scene.claim(index, words, value, score) });
    };
    for (index, profile) in own {
        let standing = scene.standing(index, words.start);
        let (is_first, is_last) = (is(profile, "first name"), is(profile, "last name"));
        match () {
            () if is_last && last || is_first && first => push(index, words.clone(), score + 4),
            () if first || last => {}
            () if is_first && (has_parts || words.len() == 1) => {
                push(index, words.start..words.start + 1, score + standing)
            }
            () if is_last && words.len() > 1 => push(index, words.start + 1..words.end, score + standing),
            () if is_last && profile.is_asked => push(index, words.clone(), score + standing),
            () if is_first || is_last => {}
            () => push(index, words.clone(), score + standing + i32::from(profile.name.len() == 1)),
        }
    }
}

/// "Tom Baker" where the first name was asked for, and the last has a field of its own.
pub(super) fn split_name(scene: &Scene<'_>, claim: Claim, settled: &[Claim]) -> Vec<Claim> {
    let is = |profile: &Profile<'_>, list: &str| {
        is_self(scene, profile) && profile.name.iter().any(|word| lexicon().list(list).has(word))
    };
    let own = scene.profiles.get(claim.profile).is_some_and(|profile| is(profile, "first name"));
    let last = scene.profiles.iter().enumerate().find(|(index, profile)| {
        let is_free = profile.is_open && settled.iter().all(|other| other.profile != *index);
        is_free && is(profile, "last name") && !is(profile, "first name")
    });
    let Range { start, end } = claim.words.clone();
    let is_name = end - start == 2 && (start..end).all(|at| scene.text.is_capital(at));
    match last.filter(|_| own && is_name && scene.text.gap(start) == " ") {
        Some((last, _)) => vec![
            Claim {
                words: start..start + 1,
                value: json!(scene.text.slice(&(start..start + 1))),
                ..claim.clone()
            },
            Claim {
                profile: last,
                words: start + 1..end,
                value: json!(scene.text.slice(&(start + 1..end))),
                ..claim
            },
        ],
        None => vec![claim],
    }
}

/// A name without the "'s" of what is owned: "Mary's account" is of Mary, "at Macy's" is a name.
fn owner<'s>(scene: &'s Scene<'_>, words: &Range<usize>) -> &'s str {
    let said = scene.text.slice(words);
    let owns = scene.text.gap(words.end - 1) == " "
        && scene.text.is_capital(words.start)
        && !scene.is("break", words.end);
    let bare = said.strip_suffix("'s").or_else(|| said.strip_suffix("’s"));
    bare.filter(|_| owns && words.end < scene.around(words.start).end).unwrap_or(said)
}
