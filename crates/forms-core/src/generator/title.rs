//! Splits off what precedes a list of fields: the form's title, and phrases such as "with" and "collect".
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::language::Language;
use super::lexicon::CHOICES;
use super::list_cues::{
    AFTER_VERBS, STRONG_CUES, after_enter_verb, after_for_each, after_subject, after_verb, is_list_cue,
};
use super::spec::FieldSpec;
use super::split::{Separator, entries, find_open, pieces};
use super::words::{Phrases, has_any, longest_at, text_before, text_from, words};

/// A sentence split into title and list; `title` is empty when there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TitleSplit<'a> {
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

/// Splits off the title and the leading phrases of a sentence. `later` says that it is not the first
/// sentence.
pub(super) fn split<'a>(sentence: &'a str, language: Language, later: bool) -> TitleSplit<'a> {
    let sentence = sentence.trim();
    let first = entries(sentence, language).first().map_or("", |entry| entry.text);
    // Semicolons also separate entries.
    let first = first.split(';').next().unwrap_or_default();
    if let Some(titled) = after_form(sentence).or_else(|| before_colon(sentence, first, language)) {
        let after = split_words(titled.list, language, true, later);
        return TitleSplit { title: titled.title, list: after.map_or(titled.list, |after| after.list) };
    }
    split_words(sentence, language, false, later).unwrap_or(TitleSplit { title: "", list: sentence })
}

/// Splits at a colon or dash within the first entry, if the list of fields follows it.
fn before_colon<'a>(sentence: &'a str, first: &str, language: Language) -> Option<TitleSplit<'a>> {
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
    let named = has_any(&title_words, &FORMS)
        && !title_words.last().is_some_and(|word| CHOICES.contains(&word.plain.as_str()));
    let alternatives = found.len() > 1
        && found.iter().skip(1).all(|entry| matches!(entry.joint, Separator::Comma | Separator::Or))
        && found.last().is_some_and(|entry| entry.joint == Separator::Or)
        && found.iter().all(|entry| words(entry.text).len() <= 3);
    let spec = FieldSpec::read(list, language);
    let stated = spec.rest.is_empty();
    (named && !list.is_empty() || several && !alternatives && !stated).then_some(TitleSplit { title, list })
}

/// The list in `Speaker feedback (name, session, clarity)`, if that is the whole sentence.
pub(super) fn in_parentheses(sentence: &str) -> Option<&str> {
    let place = find_open(sentence, |rest| rest.starts_with('('))?;
    let list = sentence.get(place + 1..)?.strip_suffix(')')?;
    let title = words(sentence.get(..place)?);
    let form = title.last().is_some_and(|word| FORMS.contains(&word.plain.as_str()));
    let only = find_open(list, |rest| rest.starts_with(')')).is_none()
        && !sentence.get(..place)?.contains([',', ';', ':']);
    (form && only && title.len() <= 6 && list.matches(',').count() >= 2).then_some(list)
}

/// Splits at a colon directly after a word such as "form", anywhere in the sentence.
fn after_form<'a>(sentence: &'a str) -> Option<TitleSplit<'a>> {
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
    (SURE.contains(&last.plain.as_str()) && !list.is_empty()).then_some(TitleSplit { title, list })
}

/// Splits after a phrase that introduces the list, within the first entry.
fn split_words<'a>(
    sentence: &'a str,
    language: Language,
    after_colon: bool,
    later: bool,
) -> Option<TitleSplit<'a>> {
    let first = entries(sentence, language).first().map_or("", |entry| entry.text);
    let end = find_open(first, |rest| rest.starts_with(['(', ';', '"'])).unwrap_or(first.len());
    let found = words(first.get(..end)?);
    let all = words(sentence);
    let strong = (0..found.len()).find_map(|at| {
        let count = longest_at(&found, at, &STRONG_CUES);
        // Something must follow, perhaps in parentheses or quotes.
        let followed = at + count < found.len() || end < first.len();
        (count > 0 && followed && is_list_cue(&found, at, after_colon)).then_some(at + count)
    });
    let verb = || after_verb(&found, after_colon, later).or_else(|| after_for_each(&found));
    let mut at = after_enter_verb(&found).or(strong).or_else(verb).or_else(|| after_subject(&found))?;
    loop {
        match longest_at(&all, at, &AFTER_VERBS).max(longest_at(&all, at, &STRONG_CUES)) {
            0 => break,
            count => at += count,
        }
    }
    let list = text_from(sentence, &all, at).trim_start_matches([':', '-', ' ']);
    (!list.is_empty()).then(|| TitleSplit { title: text_before(sentence, &all, at), list })
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
