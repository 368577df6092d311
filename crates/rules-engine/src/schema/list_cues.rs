//! Phrases that introduce a list: "with", "that asks for", "where couples enter", "collect".
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::list::is_collection;
use super::words::{Lexicon, Word, has_any, longest_at, longest_at_end};

/// Whether words such as "Please include" or "Fields needed" only introduce a list.
pub(super) fn is_cue(found: &[Word], lexicon: Lexicon) -> bool {
    longest_at_end(found, lexicon.list("verb")) > 0
        || longest_at_end(found, lexicon.list("cue")) > 0
        || has_any(found, lexicon.list("cue_word"))
}

/// Index after a phrase such as "where couples enter".
pub(super) fn after_enter_verb(found: &[Word], lexicon: Lexicon) -> Option<usize> {
    let at = found.iter().position(|word| lexicon.has("enter_lead", &word.plain))?;
    let verb =
        (at + 1..found.len().min(at + 6)).find(|n| longest_at(found, *n, lexicon.list("enter")) > 0)?;
    Some(verb + longest_at(found, verb, lexicon.list("enter"))).filter(|after| *after < found.len())
}

/// Index after a phrase such as "Participants rate the" or "members choose".
pub(super) fn after_subject(found: &[Word], lexicon: Lexicon) -> Option<usize> {
    let verb = (1..found.len().min(4)).find(|n| {
        let word = found.get(*n).map_or("", |word| word.plain.as_str());
        let next = found.get(n + 1).map_or("", |word| word.plain.as_str());
        lexicon.has("choose", word) || (lexicon.has("rate", word) && lexicon.has("rate_object", next))
    })?;
    Some(verb + 1).filter(|after| {
        *after < found.len() && !has_any(found.get(..verb).unwrap_or_default(), lexicon.list("form"))
    })
}

/// Index after a phrase such as "for every loan we need".
pub(super) fn after_for_each(found: &[Word], lexicon: Lexicon) -> Option<usize> {
    if longest_at(found, 0, lexicon.list("for_each")) == 0 {
        return None;
    }
    let verb = (2..found.len().min(8)).find(|n| longest_at(found, *n, lexicon.list("verb")) > 0)?;
    Some(verb + longest_at(found, verb, lexicon.list("verb"))).filter(|after| *after < found.len())
}

/// Whether the words before a phrase such as "with" are a title and not a thing with parts.
pub(super) fn is_list_cue(found: &[Word], lexicon: Lexicon, at: usize, after_colon: bool) -> bool {
    let Some(before) = found.get(..at) else { return false };
    if found.get(at).is_some_and(|word| lexicon.has("verbal_cue", &word.plain)) {
        return true;
    }
    let thing = before.last().is_some_and(|word| lexicon.has("object", &word.plain))
        || is_collection(before, lexicon);
    let form = has_any(before, lexicon.list("form"))
        || before.iter().any(|word| is_form_compound(&word.plain, lexicon));
    let form = form
        && !(after_colon
            && before.len() <= 2
            && !before.last().is_some_and(|word| lexicon.has("form", &word.plain)));
    before.is_empty() || form || (!thing && !after_colon)
}

/// Whether a word is a compound that names a form, such as "Meldeformular".
fn is_form_compound(word: &str, lexicon: Lexicon) -> bool {
    ["form_ending", "notice_ending"].iter().any(|key| lexicon.has_ending(key, word, 0))
}

/// Index after a leading verb such as "collect".
pub(super) fn after_verb(found: &[Word], lexicon: Lexicon, after_colon: bool, later: bool) -> Option<usize> {
    let start = (0..found.len().min(10)).take_while(|at| {
        (0..*at).all(|n| found.get(n).is_some_and(|word| lexicon.has("before_verb", &word.plain)))
    });
    let mut after = None;
    for at in start {
        let count = longest_at(found, at, lexicon.list("verb"));
        let sure = at > 0 || found.len() > at + count;
        if count > 0 && sure {
            after = Some((at, at + count));
        }
    }
    let (at, mut next) = after?;
    let word = found.get(at).map_or("", |word| word.plain.as_str());
    if after_colon && lexicon.has("verb_or_noun", word) {
        return None;
    }
    if at == 0
        && !later
        && lexicon.has("verb_or_noun", word)
        && !found.get(next).is_some_and(|word| lexicon.has("verb_object", &word.plain))
    {
        return None;
    }
    if lexicon.has("ask", word) {
        // "Ask the owner for the name": the person asked is no field.
        let object = (next..found.len().min(next + 6))
            .find(|n| found.get(*n).is_some_and(|word| lexicon.has("ask_for", &word.plain)));
        next = object.map_or(next, |n| n + 1);
    }
    // "I need a form": the form itself is no field.
    let form = found.get(next..).is_some_and(|rest| {
        has_any(rest.get(..rest.len().min(6)).unwrap_or_default(), lexicon.list("form_itself"))
    });
    (!form && next < found.len()).then_some(next)
}
