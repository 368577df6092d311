//! What a message does beside stating values: it agrees, refuses, does not know, wants to skip, to stop.

use std::ops::Range;

use super::clauses::Mode;
use super::cues;
use super::profile::{Profile, Sense};
use super::scene::{Claim, Scene};
use super::twins;
use crate::chat::{Act, Change, Said, Statement};

/// The lists of phrases, each with its act; of equally long phrases the first holds.
const LISTS: [(&str, Act); 15] = [
    ("yes", Act::Yes),
    ("no", Act::No),
    ("unknown", Act::Unknown),
    ("not applicable", Act::NotApplicable),
    ("later", Act::Later),
    ("skip", Act::Skip),
    ("explain", Act::Explain),
    ("repeat", Act::Repeat),
    ("back", Act::Back),
    ("review", Act::Review),
    ("finish", Act::Finish),
    ("cancel", Act::Cancel),
    ("restart", Act::Restart),
    ("any", Act::Skip),
    ("courtesy", Act::Courtesy),
];

/// An act with its words.
#[derive(Clone, Debug)]
pub(super) struct Acted {
    pub(super) said: Said,
    pub(super) words: Range<usize>,
    /// Whether its words are all of their clause.
    pub(super) is_whole: bool,
}

/// The acts of a message, in its order.
pub(super) fn acts(scene: &Scene<'_>) -> Vec<Acted> {
    let mut found = Vec::new();
    for sentence in &scene.sentences {
        if let Some(acts) = cover(scene, &sentence.words) {
            found.extend(acts);
            continue;
        }
        for clause in &sentence.clauses {
            match cover(scene, clause) {
                Some(acts) => found.extend(acts),
                None => found.extend(opening(scene, clause, sentence.mode)),
            }
        }
    }
    // "That's it" agrees after a yes, and ends nothing when more is said behind it.
    let last = scene.sentences.last().map_or(0, |sentence| sentence.words.start);
    let goes_on = |words: &Range<usize>| words.end <= last && !found_in(&found, last);
    // Of a list, "yes, that's it" is the end.
    let agrees = found.iter().any(|acted| acted.said.act == Act::Yes)
        && scene.asked().is_none_or(|(_, profile)| profile.sense != Sense::List);
    let ends: Vec<bool> = found
        .iter()
        .map(|acted| {
            acted.said.act == Act::Finish
                && (goes_on(&acted.words)
                    || agrees && scene.text.plain(acted.words.end.saturating_sub(1)) == "it")
        })
        .collect();
    let mut keep = ends.iter().map(|end| !end);
    found.retain(|_| keep.next().unwrap_or(true));
    found
}

/// Whether a message is nothing but acts that agree or end, so that it can confirm.
pub(super) fn is_plain(scene: &Scene<'_>, acts: &[Acted]) -> bool {
    let covered = scene.sentences.iter().all(|sentence| cover(scene, &sentence.words).is_some());
    let agrees = acts
        .iter()
        .all(|acted| matches!(acted.said.act, Act::Yes | Act::Finish | Act::Courtesy | Act::Cancel));
    let waits = scene.lexicon.list("wait").within(&scene.text, 0..scene.text.len()).is_some();
    covered && agrees && !waits && !scene.text.raw.contains(['?', '？'])
}

/// Whether a message wants the form to be sent.
pub(super) fn sends(scene: &Scene<'_>) -> bool {
    scene.lexicon.list("send").within(&scene.text, 0..scene.text.len()).is_some()
}

/// Whether an act stands at or behind a word.
fn found_in(found: &[Acted], at: usize) -> bool {
    found.iter().any(|acted| acted.words.start >= at)
}

/// The longest phrase at a place, and its act.
fn phrase(scene: &Scene<'_>, at: usize, limit: usize) -> Option<(usize, Act)> {
    let mut best: Option<(usize, Act)> = None;
    for (list, act) in LISTS {
        // "any" alone is a word like others.
        let length = scene.list(list, at);
        let fits =
            length > 0 && at + length <= limit && !(list == "any" && length < 2 && scene.text.len() > 2);
        if fits && best.is_none_or(|(longest, _)| length > longest) {
            best = Some((length, act));
        }
    }
    best
}

/// The acts that make up all of some words.
fn cover(scene: &Scene<'_>, words: &Range<usize>) -> Option<Vec<Acted>> {
    let mut found: Vec<Acted> = Vec::new();
    let mut at = words.start;
    while at < words.end {
        let filler = scene.list("filler", at);
        match phrase(scene, at, words.end) {
            Some((length, act)) if length >= filler => {
                found.push(acted(scene, act, at..at + length, true));
                at += length;
            }
            _ if filler > 0 && at + filler <= words.end => at += filler,
            _ => return None,
        }
    }
    // "sorry?" alone asks to say it again, "now" does nothing.
    if found.is_empty()
        && words.len() == 1
        && scene.text.plain(words.start) == "sorry"
        && scene.text.gap(words.start).contains('?')
    {
        found.push(acted(scene, Act::Repeat, words.clone(), true));
    }
    (!found.is_empty()).then_some(found)
}

/// The act that a clause begins with and goes on from: "I don't know my phone number".
fn opening(scene: &Scene<'_>, clause: &Range<usize>, mode: Mode) -> Option<Acted> {
    let mut at = clause.start;
    while at < clause.end && scene.list("filler", at) > 0 && phrase(scene, at, clause.end).is_none() {
        at += scene.list("filler", at);
    }
    if let Some(lead) = lacks(scene, at, clause) {
        return Some(lead);
    }
    if let Some(later) = put_off(scene, clause) {
        return Some(later);
    }
    let (length, act) = phrase(scene, at, clause.end)?;
    let rest = at + length..clause.end;
    let own = named(scene, &rest);
    let fits = match act {
        // "No, …", but not "no hawaii": that is a thing.
        Act::Yes | Act::No => {
            let asked_flag = scene.asked().is_some_and(|(_, profile)| profile.sense == Sense::Flag);
            let parted = rest.is_empty() || scene.text.gap(at) != " " || act == Act::Yes || asked_flag;
            let goes_on = ["pronoun", "common", "filler", "correction", "negation", "lead"]
                .iter()
                .any(|list| scene.list(list, rest.start) > 0);
            // "No wait, yes" takes back.
            let takes_back = act == Act::No && scene.list("correction", at) > length;
            !matches!(mode, Mode::Question) && length == 1 && (parted || goes_on) && !takes_back
        }
        Act::Unknown | Act::NotApplicable | Act::Later => {
            length >= 2
                && (own.is_some() || rest.len() <= 3 || rest.clone().any(|at| scene.is("interrogative", at)))
        }
        Act::Skip if scene.list("any", at) == length => {
            let about = matches!(
                scene.text.plain(rest.start),
                "about" | "for" | "with" | "to" | "on" | "which" | "what" | "is" | "works" | "uber" | "pour"
            );
            rest.is_empty() || about && rest.len() <= 4
        }
        Act::Skip => (own.is_some() || rest.len() <= 2) && act_word(scene, at, length),
        Act::Explain => {
            length >= 2 && rest.len() <= 4 || own.is_some() && length == 1 && scene.text.plain(at) == "why"
        }
        Act::Repeat | Act::Back | Act::Review => length >= 2 && rest.len() <= 4,
        // What loses something is said plainly: not "start over the heating", not "cancel the parking".
        Act::Restart | Act::Cancel => rest.is_empty(),
        Act::Finish => length >= 2 && rest.len() <= 6 && goes_on(scene.text.plain(rest.start)),
        Act::Courtesy => scene.text.plain(at).starts_with("thank"),
        Act::Change => false,
    };
    fits.then(|| {
        let mut acted = acted(scene, act, at..at + length, false);
        if let Some(path) = own.filter(|_| !matches!(act, Act::Yes | Act::No)) {
            acted.said.path = Some(path);
            acted.words = at..clause.end;
        }
        acted
    })
}

/// "that's all I need", "nothing else for today": what may follow an end.
fn goes_on(word: &str) -> bool {
    matches!(
        word,
        "for"
            | "i"
            | "thanks"
            | "thank"
            | "today"
            | "now"
            | "right"
            | "we"
            | "from"
            | "ill"
            | "fur"
            | "pour"
            | "por"
    )
}

/// "skip the phone number", and not "next Friday".
fn act_word(scene: &Scene<'_>, at: usize, length: usize) -> bool {
    length >= 2
        || matches!(
            scene.text.plain(at),
            "skip" | "uberspringen" | "passer" | "saltar" | "omitir" | "uberspringe"
        )
}

/// "I don't have a phone", "I have no middle name", "there is no car": what the field is about does not apply.
fn lacks(scene: &Scene<'_>, at: usize, clause: &Range<usize>) -> Option<Acted> {
    let length = scene.list("lacks", at);
    let rest = at + length..clause.end;
    let path = named(scene, &rest).filter(|_| length > 0 && rest.len() <= 5)?;
    let is_flag = scene.profiles.iter().any(|profile| profile.path == path && profile.flag.is_some());
    let mut acted = acted(scene, Act::NotApplicable, at..clause.end, false);
    acted.said.path = Some(path);
    (!is_flag).then_some(acted)
}

/// "I'll give you my e-mail later": a field is named, and the clause ends with the word.
fn put_off(scene: &Scene<'_>, clause: &Range<usize>) -> Option<Acted> {
    let last = clause.end.checked_sub(1).filter(|last| *last > clause.start)?;
    let length = (1..=3).rev().find(|length| {
        let at = (last + 1).saturating_sub(*length);
        at > clause.start && scene.list("put off", at) == *length
    })?;
    let path = named(scene, &(clause.start..last + 1 - length))?;
    let mut acted = acted(scene, Act::Later, clause.clone(), false);
    acted.said.path = Some(path);
    Some(acted)
}

fn acted(scene: &Scene<'_>, act: Act, words: Range<usize>, is_whole: bool) -> Acted {
    let path = scene.heard.asked.map(str::to_owned);
    Acted { said: Said { act, path }, words, is_whole }
}

/// The field that some words name best.
pub(super) fn named(scene: &Scene<'_>, words: &Range<usize>) -> Option<String> {
    let score = |index: usize| -> i32 {
        let places = scene.own.get(index).map(Vec::as_slice).unwrap_or_default();
        let hits = places.iter().filter(|place| words.contains(place)).count();
        let exact = scene.profiles.get(index).map_or(0, |profile| {
            words
                .clone()
                .filter(|at| {
                    profile.name.iter().any(|name| name == scene.text.plain(*at)) && !scene.is("break", *at)
                })
                .count()
        });
        let own = scene.profiles.get(index).map_or(0, |profile| profile.own.len());
        let senses =
            scene.profiles.get(index).map_or(0, |profile| i32::from(sense_word(scene, profile, words)));
        let about = scene.profiles.get(index).map_or(0, |profile| {
            let speaks = |at: &usize| {
                let root = scene.text.root(*at);
                let is_outer = profile.outer.iter().any(|word| word == root);
                profile.about.iter().any(|word| word == root) && !is_outer && !scene.is("break", *at)
            };
            words.clone().filter(speaks).count()
        });
        let count = |n: usize| i32::try_from(n.min(9)).unwrap_or(9);
        let favour = twins::favour(scene, index, words);
        if hits + exact + about == 0 && senses == 0 || favour < 0 {
            0
        } else {
            4 * count(hits) + 3 * count(exact) + 2 * senses + 2 * count(about) + favour + 1 - count(own)
        }
    };
    let best = (0..scene.profiles.len()).map(|index| (score(index), std::cmp::Reverse(index))).max()?;
    (best.0 > 0).then(|| scene.profiles.get(best.1.0).map(|profile| profile.path.clone()))?
}

/// Whether some words name a kind of field: "the date", "my e-mail".
fn sense_word(scene: &Scene<'_>, profile: &Profile<'_>, words: &Range<usize>) -> bool {
    let name = |at: usize| matches!(scene.text.plain(at), "name" | "names" | "namen" | "nom" | "nombre");
    if cues::is_self(scene, profile) && words.clone().any(name) {
        return true;
    }
    let key = match profile.sense {
        Sense::Date => "date",
        Sense::Time => "time",
        Sense::Email => "email",
        Sense::Phone => "phone",
        Sense::Money => "money",
        Sense::Address => "address",
        _ => return false,
    };
    words
        .clone()
        .filter(|at| !profile.outer.iter().any(|word| word == scene.text.root(*at)))
        .any(|at| scene.lexicon.list("sense").key(&scene.text, at).is_some_and(|(_, name)| name == key))
}

/// "The e-mail is wrong": a field with a value that is to be asked for again.
pub(super) fn wrong(scene: &Scene<'_>) -> Option<Acted> {
    scene.sentences.iter().find_map(|sentence| {
        let words = &sentence.words;
        let at = words.clone().find(|at| scene.is("wrong", *at))?;
        let path = named(scene, &(words.start..at))?;
        let filled = super::profile::pointer(&scene.heard, &path).is_some();
        let ends = words.end <= at + 2;
        (filled && ends).then(|| Acted {
            said: Said { act: Act::Change, path: Some(path) },
            words: words.clone(),
            is_whole: true,
        })
    })
}

/// "Change my e-mail to nowhere": what is to stand there, though it is no value of its kind.
pub(super) fn new_value(scene: &Scene<'_>, change: &Acted) -> Option<Statement> {
    let path = change.said.path.clone()?;
    let verb = change.words.clone().find(|at| scene.is("change", *at))?;
    let to = (verb + 2..change.words.end)
        .find(|at| matches!(scene.text.plain(*at), "to" | "into" | "auf" | "zu" | "en" | "a" | "por"))?;
    let said = scene.text.slice(&(to + 1..change.words.end)).trim();
    let value = serde_json::Value::from(said);
    (!said.is_empty()).then_some(Statement { path, change: Change::Set, value, is_meant: true })
}

/// "I want to change the date", without what to: a field that is named after a verb of change and got no value.
pub(super) fn changes(scene: &Scene<'_>, settled: &[Claim]) -> Option<Acted> {
    scene.sentences.iter().find_map(|sentence| {
        let words = &sentence.words;
        let verb = words.clone().take(8).find(|at| scene.is("change", *at))?;
        let before = words.start..verb;
        // "Ich möchte den Namen ändern": the verb stands at the end.
        let is_final = verb > words.start
            && (scene.list("lead", words.start) > 0 || scene.is("pronoun", words.start))
            && (verb + 1..words.end).all(|at| scene.is("filler", at));
        let wants = is_final
            || before.clone().all(|at| {
                [
                    "lead",
                    "filler",
                    "request",
                    "common",
                    "pronoun",
                    "yes",
                    "no",
                    "correction",
                    "auxiliary",
                    "break",
                    "courtesy",
                ]
                .iter()
                .any(|list| scene.is(list, at))
            });
        let claimed = settled.iter().any(|claim| words.contains(&claim.words.start));
        if !wants || claimed {
            return None;
        }
        let rest = if is_final { before } else { verb + 1..words.end };
        let path = named(scene, &rest);
        let vague = rest.clone().any(|at| {
            matches!(
                scene.text.plain(at),
                "something" | "anything" | "answer" | "it" | "that" | "etwas" | "algo" | "chose" | "this"
            )
        });
        (path.is_some() || vague).then(|| Acted {
            said: Said { act: Act::Change, path },
            words: words.clone(),
            is_whole: true,
        })
    })
}
