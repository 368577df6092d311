//! What is no value and no answer after all: guesses that are taken back, a no before another tale, what is to go.

use super::acts::Acted;
use super::profile::Sense;
use super::scene::{Claim, Scene};
use crate::chat::{Act, Phase};

/// "No, we have none" says one thing, and the no before a tale of another matter leaves nothing open.
pub(super) fn drop_idle_no(scene: &Scene<'_>, acts: &mut Vec<Acted>) {
    let is_flag_or_list =
        scene.asked().is_none_or(|(_, profile)| matches!(profile.sense, Sense::Flag | Sense::List));
    if is_flag_or_list || scene.heard.phase != Phase::Filling {
        return;
    }
    let denied = acts.iter().any(|acted| acted.said.act == Act::NotApplicable && acted.is_whole);
    let idle = |at: &usize| !acts.iter().any(|acted| acted.words.contains(at)) && !scene.is("filler", *at);
    let tells = (0..scene.text.len()).filter(idle).count() > 2;
    if denied || tells {
        acts.retain(|acted| acted.said.act != Act::No);
    }
}

/// "Yes" and "no" to "did you mean no?" are about the value that is there, and none of their own.
pub(super) fn drop_answer_to_confirmation(scene: &Scene<'_>, acts: &[Acted], settled: &mut Vec<Claim>) {
    if !scene.heard.is_confirmation {
        return;
    }
    let answers = |claim: &Claim| {
        let is_asked = scene.profiles.get(claim.profile).is_some_and(|profile| profile.is_asked);
        let mut answers = acts.iter().filter(|acted| matches!(acted.said.act, Act::Yes | Act::No));
        is_asked && answers.any(|acted| claim.words.clone().all(|at| acted.words.contains(&at)))
    };
    settled.retain(|claim| !answers(claim));
}

/// "We might be 6, not sure yet": a guess that is taken back at once is no value, and says nothing of what was asked.
pub(super) fn unsure(scene: &Scene<'_>, acts: &mut Vec<Acted>, settled: &mut Vec<Claim>) {
    acts.retain(|acted| {
        let sentence = scene.around(acted.words.start);
        let before = sentence.start..acted.words.start;
        let hedged = scene.lexicon.list("hedge").within(&scene.text, before.clone()).is_some();
        let guessed = |claim: &Claim| before.contains(&claim.words.start);
        if acted.said.act != Act::Unknown || !hedged || !settled.iter().any(guessed) {
            return true;
        }
        settled.retain(|claim| !guessed(claim));
        false
    });
}

/// "Remove Spain" gives no value to anything but a yes or no.
pub(super) fn is_taken_out(scene: &Scene<'_>, claim: &Claim) -> bool {
    let is_flag = scene.profiles.get(claim.profile).is_some_and(|profile| profile.sense == Sense::Flag);
    let around = scene.around(claim.words.start);
    let first = around.clone().find(|at| {
        !["filler", "request", "lead", "pronoun", "courtesy", "correction"]
            .iter()
            .any(|list| scene.is(list, *at))
    });
    let removes = first.is_some_and(|at| {
        scene.list("remove", at) > 0
            && !matches!(scene.text.plain(at), "without" | "no" | "drop" | "ohne" | "sans" | "sin" | "clear")
    });
    removes && !is_flag
}
