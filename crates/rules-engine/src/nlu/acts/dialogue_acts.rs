//! Dialogue acts other than values: the message agrees, refuses, does not know, wants to skip or to stop.

use std::ops::Range;

use crate::nlu::candidates::field_reference::find_named_field;
use crate::nlu::context::field_profile::SlotType;
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::tokens::sentences::SentenceMood;
use agents_core::chat::{ActType, DialogueAct, SlotOperation, SlotUpdate};

/// Phrase lists with their acts. The longest phrase wins; among equally long ones, the first list.
const LISTS: [(&str, ActType); 15] = [
    ("yes", ActType::Yes),
    ("no", ActType::No),
    ("unknown", ActType::Unknown),
    ("not_applicable", ActType::NotApplicable),
    ("later", ActType::Later),
    ("skip", ActType::Skip),
    ("explain", ActType::Explain),
    ("repeat", ActType::Repeat),
    ("back", ActType::Back),
    ("review", ActType::Review),
    ("finish", ActType::Finish),
    ("cancel", ActType::Cancel),
    ("restart", ActType::Restart),
    ("any", ActType::Skip),
    ("courtesy", ActType::Courtesy),
];

/// A dialogue act with its span of words.
#[derive(Clone, Debug)]
pub(crate) struct ActSpan {
    pub(crate) act: DialogueAct,
    pub(crate) words: Range<usize>,
    /// Whether the span covers its whole clause or sentence.
    pub(crate) is_whole: bool,
}

/// The dialogue acts of a message, in order.
pub(crate) fn acts(context: &NluContext<'_>) -> Vec<ActSpan> {
    let mut found = Vec::new();
    for sentence in &context.sentences {
        if let Some(acts) = cover_with_acts(context, &sentence.words) {
            found.extend(acts);
            continue;
        }
        for clause in &sentence.clauses {
            match cover_with_acts(context, clause) {
                Some(acts) => found.extend(acts),
                None => found.extend(opening_act(context, clause, sentence.mood)),
            }
        }
    }
    // "That's it" after a yes confirms; before a further sentence it ends nothing.
    let last = context.sentences.last().map_or(0, |sentence| sentence.words.start);
    let goes_on = |words: &Range<usize>| words.end <= last && !has_act_from(&found, last);
    // About a list, "yes, that's it" ends the list.
    let agrees = found.iter().any(|acted| acted.act.act_type == ActType::Yes)
        && context.asked_field().is_none_or(|(_, profile)| profile.slot_type != SlotType::List);
    let ends: Vec<bool> = found
        .iter()
        .map(|acted| {
            acted.act.act_type == ActType::Finish
                && (goes_on(&acted.words)
                    || agrees && context.is_in_list("it_word", acted.words.end.saturating_sub(1)))
        })
        .collect();
    let mut keep = ends.iter().map(|end| !end);
    found.retain(|_| keep.next().unwrap_or(true));
    found
}

/// Whether a message consists only of acts that agree or end, so that it can confirm.
pub(crate) fn is_plain(context: &NluContext<'_>, acts: &[ActSpan]) -> bool {
    let covered =
        context.sentences.iter().all(|sentence| cover_with_acts(context, &sentence.words).is_some());
    let agrees = acts.iter().all(|acted| {
        matches!(acted.act.act_type, ActType::Yes | ActType::Finish | ActType::Courtesy | ActType::Cancel)
    });
    let waits = context.lexicon.list("wait").within(&context.text, 0..context.text.len()).is_some();
    covered && agrees && !waits && !context.text.raw.contains(['?', '？'])
}

/// Whether a message asks to submit the form.
pub(crate) fn requests_submission(context: &NluContext<'_>) -> bool {
    context.lexicon.list("send").within(&context.text, 0..context.text.len()).is_some()
}

/// Whether an act starts at or after a word.
fn has_act_from(found: &[ActSpan], at: usize) -> bool {
    found.iter().any(|acted| acted.words.start >= at)
}

/// The longest phrase at a word, and its act.
fn phrase(context: &NluContext<'_>, at: usize, limit: usize) -> Option<(usize, ActType)> {
    let mut best: Option<(usize, ActType)> = None;
    for (list, act) in LISTS {
        // "any" alone is an ordinary word in a longer message.
        let length = context.list(list, at);
        let fits =
            length > 0 && at + length <= limit && !(list == "any" && length < 2 && context.text.len() > 2);
        if fits && best.is_none_or(|(longest, _)| length > longest) {
            best = Some((length, act));
        }
    }
    best
}

/// The acts that cover a span of words completely; `None` when other words remain.
fn cover_with_acts(context: &NluContext<'_>, words: &Range<usize>) -> Option<Vec<ActSpan>> {
    let mut found: Vec<ActSpan> = Vec::new();
    let mut at = words.start;
    while at < words.end {
        let filler = context.list("filler", at);
        match phrase(context, at, words.end) {
            Some((length, act)) if length >= filler => {
                found.push(act_span(context, act, at..at + length, true));
                at += length;
            }
            _ if filler > 0 && at + filler <= words.end => at += filler,
            _ => return None,
        }
    }
    // "sorry?" alone asks for repetition; a lone filler such as "now" is no act.
    if found.is_empty()
        && words.len() == 1
        && context.is_in_list("pardon", words.start)
        && context.text.gap(words.start).contains('?')
    {
        found.push(act_span(context, ActType::Repeat, words.clone(), true));
    }
    (!found.is_empty()).then_some(found)
}

/// An act at the start of a clause that continues: "I don't know my phone number".
fn opening_act(context: &NluContext<'_>, clause: &Range<usize>, mode: SentenceMood) -> Option<ActSpan> {
    let mut at = clause.start;
    while at < clause.end && context.list("filler", at) > 0 && phrase(context, at, clause.end).is_none() {
        at += context.list("filler", at);
    }
    if let Some(lead) = not_applicable_act(context, at, clause) {
        return Some(lead);
    }
    if let Some(later) = postponing_act(context, clause) {
        return Some(later);
    }
    let (length, act) = phrase(context, at, clause.end)?;
    let rest = at + length..clause.end;
    let own = find_named_field(context, &rest);
    let fits = match act {
        // "No, …" refuses, but "no hawaii" is about a thing.
        ActType::Yes | ActType::No => {
            let asked_flag =
                context.asked_field().is_some_and(|(_, profile)| profile.slot_type == SlotType::Flag);
            let parted = rest.is_empty() || context.text.gap(at) != " " || act == ActType::Yes || asked_flag;
            let goes_on = ["pronoun", "common", "filler", "correction", "negation", "lead"]
                .iter()
                .any(|list| context.list(list, rest.start) > 0);
            // "No wait, yes" is a correction.
            let takes_back = act == ActType::No && context.list("correction", at) > length;
            !matches!(mode, SentenceMood::Question) && length == 1 && (parted || goes_on) && !takes_back
        }
        ActType::Unknown | ActType::NotApplicable | ActType::Later => {
            length >= 2
                && (own.is_some()
                    || rest.len() <= 3
                    || rest.clone().any(|at| context.is_in_list("interrogative", at)))
        }
        ActType::Skip if context.list("any", at) == length => {
            let about = context.is_in_list("after_any", rest.start);
            rest.is_empty() || about && rest.len() <= 4
        }
        ActType::Skip => (own.is_some() || rest.len() <= 2) && act_word(context, at, length),
        ActType::Explain => {
            length >= 2 && rest.len() <= 4 || own.is_some() && length == 1 && context.is_in_list("why", at)
        }
        ActType::Repeat | ActType::Back | ActType::Review => length >= 2 && rest.len() <= 4,
        // Destructive acts must stand alone: not "start over the heating", not "cancel the parking".
        ActType::Restart | ActType::Cancel => rest.is_empty(),
        // "That's all I need", "nothing else for today".
        ActType::Finish => length >= 2 && rest.len() <= 6 && context.is_in_list("after_finish", rest.start),
        ActType::Courtesy => context.is_in_list("thanks", at),
        ActType::Change => false,
    };
    fits.then(|| {
        let mut acted = act_span(context, act, at..at + length, false);
        if let Some(path) = own.filter(|_| !matches!(act, ActType::Yes | ActType::No)) {
            acted.act.path = Some(path);
            acted.words = at..clause.end;
        }
        acted
    })
}

/// Whether the phrase is a skip: "skip the phone number", but not "next Friday".
fn act_word(context: &NluContext<'_>, at: usize, length: usize) -> bool {
    length >= 2 || context.is_in_list("skip_verb", at)
}

/// A field that does not apply: "I don't have a phone", "I have no middle name", "there is no car".
fn not_applicable_act(context: &NluContext<'_>, at: usize, clause: &Range<usize>) -> Option<ActSpan> {
    let length = context.list("lacks", at);
    let rest = at + length..clause.end;
    let path = find_named_field(context, &rest).filter(|_| length > 0 && rest.len() <= 5)?;
    let is_flag =
        context.profiles.iter().any(|profile| profile.path == path && profile.boolean_values.is_some());
    let mut acted = act_span(context, ActType::NotApplicable, at..clause.end, false);
    acted.act.path = Some(path);
    (!is_flag).then_some(acted)
}

/// A field that is deferred: "I'll give you my e-mail later". The clause names the field and ends with the
/// phrase.
fn postponing_act(context: &NluContext<'_>, clause: &Range<usize>) -> Option<ActSpan> {
    let last = clause.end.checked_sub(1).filter(|last| *last > clause.start)?;
    let length = (1..=3).rev().find(|length| {
        let at = (last + 1).saturating_sub(*length);
        at > clause.start && context.list("put_off", at) == *length
    })?;
    let path = find_named_field(context, &(clause.start..last + 1 - length))?;
    let mut acted = act_span(context, ActType::Later, clause.clone(), false);
    acted.act.path = Some(path);
    Some(acted)
}

fn act_span(context: &NluContext<'_>, act: ActType, words: Range<usize>, is_whole: bool) -> ActSpan {
    let path = context.turn.asked.map(str::to_owned);
    ActSpan { act: DialogueAct { act_type: act, path }, words, is_whole }
}

/// "The e-mail is wrong": the named field has a value, which is asked for again.
pub(crate) fn wrong_value_act(context: &NluContext<'_>) -> Option<ActSpan> {
    context.sentences.iter().find_map(|sentence| {
        let words = &sentence.words;
        let at = words.clone().find(|at| context.is_in_list("wrong", *at))?;
        let path = find_named_field(context, &(words.start..at))?;
        let filled = crate::nlu::context::field_profile::pointer(&context.turn, &path).is_some();
        let ends = words.end <= at + 2;
        (filled && ends).then(|| ActSpan {
            act: DialogueAct { act_type: ActType::Change, path: Some(path) },
            words: words.clone(),
            is_whole: true,
        })
    })
}

/// "Change my e-mail to nowhere": the stated new value, even if it is invalid for its slot type.
pub(crate) fn new_value(context: &NluContext<'_>, change: &ActSpan) -> Option<SlotUpdate> {
    let path = change.act.path.clone()?;
    let verb = change.words.clone().find(|at| context.is_in_list("change", *at))?;
    let to = (verb + 2..change.words.end).find(|at| context.is_in_list("into", *at))?;
    let said = context.text.slice(&(to + 1..change.words.end)).trim();
    let value = serde_json::Value::from(said);
    (!said.is_empty()).then_some(SlotUpdate { path, change: SlotOperation::Set, value, is_meant: true })
}

/// "I want to change the date" without a new value: a field is named after a verb of change and has no
/// candidate.
pub(crate) fn changes(context: &NluContext<'_>, settled: &[SlotCandidate]) -> Option<ActSpan> {
    context.sentences.iter().find_map(|sentence| {
        let words = &sentence.words;
        let verb = words.clone().take(8).find(|at| context.is_in_list("change", *at))?;
        let before = words.start..verb;
        // "Ich möchte den Namen ändern": in German the verb is last.
        let is_final = verb > words.start
            && (context.list("lead", words.start) > 0 || context.is_in_list("pronoun", words.start))
            && (verb + 1..words.end).all(|at| context.is_in_list("filler", at));
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
                .any(|list| context.is_in_list(list, at))
            });
        let claimed = settled.iter().any(|claim| words.contains(&claim.words.start));
        if !wants || claimed {
            return None;
        }
        let rest = if is_final { before } else { verb + 1..words.end };
        let path = find_named_field(context, &rest);
        let vague = rest.clone().any(|at| context.is_in_list("vague", at));
        (path.is_some() || vague).then(|| ActSpan {
            act: DialogueAct { act_type: ActType::Change, path },
            words: words.clone(),
            is_whole: true,
        })
    })
}
