//! Commands on lists: "add milk", "remove the second", "replace apples with plums", "change the price of the
//! first to 5".

use std::ops::Range;

use forms_core::{Field, FieldType};
use language::stem::light_stem;
use serde_json::{Value, json};

use crate::nlu::acts::entries::{MAX_ITEMS, entries};
use crate::nlu::acts::list_items::{find_item, items, strip_list_name};
use crate::nlu::acts::rows;
use crate::nlu::context::field_profile::{FieldProfile, escaped};
use crate::nlu::context::nlu_context::NluContext;
use crate::nlu::entities::answer_frame::strip_answer_frame;
use crate::nlu::tokens::message::words_of;
use agents_core::chat::{SlotOperation, SlotUpdate};

/// Splits "Add milk and remove the eggs" into its commands, at most two.
pub(crate) fn commands(context: &NluContext<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let verbs = |at: usize| {
        ["add", "remove", "replace", "change"].iter().any(|name| context.list(name, at) > 0)
            && !context.is_in_list("weak_verb", at)
    };
    let cut = (words.start + 1..words.end)
        .find(|at| verbs(*at) && ["and", "but"].iter().any(|list| context.is_in_list(list, at - 1)));
    match cut {
        Some(at) => vec![words.start..at - 1, at..words.end],
        None => vec![words.clone()],
    }
}

/// The updates of a command that adds, removes, replaces or changes items.
pub(crate) fn command(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    item: &Field,
    words: &Range<usize>,
) -> Option<Vec<SlotUpdate>> {
    let mut at = words.start;
    while at < words.end
        && ["add", "remove", "replace", "change"].iter().all(|name| context.list(name, at) == 0)
    {
        let skipped = ["filler", "request", "yes", "no", "courtesy", "lead", "correction"]
            .iter()
            .map(|name| context.list(name, at))
            .max()
            .unwrap_or(0);
        let first = at == words.start || context.text.before(at).contains(',');
        let no = context.is_in_list("no", at) && context.text.gap(at) == " " && first;
        if skipped == 0 || no {
            break;
        }
        at += skipped;
    }
    let has_items = !items(context, list).is_empty();
    if let length @ 1.. = context.list("replace", at) {
        return parse_replacement(context, list, item, at + length..words.end);
    }
    if let length @ 1.. = context.list("change", at) {
        return parse_change(context, list, item, at + length..words.end);
    }
    let no = usize::from(
        context.is_in_list("no", at)
            || ["not_word", "no_word", "without"].iter().any(|list| context.is_in_list(list, at)),
    );
    let told = context.list("remove", at);
    let remove = told.max(if has_items { no } else { 0 });
    if remove > 0 {
        let rest = at + remove..words.end;
        let found = parse_removal(context, list, rest.clone());
        let unknown = || unknown_item(context, list, rest).filter(|_| told > 0 && has_items);
        return found.or_else(unknown).map(|statement| vec![statement]);
    }
    let add = context.list("add", at);
    let certain = list.is_asked || has_items || context.is_in_list("add_verb", at);
    if add > 0 && certain {
        let rest = strip_list_name(context, list, at + add..words.end);
        let added = entries(context, item, &rest);
        return (!added.is_empty()).then(|| vec![make_update(list, SlotOperation::Add, added)]);
    }
    None
}

/// "The second is plums", "apples was a mistake": a statement about an existing item.
pub(crate) fn parse_item_statement(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    item: &Field,
    words: &Range<usize>,
) -> Option<Vec<SlotUpdate>> {
    if items(context, list).is_empty() || matches!(item.kind, FieldType::Object(_)) {
        return None;
    }
    let is = words.clone().skip(1).find(|at| context.is_in_list("copula", *at))?;
    let place = find_item(context, list, &(words.start..is))?;
    let path = format!("{}/{place}", list.path);
    let wrong = (is..words.end).any(|at| context.is_in_list("mistake", at));
    let (change, value) = match wrong {
        true => (SlotOperation::Remove, Value::Null),
        false => (SlotOperation::Set, entries(context, item, &(is + 1..words.end)).into_iter().next()?),
    };
    Some(vec![SlotUpdate { path, change, value, is_meant: true }])
}

/// The removal of "the second", "apples" or "everything".
fn parse_removal(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    words: Range<usize>,
) -> Option<SlotUpdate> {
    let rest = strip_list_name(context, list, words);
    let is_whole = rest
        .clone()
        .any(|at| context.list("whole_list", at) > 0 && !context.is_in_list("after_all", at.wrapping_sub(1)));
    if is_whole {
        return Some(SlotUpdate {
            path: list.path.clone(),
            change: SlotOperation::Remove,
            value: Value::Null,
            is_meant: true,
        });
    }
    let place = find_item(context, list, &rest)?;
    Some(SlotUpdate {
        path: format!("{}/{place}", list.path),
        change: SlotOperation::Remove,
        value: Value::Null,
        is_meant: true,
    })
}

/// The removal of an item that does not exist, with the words of the message.
fn unknown_item(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    words: Range<usize>,
) -> Option<SlotUpdate> {
    let rest = strip_list_name(context, list, words);
    let said = context.text.slice(&strip_answer_frame(context, &rest));
    (!said.is_empty()).then(|| make_update(list, SlotOperation::Remove, vec![json!(said)]))
}

/// "apples with plums": the item is replaced.
fn parse_replacement(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    item: &Field,
    words: Range<usize>,
) -> Option<Vec<SlotUpdate>> {
    let with = words.clone().skip(1).find(|at| context.is_in_list("replace_with", *at))?;
    let place = find_item(context, list, &(words.start..with))?;
    let value = entries(context, item, &(with + 1..words.end)).into_iter().next()?;
    Some(vec![SlotUpdate {
        path: format!("{}/{place}", list.path),
        change: SlotOperation::Set,
        value,
        is_meant: true,
    }])
}

/// "the price of the first to 5", "the second to plums", "apples to plums": the item or its field is changed.
fn parse_change(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    item: &Field,
    words: Range<usize>,
) -> Option<Vec<SlotUpdate>> {
    let to = words.clone().skip(1).rev().find(|at| context.is_in_list("into", *at))?;
    let before = words.start..to;
    let path = |place: usize, part: &str| format!("{}/{place}{part}", list.path);
    if let FieldType::Object(parts) = &item.kind {
        let part = parts.iter().find(|part| {
            words_of(&part.name).iter().any(|name| {
                before.clone().any(|at| context.lexicon.are_alike(context.text.stem(at), &light_stem(name)))
            })
        })?;
        let place = before.clone().find_map(|at| find_item(context, list, &(at..to)))?;
        let value = rows::column_value(context, part, &(to + 1..words.end))?;
        return Some(vec![SlotUpdate {
            path: path(place, &format!("/{}", escaped(&part.name))),
            change: SlotOperation::Set,
            value,
            is_meant: true,
        }]);
    }
    let values = entries(context, item, &(to + 1..words.end));
    let Some(place) = find_item(context, list, &before) else {
        // "Change the list to apples and pears" replaces the list.
        let names_list =
            before.clone().any(|at| list.name.iter().any(|name| name == context.text.folded(at)));
        return (names_list && !values.is_empty())
            .then(|| vec![make_update(list, SlotOperation::Set, values)]);
    };
    let value = values.into_iter().next()?;
    Some(vec![SlotUpdate { path: path(place, ""), change: SlotOperation::Set, value, is_meant: true }])
}

pub(crate) fn make_update(
    list: &FieldProfile<'_>,
    change: SlotOperation,
    mut values: Vec<Value>,
) -> SlotUpdate {
    values.truncate(MAX_ITEMS);
    SlotUpdate { path: list.path.clone(), change, value: Value::Array(values), is_meant: true }
}
