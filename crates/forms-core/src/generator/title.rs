//! What stands before a list of fields: the form's title, and words such as "with" and "collect".

use super::language::Language;
use super::lexicon::{CHOICES, OBJECTS};
use super::list::is_collection;
use super::spec::Spec;
use super::split::{Joint, entries, find_open, pieces};
use super::words::{Phrases, Word, any, from, longest_at, longest_at_end, until, words};

/// A sentence as title and list; the title is empty when there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Titled<'a> {
    pub(super) title: &'a str,
    pub(super) list: &'a str,
}

/// Words that name a form.
pub(super) static FORMS: Phrases = Phrases::new(
    "form, forms, questionnaire, survey, report, sheet, log, register, record, request, application, \
    template, checklist, booking, reservation, invoice, intake, claim, listing, profile, card, \
    ticket, document, schema, order, quote, sign-up, signup, registration, fields, columns, data, \
    enquiry, inquiry, feedback, agreement, permit, slip, entry, details, information, field, \
    questions, contract, receipt, review, membership, letter, label, statement, note, inspection, \
    poll, referral, waiver, diary, database, table, spreadsheet, dataset, file, audit, assessment, \
    evaluation, quotation, estimate, certificate, handover, timesheet, requisition, screening, \
    consent, nomination, page, model, object, json, formular, fragebogen, felder, meldung, antrag, \
    bestellung, anfrage, protokoll, rechnung, erfassung, bogen, anmeldung, reklamation, buchung, \
    auftrag, liste, formulaire, fiche, champs, demande, commande, facture, inscription, enquete, \
    rapport, devis, bon, formulario, ficha, cuestionario, campos, solicitud, pedido, factura, \
    encuesta, registro, informe, parte, reserva, hoja, presupuesto",
);
/// Phrases that lead to the list wherever the first entry has them.
static STRONG: Phrases = Phrases::new(
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
/// Verbs of an order that lead to the list when they begin the sentence.
static VERBS: Phrases = Phrases::new(
    "collect, capture, record, gather, ask for, include, request, track, store, extract, get, add, \
    list, register, log, note, save, need, needs, want, enter, provide, ask, require, gives, enters, \
    provides, states, fills in, submits, give, tell us, know, have, ask about, document, erfasse, \
    erfassen, abfragen, brauche, brauchen, demander, recueillir, recopilar, pedir, preguntar, \
    recoger, benotigen, put down, report, includes, contains, also, contain, find out, specify, \
    write down",
);
/// Words before such a verb.
static BEFORE_VERBS: Phrases = Phrases::new(
    "please, i, we, you, it, to, want, need, would, like, should, must, the, form, also, then, and, \
    finally, create, make, build, let, users, people, customers, they, lets, employee, will, has, \
    furthermore, additionally, next, bitte, wir, ich, mochten, nous, il, faut, user, customer, each, \
    a, visitor, applicant, employees, guest, patient, guests, us, client, additional, fields, can, \
    able, be, just, simply, my, our, there, that, shall, volunteer, staff, i'd, we'd, every, want to, \
    let's",
);
/// Words that follow such a verb and lead on.
static AFTER_VERBS: Phrases = Phrases::new(
    "the following fields, the following information, the following, following, fields for, fields, \
    these fields, these, for, about, their, information about, at least, down, the following details, \
    the following data, the fields, for the following, in, for each visitor, a form with, people for, \
    data on, details on, details such as, the usual details, data such as, for each entry, \
    information such as, things like",
);

/// Takes the title and the leading words off a sentence; `later` when another came before it.
pub(super) fn split<'a>(sentence: &'a str, language: Language, later: bool) -> Titled<'a> {
    let sentence = sentence.trim();
    let first = entries(sentence, language).first().map_or("", |entry| entry.text);
    // Semicolons part entries as well.
    let first = first.split(';').next().unwrap_or_default();
    if let Some(titled) = after_form(sentence).or_else(|| before_colon(sentence, first, language)) {
        let after = split_words(titled.list, language, true, later);
        return Titled { title: titled.title, list: after.map_or(titled.list, |after| after.list) };
    }
    split_words(sentence, language, false, later).unwrap_or(Titled { title: "", list: sentence })
}

/// A colon or a dash within the first entry, when what follows is the list of fields.
fn before_colon<'a>(sentence: &'a str, first: &str, language: Language) -> Option<Titled<'a>> {
    let place =
        find_open(first, |rest| rest.starts_with(": ") || rest.starts_with(":\n") || rest.starts_with(" - "))
            .or_else(|| first.trim_end().strip_suffix(':').map(str::len))?;
    let (title, list) =
        (sentence.get(..place)?.trim(), sentence.get(place..)?.trim_start_matches([' ', ':', '-', '\n']));
    let found = entries(list, language);
    let title_words = words(title);
    // "car: make, model; driver: name, age" are things with parts.
    let things = pieces(list);
    let several = found.len() > 1 || list.contains(';');
    let parted = things.len() > 1
        && things.first().is_some_and(|piece| entries(piece, language).len() > 1)
        && things.iter().skip(1).any(|piece| piece.contains(": "));
    let several = several && !parted;
    let named = any(&title_words, &FORMS)
        && !title_words.last().is_some_and(|word| CHOICES.contains(&word.plain.as_str()));
    let alternatives = found.len() > 1
        && found.iter().skip(1).all(|entry| matches!(entry.joint, Joint::Comma | Joint::Or))
        && found.last().is_some_and(|entry| entry.joint == Joint::Or)
        && found.iter().all(|entry| words(entry.text).len() <= 3);
    let spec = Spec::read(list, language);
    let stated = spec.rest.is_empty();
    (named && !list.is_empty() || several && !alternatives && !stated).then_some(Titled { title, list })
}

/// Whether words such as "Please include" or "Fields needed" only lead to a list.
pub(super) fn leads_on(found: &[Word]) -> bool {
    let leading = ["please", "needed", "following", "required", "bitte", "veuillez", "necessary"];
    longest_at_end(found, &VERBS) > 0 || longest_at_end(found, &STRONG) > 0 || any(found, &leading)
}

/// The list in `Speaker feedback (name, session, clarity)`, when that is all of the sentence.
pub(super) fn in_parentheses(sentence: &str) -> Option<&str> {
    let place = find_open(sentence, |rest| rest.starts_with('('))?;
    let list = sentence.get(place + 1..)?.strip_suffix(')')?;
    let title = words(sentence.get(..place)?);
    let form = title.last().is_some_and(|word| FORMS.contains(&word.plain.as_str()));
    let only = find_open(list, |rest| rest.starts_with(')')).is_none()
        && !sentence.get(..place)?.contains([',', ';', ':']);
    (form && only && title.len() <= 6 && list.matches(',').count() >= 2).then_some(list)
}

/// A colon right after a word such as "form", wherever in the sentence.
fn after_form<'a>(sentence: &'a str) -> Option<Titled<'a>> {
    const SURE: &[&str] = &[
        "form",
        "questionnaire",
        "survey",
        "fields",
        "schema",
        "formular",
        "formulaire",
        "formulario",
        "template",
        "felder",
        "champs",
        "campos",
        "columns",
        "following",
        "sheet",
        "fragebogen",
        "include",
        "includes",
        "needed",
        "information",
    ];
    let place = find_open(sentence, |rest| rest.starts_with(": "))?;
    let (title, list) = (sentence.get(..place)?, sentence.get(place + 1..)?.trim());
    let last = words(title).pop()?;
    (SURE.contains(&last.plain.as_str()) && !list.is_empty()).then_some(Titled { title, list })
}

/// Words that lead to the list, within the first entry.
fn split_words<'a>(
    sentence: &'a str,
    language: Language,
    after_colon: bool,
    later: bool,
) -> Option<Titled<'a>> {
    let first = entries(sentence, language).first().map_or("", |entry| entry.text);
    let end = find_open(first, |rest| rest.starts_with(['(', ';', '"'])).unwrap_or(first.len());
    let found = words(first.get(..end)?);
    let all = words(sentence);
    let strong = (0..found.len()).find_map(|at| {
        let count = longest_at(&found, at, &STRONG);
        // Something must follow; what follows may stand in parentheses or quotes.
        let followed = at + count < found.len() || end < first.len();
        (count > 0 && followed && leads(&found, at, after_colon)).then_some(at + count)
    });
    let verb = || verb(&found, after_colon, later).or_else(|| for_each(&found));
    let mut at = entering(&found).or(strong).or_else(verb).or_else(|| people(&found))?;
    loop {
        match longest_at(&all, at, &AFTER_VERBS).max(longest_at(&all, at, &STRONG)) {
            0 => break,
            count => at += count,
        }
    }
    let list = from(sentence, &all, at).trim_start_matches([':', '-', ' ']);
    (!list.is_empty()).then(|| Titled { title: until(sentence, &all, at), list })
}

/// The place after "where couples enter" and the like.
fn entering(found: &[Word]) -> Option<usize> {
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

/// The place after "Participants rate the" and "members choose".
fn people(found: &[Word]) -> Option<usize> {
    let sure = ["enter", "choose", "select", "specify", "provide"];
    let verb = (1..found.len().min(4)).find(|n| {
        let word = found.get(*n).map_or("", |word| word.plain.as_str());
        let next = found.get(n + 1).map_or("", |word| word.plain.as_str());
        sure.contains(&word)
            || (matches!(word, "rate" | "state" | "give" | "tell")
                && matches!(next, "the" | "their" | "our" | "us" | "a"))
    })?;
    Some(verb + 1).filter(|after| *after < found.len() && !any(found.get(..verb).unwrap_or_default(), &FORMS))
}

/// The place after "for every loan we need".
fn for_each(found: &[Word]) -> Option<usize> {
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

/// Whether an entry is the form's own name, such as "Customer feedback form".
pub(super) fn is_title(text: &str, first_of_pieces: bool) -> bool {
    const SURE: &[&str] = &[
        "form",
        "questionnaire",
        "survey",
        "sheet",
        "template",
        "checklist",
        "formular",
        "fragebogen",
        "formulaire",
        "formulario",
        "cuestionario",
        "schema",
    ];
    let found = words(text);
    let last = found.last().map_or("", |word| word.plain.as_str());
    let bare = !text.contains(['(', '"', ':']);
    bare && found.len() <= 8
        && (SURE.contains(&last)
            || last.ends_with("formular")
            || (first_of_pieces
                && found.len() > 1
                && FORMS.contains(&last)
                && ![
                    "data",
                    "details",
                    "information",
                    "note",
                    "file",
                    "card",
                    "entry",
                    "feedback",
                    "number",
                ]
                .contains(&last)))
}

/// Whether the words before a phrase such as "with" are a title and not a thing with parts.
fn leads(found: &[Word], at: usize, after_colon: bool) -> bool {
    let Some(before) = found.get(..at) else { return false };
    let verbal =
        ["to", "that", "which", "should", "must", "where", "asking", "asks", "collecting", "que", "qui"];
    if found.get(at).is_some_and(|word| verbal.contains(&word.plain.as_str())) {
        return true;
    }
    let thing =
        before.last().is_some_and(|word| OBJECTS.contains(&word.plain.as_str())) || is_collection(before);
    let form = any(before, &FORMS)
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

/// The place after a leading verb such as "collect".
fn verb(found: &[Word], after_colon: bool, later: bool) -> Option<usize> {
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
        // "Ask the owner for the name": whom one asks is no field.
        let object = (next..found.len().min(next + 6))
            .find(|n| found.get(*n).is_some_and(|word| ["for", "about"].contains(&word.plain.as_str())));
        next = object.map_or(next, |n| n + 1);
    }
    // "I need a form": the form itself is no field.
    let form = found.get(next..).is_some_and(|rest| {
        any(
            rest.get(..rest.len().min(6)).unwrap_or_default(),
            &["form", "formular", "formulaire", "formulario", "survey", "questionnaire"],
        )
    });
    (!form && next < found.len()).then_some(next)
}
