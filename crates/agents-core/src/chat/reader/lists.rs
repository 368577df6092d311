//! What a message says of lists: "add milk", "remove the second", "apples, pears and plums".

use std::ops::Range;

use forms_core::{Field, FieldType};
use serde_json::Value;

use super::acts::{Acted, named};
use super::bare::stripped;
use super::clauses::Mode;
use super::commands::{command, commands, statement, told_of};
use super::entries::entries;
use super::items::{has_item, items};
use super::offers::{offered, offering, row_changes};
use super::pairs;
use super::profile::{Profile, Sense, pointer};
use super::scene::{Claim, Scene};
use super::text::root;
use crate::chat::{Act, Change, Statement};

/// What the message does to lists, and whether that is all it says.
pub(super) fn statements(scene: &Scene<'_>, acts: &[Acted], settled: &[Claim]) -> (Vec<Statement>, bool) {
    let Some((index, list)) = meant(scene).or_else(|| offering(scene, settled)) else {
        return (Vec::new(), false);
    };
    let FieldType::Array(item) = &list.field.kind else { return (Vec::new(), false) };
    let mut found = Vec::new();
    let mut rest = false;
    for sentence in &scene.sentences {
        if sentence.mode == Mode::Question {
            continue;
        }
        let denied = acts.iter().any(|acted| {
            acted.said.act == Act::NotApplicable
                && acted.said.path.as_deref() == Some(list.path.as_str())
                && sentence.words.contains(&acted.words.start)
        });
        if denied {
            continue;
        }
        if pairs::are_in(scene, &sentence.words) || is_elsewhere(scene, index, list, &sentence.words) {
            rest = true;
            continue;
        }
        let is_all_acts = sentence.words.clone().all(|at| {
            scene.is("filler", at) || acts.iter().any(|acted| acted.is_whole && acted.words.contains(&at))
        });
        if is_all_acts
            || acts.iter().any(|acted| {
                acted.is_whole
                    && acted.words.start == sentence.words.start
                    && acted.said.act != Act::Yes
                    && acted.said.act != Act::No
                    && acted.said.act != Act::Courtesy
            })
        {
            continue;
        }
        let parts = commands(scene, &sentence.words);
        if let Some(changed) = row_changes(scene, list, item, &sentence.words) {
            found.extend(changed);
            continue;
        }
        if let [first, .., last] = parts.as_slice()
            && let (Some(one), Some(other)) =
                (command(scene, list, item, first), command(scene, list, item, last))
        {
            found.extend(one);
            found.extend(other);
            continue;
        }
        match command(scene, list, item, &sentence.words)
            .or_else(|| told_of(scene, list, item, &sentence.words))
        {
            Some(statements) => found.extend(statements),
            None if list.is_asked
                && sentence.mode == Mode::Statement
                && !refuses_more(scene, acts, &sentence.words)
                && !is_of_others(scene, item, settled, &sentence.words) =>
            {
                found.extend(bare(scene, index, list, item, sentence))
            }
            None => match offered(scene, list, item, settled, sentence) {
                Some(statement) => found.push(statement),
                None => rest = true,
            },
        }
    }
    // "Milk. Bread. Eggs": each sentence after the first goes on with the list.
    let mut given = false;
    for statement in found.iter_mut().filter(|statement| statement.path == list.path) {
        if statement.change == Change::Set && std::mem::replace(&mut given, true) {
            statement.change = Change::Add;
        }
    }
    let done = !found.is_empty() && !rest;
    (found, done)
}

/// "No, on site" where more was asked for: what follows the no is no further item.
fn refuses_more(scene: &Scene<'_>, acts: &[Acted], words: &Range<usize>) -> bool {
    let more = scene.heard.asked.is_some_and(|asked| asked.ends_with("/-"));
    more && acts.iter().any(|acted| {
        matches!(acted.said.act, Act::No | Act::Finish) && acted.is_whole && acted.words.start == words.start
    })
}

/// Whether a sentence speaks of other fields, and not of the list that was last spoken of.
fn is_elsewhere(scene: &Scene<'_>, index: usize, list: &Profile<'_>, words: &Range<usize>) -> bool {
    let names = |index: usize, places: &Vec<usize>| {
        let Some(other) = scene.profiles.get(index) else { return false };
        let is_row = other.path.starts_with(&list.path);
        let is_named = |at: usize| {
            other.name.iter().any(|word| root(word) == scene.text.root(at))
                && !["break", "weak"].iter().any(|list| scene.is(list, at))
        };
        !is_row && places.iter().any(|place| words.contains(place) && is_named(*place))
    };
    let named = scene.own.get(index).is_some_and(|places| places.iter().any(|place| words.contains(place)));
    !list.is_asked
        && !named
        && !has_item(scene, list, words)
        && scene.own.iter().enumerate().any(|(other, places)| other != index && names(other, places))
}

/// Whether what a sentence says was taken by other fields: by name, or all of it by its shape.
fn is_of_others(scene: &Scene<'_>, item: &Field, settled: &[Claim], words: &Range<usize>) -> bool {
    let of_item = |sense: Sense| match item.kind {
        FieldType::Date => sense == Sense::Date,
        FieldType::Email => sense == Sense::Email,
        FieldType::Url => sense == Sense::Url,
        FieldType::Object(_) => !matches!(sense, Sense::Email | Sense::Phone | Sense::Url),
        _ => false,
    };
    let first = words.clone().find(|at| scene.list("filler", *at) == 0).unwrap_or(words.start);
    let changes = scene.is("change", first)
        && words
            .clone()
            .any(|at| matches!(scene.text.plain(at), "to" | "into" | "auf" | "in" | "en" | "a" | "por"));
    changes
        || settled.iter().filter(|claim| words.contains(&claim.words.start)).any(|claim| {
            let Some(profile) = scene.profiles.get(claim.profile) else { return false };
            let shaped = matches!(
                profile.sense,
                Sense::Email | Sense::Phone | Sense::Url | Sense::Date | Sense::Time | Sense::Money
            );
            let all = stripped(scene, words).all(|at| claim.words.contains(&at) || scene.is("break", at));
            let is_said = scene.nearness(claim.profile, &claim.words) >= 3
                || profile.sense == Sense::Flag
                || scene.corrects(claim.words.start);
            !of_item(profile.sense) && (shaped && all || claim.is_meant && is_said)
        })
}

/// The list that the message can be about: asked for, named, changed last, or the only one.
fn meant<'s, 'a>(scene: &'s Scene<'a>) -> Option<(usize, &'s Profile<'a>)> {
    let lists: Vec<_> = scene.of_sense(&[Sense::List]).collect();
    let named =
        |(index, _): &&(usize, &Profile<'a>)| scene.own.get(*index).is_some_and(|places| !places.is_empty());
    let asked = lists.iter().find(|(_, profile)| profile.is_asked);
    let recent = lists
        .iter()
        .filter(|(_, profile)| !profile.is_open)
        .max_by_key(|(_, profile)| profile.recency.map_or(0, |n| 100 - n));
    let only = (lists.len() == 1).then(|| lists.first()).flatten();
    let best = lists.iter().find(named).filter(|_| asked.is_none()).or(asked).or(recent).or(only).copied()?;
    // "No hawaii" is of the list that has one.
    let all = 0..scene.text.len();
    let other = || lists.iter().find(|(_, list)| has_item(scene, list, &all)).copied();
    let commands = (0..scene.text.len()).any(|at| {
        ["remove", "change", "replace", "set"].iter().any(|name| scene.list(name, at) > 0)
            || scene.is("negation", at)
    });
    if commands && !has_item(scene, best.1, &all) { other().or(Some(best)) } else { Some(best) }
}

/// The entries of a sentence that answers the question for the list.
fn bare(
    scene: &Scene<'_>,
    index: usize,
    list: &Profile<'_>,
    item: &Field,
    sentence: &super::clauses::Sentence,
) -> Vec<Statement> {
    let words = stripped(scene, &sentence.words);
    let about_other = scene.own.iter().enumerate().any(|(other, places)| {
        other != index
            && places.iter().any(|place| {
                words.contains(place)
                    && matches!(scene.text.plain(place + 1), "is" | "to" | "ist" | "est" | "es")
            })
    });
    // "Not red", "all except red": what is left out is no item, and what is left in is not said.
    let first = scene.text.plain(sentence.words.start);
    let excepts = sentence.words.clone().any(|at| {
        let word = scene.text.plain(at);
        matches!(word, "except" | "ausser" | "sauf" | "salvo" | "excepto")
            || word == "but"
                && matches!(scene.text.plain(at.wrapping_sub(1)), "all" | "everything" | "anything")
    });
    let refused = matches!(first, "not" | "without" | "nicht" | "pas") || excepts;
    let values = if refused { Vec::new() } else { entries(scene, item, &words) };
    if values.is_empty() || about_other {
        return Vec::new();
    }
    let more = scene.heard.asked.is_some_and(|asked| asked.ends_with("/-")) || !items(scene, list).is_empty();
    vec![statement(list, if more { Change::Add } else { Change::Set }, values)]
}

/// "remove my phone number": a value that is taken back.
pub(super) fn cleared(scene: &Scene<'_>, settled: &[Claim]) -> Option<Statement> {
    let sentence =
        scene.sentences.iter().find(|sentence| matches!(sentence.mode, Mode::Statement | Mode::Request))?;
    let verb = sentence.words.clone().take(6).find(|at| {
        scene.list("remove", *at) > 0 && !matches!(scene.text.plain(*at), "without" | "no" | "drop" | "leave")
    })?;
    let before = (sentence.words.start..verb).all(|at| {
        ["lead", "filler", "request", "common", "pronoun", "break", "courtesy"]
            .iter()
            .any(|list| scene.is(list, at))
    });
    let path = named(scene, &(verb + 1..sentence.words.end))?;
    let filled = pointer(&scene.heard, &path).is_some();
    let claimed = settled.iter().any(|claim| sentence.words.contains(&claim.words.start));
    (before && filled && !claimed).then_some(Statement {
        path,
        change: Change::Remove,
        value: Value::Null,
        is_meant: true,
    })
}
