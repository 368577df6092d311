//! Phrases that introduce a list: "with", "that asks for", "where couples enter", "collect".
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::lexicon::OBJECTS;
use super::list::is_collection;
use super::title::FORMS;
use super::words::{Phrases, Word, has_any, longest_at, longest_at_end};

/// Phrases that introduce the list anywhere in the first entry.
pub(super) static STRONG_CUES: Phrases = Phrases::new(
    "to tell me, to tell us, to give us, to enter, to provide, to submit, to fill in, to give, \
    with the following fields, with the fields, with fields for, with fields, with the following, \
    with, containing, contains, which contains, that contains, should contain, must contain, \
    including, includes, should include, must include, to include, include, consisting of, \
    consists of, comprising, that asks for, asking for, asks for, which asks for, that has, \
    which has, should have, must have, needs to have, having, that collects, which collects, \
    collecting, collects, to collect, that captures, capturing, captures, to capture, that records, \
    recording, to record, records, gathering, to gather, gathers, covering, listing, requesting, \
    tracking, to track, that tracks, tracks, the following fields, following fields, fields such as, \
    that lets people enter, made up of, needs, ask for, where people enter, where users enter, \
    i want to collect, storing, to store, stating, featuring, has the fields, has fields for, \
    capable of storing, documenting, noting, so i can collect, where the user enters, \
    where customers enter, that stores, has, asking, asks, mit den feldern, mit folgenden feldern, \
    mit, bestehend aus, enthalt, mit angaben zu, das folgende felder hat, erfasst, soll enthalten, \
    die felder, folgende felder, abfragt, fragt nach, fur die erfassung von, \
    avec les champs suivants, avec les champs, avec, contenant, comprenant, qui demande, \
    qui contient, incluant, comportant, demandant, les champs suivants, con los campos siguientes, \
    con los siguientes campos, con los campos, con, que contenga, que incluya, que pida, incluyendo, \
    que recoja, los siguientes campos, que solicite, compuesto por",
);
/// Verbs that introduce the list at the start of a sentence.
static VERBS: Phrases = Phrases::new(
    "collect, capture, record, gather, ask for, include, request, track, store, extract, get, add, \
    list, register, log, note, save, need, needs, want, enter, provide, ask, require, gives, enters, \
    provides, states, fills in, submits, give, tell us, know, have, ask about, document, erfasse, \
    erfassen, abfragen, brauche, brauchen, demander, recueillir, recopilar, pedir, preguntar, \
    recoger, benotigen, put down, report, includes, contains, also, contain, find out, specify, \
    write down",
);
/// Words that may precede such a verb.
static BEFORE_VERBS: Phrases = Phrases::new(
    "please, i, we, you, it, to, want, need, would, like, should, must, the, form, also, then, and, \
    finally, create, make, build, let, users, people, customers, they, lets, employee, will, has, \
    furthermore, additionally, next, bitte, wir, ich, mochten, nous, il, faut, user, customer, each, \
    a, visitor, applicant, employees, guest, patient, guests, us, client, additional, fields, can, \
    able, be, just, simply, my, our, there, that, shall, volunteer, staff, i'd, we'd, every, want to, \
    let's",
);
/// Words that may follow such a verb before the list.
pub(super) static AFTER_VERBS: Phrases = Phrases::new(
    "the following fields, the following information, the following, following, fields for, fields, \
    these fields, these, for, about, their, information about, at least, down, the following details, \
    the following data, the fields, for the following, in, for each visitor, a form with, people for, \
    data on, details on, details such as, the usual details, data such as, for each entry, \
    information such as, things like",
);

/// Whether words such as "Please include" or "Fields needed" only introduce a list.
pub(super) fn is_cue(found: &[Word]) -> bool {
    let leading = ["please", "needed", "following", "required", "bitte", "veuillez", "necessary"];
    longest_at_end(found, &VERBS) > 0 || longest_at_end(found, &STRONG_CUES) > 0 || has_any(found, &leading)
}

/// Index after a phrase such as "where couples enter".
pub(super) fn after_enter_verb(found: &[Word]) -> Option<usize> {
    const ENTER: &[&str] = &[
        "enter",
        "give",
        "provide",
        "state",
        "submit",
        "specify",
        "fill in",
        "can enter",
        "leave",
        "tell us",
        "write",
        "put",
        "eingeben",
        "angeben",
        "indiquent",
        "indican",
    ];
    let at = found.iter().position(|word| ["where", "in", "wo", "que"].contains(&word.plain.as_str()))?;
    let verb = (at + 1..found.len().min(at + 6)).find(|n| longest_at(found, *n, ENTER) > 0)?;
    Some(verb + longest_at(found, verb, ENTER)).filter(|after| *after < found.len())
}

/// Index after a phrase such as "Participants rate the" or "members choose".
pub(super) fn after_subject(found: &[Word]) -> Option<usize> {
    let sure = ["enter", "choose", "select", "specify", "provide"];
    let verb = (1..found.len().min(4)).find(|n| {
        let word = found.get(*n).map_or("", |word| word.plain.as_str());
        let next = found.get(n + 1).map_or("", |word| word.plain.as_str());
        sure.contains(&word)
            || (matches!(word, "rate" | "state" | "give" | "tell")
                && matches!(next, "the" | "their" | "our" | "us" | "a"))
    })?;
    Some(verb + 1)
        .filter(|after| *after < found.len() && !has_any(found.get(..verb).unwrap_or_default(), &FORMS))
}

/// Index after a phrase such as "for every loan we need".
pub(super) fn after_for_each(found: &[Word]) -> Option<usize> {
    if longest_at(
        found,
        0,
        &[
            "for every",
            "for each",
            "per",
            "fur jede",
            "fur jeden",
            "pour chaque",
            "para cada",
            "from each",
            "from every",
        ],
    ) == 0
    {
        return None;
    }
    let verb = (2..found.len().min(8)).find(|n| longest_at(found, *n, &VERBS) > 0)?;
    Some(verb + longest_at(found, verb, &VERBS)).filter(|after| *after < found.len())
}

/// Whether the words before a phrase such as "with" are a title and not a thing with parts.
pub(super) fn is_list_cue(found: &[Word], at: usize, after_colon: bool) -> bool {
    let Some(before) = found.get(..at) else { return false };
    let verbal =
        ["to", "that", "which", "should", "must", "where", "asking", "asks", "collecting", "que", "qui"];
    if found.get(at).is_some_and(|word| verbal.contains(&word.plain.as_str())) {
        return true;
    }
    let thing =
        before.last().is_some_and(|word| OBJECTS.contains(&word.plain.as_str())) || is_collection(before);
    let form = has_any(before, &FORMS)
        || before.iter().any(|word| {
            ["formular", "bogen", "meldung", "antrag", "anmeldung"]
                .iter()
                .any(|ending| word.plain.ends_with(ending))
        });
    let form = form
        && !(after_colon
            && before.len() <= 2
            && !before.last().is_some_and(|word| FORMS.contains(&word.plain.as_str())));
    before.is_empty() || form || (!thing && !after_colon)
}

/// Index after a leading verb such as "collect".
pub(super) fn after_verb(found: &[Word], after_colon: bool, later: bool) -> Option<usize> {
    let start = (0..found.len().min(10)).take_while(|at| {
        (0..*at).all(|n| found.get(n).is_some_and(|word| BEFORE_VERBS.contains(&word.plain.as_str())))
    });
    let mut after = None;
    for at in start {
        let count = longest_at(found, at, &VERBS);
        let sure = at > 0 || found.len() > at + count;
        if count > 0 && sure {
            after = Some((at, at + count));
        }
    }
    let (at, mut next) = after?;
    let word = found.get(at).map_or("", |word| word.plain.as_str());
    let nouns = [
        "list", "log", "note", "record", "request", "store", "track", "register", "report", "document",
        "need", "also", "have", "contact",
    ];
    if after_colon && nouns.contains(&word) {
        return None;
    }
    if at == 0
        && !later
        && nouns.contains(&word)
        && !found.get(next).is_some_and(|word| {
            ["the", "a", "an", "their", "your", "each", "for"].contains(&word.plain.as_str())
        })
    {
        return None;
    }
    if word == "ask" {
        // "Ask the owner for the name": the person asked is no field.
        let object = (next..found.len().min(next + 6))
            .find(|n| found.get(*n).is_some_and(|word| ["for", "about"].contains(&word.plain.as_str())));
        next = object.map_or(next, |n| n + 1);
    }
    // "I need a form": the form itself is no field.
    let form = found.get(next..).is_some_and(|rest| {
        has_any(
            rest.get(..rest.len().min(6)).unwrap_or_default(),
            &["form", "formular", "formulaire", "formulario", "survey", "questionnaire"],
        )
    });
    (!form && next < found.len()).then_some(next)
}
