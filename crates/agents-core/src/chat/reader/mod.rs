//! The built-in reader of messages: rules and lists of words, no model. It only understands; what its reading does to
//! the form is decided, and every value checked, by the state machine.

mod acts;
mod bare;
mod choices;
mod classes;
mod clauses;
mod commands;
mod contrast;
mod corrections;
mod counts;
mod cues;
mod dates;
mod doubts;
mod entries;
mod flags;
mod items;
mod labels;
mod lexicon;
mod lists;
mod money;
mod names;
mod numbers;
mod offers;
mod pairs;
mod places;
mod profile;
mod reads;
mod rows;
mod scene;
mod sense;
mod settle;
mod shapes;
mod sizes;
#[cfg(test)]
mod tests;
mod text;
mod times;
mod twins;
mod typed;
mod written;

use std::ops::Range;

use acts::Acted;
use clauses::Mode;
use profile::Sense;
use scene::{Claim, Scene};

use super::{Act, Heard, Phase, Reading, Said, Statement};

/// What a message says of the form: the values it states, what else it does, and what it asks. Only the beginning of a
/// very long message is read; as the answer to a question for text it is taken whole, up to a bound.
#[must_use]
pub fn read(heard: &Heard<'_>) -> Reading {
    let scene = Scene::of(heard);
    if scene.lexicon.list("retracted").within(&scene.text, 0..scene.text.len()).is_some() {
        // "Just kidding": nothing of it holds.
        return Reading { acts: vec![Said { act: Act::Repeat, path: None }], ..Reading::default() };
    }
    let mut acts = acts::acts(&scene);
    if heard.phase != Phase::Filling && !acts::is_plain(&scene, &acts) {
        // "Yes, but …" and "done?" confirm nothing.
        acts.retain(|acted| !matches!(acted.said.act, Act::Yes | Act::Finish));
    }
    if heard.phase == Phase::Cancelling {
        acts.retain(|acted| matches!(acted.said.act, Act::Yes | Act::No | Act::Cancel));
        if acts::sends(&scene) {
            // Who wants it sent does not want to stop.
            acts.retain(|acted| acted.said.act == Act::No);
        }
        return Reading { acts: said(acts), ..Reading::default() };
    }
    doubts::drop_idle_no(&scene, &mut acts);
    let mut settled = values(&scene, &acts);
    doubts::drop_answer_to_confirmation(&scene, &acts, &mut settled);
    doubts::unsure(&scene, &mut acts, &mut settled);
    let (mut statements, done) = lists::statements(&scene, &acts, &settled);
    let settled = if done { Vec::new() } else { settled };
    let changes = acts::changes(&scene, &settled).filter(|_| statements.is_empty());
    let cleared = lists::cleared(&scene, &settled).filter(|_| statements.is_empty());
    any_is_choice(&scene, &mut acts, &mut statements);
    if !heard.is_confirmation {
        if settled.is_empty() {
            none_is_zero(&scene, &mut acts, &mut statements);
        }
        answer_flag(&scene, &mut acts, &settled, &mut statements);
    }
    let question = question(&scene, &settled, &acts);
    statements.extend(settled.into_iter().filter_map(|claim| statement(&scene, claim)));
    statements.extend(cleared);
    let changes = changes.or_else(|| acts::wrong(&scene)).filter(|_| statements.is_empty());
    if let Some(change) = changes {
        match acts::new_value(&scene, &change) {
            Some(statement) => statements.push(statement),
            None => acts.push(change),
        }
    }
    Reading { statements, acts: said(acts), question, ..Reading::default() }
}

fn said(acts: Vec<Acted>) -> Vec<Said> {
    let mut said: Vec<Said> = Vec::new();
    for acted in acts {
        if !said.contains(&acted.said) {
            said.push(acted.said);
        }
    }
    said
}

/// The values of the fields that stand alone.
fn values(scene: &Scene<'_>, acts: &[Acted]) -> Vec<Claim> {
    let (mut claims, taken) = typed::claims(scene);
    let places = choices::places(scene);
    choices::claims(scene, &places, &mut claims);
    flags::claims(scene, &mut claims);
    classes::claims(scene, &mut claims);
    places::claims(scene, &taken, &mut claims);
    cues::claims(scene, &taken, &mut claims);
    labels::claims(scene, &mut claims);
    corrections::claims(scene, &mut claims);
    written::claims(scene, &mut claims);
    written::town_claims(scene, &mut claims);
    claims.retain(|claim| !doubts::is_taken_out(scene, claim));
    let contrasts = contrast::contrasts(scene);
    claims.retain(|claim| {
        let is_flag = scene.profiles.get(claim.profile).is_some_and(|profile| profile.sense == Sense::Flag);
        is_flag || !contrasts.iter().any(|contrast| contrast.refused.contains(&claim.words.start))
    });
    claims.extend(contrasts.into_iter().filter_map(|contrast| contrast.claim));
    pairs::claims(scene, &mut claims);
    claims.truncate(settle::MAX_CLAIMS);
    // Of fields that are named alike the one is meant whose own words are said.
    claims.retain_mut(|claim| {
        let favour = twins::favour(scene, claim.profile, &claim.words);
        claim.score += favour;
        favour >= 0 || claim.score > 0
    });
    let acted: Vec<Range<usize>> = acts.iter().map(|acted| acted.words.clone()).collect();
    // What says that there is no value says none.
    claims.retain(|claim| {
        !acts.iter().any(|acted| {
            // "That's all I need for today": the end of a talk, not a day.
            let ended = acted.said.act == Act::Finish
                && scene.around(acted.words.start).contains(&claim.words.start)
                && acted.words.end <= claim.words.start;
            if ended {
                return true;
            }
            let talk = matches!(
                acted.said.act,
                Act::Courtesy
                    | Act::Repeat
                    | Act::Explain
                    | Act::Back
                    | Act::Review
                    | Act::Cancel
                    | Act::Restart
            );
            if acted.is_whole
                && talk
                && acted.words.start <= claim.words.start
                && claim.words.end <= acted.words.end
            {
                return true;
            }
            let denies = matches!(acted.said.act, Act::Unknown | Act::NotApplicable | Act::Later | Act::Skip);
            denies
                && acted.words.start <= claim.words.start
                && claim.words.end <= acted.words.end
                && claim.score < 8
        })
    });
    claims.retain(|claim| claim.value != "");
    let conditional: Vec<Claim> =
        claims.iter().filter(|claim| has_condition(scene, claim)).cloned().collect();
    if scene.asked().is_some_and(|(_, profile)| profile.sense == Sense::Text) {
        // A remark in the words of the user does not put another answer right, unless it says so.
        claims.retain(|claim| {
            let is_new = scene.profiles.get(claim.profile).is_none_or(|profile| profile.is_open);
            is_new || scene.corrects(claim.words.start)
        });
    }
    let mut settled = settle::settle(claims);
    typed::in_order(scene, &mut settled);
    settle_conditional(scene, conditional, &mut settled);
    if let Some(claim) = bare::claim(scene, &settled, &acted) {
        if scene.asked().is_some_and(|(_, profile)| profile.sense == Sense::Text) {
            // What was asked for in the user's own words may look like anything.
            settled.retain(|other| bare::is_firm(scene, other));
        }
        settled.extend(cues::split_name(scene, claim, &settled));
        settled.sort_by_key(|claim| claim.words.start);
    }
    labels::whole_marks(scene, &mut settled);
    settled
}

fn has_condition(scene: &Scene<'_>, claim: &Claim) -> bool {
    scene.profiles.get(claim.profile).is_some_and(|profile| !profile.field.when.is_empty())
}

/// "I have a cat" says that there is a pet, and its kind: words may belong to a field and to the one that its condition
/// names.
fn settle_conditional(scene: &Scene<'_>, mut claims: Vec<Claim>, settled: &mut Vec<Claim>) {
    claims.sort_by_key(|claim| (-claim.score, claim.profile, claim.words.start));
    for claim in claims {
        let Some(profile) = scene.profiles.get(claim.profile) else { continue };
        let names = |other: &Claim| {
            let name = scene.profiles.get(other.profile).map(|other| other.field.name.as_str());
            profile.field.when.iter().any(|condition| Some(condition.field.as_str()) == name)
        };
        let others: Vec<Claim> = settled.iter().filter(|other| !names(other)).cloned().collect();
        let is_new = settled.iter().all(|other| other.profile != claim.profile);
        if is_new && settle::is_free(&others, &claim.words) {
            settled.push(claim);
        }
    }
    settled.sort_by_key(|claim| claim.words.start);
}

/// "Yes" and "no" are the value where a yes or no was asked for, and an end is where another item was.
fn answer_flag(scene: &Scene<'_>, acts: &mut Vec<Acted>, settled: &[Claim], statements: &mut Vec<Statement>) {
    let Some((index, profile)) = scene.asked().filter(|_| scene.heard.phase == Phase::Filling) else {
        return;
    };
    let first = acts.iter().position(|acted| matches!(acted.said.act, Act::Yes | Act::No));
    let Some(first) = first else { return };
    let agrees = acts.get(first).is_some_and(|acted| acted.said.act == Act::Yes);
    if profile.sense == Sense::List && agrees && acts.iter().any(|acted| acted.said.act == Act::Finish) {
        // "Yes, that's everything" adds nothing.
        acts.remove(first);
        return;
    }
    if profile.sense == Sense::List && !agrees && settled.is_empty() && statements.is_empty() {
        if let Some(acted) = acts.get_mut(first) {
            acted.said.act = Act::Finish;
        }
        return;
    }
    // "No, the end was at 7": the no is about the value before.
    let is_open = |claim: &Claim| scene.profiles.get(claim.profile).is_none_or(|profile| profile.is_open);
    if profile.sense == Sense::Flag && !agrees && settled.iter().any(|claim| !is_open(claim)) {
        acts.remove(first);
        return;
    }
    let is_done = acts.iter().any(|acted| matches!(acted.said.act, Act::Finish | Act::Cancel));
    // "Yes, that works" takes up an offer, and does not say that there shall be breakfast.
    let words = acts.get(first).map_or(0..0, |acted| acted.words.clone());
    let offers = scene.lexicon.list("taken up");
    let takes_up = agrees
        && (offers.within(&scene.text, 0..scene.text.len()).is_some()
            || words.len() > 1 && !scene.is("yes", words.start));
    // "No, that's all, thanks for your help" ends a talk rather than refuse what was asked.
    let closes = !agrees && scene.lexicon.list("closing").within(&scene.text, 0..scene.text.len()).is_some();
    let uncovered = (0..scene.text.len())
        .filter(|at| !acts.iter().any(|acted| acted.words.contains(at)))
        .filter(|at| {
            !["filler", "pronoun", "negation", "flag words", "common"].iter().any(|list| scene.is(list, *at))
        })
        .filter(|at| !scene.own.get(index).is_some_and(|own| own.contains(at)))
        .count();
    if takes_up
        || closes
        || uncovered > 3
        || profile.sense != Sense::Flag
        || is_done
        || settled.iter().any(|claim| claim.profile == index)
    {
        return;
    }
    if let Some(value) = flags::answer(profile, agrees) {
        statements.push(Statement {
            path: profile.path.clone(),
            change: super::Change::Set,
            value,
            is_meant: true,
        });
        acts.remove(first);
    }
}

/// "It doesn't matter" is a choice where the choices have such a one.
fn any_is_choice(scene: &Scene<'_>, acts: &mut Vec<Acted>, statements: &mut Vec<Statement>) {
    let Some((_, profile)) = scene.asked().filter(|(_, profile)| profile.sense == Sense::Choice) else {
        return;
    };
    let same = [
        "dontcare",
        "any",
        "nopreference",
        "either",
        "egal",
        "doesntmatter",
        "donotcare",
        "indifferent",
        "cualquiera",
    ];
    let option = profile.field.options.iter().find(|option| same.contains(&text::plain(option).as_str()));
    let says = |acted: &Acted| acted.said.act == Act::Skip && scene.list("any", acted.words.start) > 0;
    if let Some(option) = option.filter(|_| acts.iter().any(says)) {
        acts.retain(|acted| !says(acted));
        let value = choices::option_value(profile, option);
        statements.push(Statement {
            path: profile.path.clone(),
            change: super::Change::Set,
            value,
            is_meant: true,
        });
    }
}

/// "None" and "no" are no of something where a number of things was asked for.
fn none_is_zero(scene: &Scene<'_>, acts: &mut Vec<Acted>, statements: &mut Vec<Statement>) {
    let Some((_, profile)) = scene.asked().filter(|(_, profile)| profile.sense == Sense::Count) else {
        return;
    };
    let is_none = |acted: &Acted| {
        let none = matches!(
            scene.text.plain(acted.words.start),
            "none" | "keine" | "keiner" | "aucun" | "aucune" | "ninguno" | "ninguna"
        );
        acted.words.len() == 1 && (none || acted.said.act == Act::No)
    };
    let zero = counts::value(scene, profile, 0.0, &(0..0));
    let fits = profile.field.options.is_empty() || profile.field.options.contains(&"0".to_owned());
    let ends = acts.iter().any(|acted| acted.said.act == Act::Finish)
        || profile.field.minimum.is_some_and(|least| least > 0.0);
    if scene.text.len() <= 3 && fits && !ends && acts.iter().any(is_none) {
        acts.retain(|acted| !is_none(acted));
        statements.push(Statement {
            path: profile.path.clone(),
            change: super::Change::Set,
            value: zero,
            is_meant: true,
        });
    }
}

fn statement(scene: &Scene<'_>, claim: Claim) -> Option<Statement> {
    let profile = scene.profiles.get(claim.profile)?;
    Some(Statement {
        path: profile.path.clone(),
        change: claim.change,
        value: claim.value,
        is_meant: claim.is_meant,
    })
}

/// The sentences that ask and state nothing.
fn question(scene: &Scene<'_>, settled: &[Claim], acts: &[Acted]) -> Option<String> {
    let mut asked: Vec<&str> = Vec::new();
    for sentence in &scene.sentences {
        let stated = settled.iter().any(|claim| sentence.words.contains(&claim.words.start));
        let acted = acts.iter().any(|acted| {
            acted.words.start >= sentence.words.start
                && acted.words.end <= sentence.words.end
                && !matches!(acted.said.act, Act::Courtesy | Act::Yes | Act::No)
        });
        let asks = match sentence.mode {
            Mode::Question => true,
            Mode::Existence => !stated,
            Mode::Request | Mode::Statement => false,
        };
        if asks && !acted && (!stated || sentence.mode == Mode::Question) {
            let end = scene.text.gap(sentence.words.end - 1).starts_with('?');
            let raw = scene.text.slice(&sentence.words);
            let with_mark = scene.text.words.get(sentence.words.end - 1).and_then(|last| {
                let first = scene.text.words.get(sentence.words.start)?;
                scene.text.raw.get(first.start..last.end + usize::from(end))
            });
            asked.push(with_mark.unwrap_or(raw));
        }
    }
    (!asked.is_empty()).then(|| asked.join(" "))
}
