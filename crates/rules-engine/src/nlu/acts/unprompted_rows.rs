//! Rows stated before their list is asked for, and changes of existing rows: "2 large margheritas", "make the
//! shirts blue".

use std::ops::Range;

use forms_core::{Field, FieldType};
use serde_json::{Map, Value};

use crate::nlu::acts::entries::{MAX_ITEMS, entries};
use crate::nlu::acts::list_commands::make_update;
use crate::nlu::acts::list_items::items;
use crate::nlu::acts::rows;
use crate::nlu::context::field_profile::{FieldProfile, SlotType, escaped};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::entities::answer_frame::strip_answer_frame;
use crate::nlu::tokens::sentences::{Sentence, SentenceMood};
use agents_core::chat::{SlotOperation, SlotUpdate};

/// Most lists examined.
const MAX_LISTS: usize = 10;
/// Most sentences examined.
const MAX_SENTENCES: usize = 10;

/// The first list for which the message states rows.
pub(crate) fn find_offered_list<'s, 'a>(
    context: &'s NluContext<'a>,
    settled: &[SlotCandidate],
) -> Option<(usize, &'s FieldProfile<'a>)> {
    let offers = |list: &FieldProfile<'a>| match &list.field.kind {
        FieldType::Array(item) => context
            .sentences
            .iter()
            .take(MAX_SENTENCES)
            .any(|sentence| parse_offered_row(context, list, item, settled, sentence).is_some()),
        _ => false,
    };
    context.fields_of_types(&[SlotType::List]).take(MAX_LISTS).find(|(_, list)| offers(list))
}

/// The rows of a sentence about a list that was not asked for: "2 large margheritas", or "and 3 blue caps"
/// while another row is being filled. They must be distinctive.
pub(crate) fn parse_offered_row(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    item: &Field,
    settled: &[SlotCandidate],
    sentence: &Sentence,
) -> Option<SlotUpdate> {
    let FieldType::Object(parts) = &item.kind else { return None };
    let asks = matches!(sentence.mood, SentenceMood::Question | SentenceMood::Existence);
    let inside = format!("{}/", list.path);
    let claimed = settled.iter().any(|claim| {
        let of_row =
            context.profiles.get(claim.profile).is_some_and(|profile| profile.path.starts_with(&inside));
        !of_row && sentence.words.contains(&claim.words.start)
    });
    let first = context.text.folded(sentence.words.start);
    let goes_on = context.turn.asked.is_some_and(|asked| asked.starts_with(&inside))
        && (context.lexicon.list("and").has_word(first) || context.list("add", sentence.words.start) > 0);
    if !(list.is_open || goes_on) || asks || claimed {
        return None;
    }
    let values = entries(context, item, &strip_answer_frame(context, &sentence.words));
    // "And a salami" while another row is being filled.
    let begins = |row: &Map<String, Value>| {
        let main = rows::main_part(context, parts);
        goes_on
            && main.is_some_and(|field| {
                row.contains_key(&field.name) && (!field.options.is_empty() || row.len() > 1)
            })
    };
    let telling = |value: &Value| {
        value.as_object().is_some_and(|row| rows::is_distinctive(context, parts, row) || begins(row))
    };
    let change = if list.is_open { SlotOperation::Set } else { SlotOperation::Add };
    (!values.is_empty() && values.iter().all(telling)).then(|| make_update(list, change, values))
}

/// Changes of an existing row: "Make the shirts blue", "the caps should be 4", "Dan is 13, not 12".
pub(crate) fn row_changes(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    item: &Field,
    words: &Range<usize>,
) -> Option<Vec<SlotUpdate>> {
    let FieldType::Object(parts) = &item.kind else { return None };
    let (at, place) = words
        .clone()
        .filter(|at| !context.is_in_list("common", *at) && !context.is_in_list("break", *at))
        .find_map(|at| {
            let found = items(context, list)
                .iter()
                .take(MAX_ITEMS)
                .position(|row| rows::is_named(context, parts, row, at));
            Some((at, found?))
        })?;
    let other = ["remove", "replace", "add"]
        .iter()
        .any(|name| context.lexicon.list(name).within(&context.text, words.start..at).is_some());
    let tells = words.clone().any(|at| {
        context.is_in_list("change", at)
            || context.is_in_list("set", at)
            || context.is_in_list("auxiliary", at)
            || ["copula", "make"].iter().any(|list| context.is_in_list(list, at))
    });
    // The words that name the item are not its new value.
    let rest = if at + 1 < words.end { at + 1..words.end } else { words.start..at };
    let end =
        rest.clone().find(|at| context.is_in_list("not_word", *at) || context.list("instead_of", *at) > 0);
    let told = rows::changes(context, parts, &(rest.start..end.unwrap_or(rest.end)));
    if other || !tells || told.is_empty() {
        return None;
    }
    let set = |(name, value): (String, Value)| SlotUpdate {
        path: format!("{}/{place}/{}", list.path, escaped(&name)),
        change: SlotOperation::Set,
        value,
        is_meant: true,
    };
    Some(told.into_iter().map(set).collect())
}
