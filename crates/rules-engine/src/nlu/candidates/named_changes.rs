//! Changes of several named fields: "Change my name to Bob and my e-mail to b@x.org".

use std::ops::Range;

use serde_json::json;

use crate::nlu::candidates::field_reference::find_named_field;
use crate::nlu::context::field_profile::SlotType;
use crate::nlu::context::nlu_context::{NamedChange, NluContext, SlotCandidate};
use crate::nlu::entities::answer_frame::strip_answer_frame;
use crate::nlu::entities::value_parser;

/// Most words of a field's name.
const MAX_LABEL: usize = 8;
/// Most words of a new value.
const MAX_VALUE: usize = 16;
/// Most fields changed by one message.
const MAX_PAIRS: usize = 8;

/// Whether a sentence changes several fields by name.
pub(crate) fn has_named_changes(context: &NluContext<'_>, words: &Range<usize>) -> bool {
    named_changes(context).iter().any(|pair| words.contains(&pair.words.start))
}

/// The fields that a sentence changes, each with its value; empty unless there are several.
fn pairs(context: &NluContext<'_>, words: &Range<usize>) -> Vec<NamedChange> {
    let Some(verb) = words.clone().take(8).find(|at| context.is_in_list("change", *at)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut from = verb + 1;
    while let Some((profile, to)) = label(context, from..words.end, &found) {
        found.push(NamedChange { profile, words: to + 1..words.end });
        let next = (to + 2..words.end.min(to + MAX_VALUE)).find(|at| {
            let parted = context.text.gap(at - 1).contains(',') || is_conjunction(context, *at);
            parted
                && label(context, at + usize::from(is_conjunction(context, *at))..words.end, &found).is_some()
        });
        let end = next.unwrap_or(words.end);
        if let Some(pair) = found.last_mut() {
            pair.words = strip_answer_frame(context, &(to + 1..end));
        }
        let Some(next) = next.filter(|_| found.len() < MAX_PAIRS) else { break };
        from = next + usize::from(is_conjunction(context, next));
    }
    let takes_all = found.iter().all(|pair| {
        context.profiles.get(pair.profile).is_some_and(|profile| profile.slot_type != SlotType::List)
            && !pair.words.is_empty()
    });
    if found.len() > 1 && takes_all { found } else { Vec::new() }
}

/// The named changes of a message, computed once.
fn named_changes<'s>(context: &'s NluContext<'_>) -> &'s [NamedChange] {
    let find = || {
        let found = context.sentences.iter().flat_map(|sentence| pairs(context, &sentence.words));
        found.take(MAX_PAIRS).collect()
    };
    context.named_changes.get_or_init(find)
}

fn is_conjunction(context: &NluContext<'_>, at: usize) -> bool {
    context.is_in_list("and", at)
}

/// The field named at the start of the span, and the position of the "to" after it.
fn label(context: &NluContext<'_>, words: Range<usize>, before: &[NamedChange]) -> Option<(usize, usize)> {
    let to = words.clone().skip(1).take(MAX_LABEL).find(|at| context.is_in_list("into", *at))?;
    let parted =
        (words.start..to).any(|at| is_conjunction(context, at) || context.text.gap(at).contains([',', ';']));
    if parted || to + 1 >= words.end {
        return None;
    }
    let path = find_named_field(context, &(words.start..to));
    let index = path.and_then(|path| context.profiles.iter().position(|profile| profile.path == path));
    // "Change the first e-mail to … and the second one to …".
    let other = || {
        let last = context.profiles.get(before.last()?.profile)?;
        let (_, place) = (words.start..to).find_map(|at| context.text.ordinal_at(at, 1_000))?;
        let number = u32::try_from(place + 1).ok();
        context.profiles.iter().position(|profile| profile.name == last.name && profile.number == number)
    };
    Some((index.or_else(other)?, to))
}

/// Adds a candidate for each named change and drops the other candidates in its span.
pub(crate) fn add_candidates(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    for NamedChange { profile, words } in named_changes(context).iter().cloned() {
        claims.retain(|claim| {
            claim.profile == profile || claim.words.end <= words.start || words.end <= claim.words.start
        });
        let Some(field) = context.profiles.get(profile) else { continue };
        // An unparsable value is kept as text, so that validation asks the user again.
        let value =
            value_parser::value(context, field, &words).unwrap_or_else(|| json!(context.text.slice(&words)));
        if field.slot_type != SlotType::Flag {
            claims.retain(|claim| claim.profile != profile);
            claims
                .push(SlotCandidate { is_meant: true, ..context.make_candidate(profile, words, value, 20) });
        }
    }
}
