//! Fields for a word of a class: genres, cuisines, sports, colours. Known members are found anywhere, others before the
//! noun of the field: "a Basque restaurant".

use serde_json::json;

use super::clauses::Mode;
use super::profile::{Profile, Sense};
use super::scene::{Claim, Scene};

/// Members of a class that are compared.
const MAX_FOUND: usize = 20;

pub(super) fn claims(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    let class = scene.lexicon.list("class");
    let nouns = scene.lexicon.list("class noun");
    for (index, profile) in scene.of_sense(&[Sense::Class, Sense::Title, Sense::Text]) {
        let is_class = profile.sense == Sense::Class || profile.name.iter().any(|word| nouns.has(word));
        let fitting: Vec<bool> =
            class.keys().iter().map(|keys| is_class && profile.speaks_of(keys)).collect();
        if !fitting.contains(&true) {
            continue;
        }
        let mut found = Vec::new();
        let mut at = 0;
        while at < scene.text.len() {
            let longest = class
                .all(&scene.text, at)
                .filter(|(_, line)| fitting.get(*line) == Some(&true))
                .map(|(words, _)| words)
                .max();
            let Some(words) = longest else {
                at += 1;
                continue;
            };
            if is_meant_so(scene, index, profile, at, words) {
                found.push(claim(scene, index, at..at + words));
            }
            at += words;
        }
        claims.extend(found.iter().filter(|claim| !is_listed(scene, &found, claim)).cloned());
    }
}

/// "France, Spain and the UK": one of three and more is not the value of a field for one.
fn is_listed(scene: &Scene<'_>, found: &[Claim], claim: &Claim) -> bool {
    if found.len() <= 2 {
        return false;
    }
    let around = scene.around(claim.words.start);
    found.iter().take(MAX_FOUND).filter(|other| around.contains(&other.words.start)).count() > 2
}

fn claim(scene: &Scene<'_>, index: usize, words: std::ops::Range<usize>) -> Claim {
    let score =
        6 + scene.nearness(index, &words) + scene.standing(index, words.start) + i32::from(words.len() > 1);
    scene.claim(index, words.clone(), json!(scene.text.slice(&words)), score)
}

/// Whether the member of a class is said of the field: not in a question, not refused, no part of a longer name.
fn is_meant_so(scene: &Scene<'_>, index: usize, profile: &Profile<'_>, at: usize, words: usize) -> bool {
    let everyday = scene.is("common", at)
        || scene.is("weak", at)
        || matches!(
            scene.text.plain(at),
            "history" | "house" | "family" | "dance" | "coffee" | "war" | "crime" | "love"
        );
    let noun = (at + words..at + words + 2).any(|next| {
        profile.has_word(scene.text.root(next))
            || matches!(
                scene.text.plain(next),
                "movie"
                    | "movies"
                    | "film"
                    | "films"
                    | "song"
                    | "songs"
                    | "music"
                    | "food"
                    | "restaurant"
                    | "restaurants"
                    | "place"
                    | "places"
                    | "cuisine"
                    | "kind"
                    | "one"
                    | "style"
                    | "flick"
                    | "game"
                    | "games"
                    | "event"
                    | "events"
                    | "genre"
            )
    });
    let refused = scene.is("negation", at.wrapping_sub(1));
    let in_name = at > 0
        && scene.text.is_capital(at - 1)
        && scene.text.is_capital(at)
        && at - 1 > scene.around(at).start
        || scene.text.is_capital(at + words)
            && scene.text.gap(at + words - 1) == " "
            && scene.text.is_capital(at);
    let asks_only = scene.sentence(at).is_some_and(|sentence| sentence.mode == Mode::Existence) && !noun;
    scene.states(at)
        && !asks_only
        && !refused
        && !in_name
        && (!everyday || noun || scene.nearness(index, &(at..at + words)) >= 3 || profile.is_asked)
}
