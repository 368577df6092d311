//! Days, times, sums and addresses of a message, and the fields that they are for.

use std::ops::Range;

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::dates::Calendar;
use super::lexicon::lexicon;
use super::profile::{Profile, Role, Sense, pointer};
use super::scene::{Claim, Scene};
use super::shapes::{Shape, shapes};
use super::times::{self, Time};
use super::{counts, money, numbers, reads};

/// The claims of all that has a type, and the words that they take.
pub(super) fn claims(scene: &Scene<'_>) -> (Vec<Claim>, Vec<Range<usize>>) {
    let mut claims = Vec::new();
    let mut taken: Vec<Range<usize>> = Vec::new();
    for (shape, bytes) in shapes(&scene.text) {
        let words = scene.text.words_in(&bytes);
        if shape == Shape::Quoted || words.is_empty() {
            continue;
        }
        let raw = scene.text.raw.get(bytes).unwrap_or_default();
        shaped(scene, shape, &words, raw, &mut claims);
        taken.push(words);
    }
    let has_times = scene.of_sense(&[Sense::Time]).next().is_some();
    let has_role = |role: Role| scene.of_sense(&[Sense::Time]).any(|(_, profile)| profile.role == role);
    let has_both = has_role(Role::Start) && has_role(Role::End);
    let is_birth = scene.asked().is_some_and(|(_, profile)| reads::calendar(scene, profile).is_birth)
        || lexicon().list("birth").within(&scene.text, 0..scene.text.len()).is_some();
    let mut at = 0;
    while at < scene.text.len() {
        if let Some(range) = taken.iter().find(|range| range.contains(&at)) {
            at = range.end;
            continue;
        }
        if let Some((words, claim)) = counts::on_scale(scene, at) {
            at = words.end;
            taken.push(words);
            claims.push(claim);
            continue;
        }
        let calendar = Calendar { today: scene.heard.today, is_past: false, is_birth };
        if let Some(day) = calendar.at(&scene.text, at) {
            let words = at + day.skipped..at + day.skipped + day.words;
            dated(scene, &words, at, &mut claims);
            at = words.end;
            taken.push(words);
            continue;
        }
        let time = times::at(&scene.text, at).or_else(|| {
            let asked = scene.asked().is_some_and(|(_, profile)| profile.sense == Sense::Time);
            let alone = || times::lone(&scene.text, at).filter(|_| asked && counts::is_alone(scene, at));
            let bare = times::bare(&scene.text, at).filter(|_| has_times).or_else(alone);
            // "Between 3 and 5", "we are 6" tell no time by themselves.
            let several = numbers::spread(&scene.text, at).is_some() && !has_both;
            let people = scene
                .around(at)
                .any(|at| matches!(scene.text.plain(at), "we" | "us" | "wir" | "nous" | "somos"));
            bare.filter(|time| !counts::has_noun(scene, at, at + time.words) && !several)
                .filter(|_| !people || scene.is("at time", at.wrapping_sub(1)))
        });
        if let Some(time) = time {
            let words = at..at + time.words;
            timed(scene, &words, time, &mut claims);
            at = words.end;
            taken.push(words);
            continue;
        }
        if let Some(sum) = money::at(&scene.text, at) {
            let words = at..at + sum.words;
            money::claims(scene, &words, sum.value, &mut claims);
            at = words.end;
            taken.push(words);
            continue;
        }
        at += counts::claims(scene, at, &mut claims, &mut taken).max(1);
    }
    (claims, taken)
}

fn shaped(scene: &Scene<'_>, shape: Shape, words: &Range<usize>, raw: &str, claims: &mut Vec<Claim>) {
    let sense = match shape {
        Shape::Email => Sense::Email,
        Shape::Url => Sense::Url,
        Shape::Phone => Sense::Phone,
        Shape::Quoted => return,
    };
    for (profile, _) in scene.of_sense(&[sense]) {
        let score = 6 + scene.nearness(profile, words) + scene.standing(profile, words.start)
            - scene.unsaid(profile, words.start);
        claims.push(scene.claim(profile, words.clone(), json!(raw), score));
    }
    // A long number may be one that somebody issued.
    if shape == Shape::Phone {
        for (profile, of) in scene.of_sense(&[Sense::Code, Sense::Text]) {
            let near = scene.nearness(profile, words);
            if near >= 3 && of.is_text() {
                claims.push(scene.claim(profile, words.clone(), json!(raw), 4 + near));
            }
        }
    }
}

fn dated(scene: &Scene<'_>, words: &Range<usize>, from: usize, claims: &mut Vec<Claim>) {
    if !scene.states(words.start) {
        return;
    }
    let said = role_before(scene, from, words.end);
    let birth = |profile: &Profile<'_>| reads::calendar(scene, profile).is_birth;
    let around = scene.around(words.start);
    let says_birth = around.clone().any(|at| lexicon().list("birth").has(scene.text.plain(at)));
    for (index, profile) in scene.of_sense(&[Sense::Date]) {
        let mut score = 3 + scene.nearness(index, words) + scene.standing(index, words.start);
        score += fit(said, profile, 4);
        if birth(profile) != says_birth && !profile.is_asked {
            score -= 8;
        }
        let calendar = reads::calendar(scene, profile);
        let date = calendar.at(&scene.text, from).and_then(|day| day.date).filter(|_| profile.is_iso_date());
        let value = date.map_or_else(|| json!(scene.text.slice(words)), |date| json!(date.to_string()));
        if score >= 2 {
            claims.push(scene.claim(index, words.clone(), value, score));
        }
    }
}

fn timed(scene: &Scene<'_>, words: &Range<usize>, time: Time, claims: &mut Vec<Claim>) {
    if !scene.states(words.start) {
        return;
    }
    let said = role_before(scene, words.start, words.end);
    for (index, profile) in scene.of_sense(&[Sense::Time]) {
        let near = scene.nearness(index, words);
        let score = 3 + near + scene.standing(index, words.start) + fit(said, profile, 4)
            - scene.unsaid(index, words.start) / 2
            - i32::from(time.is_bare);
        if score >= 3 {
            claims.push(scene.claim(index, words.clone(), time_value(scene, profile, words, time), score));
        }
    }
}

/// A time as said, or in the form of clocks where the field wants it.
fn time_value(scene: &Scene<'_>, profile: &Profile<'_>, words: &Range<usize>, time: Time) -> Value {
    if profile.field.format.as_deref() == Some("time") || !profile.is_text() {
        return json!(times::clock_form(time.minutes));
    }
    let said = scene.text.slice(words);
    // Of "3 to 5 pm" both are in the afternoon.
    if time.is_bare && scene.list("to hour", words.end) > 0 {
        let later = words.end + scene.list("to hour", words.end);
        if let Some(end) = times::at(&scene.text, later) {
            let part = scene.text.slice(&(later + 1..later + end.words));
            return json!(format!("{said} {part}").trim());
        }
    }
    json!(said)
}

/// "Friday to Monday", "from Dec 24 to the 27th": an end that tells no year comes after its beginning.
pub(super) fn in_order(scene: &Scene<'_>, settled: &mut [Claim]) {
    let role = |claim: &Claim| {
        let profile = scene.profiles.get(claim.profile).filter(|profile| profile.is_iso_date())?;
        Some((profile.role, claim.value.as_str()?.parse::<NaiveDate>().ok()?))
    };
    let said = settled.iter().find_map(|claim| role(claim).filter(|(role, _)| *role == Role::Start));
    let known = || {
        let mut starts = scene.of_sense(&[Sense::Date]).filter(|(_, profile)| profile.role == Role::Start);
        let (_, profile) = starts.next().filter(|_| starts.next().is_none())?;
        pointer(&scene.heard, &profile.path)?.as_str()?.parse::<NaiveDate>().ok()
    };
    let Some(begin) = said.map(|(_, begin)| begin).or_else(known) else { return };
    for claim in settled.iter_mut() {
        let early = role(claim).is_some_and(|(role, end)| role == Role::End && end < begin);
        let has_year =
            claim.words.clone().any(|at| scene.text.is_digits(at) && scene.text.plain(at).len() == 4);
        let calendar = Calendar { today: begin, is_past: false, is_birth: false };
        let later = calendar.at(&scene.text, claim.words.start).and_then(|day| day.date);
        if let Some(later) = later.filter(|later| early && !has_year && *later >= begin) {
            claim.value = json!(later.to_string());
        }
    }
}

/// How well a role that was said fits a field: `weight` when it is the field's, much less when it is the other.
pub(super) fn fit(said: Role, profile: &Profile<'_>, weight: i32) -> i32 {
    match (said, profile.role) {
        (a, b) if a == b && a != Role::None => weight,
        (Role::None, Role::End) if !profile.is_asked => -3,
        (Role::None, _) | (_, Role::None) => 0,
        (_, _) if profile.is_asked && said == Role::None => 0,
        _ => -8,
    }
}

/// Whether the words before, or just after, make it a beginning or an end.
fn role_before(scene: &Scene<'_>, at: usize, end: usize) -> Role {
    let around = scene.around(at);
    let stays = scene.of_sense(&[Sense::Date]).any(|(_, profile)| {
        let arrives = |word: &String| {
            matches!(
                word.as_str(),
                "arrival" | "arriv" | "check" | "checkin" | "ankunft" | "anreis" | "arrivee" | "llegada"
            )
        };
        profile.role == Role::Start && profile.own.iter().chain(&profile.about).any(arrives)
    });
    let tell = |place: usize, limit: usize| {
        let (start, end) = (scene.list("start", place), scene.list("end", place));
        let fits = |words: usize| words > 0 && place + words <= limit;
        match () {
            () if fits(end) && end >= start => Some(Role::End),
            () if fits(start) => Some(Role::Start),
            () => None,
        }
    };
    // Who stays arrives first, and then leaves.
    let leaves = |place: usize| {
        let word = scene.text.plain(place);
        ["leav", "depart", "abreis", "abfahr", "salid", "sali", "repart"]
            .iter()
            .any(|root| word.starts_with(root))
    };
    let tell = |place: usize, limit: usize| match tell(place, limit) {
        Some(Role::Start) if stays && leaves(place) => Some(Role::End),
        other => other,
    };
    // Small words count only next to it.
    let strong = |place: usize| {
        let phrase = scene.list("start", place).max(scene.list("end", place)) > 1;
        let adjacent = place + 1 == at
            || place + 2 == at && matches!(scene.text.plain(place + 1), "the" | "den" | "le" | "el");
        phrase || adjacent || scene.text.plain(place).len() > 4
    };
    let before =
        (around.start..at).rev().take(9).filter(|place| strong(*place)).find_map(|place| tell(place, at));
    before
        .or_else(|| {
            (end..around.end)
                .take(5)
                .filter(|place| {
                    scene.text.plain(*place).len() > 4
                        || scene.list("start", *place) > 1
                        || scene.list("end", *place) > 1
                })
                .find_map(|place| tell(place, around.end))
                .filter(|_| {
                    // "the 4th to the 6th": what follows is the other's.
                    !matches!(
                        scene.text.plain(end),
                        "to" | "until" | "till" | "and" | "through" | "bis" | "a" | "au" | "hasta" | "from"
                    )
                })
        })
        .unwrap_or(Role::None)
}
